"""Files that are JSON documents: a graph object, an array of records, pretty-printed records.

    {"entities": [...], "relations": [...]}        on one line or on many
    [{"type": "entity", ...}, ...]
    {"type": "entity", ...} {"type": ...} ...      pretty-printed, one after the other

What stands in `entities` is an entity and what stands in `relations` a relation. Where its `type`
is neither, it is the entity's or the relation's own type, as people write it by hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from mnemolog.records import RECORD_TYPES

FORMAT: Final = "JSON document"

LISTS: Final = {"entities": ("entity", "entityType"), "relations": ("relation", "relationType")}
"""The lists of a graph object: what stands in them, and the key of its own type."""


def is_document(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    """Return whether a value holds records rather than being one."""
    return isinstance(value, list) or _is_graph(value)


def members(values: Iterable[Any]) -> Iterator[Any]:
    """Yield the values that could each be a record, arrays and graph objects opened up."""
    for value in values:
        if isinstance(value, list):
            yield from members(value)
        elif _is_graph(value):
            yield from _members_of_graph(value)
        else:
            yield value


def _is_graph(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    if not isinstance(value, dict) or value.get("type") in tuple(RECORD_TYPES):
        return False
    return any(isinstance(value.get(key), list) for key in LISTS)


def _members_of_graph(graph: Mapping[str, Any]) -> Iterator[Any]:
    for key in LISTS:
        held = graph.get(key)
        for member in held if isinstance(held, list) else ():
            yield from [as_listed(member, key)] if isinstance(member, dict) else members([member])


def as_listed(member: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return a member of a graph object's list as the record that it is by standing there."""
    kind, type_key = LISTS[key]
    said = member.get("type", kind)
    if said in ("entity", "relation"):
        return member if "type" in member else {**member, "type": kind}
    return {type_key: said, **member, "type": kind}
