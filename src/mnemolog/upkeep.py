"""What people do with a memory file beside reading and writing facts: look after it, move it."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from mnemolog import edits
from mnemolog.graph import Graph
from mnemolog.records import Record
from mnemolog.results import ImportedRecords
from mnemolog.store.location import Location
from mnemolog.store.log import Compaction
from mnemolog.store.memory_file import MemoryFile
from mnemolog.writer import OTHER_WRITERS, Writer


class Upkeep:
    """The operations on one memory file as a whole; they take turns with those on its graph."""

    def __init__(
        self, location: Location, file: MemoryFile, writer: Writer, turn: threading.RLock
    ) -> None:
        self._location = location
        self._file = file
        self._writer = writer
        self._turn = turn

    def compact(self) -> Compaction:
        """Drop the lines of the file that say nothing any more."""
        with self._turn:
            return self._file.compact()

    def import_records(self, records: Sequence[Record], agent: str) -> ImportedRecords:
        """Save what another memory says, as far as it is new, with its own tags."""
        with self._turn:
            return self._file.save(
                lambda graph: edits.import_records(graph, records), self._writer.tags(agent)
            )

    def describe(self) -> tuple[str, ...]:
        """Return sentences about the file: why this one, whose it is, and what is in it."""
        with self._turn:
            graph = self._file.look()
            sentences = [
                self._location.reason,
                self._location.refusal,
                self._file.describe_owner(graph),
                _size(graph),
                OTHER_WRITERS if self._file.has_untagged_lines else None,
                *(f"Line {p.line} is kept, but not read: {p.reason}." for p in self._file.problems),
            ]
        return tuple(sentence for sentence in sentences if sentence)

    def is_tracked(self) -> bool:
        """Return whether git tracks the file, or may: then only `compact` rewrites it."""
        return self._file.is_tracked()


def _size(graph: Graph) -> str:
    return (
        f"It holds {len(graph.entities)} entities, {graph.observation_count} observations and "
        f"{len(graph.relations)} relations."
    )
