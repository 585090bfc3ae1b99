"""Entities as `read_graph` and the JSON export show them, with tags and history beside the texts.

    {"name": ..., "observations": [text, ...], "observation_tags": [{"added_at": ...}, ...],
     "superseded": [{"text": ..., "superseded_at": ..., "replaced_by": ...}, ...]}

A line of a log has one set of tags for all it says, so such an entity is several lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from mnemolog.jsonl import records_of
from mnemolog.records import Entity, Record


def records_in(value: Any) -> tuple[Record, ...]:  # noqa: ANN401 - any JSON value
    """Return the records that a JSON value is, or nothing if it is of a kind we don't know.

    Raises:
        ValueError: It claims a type of ours and lacks what makes it one.
    """
    records = records_of(value)
    if len(records) == 1 and isinstance(records[0], Entity) and _says_more(value):
        return tuple(record for line in _lines(value) for record in records_of(line))
    return records


def _says_more(value: dict[str, Any]) -> bool:
    return any(_objects(value.get(key)) for key in ("observation_tags", "superseded"))


def _lines(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
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
