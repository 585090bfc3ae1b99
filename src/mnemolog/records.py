"""Every kind of line in the log, as a frozen record.

The lines add up in file order: entity lines add and never remove, a tombstone removes what it lists
and nothing else, a superseded line retires one observation. `docs/file-format.md` has the grammar.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from mnemolog.declarations import declared, described

FORMAT: Final = 1
"""The version of the line format, written into every header."""

GENERIC: Final = "Generic"
"""The type of an entity whose lines name none."""

Priority: TypeAlias = Literal["high", "medium", "low"]
Removable: TypeAlias = Literal["entity", "observation", "relation"]
Kind: TypeAlias = Literal["entity", "relation"]
"""What has a type."""

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


@declared
class Tags:
    """When something was first said and by whom; null on lines that other tools wrote."""

    added_at: str | None = described(
        "When it was first said: ISO 8601 local time with UTC offset; null if not known"
    )
    agent: str | None = described("Which agent said it first; null if not known")


@declared
class ObservationTags(Tags):
    """What is known about an observation beside its text."""

    edited_at: str | None = described("When its wording last changed", default=None)
    edited_by: str | None = described("Which agent changed it last", default=None)
    priority: Priority | None = described("How much it is worth; medium if absent", default=None)
    sources: tuple[str, ...] | None = described(
        "The observations that it was derived from", default=None
    )


UNTAGGED: Final = ObservationTags(None, None)
"""The tags of a line that carries none: another tool wrote it."""

UNKNOWN: Final = ObservationTags(None, None)
"""The tags of a line of ours that says nothing of when and by whom: it was imported."""


@declared
class Repository:
    """A repository, as far as git could tell."""

    name: str = described("The name of its root folder")
    commit: str | None = described("Its oldest root commit; null while there is none")
    root: str | None = described("Its root folder when the header was written")


@declared
class Header:
    """The repository that this memory belongs to; the last header of a file counts."""

    format: int = described("The version of the line format")
    repo: Repository = described("The repository")
    tags: Tags = described("When and by whom", spread=True)


@declared
class Entity:
    """An entity exists, with this type, and these observations of it are true."""

    name: str = described("The entity's name, unique in the graph")
    entity_type: str | None = described(
        "Its type, for example person, service or decision", key="entityType"
    )
    observations: tuple[str, ...] = described("Observations of it that are true")
    tags: ObservationTags = described("When and by whom", spread=True)


class RelationKey(NamedTuple):
    """What makes a relation one, however often it is said."""

    source: str
    target: str
    relation_type: str


@declared
class Relation:
    """A directed relation exists."""

    source: str = described("The entity that it starts from", key="from")
    target: str = described("The entity that it leads to", key="to")
    relation_type: str = described("What relates them, in active voice", key="relationType")
    tags: Tags = described("When and by whom", spread=True)

    @property
    def key(self) -> RelationKey:
        """What it is known by."""
        return RelationKey(self.source, self.target, self.relation_type)


@declared
class Superseded:
    """An observation was true and no longer is."""

    entity: str = described("The entity's name")
    observation: str = described("The text that is no longer true")
    tags: ObservationTags = described("When and by whom it was first said", spread=True)
    superseded_at: str | None = described("When it stopped being held true")
    superseded_by: str | None = described("Which agent retired it")
    replaced_by: str | None = described("The text that took its place", default=None)


@declared
class Tombstone:
    """What it lists is gone: observations of an entity, a whole entity, or a relation."""

    of: Removable = described("What is gone")
    removed_at: str | None = described("When it was removed")
    agent: str | None = described("Which agent removed it")
    name: str | None = described("The entity's name", default=None)
    observations: tuple[str, ...] | None = described(
        "The observations that are gone; for an entity, all that it had", default=None
    )
    source: str | None = described("A relation's start", key="from", default=None)
    target: str | None = described("A relation's end", key="to", default=None)
    relation_type: str | None = described("A relation's type", key="relationType", default=None)

    @property
    def relation_key(self) -> RelationKey:
        """The relation that is gone."""
        return RelationKey(self.source or "", self.target or "", self.relation_type or "")


Record: TypeAlias = Header | Entity | Relation | Superseded | Tombstone

RECORD_TYPES: Final[Mapping[str, type[Record]]] = {
    "header": Header,
    "entity": Entity,
    "relation": Relation,
    "superseded": Superseded,
    "tombstone": Tombstone,
}

RECORD_PURPOSES: Final[Mapping[str, str]] = {
    "header": "Names the repository that this memory belongs to.",
    "entity": "Says that an entity exists, what it is, and what is true of it.",
    "relation": "Says how one entity relates to another.",
    "superseded": "Keeps an observation that was true and no longer is.",
    "tombstone": "Removes what it lists, and nothing else.",
}
