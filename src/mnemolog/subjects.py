"""What lines speak of: entities, their observations, and relations, each under one key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from mnemolog.records import Entity, Record, Relation, RelationKey, Superseded, Tombstone

Subject: TypeAlias = tuple[str, ...]
"""An entity (name), one of its observations (name, text) or a relation (from, to, type)."""

OBSERVATION: Final = 2
"""The length of a subject that is an observation; an entity's is shorter, a relation's longer."""


def entities_of(subject: Subject) -> Subject:
    """Return the entity that it is about, or the two that a relation leads between."""
    return subject[:2] if len(subject) > OBSERVATION else subject[:1]


def in_words(relation: RelationKey) -> str:
    """Return a relation as people read it: `api depends_on database`."""
    source, target, relation_type = relation
    return f"{source} {relation_type} {target}"


def said_by(record: Record) -> Iterator[Subject]:
    """Yield what a line says is there."""
    if isinstance(record, Entity):
        yield (record.name,)
        yield from ((record.name, text) for text in record.observations)
    elif isinstance(record, Relation):
        yield record.key


def removed_by(record: Tombstone) -> Iterator[Subject]:
    """Yield what a tombstone lists."""
    if record.of == "relation":
        yield record.relation_key
        return
    name = record.name or ""
    if record.of == "entity":
        yield (name,)
    yield from ((name, text) for text in record.observations or ())


def endangered_by(record: Record) -> Iterator[Subject]:
    """Yield what a line can end: also an entity that stood on its last observation."""
    if isinstance(record, Superseded):
        yield from ((record.entity,), text_of(record))
    elif isinstance(record, Tombstone):
        yield from removed_by(record)
        if record.of == "observation":
            yield (record.name or "",)


def text_of(record: Superseded) -> Subject:
    """Return the observation that a superseded line retires."""
    return record.entity, record.observation
