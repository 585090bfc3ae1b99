"""A graph as the fewest lines that say it: where a foreign file ends up, whatever led there."""

from __future__ import annotations

from collections.abc import Iterable

from mnemolog.graph import Graph
from mnemolog.records import Record


def final_state(records: Iterable[Record]) -> tuple[Record, ...]:
    """Return lines without removals that add up to the same graph, its header first.

    Every entity line names its type, since server-memory refuses an entity without one.
    """
    graph = Graph()
    graph.apply_all(records)
    header = () if graph.header is None else (graph.header,)
    entities = (line for entity in graph for line in entity.said_as(entity.name))
    retired = (line for texts in graph.superseded.values() for line in texts.values())
    return (*header, *entities, *retired, *graph.relations.values())
