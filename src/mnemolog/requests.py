"""What callers hand to the operations; server-memory's own keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from mnemolog.declarations import described
from mnemolog.records import RelationKey

InitializeMode: TypeAlias = Literal["fresh", "adopt"]


@dataclass(frozen=True, slots=True)
class NewEntity:
    """An entity to create."""

    name: str = described("The entity's name, unique in the graph")
    entity_type: str = described(
        "Its type in a word or two, for example person, service or decision", key="entityType"
    )
    observations: tuple[str, ...] = described(
        "Facts about it, one self-contained sentence each; may be empty"
    )


@dataclass(frozen=True, slots=True)
class RelationTriple:
    """A relation, to create or to delete."""

    source: str = described("The name of the entity where it starts", key="from")
    target: str = described("The name of the entity where it ends", key="to")
    relation_type: str = described(
        "What relates them, in active voice, for example depends_on", key="relationType"
    )

    @property
    def key(self) -> RelationKey:
        """The triple as the graph keeps it."""
        return self.source, self.target, self.relation_type


@dataclass(frozen=True, slots=True)
class NewObservations:
    """Facts to add to an entity that exists."""

    entity_name: str = described("The exact name of the entity", key="entityName")
    contents: tuple[str, ...] = described("The facts, one self-contained sentence each")


@dataclass(frozen=True, slots=True)
class ObservationDeletion:
    """Facts to remove from an entity."""

    entity_name: str = described("The exact name of the entity", key="entityName")
    observations: tuple[str, ...] = described("The exact texts to remove")
