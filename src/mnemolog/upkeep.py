"""What people do with a memory file beside reading and writing facts: look after it, move it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path

from mnemolog.graph import Graph
from mnemolog.history.calls import Call, calls_in, whole_part
from mnemolog.history.census import Census, count
from mnemolog.interchange import read_document, records_of_document
from mnemolog.records import KINDS, Kind
from mnemolog.results import (
    ExportedTaxonomy,
    ImportProgress,
    ImportReport,
    ImportSteps,
    Undone,
)
from mnemolog.store import backups
from mnemolog.store.backups import BackedUpMemory, RestoredMemory
from mnemolog.store.location import Location
from mnemolog.store.log import Compaction
from mnemolog.store.memory_file import MemoryFile
from mnemolog.taxonomy import consistency, exports, retyping
from mnemolog.taxonomy.retyping import RetypedType
from mnemolog.taxonomy.shared import SharedFile
from mnemolog.taxonomy.usage import Usage, usage_of
from mnemolog.text import counted_graph
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

    def import_from(
        self,
        path: Path,
        agent: str,
        *,
        format_name: str | None = None,
        dry_run: bool = False,
        tell: Callable[[ImportProgress], object] = lambda _: None,
    ) -> ImportReport:
        """Bring along what another memory server kept, with its own dates and agents.

        `tell` hears after each step how far it has come.

        Raises:
            UnreadableSource: There is no store that can be read.
            InvalidRequest: There is no such format.
        """
        steps = self.import_steps(path, agent, format_name=format_name, dry_run=dry_run)
        while True:
            try:
                tell(next(steps))
            except StopIteration as end:
                report: ImportReport = end.value
                return report

    def import_steps(
        self, path: Path, agent: str, *, format_name: str | None = None, dry_run: bool = False
    ) -> ImportSteps:
        """Return an import in steps, each of which saves some thousand records as one call.

        Raises:
            UnreadableSource: There is no store that can be read; at the first step.
            InvalidRequest: There is no such format; at the first step.
        """
        from mnemolog import importing  # noqa: PLC0415 - the formats are many, and seldom needed

        destination = importing.Destination(
            self._location.path, self._file, self._writer, self._turn, agent
        )
        return importing.import_steps(path, destination, format_name=format_name, dry_run=dry_run)

    def export_taxonomy(self, *, shared: bool = False) -> ExportedTaxonomy:
        """Write beside the file what the memory is made of, or the types that a team shares.

        Raises:
            UnreadableTaxonomy: The shared taxonomy is broken, so it is left as it is.
            InvalidRequest: It would become too large to be read.
        """
        export = exports.export_shared if shared else exports.export_usage
        with self._turn:
            return export(self._location, self._usage())

    def types(self) -> tuple[consistency.Vocabulary, ...]:
        """Return what is odd about the types in use, of entities and of relations.

        Raises:
            UnreadableTaxonomy: The shared taxonomy is broken.
        """
        return consistency.report(self._usage(), SharedFile(self._location).read())

    def type_violations(self) -> tuple[consistency.Violation, ...]:
        """Return the types in use that are not agreed on, or not in one spelling.

        Raises:
            UnreadableTaxonomy: The shared taxonomy is broken.
        """
        return consistency.violations(self._usage(), SharedFile(self._location).read())

    def retype(
        self, old: str, new: str, agent: str, kinds: Collection[Kind] = KINDS
    ) -> RetypedType:
        """Give a type another name, wherever it is used; dates and agents stay.

        Raises:
            InvalidRequest: Nothing has the old type.
        """
        tags = self._writer.tags(agent)
        with self._turn:
            return self._file.save(
                lambda graph: retyping.retype(graph, old, new, tags, kinds), tags
            )

    def calls(self) -> Iterator[Call]:
        """Return the calls that the log shows, in file order; another server's file has none."""
        with self._turn:
            self._file.read()
            return calls_in(_log(self._content()))

    def take_back(self, call: Call, agent: str) -> Undone:
        """Put everything that a call changed back as it was before, whoever made it.

        Raises:
            InvalidRequest: Something of it has changed since.
        """
        with self._turn:
            return self._writer.take_back(call.step, agent)

    def census(self) -> Census:
        """Return how much of everything the memory holds."""
        with self._turn:
            graph, content = self._file.read(), self._content()
            log = whole_part(_log(content))
            return count(graph, len(content), log, self._file.problems)

    def back_up(self, target: Path | None = None) -> BackedUpMemory:
        """Copy the file to a new one: beside it, or to the file or folder that is named.

        Raises:
            InvalidRequest: There is nothing to copy yet, or something is in the way.
        """
        with self._turn:
            self._file.read()
            return backups.back_up(self._location, target, records_of_document)

    def restore(self, backup: Path, *, dry_run: bool = False) -> RestoredMemory:
        """Make the file what a backup is; what it is now is set aside beside it.

        Also where the file is the memory of another repository: then that is set aside.

        Raises:
            BackupRefused: It is no memory, or that of another repository.
        """
        with self._turn:
            done = backups.restore(self._location, backup, records_of_document, dry_run=dry_run)
            if done.set_aside:
                self._writer.forget_steps()
            return done

    def texts_ever(self, name: str) -> tuple[str, ...]:
        """Return what is true of an entity, and what was, also where a merge has left only that."""
        with self._turn:
            return self._file.read().observations_ever(name)

    def describe(self) -> tuple[str, ...]:
        """Return sentences about the file: why this one, whose it is, and what is in it."""
        with self._turn:
            graph = self._file.look()
            sentences = [
                self._location.reason,
                self._location.refusal,
                self._file.describe_owner(graph),
                f"It holds {_size(graph)}.",
                OTHER_WRITERS if graph.has_untagged_lines else None,
                *(f"Line {p.line} is kept, but not read: {p.reason}." for p in self._file.problems),
            ]
        return tuple(sentence for sentence in sentences if sentence)

    def is_tracked(self) -> bool:
        """Return whether git tracks the file, or may: then only `compact` rewrites it."""
        return self._file.is_tracked()

    def _usage(self) -> Usage:
        with self._turn:
            return usage_of(self._file.read())

    def _content(self) -> bytes:
        if self._location.refusal:
            return b""
        with suppress(FileNotFoundError):
            return self._location.path.read_bytes()
        return b""


def _log(content: bytes) -> bytes:
    """Return the content if it is a log of ours; another server's document has no lines."""
    return b"" if read_document(content) else content


def _size(graph: Graph) -> str:
    totals = graph.totals
    return counted_graph(totals.entities, totals.observations, totals.relations)
