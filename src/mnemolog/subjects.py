"""What lines speak of: entities, their observations, and relations, each under one key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from mnemolog.records import Entity, Header, Record, Relation, RelationKey, Superseded, Tombstone


class EntityKey(NamedTuple):
    """An entity."""

    name: str


class ObservationKey(NamedTuple):
    """An observation of an entity."""

    name: str
    text: str


Thing: TypeAlias = EntityKey | RelationKey
"""What stands in the graph by itself."""

Subject: TypeAlias = Thing | ObservationKey
"""Whatever can come and go. As tuples no two kinds are equal: their lengths differ."""


def entities_of(subject: Subject) -> tuple[str, ...]:
    """Return the entity that it is about, or the two that a relation leads between."""
    if isinstance(subject, RelationKey):
        return subject.source, subject.target
    return (subject.name,)


def in_words(relation: RelationKey) -> str:
    """Return a relation as people read it: `api depends_on database`."""
    return f"{relation.source} {relation.relation_type} {relation.target}"


def thing_in(record: Record) -> Thing | None:
    """Return the entity or the relation that a line is about; None for a header."""
    match record:
        case Entity():
            return EntityKey(record.name)
        case Superseded():
            return EntityKey(record.entity)
        case Relation():
            return record.key
        case Tombstone(of="relation"):
            return record.relation_key
        case Tombstone():
            return EntityKey(record.name or "")
        case Header():
            return None


def said_by(record: Record) -> Iterator[Subject]:
    """Yield what a line says is there."""
    if isinstance(record, Entity):
        yield EntityKey(record.name)
        for text in record.observations:
            yield ObservationKey(record.name, text)
    elif isinstance(record, Relation):
        yield record.key


def removed_by(record: Tombstone) -> Iterator[Subject]:
    """Yield what a tombstone lists."""
    if record.of == "relation":
        yield record.relation_key
        return
    name = record.name or ""
    if record.of == "entity":
        yield EntityKey(name)
    for text in record.observations or ():
        yield ObservationKey(name, text)


def endangered_by(record: Record) -> Iterator[Subject]:
    """Yield what a line can end: also an entity that stood on its last observation."""
    if isinstance(record, Superseded):
        yield from (EntityKey(record.entity), retired_by(record))
    elif isinstance(record, Tombstone):
        yield from removed_by(record)
        if record.of == "observation":
            yield EntityKey(record.name or "")


def mentioned_in(record: Record) -> Iterator[Subject]:
    """Yield what a line says is there, or was."""
    yield from said_by(record)
    if isinstance(record, Superseded):
        yield retired_by(record)


def retired_by(record: Superseded) -> ObservationKey:
    """Return the observation that a superseded line retires."""
    return ObservationKey(record.entity, record.observation)
