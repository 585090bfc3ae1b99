"""A graph as the fewest lines that say it: where a foreign file ends up, whatever led there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from mnemolog.graph import EntityState, Graph
from mnemolog.records import Entity, ObservationTags, Record


def final_state(records: Iterable[Record]) -> tuple[Record, ...]:
    """Return lines without removals that add up to the same graph, its header first.

    Every entity line names its type, since server-memory refuses an entity without one.
    """
    graph = Graph()
    graph.apply_all(records)
    header = () if graph.header is None else (graph.header,)
    entities = (line for entity in graph for line in _entity_lines(entity))
    retired = (line for texts in graph.superseded.values() for line in texts.values())
    return (*header, *entities, *retired, *graph.relations.values())


def _entity_lines(entity: EntityState) -> Iterator[Entity]:
    name, kind = entity.name, entity.entity_type
    own = ObservationTags(entity.tags.added_at, entity.tags.agent)
    first = next(iter(entity.observations.values()), None)
    # An entity has the date and agent of its first line, which may be none of its observations'.
    if first is None or (first.added_at, first.agent) != (own.added_at, own.agent):
        yield Entity(name, kind, (), own)
    for tags, run in groupby(entity.observations.items(), key=lambda pair: pair[1]):
        yield Entity(name, kind, tuple(text for text, _ in run), tags)
