"""What of another memory is new to this one: the lines to append for a batch of its records.

Whatever is taken in stays as it is when it comes again, in this order or another one: so an import
that was interrupted is simply run again, and one that is repeated adds what came since.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from mnemolog.edits.edit import Edit, Fact, PlannedOnce, as_history
from mnemolog.graph import Graph
from mnemolog.records import GENERIC, Entity, ObservationTags, Record, Relation, Superseded

Incoming: TypeAlias = Entity | Relation | Superseded


@dataclass(frozen=True, slots=True)
class Taken:
    """How much of a batch was new."""

    entities: int
    facts: tuple[Fact, ...]
    """The observations that are new, those that are history already among them."""
    relations: int
    lines: int
    waiting: tuple[int, ...]
    """Which records of the batch are relations with an end that is not there."""
    missing: frozenset[str]
    """The names of those ends."""


Batch: TypeAlias = PlannedOnce[Taken]
"""The plan to take in some records as one call."""


def batch_of(records: Sequence[Incoming], rehearsed: Graph | None = None) -> Batch:
    """Return the plan to take in some records.

    If nothing is to be saved, what would be is kept in a graph that is `rehearsed` with.
    """

    def plan(graph: Graph) -> Edit[Taken]:
        new = Graph() if rehearsed is None else rehearsed
        return _Intake(graph, new).taken(records)

    return PlannedOnce(plan)


class _Intake:
    def __init__(self, graph: Graph, new: Graph) -> None:
        self._graph = graph
        self._new = new
        self._lines: list[Record] = []
        self._facts: list[Fact] = []
        self._waiting: list[int] = []
        self._missing: set[str] = set()
        self._entities = 0
        self._relations = 0

    def taken(self, records: Sequence[Incoming]) -> Edit[Taken]:
        for place, record in enumerate(records):
            match record:
                case Entity():
                    self._take_entity(record)
                case Superseded():
                    self._take_superseded(record)
                case Relation():
                    self._take_relation(record, place)
        result = Taken(
            self._entities,
            tuple(self._facts),
            self._relations,
            len(self._lines),
            tuple(self._waiting),
            frozenset(self._missing),
        )
        return Edit(tuple(self._lines), result)

    def _take_entity(self, record: Entity) -> None:
        """Add the observations that were never said, and a type where none was known."""
        name = record.name
        known_type = self._type_of(name)
        texts = tuple(
            text
            for text in dict.fromkeys(record.observations)
            if self._standing_of(name, text) is None
        )
        new_type = record.entity_type or GENERIC
        is_better_type = known_type is None or (known_type == GENERIC != new_type)
        if not texts and not is_better_type:
            return
        self._entities += known_type is None
        self._facts += ((name, text) for text in texts)
        entity_type = new_type if is_better_type else known_type
        self._say(replace(record, entity_type=entity_type, observations=texts))

    def _take_superseded(self, record: Superseded) -> None:
        """Add what is history there, unless it was said here again, or by somebody else."""
        name, text = record.entity, record.observation
        standing = self._standing_of(name, text)
        if isinstance(standing, Superseded) or standing not in {None, record.tags}:
            return
        if standing is not None:
            self._say(record)
            return
        self._facts.append((name, text))
        if self._graph.was_removed(name, text):
            self._take_entity(Entity(name, None, (), record.tags))
        for line in as_history(self._graph, record, self._type_of(name)):
            self._say(line)

    def _take_relation(self, record: Relation, place: int) -> None:
        graphs = (self._graph, self._new)
        if any(record.key in graph.relations for graph in graphs):
            return
        missing = {end for end in record.key[:2] if not any(end in g.entities for g in graphs)}
        if missing:
            self._waiting.append(place)
            self._missing |= missing
            return
        self._relations += 1
        self._say(record)

    def _say(self, record: Record) -> None:
        self._new.apply(record)
        self._lines.append(record)

    def _type_of(self, name: str) -> str | None:
        """Return the type of an entity, or None if there is none; another one beats Generic."""
        found = {
            g.entities[name].entity_type for g in (self._new, self._graph) if name in g.entities
        }
        return next((kind for kind in found if kind != GENERIC), GENERIC if found else None)

    def _standing_of(self, name: str, text: str) -> ObservationTags | Superseded | None:
        """Return what an observation is, here or by what has been taken in so far."""
        for graph in (self._new, self._graph):
            if history := graph.superseded.get(name, {}).get(text):
                return history
            entity = graph.entities.get(name)
            if entity is not None and text in entity.observations:
                return entity.observations[text]
        return None
