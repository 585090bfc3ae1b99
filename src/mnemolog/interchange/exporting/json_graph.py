"""One JSON document: what `read_graph` answers, behind a head that says how much it holds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from mnemolog.declarations import declared, described, to_wire
from mnemolog.json_text import json_text
from mnemolog.records import Relation
from mnemolog.results import EntityResult, GraphResult

FORMAT: Final = "mnemolog-graph"
VERSION: Final = 1


@declared
class ExportedGraph:
    """A whole graph, for other programs."""

    format: str = described("The format of this document: mnemolog-graph")
    version: int = described("The version of the format")
    entity_count: int = described("How many entities it holds")
    observation_count: int = described("How many observations it holds that are true")
    superseded_count: int = described("How many it holds that no longer are")
    relation_count: int = described("How many relations it holds")
    entities: tuple[EntityResult, ...] = described("The entities, in file order")
    relations: tuple[Relation, ...] = described("The relations, in file order")


def pieces(graph: GraphResult) -> Iterator[str]:
    """Yield the document, with a line for each entity and each relation."""
    head = json.dumps(to_wire(_without_lists(graph)), indent=1)
    yield head.removesuffix(_NO_LISTS)
    yield from _list("entities", graph.entities)
    yield ",\n"
    yield from _list("relations", graph.relations)
    yield "\n}\n"


def _without_lists(graph: GraphResult) -> ExportedGraph:
    totals = graph.totals
    return ExportedGraph(
        FORMAT,
        VERSION,
        totals.entities,
        totals.observations,
        totals.superseded,
        totals.relations,
        (),
        (),
    )


def _list(key: str, members: Sequence[EntityResult | Relation]) -> Iterator[str]:
    yield f' "{key}": ['
    for place, member in enumerate(members):
        yield (",\n" if place else "\n") + json_text(member)
    yield "\n ]"


_NO_LISTS: Final = ' "entities": [],\n "relations": []\n}'
