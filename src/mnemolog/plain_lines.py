"""The lines that nearly every log consists of, read by a decoder that knows their shape.

It is several times as fast as reading any JSON and looking at what came out. Whatever it does not
take (a tombstone, a key that is not ours, a broken line) is left to the tolerant reader, and what
it takes means the same to that one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from sys import intern
from typing import ClassVar, Final, TypeAlias

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
    def texts(self) -> int:
        """How many texts it has beside those that may be left out, its type included."""
        return 3 + len(self.observations)

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
    texts: ClassVar[int] = 4

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


_BACKSLASH: Final = ord("\\")
_SPACED_COLONS: Final = (b" :", b"\t:", b"\r:")


def read_plain(raw: bytes) -> tuple[Entity | Relation, bool] | None:
    """Return the record of a line and whether its call continues; None if the line is not plain."""
    try:
        line = _decode(raw)
    except (MsgspecError, RecursionError):  # the latter for a line that is nested without end
        return None
    return (line.record, line.continues is True) if _says_each_key_once(line, raw) else None


def _says_each_key_once(line: _EntityLine | _RelationLine, raw: bytes) -> bool:
    """Return whether no key comes twice: the decoder would take the last one."""
    at, agent = line.added_at, line.agent
    keys = _ALWAYS_THERE + (at is not UNSET) + (agent is not UNSET) + (line.continues is not UNSET)
    if _BACKSLASH not in raw:
        return raw.count(b'"') == 2 * (
            keys + line.texts + isinstance(at, str) + isinstance(agent, str)
        )
    # Texts may hold quotes. One before a colon counts too, and the tolerant reader decides then.
    return raw.count(b'":') == keys and not any(map(raw.__contains__, _SPACED_COLONS))


@lru_cache(maxsize=1024)
def _observation_tags(added_at: str | None, agent: str | None) -> ObservationTags:
    """Return the same tags for lines of the same second: they are many, and never change."""
    return ObservationTags(added_at, _interned(agent))


def _or_none(value: _Text) -> str | None:
    return None if value is UNSET else value


def _interned(value: _Text) -> str | None:
    return intern(value) if isinstance(value, str) else None
