"""Results as compact JSON: the text that agents read, and the structured content beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pydantic_core import to_json

from mnemolog.declarations import to_wire
from mnemolog.results import GraphResult, SearchResults

_EMPTY: Final = '{"entities":[],"relations":[]'
"""How a graph without contents begins; what follows is whatever else its answer says."""

_SPARE: Final = 1_000
"""How many texts of earlier answers are kept beyond twice those of the largest answer."""


class Renderer:
    """Renders results, and keeps the texts of entities and relations for the next answer.

    A graph of ten thousand observations changes by one between two reads: all but one of its
    entities are then the same objects as before.
    """

    def __init__(self) -> None:
        # By identity, since hashing a record costs as much as rendering it. Holding the record
        # beside its text keeps its identity from being given to another.
        self._kept: dict[int, tuple[object, str]] = {}
        self._largest = 0

    def render(self, result: object) -> str:
        """Return the JSON form of a result as text."""
        if isinstance(result, GraphResult | SearchResults):
            return self._render_graph(result)
        return _text(result)

    def _render_graph(self, graph: GraphResult | SearchResults) -> str:
        self._largest = max(self._largest, len(graph.entities) + len(graph.relations))
        if len(self._kept) > 2 * self._largest + _SPARE:
            self._kept.clear()
        entities, relations = self._texts(graph.entities), self._texts(graph.relations)
        rest = _text(replace(graph, entities=(), relations=())).removeprefix(_EMPTY)
        return f'{{"entities":[{entities}],"relations":[{relations}]{rest}'

    def _texts(self, records: Sequence[object]) -> str:
        kept = self._kept
        texts: list[str] = []
        for record in records:
            found = kept.get(id(record))
            if found is None:
                found = kept[id(record)] = (record, _text(record))
            texts.append(found[1])
        return ",".join(texts)


def _text(value: object) -> str:
    return to_json(to_wire(value)).decode()
