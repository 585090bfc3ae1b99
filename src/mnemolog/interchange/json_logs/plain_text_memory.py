"""Logs of plain-text-memory-mcp (0.3.0), which look like ours and mean something else.

There a later line for the same entity or relation *takes the place* of the earlier one; an
observation is an object with its own tags and, once it is retired, `superseded_at`,
`superseded_by` and `replaced_by`; a tombstone names an `entity`, or a relation by its key, and no
`of`; a header has `repo_name` and `repo_root`, and no `format`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from mnemolog.interchange.json_logs.values import readable_records, values_in
from mnemolog.json_document import members
from mnemolog.records import FORMAT as OUR_FORMAT
from mnemolog.records import Entity, Record, Relation, RelationKey

FORMAT: Final = "log of plain-text-memory-mcp"

# In a JSON string the quotes would be escaped, so no text that somebody saved holds a mark.
_MARKS: Final = (b'"repo_root":', b'{"text":', b'"tombstone"')


def is_theirs(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    """Return whether a line that is not ours can only come from plain-text-memory-mcp."""
    match value:
        case {"type": "header", "repo_name": str()} | {"type": "header", "repo_root": str()}:
            return True
        case {"type": "tombstone", "entity": str()} | {"type": "tombstone", "relationType": str()}:
            return True
        case {"type": "entity", "observations": [*observations]}:
            return any(_is_tagged(item) for item in observations)
    return False


def is_tombstone(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    """Return whether a line removes something."""
    return isinstance(value, dict) and value.get("type") == "tombstone"


def is_ours(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    """Return whether only mnemolog writes such a line."""
    match value:
        case {"type": "header", "format": _} | {"type": "tombstone", "of": _}:
            return True
        case {"type": "superseded"} | {
            "type": "entity",
            "added_at": str(),
            "observations": [str(), *_],
        }:
            return True
    return False


def is_dated_entity(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    """Return whether one of the two has written an entity: bare, it looks the same of both."""
    match value:
        case {"type": "entity", "added_at": str(), "observations": [*_]}:
            return True
    return False


def appears_in(content: bytes) -> bool:
    """Return whether some line is theirs; parses only lines that hold a mark of it."""
    return any(_is_marked(content, mark) for mark in _MARKS)


def _is_marked(content: bytes, mark: bytes) -> bool:
    place = content.find(mark)
    while place >= 0:
        start, end = content.rfind(b"\n", 0, place) + 1, content.find(b"\n", place)
        end = len(content) if end < 0 else end
        values = list(members(values_in(content[start:end]) or ()))
        if any(is_ours(value) for value in values):
            return False
        if any(is_theirs(value) for value in values):
            return True
        place = content.find(mark, end)
    return False


def read(values: Iterable[Any]) -> tuple[Record, ...] | None:
    """Return records for what stands at the end of the log, or None if a line of it is ours.

    In a file that both have written to (by a merge, say), nothing may take another line's place.
    """
    replay = Replay()
    for value in values:
        if is_ours(value):
            return None
        replay.apply(value, "")
    return (*replay.header, *(record for _, record in replay.drained()))


Placed: TypeAlias = tuple[str, tuple[Record, ...]]
"""What a line says, and where it stands."""


class Replay:
    """The lines that still count; a later one keeps the place of the one it replaces."""

    def __init__(self) -> None:
        self.header: tuple[Record, ...] = ()
        self._entities: dict[str, Placed] = {}
        self._relations: dict[RelationKey, Placed] = {}

    def apply(self, value: Any, place: str) -> None:  # noqa: ANN401 - any JSON value
        """Let one more line count, which stands at a place."""
        match value:
            case {"type": "header"}:
                self.header = readable_records(_our_header(value))
            case {"type": "tombstone", "entity": str(name)}:
                self._entities.pop(name, None)
            case {
                "type": "tombstone",
                "from": str(start),
                "to": str(end),
                "relationType": str(kind),
            }:
                self._relations.pop(RelationKey(start, end, kind), None)
            case _:
                for record in readable_records(value):
                    self._replace(record, value, place)

    def _replace(self, record: Record, value: dict[str, Any], place: str) -> None:
        if isinstance(record, Entity):
            self._entities[record.name] = (place, tuple(entity_records(record.name, value)))
        elif isinstance(record, Relation):
            self._relations[record.key] = (place, (record,))

    def drained(self) -> Iterator[tuple[str, Record]]:
        """Yield what is left with its place, and forget it: it is not held twice."""
        for name in list(self._entities):
            place, records = self._entities.pop(name)
            yield from ((place, record) for record in records)
        for key in list(self._relations):
            place, records = self._relations.pop(key)
            yield from ((place, record) for record in records)


def _our_header(value: dict[str, Any]) -> dict[str, Any]:
    # They know a repository by its root folder only; the guard adds the commit when it can.
    repository = {"name": value.get("repo_name"), "root": value.get("repo_root")}
    return {**value, "format": OUR_FORMAT, "repo": repository}


def entity_records(name: str, value: Mapping[str, Any]) -> Iterator[Record]:
    """Yield lines for an entity whose observations have tags of their own."""
    observations = value.get("observations")
    if not isinstance(observations, list):
        yield from readable_records(value)
        return
    yield from readable_records({**value, "observations": []})
    for item in observations:
        yield from readable_records(_our_line(name, item))


def _our_line(name: str, item: Any) -> dict[str, Any]:  # noqa: ANN401 - any JSON value
    text = item.get("text") if isinstance(item, dict) else None
    if not isinstance(text, str):
        return {"type": "entity", "name": name, "observations": [item]}
    tags = {**item, "sources": _source_texts(item.get("sources"))}
    if "superseded_at" in item or "superseded_by" in item:
        return {**tags, "type": "superseded", "entity": name, "observation": text}
    return {**tags, "type": "entity", "name": name, "observations": [text]}


def _source_texts(sources: Any) -> list[Any]:  # noqa: ANN401 - any JSON value
    if not isinstance(sources, list):
        return []
    return [source.get("text") if isinstance(source, dict) else source for source in sources]


def _is_tagged(item: Any) -> bool:  # noqa: ANN401 - any JSON value
    return isinstance(item, dict) and isinstance(item.get("text"), str) and "added_at" in item
