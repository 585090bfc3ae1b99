"""The memory of one repository: one method per operation, safe to call from several threads.

Each operation reads what the file has now, refuses if it belongs to another repository, and is
saved whole or not at all.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TypeAlias, TypeVar

from mnemolog import edits
from mnemolog.bounds import Cursors
from mnemolog.edits import Edit
from mnemolog.excerpts import EVERYTHING, Scope
from mnemolog.finder import Finder
from mnemolog.findings import without_hits
from mnemolog.graph import EntityState, Graph
from mnemolog.interchange import read_document
from mnemolog.pages import Snapshot, first_answer, next_answer
from mnemolog.records import ObservationTags, Record, Relation
from mnemolog.requests import (
    InitializeMode,
    NewEntity,
    NewObservations,
    ObservationDeletion,
    RelationTriple,
)
from mnemolog.results import (
    AddedObservations,
    CreatedEntities,
    CreatedRelations,
    DeletedEntities,
    DeletedObservations,
    DeletedRelations,
    GraphResult,
    ImportedRecords,
    InitializedMemory,
    SearchResults,
)
from mnemolog.store.access import AccessLog
from mnemolog.store.location import Location, Settings, locate
from mnemolog.store.log import Compaction
from mnemolog.store.memory_file import MemoryFile

WriteResultT = TypeVar(
    "WriteResultT",
    CreatedEntities,
    CreatedRelations,
    AddedObservations,
    DeletedEntities,
    DeletedObservations,
    DeletedRelations,
)
Clock: TypeAlias = Callable[[], datetime]


def local_time() -> datetime:
    """Return the time now, with the local offset from UTC."""
    return datetime.now().astimezone()


class Memory:
    """The operations on one memory file."""

    def __init__(self, location: Location, clock: Clock = local_time) -> None:
        self.location = location
        self._clock = clock
        self._file = MemoryFile(location, _records_of_document)
        self._access = AccessLog(location.path)
        self._paging = Cursors[Snapshot]("g")
        self._finder = Finder(self._file.read, self._access, clock)
        self._turn = threading.RLock()
        self._has_told_of_other_writers = False

    @classmethod
    def open(cls, settings: Settings, start: Path, clock: Clock = local_time) -> Memory:
        """Return the memory that the settings and the start folder lead to.

        Raises:
            LocationRefused: No memory may be kept there.
        """
        return cls(locate(settings, start, Path.home()), clock)

    # --- writing ---------------------------------------------------------------------------------

    def create_entities(self, entities: Sequence[NewEntity], agent: str) -> CreatedEntities:
        """Create the entities whose names are not taken yet."""
        return self._write(agent, lambda graph, tags: edits.create_entities(graph, entities, tags))

    def create_relations(self, relations: Sequence[RelationTriple], agent: str) -> CreatedRelations:
        """Create the relations that are new and whose ends exist."""
        return self._write(
            agent, lambda graph, tags: edits.create_relations(graph, relations, tags)
        )

    def add_observations(
        self, observations: Sequence[NewObservations], agent: str
    ) -> AddedObservations:
        """Add the observations that are not there yet.

        Raises:
            EntityNotFound: An entity does not exist; then nothing of the call is saved.
        """
        return self._write(
            agent, lambda graph, tags: edits.add_observations(graph, observations, tags)
        )

    def delete_entities(self, entity_names: Sequence[str], agent: str) -> DeletedEntities:
        """Delete entities, with the relations that touch them."""
        return self._write(
            agent, lambda graph, tags: edits.delete_entities(graph, entity_names, tags)
        )

    def delete_observations(
        self, deletions: Sequence[ObservationDeletion], agent: str
    ) -> DeletedObservations:
        """Delete the observations that match exactly."""
        return self._write(
            agent, lambda graph, tags: edits.delete_observations(graph, deletions, tags)
        )

    def delete_relations(self, relations: Sequence[RelationTriple], agent: str) -> DeletedRelations:
        """Delete the relations that match exactly."""
        return self._write(
            agent, lambda graph, tags: edits.delete_relations(graph, relations, tags)
        )

    def initialize_memory(self, mode: InitializeMode, agent: str) -> InitializedMemory:
        """Make the file this repository's: keep its facts, or set it aside and start empty."""
        with self._turn:
            if mode == "fresh":
                return _started_afresh(self._file.start_afresh(self._tags(agent)))
            self._file.adopt(self._tags(agent))
            return _ADOPTED

    # --- reading ---------------------------------------------------------------------------------

    def read_graph(self, scope: Scope = EVERYTHING, cursor: str | None = None) -> GraphResult:
        """Return the graph, or the page of it that a cursor leads to.

        Raises:
            InvalidRequest: The cursor has expired.
        """
        with self._turn:
            graph = self._file.read()
            return self._answer(graph, graph, graph.relations.values(), scope, cursor)

    def search_nodes(
        self,
        query: str,
        scope: Scope = EVERYTHING,
        cursor: str | None = None,
        *,
        expand: bool = False,
    ) -> SearchResults:
        """Return the observations that answer a query, best first, and what they are about.

        With `expand`, what is linked to the best ones can join them. An empty query is
        `read_graph`.

        Raises:
            InvalidRequest: The cursor has expired.
        """
        with self._turn:
            if not query.strip():
                return without_hits(self.read_graph(scope, cursor))
            answer = self._finder.find(query, scope, cursor, expand=expand)
            return replace(answer, problems=self._file.problems or None)

    def explain(self, query: str, scope: Scope, *, expand: bool = False) -> tuple[str, ...]:
        """Return lines: the best hits of a query, each with the factors of its score in words."""
        with self._turn:
            return self._finder.explain(query, scope, expand=expand)

    def open_nodes(
        self, names: Sequence[str], scope: Scope = EVERYTHING, cursor: str | None = None
    ) -> GraphResult:
        """Return the entities of exactly these names, with their relations.

        Raises:
            InvalidRequest: The cursor has expired.
        """
        with self._turn:
            graph = self._file.read()
            opened = graph.open(names)
            self._access.note([entity.name for entity in opened], self._clock())
            return self._part(graph, opened, scope, cursor)

    # --- upkeep ----------------------------------------------------------------------------------

    def compact(self) -> Compaction:
        """Drop the lines of the file that say nothing any more."""
        with self._turn:
            return self._file.compact()

    def import_records(self, records: Sequence[Record], agent: str) -> ImportedRecords:
        """Save what another memory says, as far as it is new, with its own tags."""
        with self._turn:
            return self._file.save(
                lambda graph: edits.import_records(graph, records), self._tags(agent)
            )

    def describe(self) -> tuple[str, ...]:
        """Return sentences about the file: why this one, whose it is, and what is in it."""
        with self._turn:
            graph = self._file.look()
            sentences = [
                self.location.reason,
                self.location.refusal,
                self._file.describe_owner(graph),
                _size(graph),
                _OTHER_WRITERS if self._file.has_untagged_lines else None,
                *(f"Line {p.line} is kept, but not read: {p.reason}." for p in self._file.problems),
            ]
        return tuple(sentence for sentence in sentences if sentence)

    def is_tracked(self) -> bool:
        """Return whether git tracks the file, or may: then only `compact` rewrites it."""
        return self._file.is_tracked()

    # --- pieces ----------------------------------------------------------------------------------

    def _write(
        self, agent: str, plan: Callable[[Graph, ObservationTags], Edit[WriteResultT]]
    ) -> WriteResultT:
        with self._turn:
            tags = self._tags(agent)
            result = self._file.save(lambda graph: plan(graph, tags), tags)
            if self._has_told_of_other_writers or not self._file.has_untagged_lines:
                return result
            self._has_told_of_other_writers = True
            return replace(result, notice=_OTHER_WRITERS)

    def _tags(self, agent: str) -> ObservationTags:
        return ObservationTags(self._clock().isoformat(timespec="seconds"), agent)

    def _part(
        self, graph: Graph, entities: Sequence[EntityState], scope: Scope, cursor: str | None
    ) -> GraphResult:
        relations = graph.relations_touching(entity.name for entity in entities)
        return self._answer(graph, entities, relations, scope, cursor)

    def _answer(
        self,
        graph: Graph,
        entities: Iterable[EntityState],
        relations: Iterable[Relation],
        scope: Scope,
        cursor: str | None,
    ) -> GraphResult:
        if cursor is None:
            answer = first_answer(graph, entities, relations, scope, self._paging)
        else:
            answer = next_answer(graph, cursor, self._paging)
        return replace(answer, problems=self._file.problems or None)


_ADOPTED = InitializedMemory(
    success=True, message="The memory now belongs to this repository; its facts are unchanged."
)

_OTHER_WRITERS = (
    "This file also has facts that another memory server wrote; all of them are read. If that "
    "server still writes to the file, it keeps the facts, but drops dates and agents, brings "
    "removed facts back, and overwrites what is saved at the same moment: point every client at "
    "mnemolog."
)


def _started_afresh(backup: Path | None) -> InitializedMemory:
    if backup is None:
        return InitializedMemory(success=True, message="There was no memory yet; it starts empty.")
    message = f"The memory starts empty. What it held before is kept in {backup}."
    return InitializedMemory(success=True, message=message, backup=str(backup))


def _size(graph: Graph) -> str:
    return (
        f"It holds {len(graph.entities)} entities, {graph.observation_count} observations and "
        f"{len(graph.relations)} relations."
    )


def _records_of_document(content: bytes) -> tuple[Record, ...] | None:
    document = read_document(content)
    return document.records if document else None
