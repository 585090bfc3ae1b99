"""A memory file behind everything that decides whether it may be read or written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from mnemolog.edits.edit import Edit
from mnemolog.errors import LocationRefused, NewerFormat
from mnemolog.graph import Graph
from mnemolog.records import FORMAT, Tags
from mnemolog.results import Problem
from mnemolog.store import git
from mnemolog.store.guard import Guard, protect_from_commit
from mnemolog.store.location import Location, require_in_place, require_kept
from mnemolog.store.log import Compaction, Log
from mnemolog.store.reading import DocumentReader

ResultT = TypeVar("ResultT")


class MemoryFile:
    """The log at a location: refused where no memory may be, or where it is another's."""

    def __init__(self, location: Location, read_document: DocumentReader) -> None:
        self._location = location
        self._guard = Guard(location.path, location.repository)
        self._log = Log(
            location.path,
            read_document=read_document,
            may_compact=lambda: not self.is_tracked(),
        )
        self._is_protected = False
        self.changes = 0
        """How often something was to be written: as often as before, and nothing has changed."""

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The lines that could not be read last time."""
        return self._log.problems

    @property
    def last_read(self) -> Graph:
        """The graph as it was read, or written, last; the file is not looked at."""
        return self._log.last_read

    def is_tracked(self) -> bool:
        """Return whether git tracks the file, or may: then only `compact` rewrites it."""
        return git.is_tracked(self._location.path, self._location.repository) is not False

    def read(self) -> Graph:
        """Return the graph as the file has it now; an empty one where no memory may be.

        Raises:
            LocationRefused: Its repository is not there any more.
            OtherRepository: It is the memory of another repository.
            StorageError: The system refused to read it.
        """
        graph = self.look()
        if graph.header is None:  # there may be no file any more
            self._refuse_lost_repository()
        self._guard.check(graph.header)
        return graph

    def look(self) -> Graph:
        """Return the graph whosever it is."""
        return Graph() if self._location.refusal else self._log.read()

    def describe_owner(self, graph: Graph) -> str:
        """Return a sentence that says whose memory the file holds."""
        return self._guard.describe(graph.header)

    def save(self, plan: Callable[[Graph], Edit[ResultT]], tags: Tags) -> ResultT:
        """Carry out the edit that `plan` makes of the graph, whole or not at all.

        Raises:
            LocationRefused: No memory may be kept here.
            OtherRepository: It is the memory of another repository.
            NewerFormat: A newer mnemolog wrote it.
            UnreadableMemory: It is not a memory.
            StorageError: The system refused.
        """
        self._refuse_location()

        def admitted(graph: Graph) -> Edit[ResultT]:
            self._guard.check(graph.header)
            self._refuse_newer_format(graph)
            edit = plan(graph)
            if not edit.records:
                return edit
            self.changes += 1
            self._protect_once()
            header = self._guard.header_due(graph.header, tags)
            return Edit((header, *edit.records), edit.result) if header else edit

        return self._log.write(admitted)

    def adopt(self, tags: Tags) -> None:
        """Make the memory this repository's; its facts stay.

        Raises:
            NewerFormat: A newer mnemolog wrote it; a header of ours would hide that.
        """
        self._refuse_location()
        header = self._guard.header_here(tags)

        def admitted(graph: Graph) -> Edit[None]:
            self._refuse_newer_format(graph)
            self.changes += 1
            self._protect_once()
            return Edit((header,) if header else (), None)

        self._log.write(admitted)

    def start_afresh(self, tags: Tags) -> Path | None:
        """Set the whole file aside, start an empty one, and return where the old one is."""
        self._refuse_location()
        self.changes += 1
        self._protect_once()
        header = self._guard.header_here(tags)
        return self._log.start_afresh((header,) if header else ())

    def compact(self) -> Compaction:
        """Drop the lines that say nothing any more."""
        self._refuse_location()
        self._refuse_newer_format(self.read())
        return self._log.compact()

    def _protect_once(self) -> None:
        if not self._is_protected:
            protect_from_commit(self._location)
            self._is_protected = True

    def _refuse_location(self) -> None:
        self._location.require_allowed()
        self._refuse_lost_repository()
        require_in_place(self._location.path)
        require_kept(self._location.path)

    def _refuse_lost_repository(self) -> None:
        repository = self._location.repository
        # Its folders would be made again for a file, which nobody would look for there.
        if repository is not None and not repository.is_dir():
            raise LocationRefused(
                f"The repository {repository} is not there any more, and its memory,"
                f" {self._location.path}, was in it. Nothing is read or written: if it was moved,"
                " restart the server in its new place."
            )

    def _refuse_newer_format(self, graph: Graph) -> None:
        if graph.header and graph.header.format > FORMAT:
            raise NewerFormat(self._location.path, graph.header.format, FORMAT)
