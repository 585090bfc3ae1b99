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
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from mnemolog import edits
from mnemolog.bounds import Cursors
from mnemolog.edits import Edit
from mnemolog.errors import LocationRefused, NewerFormat
from mnemolog.excerpts import EVERYTHING, Scope
from mnemolog.filters import Filters
from mnemolog.findings import (
    DEFAULT_LIMIT,
    Findings,
    Searcher,
    first_findings,
    next_findings,
    without_hits,
)
from mnemolog.graph import EntityState, Graph
from mnemolog.interchange import read_document
from mnemolog.pages import Snapshot, first_answer, next_answer
from mnemolog.records import FORMAT, ObservationTags, Record, Relation
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
from mnemolog.store import git
from mnemolog.store.access import AccessLog
from mnemolog.store.guard import Guard, protect_from_commit
from mnemolog.store.location import Location, Settings, locate
from mnemolog.store.log import Compaction, Log

if TYPE_CHECKING:
    from mnemolog.search.index import Index, SearchResult

ResultT = TypeVar("ResultT")
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
        self._guard = Guard(location.path, location.repository)
        self._log = Log(
            location.path, read_document=_records_of_document, may_compact=self._may_compact
        )
        self._access = AccessLog(location.path)
        self._paging = Cursors[Snapshot]("g")
        self._finding = Cursors[Findings]("s")
        self._index: Index | None = None
        self._turn = threading.RLock()
        self._has_told_of_other_writers = False
        self._is_protected = False

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
            self._refuse_writes_if_refused()
            header = self._guard.header_here(self._tags(agent))
            records = (header,) if header else ()
            if mode == "fresh":
                return _started_afresh(self._log.start_afresh(records))
            return self._log.write(lambda _graph: Edit(records, _ADOPTED))

    # --- reading ---------------------------------------------------------------------------------

    def read_graph(self, scope: Scope = EVERYTHING, cursor: str | None = None) -> GraphResult:
        """Return the graph, or the page of it that a cursor leads to.

        Raises:
            InvalidRequest: The cursor has expired.
        """
        with self._turn:
            graph = self._read()
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
            graph = self._read()
            if not query.strip():
                whole = self._answer(graph, graph, graph.relations.values(), scope, cursor)
                return without_hits(whole)
            if cursor is not None:
                answer = next_findings(graph, cursor, self._finding)
            else:
                searcher = self._searcher(graph, query, scope, expand=expand)
                answer = first_findings(graph, Findings(scope, searcher), self._finding)
            return replace(answer, problems=self._log.problems or None)

    def explain(self, query: str, scope: Scope, *, expand: bool = False) -> tuple[str, ...]:
        """Return lines: the best hits of a query, each with the factors of its score in words."""
        from mnemolog.search.explanation import explain  # noqa: PLC0415 - numpy

        with self._turn:
            search = self._searcher(self._read(), query, scope, expand=expand, explain=True)
            hits = search(scope.limit or DEFAULT_LIMIT).hits
        return tuple(line for hit in hits for line in (f"{hit.entity}: {hit.text}", *explain(hit)))

    def open_nodes(
        self, names: Sequence[str], scope: Scope = EVERYTHING, cursor: str | None = None
    ) -> GraphResult:
        """Return the entities of exactly these names, with their relations.

        Raises:
            InvalidRequest: The cursor has expired.
        """
        with self._turn:
            graph = self._read()
            opened = graph.open(names)
            self._access.note([entity.name for entity in opened], self._clock())
            return self._part(graph, opened, scope, cursor)

    # --- upkeep ----------------------------------------------------------------------------------

    def compact(self) -> Compaction:
        """Drop the lines of the file that say nothing any more."""
        with self._turn:
            self._refuse_writes_if_refused()
            self._refuse_newer_format(self._read())
            return self._log.compact()

    def import_records(self, records: Sequence[Record], agent: str) -> ImportedRecords:
        """Save what another memory says, as far as it is new, with its own tags."""
        with self._turn:
            return self._save(self._tags(agent), lambda graph: edits.import_records(graph, records))

    def describe(self) -> tuple[str, ...]:
        """Return sentences about the file: why this one, whose it is, and what is in it."""
        with self._turn:
            graph = Graph() if self.location.refusal else self._log.read()
            sentences = [
                self.location.reason,
                self.location.refusal,
                self._guard.describe(graph.header),
                _size(graph),
                _OTHER_WRITERS if self._log.has_untagged_lines else None,
                *(f"Line {p.line} is kept, but not read: {p.reason}." for p in self._log.problems),
            ]
        return tuple(sentence for sentence in sentences if sentence)

    def is_tracked(self) -> bool:
        """Return whether git tracks the file, or may: then only `compact` rewrites it."""
        repository = self.location.repository
        return (
            repository is not None and git.is_tracked(self.location.path, repository) is not False
        )

    # --- searching -------------------------------------------------------------------------------

    def _searcher(
        self, graph: Graph, query: str, scope: Scope, *, expand: bool, explain: bool = False
    ) -> Searcher:
        filters = scope.filters

        def is_wanted(name: str, text: str | None) -> bool:
            entity = graph.entities[name]
            if not filters.keep_type(entity.entity_type):
                return False
            if text is None:
                return filters.keep(entity.tags)
            if text in entity.observations:
                return filters.keep(entity.observations[text])
            return filters.keep_superseded(graph.superseded[name][text])

        def search(depth: int) -> SearchResult:
            return self._index_of(self._read(), with_superseded=scope.include_superseded).search(
                query,
                now=self._clock(),
                expand=expand,
                explain=explain,
                opens=self._access.opens(),
                is_wanted=is_wanted if filters != Filters() else None,
                limit=depth,
            )

        return search

    def _index_of(self, graph: Graph, *, with_superseded: bool) -> Index:
        from mnemolog.search.index import Index  # noqa: PLC0415 - numpy takes long to import

        if with_superseded and graph.superseded:
            return Index(graph, with_superseded=True)
        if self._index is None or graph.watcher is not self._index:
            self._index = graph.watcher = Index(graph)
        return self._index

    # --- pieces ----------------------------------------------------------------------------------

    def _write(
        self, agent: str, plan: Callable[[Graph, ObservationTags], Edit[WriteResultT]]
    ) -> WriteResultT:
        with self._turn:
            tags = self._tags(agent)
            result = self._save(tags, lambda graph: plan(graph, tags))
            if self._has_told_of_other_writers or not self._log.has_untagged_lines:
                return result
            self._has_told_of_other_writers = True
            return replace(result, notice=_OTHER_WRITERS)

    def _save(self, tags: ObservationTags, plan: Callable[[Graph], Edit[ResultT]]) -> ResultT:
        self._refuse_writes_if_refused()

        def admitted(graph: Graph) -> Edit[ResultT]:
            self._guard.check(graph.header)
            self._refuse_newer_format(graph)
            edit = plan(graph)
            if not edit.records:
                return edit
            self._protect_from_commit_once()
            header = self._guard.header_due(graph.header, tags)
            return Edit((header, *edit.records), edit.result) if header else edit

        return self._log.write(admitted)

    def _protect_from_commit_once(self) -> None:
        if not self._is_protected:
            protect_from_commit(self.location)
            self._is_protected = True

    def _tags(self, agent: str) -> ObservationTags:
        return ObservationTags(self._clock().isoformat(timespec="seconds"), agent)

    def _refuse_writes_if_refused(self) -> None:
        if self.location.refusal:
            raise LocationRefused(self.location.refusal)

    def _refuse_newer_format(self, graph: Graph) -> None:
        if graph.header and graph.header.format > FORMAT:
            raise NewerFormat(self.location.path, graph.header.format, FORMAT)

    def _read(self) -> Graph:
        if self.location.refusal:
            return Graph()
        graph = self._log.read()
        self._guard.check(graph.header)
        return graph

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
        return replace(answer, problems=self._log.problems or None)

    def _may_compact(self) -> bool:
        return not self.is_tracked()


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
