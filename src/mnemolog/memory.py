"""The memory of one repository: one method per operation, safe to call from several threads.

Each operation reads what the file has now, refuses if it belongs to another repository, and is
saved whole or not at all.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from mnemolog.answers.bounds import Cursors
from mnemolog.answers.excerpts import EVERYTHING, Scope
from mnemolog.answers.finder import Finder
from mnemolog.answers.findings import without_hits
from mnemolog.answers.pages import Snapshot, first_answer, next_answer
from mnemolog.edits import curation, deleting, saving
from mnemolog.edits.edit import refuse_unkeepable
from mnemolog.graph import EntityState, Graph
from mnemolog.interchange import records_of_document
from mnemolog.records import UNTAGGED, Entity, Priority, Relation
from mnemolog.requests import (
    InitializeMode,
    NewEntity,
    NewObservations,
    ObservationDeletion,
    ObservationsToCheck,
    RelationTriple,
)
from mnemolog.results import (
    AddedObservations,
    CheckedObservations,
    CreatedEntities,
    CreatedRelations,
    DeletedEntities,
    DeletedObservations,
    DeletedRelations,
    EditedObservation,
    GraphResult,
    InitializedMemory,
    MergedEntities,
    RenamedEntity,
    SearchResults,
    SupersededObservation,
    Undone,
)
from mnemolog.store.access import AccessLog
from mnemolog.store.location import Location, Settings, home_folder, locate
from mnemolog.store.memory_file import MemoryFile

if TYPE_CHECKING:
    from mnemolog.answers.recall import Recalled
    from mnemolog.screener import Screener
    from mnemolog.upkeep import Upkeep
    from mnemolog.writer import Plan, Writer, WriteResultT

Clock: TypeAlias = Callable[[], datetime]


def local_time() -> datetime:
    """Return the time now, with the local offset from UTC."""
    return datetime.now().astimezone()


class Memory:
    """The operations on one memory file."""

    def __init__(self, location: Location, clock: Clock = local_time) -> None:
        self.location = location
        self._clock = clock
        self._file = MemoryFile(location, records_of_document)
        self._access = AccessLog(location.path)
        self._paging = Cursors[Snapshot]("g")
        self._finder = Finder(self._file.read, self._access, clock)
        self._turn = threading.RLock()

    @classmethod
    def open(cls, settings: Settings, start: Path, clock: Clock = local_time) -> Memory:
        """Return the memory that the settings and the start folder lead to.

        Raises:
            LocationRefused: No memory may be kept there.
        """
        return cls(locate(settings, start, home_folder()), clock)

    @property
    def changes(self) -> int:
        """A number that is another one after whatever was written here, even in part."""
        return self._file.changes

    # --- imported and made when first used: a session's first search waits for none of it ---------

    @cached_property
    def upkeep(self) -> Upkeep:
        """The operations on the file as a whole."""
        from mnemolog.upkeep import Upkeep  # noqa: PLC0415 - at the first write

        return Upkeep(self.location, self._file, self._writer, self._turn)

    @cached_property
    def _writer(self) -> Writer:
        from mnemolog.writer import Writer  # noqa: PLC0415 - at the first write

        return Writer(self._file, self._access, self._clock)

    @cached_property
    def _screener(self) -> Screener:
        from mnemolog.screener import Screener  # noqa: PLC0415 - at the first write
        from mnemolog.taxonomy.shared import SharedFile  # noqa: PLC0415 - at the first write

        return Screener(self._finder.resembling, SharedFile(self.location))

    # --- writing ---------------------------------------------------------------------------------

    def create_entities(self, entities: Sequence[NewEntity], agent: str) -> CreatedEntities:
        """Create the entities whose names are not taken yet."""
        return self._write(
            "create_entities",
            agent,
            lambda graph, tags: self._screener.settled(
                graph, saving.create_entities(graph, entities, tags), tags
            ),
        )

    def create_relations(self, relations: Sequence[RelationTriple], agent: str) -> CreatedRelations:
        """Create the relations that are new and whose ends exist."""
        return self._write(
            "create_relations",
            agent,
            lambda graph, tags: self._screener.warned(
                graph, saving.create_relations(graph, relations, tags)
            ),
        )

    def add_observations(
        self, observations: Sequence[NewObservations], agent: str
    ) -> AddedObservations:
        """Add the observations that are not there yet.

        Raises:
            EntityNotFound: An entity does not exist; then nothing of the call is saved.
        """
        return self._write(
            "add_observations",
            agent,
            lambda graph, tags: self._screener.settled(
                graph, saving.add_observations(graph, observations, tags), tags
            ),
        )

    def edit_observation(
        self,
        entity_name: str,
        old_text: str,
        agent: str,
        *,
        new_text: str | None = None,
        priority: Priority | None = None,
    ) -> EditedObservation:
        """Change an observation's wording, or how much it is worth.

        Raises:
            InvalidRequest: It is not there, nothing would change, or the new text is there already.
        """
        return self._write(
            "edit_observation",
            agent,
            lambda graph, tags: self._screener.warned(
                graph,
                curation.edit_observation(
                    graph, entity_name, old_text, new_text, tags, priority=priority
                ),
            ),
        )

    def supersede_observation(
        self, entity_name: str, old_text: str, agent: str, *, new_text: str | None = None
    ) -> SupersededObservation:
        """Retire an observation that stopped being true, and say what is true instead.

        Raises:
            InvalidRequest: It is not there, or the new text is the old one.
        """
        return self._write(
            "supersede_observation",
            agent,
            lambda graph, tags: self._screener.warned(
                graph, curation.supersede_observation(graph, entity_name, old_text, new_text, tags)
            ),
        )

    def rename_entity(self, entity_name: str, new_name: str, agent: str) -> RenamedEntity:
        """Give an entity another name; what is known of it moves along.

        Raises:
            InvalidRequest: There is no such entity, or the new name is taken.
        """
        result = self._write(
            "rename_entity",
            agent,
            lambda graph, tags: curation.rename_entity(graph, entity_name, new_name, tags),
        )
        self._access.move(entity_name, new_name, self._clock())
        return result

    def merge_entities(self, source_name: str, target_name: str, agent: str) -> MergedEntities:
        """Move everything that is known of one entity to another, and remove the first.

        Raises:
            InvalidRequest: One of them does not exist, or they are the same.
        """
        result = self._write(
            "merge_entities",
            agent,
            lambda graph, tags: curation.merge_entities(graph, source_name, target_name, tags),
        )
        self._access.move(source_name, target_name, self._clock())
        return result

    def check_observations(
        self, observations: Sequence[ObservationsToCheck]
    ) -> CheckedObservations:
        """Return the warnings that saving these would give; nothing is saved.

        Raises:
            InvalidRequest: A text is too large or broken, so that saving it would be refused.
        """
        refuse_unkeepable(text for request in observations for text in request.contents)
        records = tuple(
            Entity(request.entity_name, None, request.contents, UNTAGGED)
            for request in observations
        )
        with self._turn:
            return CheckedObservations(self._screener.screen(self._file.read(), records).warnings)

    def undo(self, agent: str) -> Undone:
        """Take back the last call that this process saved; again, the one before.

        Raises:
            InvalidRequest: There is none, or something of it has changed since.
        """
        with self._turn:
            return self._writer.undo(agent)

    def delete_entities(self, entity_names: Sequence[str], agent: str) -> DeletedEntities:
        """Delete entities, with the relations that touch them."""
        return self._write(
            "delete_entities",
            agent,
            lambda graph, tags: self._screener.told_of_secrets(
                deleting.delete_entities(graph, entity_names, tags)
            ),
        )

    def delete_observations(
        self, deletions: Sequence[ObservationDeletion], agent: str
    ) -> DeletedObservations:
        """Delete the observations that match exactly."""
        return self._write(
            "delete_observations",
            agent,
            lambda graph, tags: self._screener.told_of_secrets(
                deleting.delete_observations(graph, deletions, tags)
            ),
        )

    def delete_relations(self, relations: Sequence[RelationTriple], agent: str) -> DeletedRelations:
        """Delete the relations that match exactly."""
        return self._write(
            "delete_relations",
            agent,
            lambda graph, tags: deleting.delete_relations(graph, relations, tags),
        )

    def initialize_memory(self, mode: InitializeMode, agent: str) -> InitializedMemory:
        """Make the file this repository's: keep its facts, or set it aside and start empty."""
        with self._turn:
            self._writer.forget_steps()
            if mode == "fresh":
                return _started_afresh(self._file.start_afresh(self._writer.tags(agent)))
            self._file.adopt(self._writer.tags(agent))
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
            if self._paging.made(cursor) if cursor else not query.strip():
                return without_hits(self.read_graph(scope, cursor))
            self._file.read()
            scope, problems = self._finder.cursors.bounded(scope, cursor, self._file.problems)
            answer = self._finder.find(query, scope, cursor, expand=expand)
            return replace(answer, problems=problems)

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
            if cursor is None:  # whoever goes on has opened them before
                self._access.note([entity.name for entity in opened], self._clock())
            relations = graph.relations_touching(entity.name for entity in opened)
            return self._answer(graph, opened, relations, scope, cursor)

    def recall(self, budget: int, query: str | None = None) -> Recalled:
        """Return the facts worth most, or that answer a query, within a budget of tokens."""
        from mnemolog.answers import recall as worth  # noqa: PLC0415 - no server ever needs it

        with self._turn:
            graph = self._file.read()
            if topic := worth.as_topic(query):
                best = worth.by_topic(self._finder, topic)
            else:
                best = worth.by_worth(graph, self._access.opens(), self._clock())
            return worth.recall(graph, best, budget)

    def require_readable(self) -> None:
        """Raise what every read would answer with, if the memory cannot be read."""
        with self._turn:
            self._file.read()

    # --- pieces ----------------------------------------------------------------------------------

    def _write(self, title: str, agent: str, plan: Plan[WriteResultT]) -> WriteResultT:
        with self._turn:
            return self._writer.write(title, agent, plan)

    def _answer(
        self,
        graph: Graph,
        entities: Iterable[EntityState],
        relations: Iterable[Relation],
        scope: Scope,
        cursor: str | None,
    ) -> GraphResult:
        scope, problems = self._paging.bounded(scope, cursor, self._file.problems)
        if cursor is None:
            answer = first_answer(graph, entities, relations, scope, self._paging)
        else:
            answer = next_answer(graph, cursor, self._paging)
        return replace(answer, problems=problems)


_ADOPTED = InitializedMemory(
    success=True, message="The memory now belongs to this repository; its facts are unchanged."
)


def _started_afresh(backup: Path | None) -> InitializedMemory:
    if backup is None:
        return InitializedMemory(success=True, message="There was no memory yet; it starts empty.")
    message = f"The memory starts empty. What it held before is kept in {backup}."
    return InitializedMemory(success=True, message=message, backup=str(backup))
