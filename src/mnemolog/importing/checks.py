"""Which records of another memory can be kept: stores hold texts of any size, and any values.

Databases and hand-written files are not bound by any type, so nothing is taken for granted here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from mnemolog.edits.edit import LARGEST_TEXT_BYTES
from mnemolog.importing.intake import Incoming
from mnemolog.interchange.sources import Found, Item, Refused
from mnemolog.records import UNTAGGED, Entity, ObservationTags, Relation, Superseded


def checked(item: Item) -> Iterator[Item]:
    """Yield what can be kept of an item, and why the rest cannot."""
    if not isinstance(item, Found):
        yield item
        return
    record = item.record
    if reason := _fault(record):
        yield Refused(item.place, reason, "skipped")
        return
    if not isinstance(record, Entity) or all(map(_is_sound, record.observations)):
        yield item
        return
    # One text that cannot be kept costs neither its entity nor its neighbours.
    for text in record.observations:
        if not _is_sound(text):
            yield Refused(item.place, f"an observation {_why(text)}", "skipped")
    kept = tuple(text for text in record.observations if _is_sound(text))
    yield replace(item, record=replace(record, observations=kept))


def size_of(record: Incoming) -> int:
    """Return about how long the line of a record is."""
    if isinstance(record, Entity):
        return len(record.name) + sum(map(len, record.observations))
    return sum(map(len, _named_texts(record).values()))


def _fault(record: Incoming) -> str | None:
    for what, text in _named_texts(record).items():
        if not _is_sound(text):
            return f"its {what} {_why(text)}"
        if not text and what != "observation":
            return f"its {what} is empty"
    if isinstance(record, Entity) and record.entity_type and not _is_sound(record.entity_type):
        return f"its type {_why(record.entity_type)}"
    if not all(text is None or _is_sound(text) for text in _tag_texts(record)):
        return "a date or an agent of it cannot be kept"
    return None


def _named_texts(record: Incoming) -> dict[str, str]:
    if isinstance(record, Entity):
        return {"name": record.name}
    if isinstance(record, Relation):
        return {"start": record.source, "end": record.target, "type": record.relation_type}
    return {"entity": record.entity, "observation": record.observation}


def _tag_texts(record: Incoming) -> Iterator[object]:
    tags = record.tags
    if isinstance(record, Superseded):
        yield from (record.superseded_at, record.superseded_by, record.replaced_by)
    if tags is UNTAGGED:
        return
    yield from (tags.added_at, tags.agent)
    if isinstance(tags, ObservationTags):
        yield from (tags.edited_at, tags.edited_by, *(tags.sources or ()))


def _is_sound(text: object) -> bool:
    if not isinstance(text, str):
        return False
    if text.isascii():
        return len(text) <= LARGEST_TEXT_BYTES
    try:
        return len(text.encode()) <= LARGEST_TEXT_BYTES
    except UnicodeEncodeError:
        return False


def _why(text: object) -> str:
    if not isinstance(text, str):
        return f"is no text ({type(text).__name__})"
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        return f"holds half of a character: {text[:60]!a}"
    return f"is too large: {size:,} bytes, and at most {LARGEST_TEXT_BYTES:,} are kept"
