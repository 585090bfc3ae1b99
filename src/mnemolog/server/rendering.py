"""Results as compact JSON: the text that agents read, and the structured content beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from mnemolog.json_text import TEXTS, json_text
from mnemolog.results import GraphResult, SearchResults

_EMPTY: Final = '{"entities":[],"relations":[]'
"""How a graph without contents begins; what follows is whatever else its answer says."""

_EMPTY_SEARCH: Final = f'{_EMPTY},"hits":[]'


def render(result: object) -> str:
    """Return the JSON form of a result as text."""
    match result:
        case GraphResult():
            rest = json_text(replace(result, entities=(), relations=()))
            return _graph(result) + rest.removeprefix(_EMPTY)
        case SearchResults():
            rest = json_text(replace(result, entities=(), relations=(), hits=()))
            hits = TEXTS.joined(result.hits)
            return f'{_graph(result)},"hits":[{hits}]{rest.removeprefix(_EMPTY_SEARCH)}'
    return json_text(result)


def _graph(result: GraphResult | SearchResults) -> str:
    entities, relations = TEXTS.joined(result.entities), TEXTS.joined(result.relations)
    return f'{{"entities":[{entities}],"relations":[{relations}]'
