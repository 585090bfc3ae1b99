"""A graph as the fewest lines that say it: where a foreign file ends up, whatever led there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from mnemolog.graph import Graph
from mnemolog.records import Record


def final_state(records: Iterable[Record]) -> tuple[Record, ...]:
    """Return lines without removals that add up to the same graph, its header first.

    Every entity line names its type, since server-memory refuses an entity without one.
    """
    graph = Graph()
    graph.apply_all(records)
    header = () if graph.header is None else (graph.header,)
    return (*header, *drained(graph))


def drained(graph: Graph) -> Iterator[Record]:
    """Yield the lines that say a graph, and empty it: a caller need not hold both."""
    entities, superseded, relations = graph.entities, graph.superseded, graph.relations
    del graph  # with what it keeps beside them
    for name in list(entities):
        yield from entities.pop(name).said_as(name)
    for name in list(superseded):
        yield from superseded.pop(name).values()
    for key in list(relations):
        yield relations.pop(key)
