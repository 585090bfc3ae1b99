"""Memories that mem0 gives out: the answer of its `get_all`, saved as JSON.

    [{"id": ..., "memory": ..., "user_id": ...}, ...]         its older interfaces
    {"results": [...], "relations": [...]}                    the library; its graph, if it had one
    {"count": ..., "next": ..., "results": [...]}             a page of the platform

A memory is an observation of whom it is about: its user, or else its agent, its app or its run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, Final

from mnemolog.errors import UnreadableSource
from mnemolog.interchange.sources import Format, Found, Item, Reached, Refused
from mnemolog.interchange.utc_dates import as_tag
from mnemolog.records import UNTAGGED, Entity, ObservationTags, Relation, Superseded

_HEAD_BYTES: Final = 64 * 1024
_VALUES_A_REPORT: Final = 1000

_MEMORIES: Final = frozenset({"", "results"})  # the key of a document that is itself a list is ""
_RELATIONS: Final = "relations"
# Whom a memory is about, the nearest first, and the type of its entity. The platform calls a run a
# session; the library for TypeScript has its own way to write keys.
_OWNERS: Final = {
    "user_id": "user",
    "userId": "user",
    "agent_id": "agent",
    "agentId": "agent",
    "app_id": "app",
    "run_id": "session",
    "runId": "session",
    "session_id": "session",
}
_NOBODY: Final = ("mem0", None)
_AGENT: Final = ("agent_id", "agentId")
_CREATED: Final = ("created_at", "createdAt")
_UPDATED: Final = ("updated_at", "updatedAt")
_TARGET: Final = ("target", "destination")
_BESIDE_A_MEMORY: Final = frozenset({"id", "hash", "metadata", *_CREATED, *_OWNERS})


def _recognises(path: Path) -> bool:
    from mnemolog.interchange.json_lists import NotJson, members  # noqa: PLC0415 - a parser

    if not path.is_file():
        return False
    with path.open("rb") as file:
        head = BytesIO(file.read(_HEAD_BYTES))
    with suppress(NotJson):  # it may only be cut
        return any(_is_memory(value) for key, value in members(head) if key in _MEMORIES)
    return False


def _is_memory(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    if not isinstance(value, dict) or "memory" not in value:
        return False
    return not _BESIDE_A_MEMORY.isdisjoint(value)


def _read(path: Path) -> Iterator[Item]:
    with path.open("rb") as file:
        yield from _Reader(path).items(file)


def _usual_places(_home: Path, _project: Path) -> Iterable[Path]:
    return ()  # whoever has saved it knows where


FORMAT: Final = Format(
    name="mem0",
    title="memories exported from mem0",
    recognises=_recognises,
    read=_read,
    usual_places=_usual_places,
)


class _Reader:
    """Reads one document, value by value."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._numbers: Counter[str] = Counter()
        self._named: set[str] = set()
        # Their replacements' texts may come later, so these wait, with the replacements' ids.
        self._replaced: list[tuple[str, Superseded, str]] = []

    def items(self, file: BinaryIO) -> Iterator[Item]:
        from mnemolog.interchange.json_lists import NotJson, members  # noqa: PLC0415 - a parser

        size = max(1, self._path.stat().st_size)
        number = 0
        try:
            for number, (key, value) in enumerate(members(file), 1):
                yield from self._items_of(key, value)
                if number % _VALUES_A_REPORT == 0:
                    yield Reached(min(1.0, file.tell() / size))
        except NotJson as error:
            if number == 0:
                raise UnreadableSource(self._path, f"{error}. {_EXPECTED}") from None
            yield Refused(f"behind value {number}", f"{error}; nothing after it was read", "error")
        if self._numbers.keys().isdisjoint({*_MEMORIES, _RELATIONS}):
            raise UnreadableSource(self._path, f"it holds no memories. {_EXPECTED}")
        if self._replaced:
            yield from self._history(file)

    def _items_of(self, key: str, value: Any) -> Iterator[Item]:  # noqa: ANN401 - any JSON value
        self._numbers[key] += 1
        if key in _MEMORIES:
            yield from self._memory(value, f"memory {self._numbers[key]}")
        elif key == _RELATIONS:
            yield from self._relation(value, f"relation {self._numbers[key]}")

    def _memory(self, value: Any, place: str) -> Iterator[Item]:  # noqa: ANN401 - any JSON value
        text = _text_of(value)
        if text is None:
            yield Refused(place, "it has no text under 'memory'", "skipped")
            return
        name, kind = _owner(value)
        tags = _tags(value)
        replacement = _first(value, ("replaced_by",))
        said = (text,) if replacement is None else ()
        yield from self._entity(place, Entity(name, kind, said, tags))
        if replacement is not None:
            retired = Superseded(name, text, replace(tags, edited_at=None), tags.edited_at, None)
            self._replaced.append((place, retired, replacement))

    def _relation(self, value: Any, place: str) -> Iterator[Item]:  # noqa: ANN401 - any JSON value
        fields = value if isinstance(value, dict) else {}
        source, target = _first(fields, ("source",)), _first(fields, _TARGET)
        relation_type = _first(fields, ("relationship",))
        if source is None or target is None or relation_type is None:
            yield Refused(place, "it lacks source, relationship or target", "skipped")
            return
        for name in {source: None, target: None}:
            if name not in self._named:  # its graph has no other list of what is in it
                yield from self._entity(place, Entity(name, None, (), UNTAGGED))
        yield Found(place, Relation(source, target, relation_type, UNTAGGED))

    def _entity(self, place: str, entity: Entity) -> Iterator[Item]:
        yield Found(place, entity, more=entity.name in self._named)
        self._named.add(entity.name)

    def _history(self, file: BinaryIO) -> Iterator[Item]:
        """Yield the memories that others took the place of; a second reading finds those."""
        from mnemolog.interchange.json_lists import NotJson, members  # noqa: PLC0415 - a parser

        wanted: set[str | None] = {replacement for _, _, replacement in self._replaced}
        texts: dict[str | None, str | None] = {}
        with suppress(NotJson):  # the first reading has said so
            for _, value in members(file):
                own_id = _first(value, ("id",)) if isinstance(value, dict) else None
                if own_id in wanted:
                    texts[own_id] = _text_of(value)
        for place, retired, replacement in self._replaced:
            yield Found(place, replace(retired, replaced_by=texts.get(replacement)))


_EXPECTED: Final = "Save what mem0's get_all returns as JSON, and import that file."


def _text_of(value: Any) -> str | None:  # noqa: ANN401 - any JSON value
    text = _first(value, ("memory",)) if isinstance(value, dict) else None
    expires = _first(value, ("expiration_date",)) if text else None
    return f"{text} (expires {expires})" if expires else text


def _owner(value: Mapping[str, Any]) -> tuple[str, str | None]:
    metadata = value.get("metadata")
    for fields in (value, metadata if isinstance(metadata, dict) else {}):
        for key, kind in _OWNERS.items():
            if name := _first(fields, (key,)):
                return name, kind
    return _NOBODY


def _tags(value: Mapping[str, Any]) -> ObservationTags:
    added_at, edited_at = as_tag(_first(value, _CREATED)), as_tag(_first(value, _UPDATED))
    edited_at = edited_at if edited_at != added_at else None
    return ObservationTags(added_at, _first(value, _AGENT), edited_at)


def _first(fields: Mapping[str, Any], keys: Iterable[str]) -> str | None:
    """Return the text of the first key that has one."""
    texts = (found.strip() for key in keys if isinstance(found := fields.get(key), str))
    return next(filter(None, texts), None)
