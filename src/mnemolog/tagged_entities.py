"""Entities as `read_graph` and the JSON export show them, with tags and history beside the texts.

    {"name": ..., "observations": [text, ...], "observation_tags": [{"added_at": ...}, ...],
     "superseded": [{"text": ..., "superseded_at": ..., "replaced_by": ...}, ...]}

A line of a log has one set of tags for all it says, so such an entity is several lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any, Final

_MORE: Final = frozenset({"observation_tags", "superseded"})


def says_more(value: Mapping[str, Any]) -> bool:
    """Return whether an entity has tags or history beside its texts."""
    return not _MORE.isdisjoint(value) and any(_objects(value.get(key)) for key in _MORE)


def lines_of(value: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield an entity that says more as the lines of a log."""
    texts = value.get("observations")
    listed = texts if isinstance(texts, list) else []
    own: dict[str, Any] = {key: value[key] for key in ("name", "entityType") if key in value}
    yield {**value, "type": "entity", "observations": []}
    # Of tags that are too few or too many, those that have a text beside them count.
    for text, tags in zip_longest(listed, _objects(value.get("observation_tags"))[: len(listed)]):
        yield {**(tags or {}), **own, "type": "entity", "observations": [text]}
    for retired in _objects(value.get("superseded")):
        text = retired.get("text")
        if isinstance(text, str):
            yield {**retired, "type": "superseded", "entity": own["name"], "observation": text}


def _objects(value: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - any JSON value
    """Return the objects of a list; of a list that holds anything else, nothing."""
    if isinstance(value, list) and all(isinstance(item, dict) for item in value):
        return value
    return []
