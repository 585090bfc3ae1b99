"""The lines that nearly every log consists of, read by a decoder that knows their shape.

It is several times as fast as reading any JSON and looking at what came out. Whatever it does not
take (a tombstone, a key that is not ours, a broken line) is left to the tolerant reader, and what
it takes means the same to that one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from sys import intern
from typing import Final, TypeAlias

from msgspec import UNSET, MsgspecError, Struct, UnsetType, field
from msgspec.json import Decoder

from mnemolog.records import UNKNOWN, UNTAGGED, Entity, ObservationTags, Relation, Tags

_Text: TypeAlias = str | UnsetType | None


class _EntityLine(Struct, tag="entity", tag_field="type", forbid_unknown_fields=True):
    name: str
    entity_type: str = field(name="entityType")
    observations: tuple[str, ...]
    added_at: _Text = UNSET
    agent: _Text = UNSET
    continues: bool | UnsetType = UNSET

    @property
    def record(self) -> Entity:
        if self.added_at is UNSET and self.agent is UNSET:
            tags = UNTAGGED
        else:
            tags = _observation_tags(_or_none(self.added_at), _or_none(self.agent))
        return Entity(self.name, intern(self.entity_type), self.observations, tags)


class _RelationLine(Struct, tag="relation", tag_field="type", forbid_unknown_fields=True):
    source: str = field(name="from")
    target: str = field(name="to")
    relation_type: str = field(name="relationType")
    added_at: _Text = UNSET
    agent: _Text = UNSET
    continues: bool | UnsetType = UNSET

    @property
    def record(self) -> Relation:
        at, agent = _or_none(self.added_at), _interned(self.agent)
        tags: Tags = UNKNOWN if at is None and agent is None else Tags(at, agent)
        if self.added_at is UNSET and self.agent is UNSET:
            tags = UNTAGGED
        return Relation(self.source, self.target, intern(self.relation_type), tags)


_decode: Final[Callable[[bytes], _EntityLine | _RelationLine]] = Decoder(
    _EntityLine | _RelationLine
).decode

_ALWAYS_THERE: Final = 4
"""How many keys both kinds of lines have whatever else is said, `type` included."""


def read_plain(raw: bytes) -> tuple[Entity | Relation, bool] | None:
    """Return the record of a line and whether its call continues; None if the line is not plain."""
    try:
        line = _decode(raw)
    except (MsgspecError, RecursionError):  # the latter for a line that is nested without end
        return None
    # The decoder takes the last of two equal keys, so they are counted. A quote and a colon in a
    # text count too; then the tolerant reader reads the line for nothing.
    optional = (
        (line.added_at is not UNSET) + (line.agent is not UNSET) + (line.continues is not UNSET)
    )
    if raw.count(b'":') != _ALWAYS_THERE + optional:
        return None
    return line.record, line.continues is True


@lru_cache(maxsize=1024)
def _observation_tags(added_at: str | None, agent: str | None) -> ObservationTags:
    """Return the same tags for lines of the same second: they are many, and never change."""
    return ObservationTags(added_at, _interned(agent))


def _or_none(value: _Text) -> str | None:
    return None if value is UNSET else value


def _interned(value: _Text) -> str | None:
    return intern(value) if isinstance(value, str) else None
