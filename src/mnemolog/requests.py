"""What callers hand to the operations; server-memory's own keys."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

from mnemolog.declarations import declared, described
from mnemolog.records import Priority, RelationKey

InitializeMode: TypeAlias = Literal["fresh", "adopt"]
OnConflict: TypeAlias = Literal["warn", "supersede"]

_PRIORITY: Final = "high: explicit instruction or confirmed preference; low: session notes"
_SOURCES: Final = "Observations they derive from"
_ON_CONFLICT: Final = "supersede: retire what these contradict"


@declared
class NewEntity:
    """An entity to create."""

    name: str = described("Unique in the graph")
    entity_type: str = described("In a word or two: person, service, decision", key="entityType")
    observations: tuple[str, ...] = described(
        "Facts, one self-contained sentence each; may be empty"
    )
    priority: Priority | None = described(_PRIORITY, default=None)
    sources: tuple[str, ...] | None = described(_SOURCES, default=None)
    on_conflict: OnConflict = described(_ON_CONFLICT, default="warn")


@declared
class RelationTriple:
    """A relation, to create or to delete."""

    source: str = described("Where it starts", key="from")
    target: str = described("Where it ends", key="to")
    relation_type: str = described("In active voice: api depends_on database", key="relationType")

    @property
    def key(self) -> RelationKey:
        """The triple as the graph keeps it."""
        return RelationKey(self.source, self.target, self.relation_type)


@declared
class ObservationsToCheck:
    """Facts about an entity that are not saved yet."""

    entity_name: str = described("Its exact name", key="entityName")
    contents: tuple[str, ...] = described("Facts, one self-contained sentence each")


@declared
class NewObservations(ObservationsToCheck):
    """Facts to add to an entity that exists."""

    priority: Priority | None = described(_PRIORITY, default=None)
    sources: tuple[str, ...] | None = described(_SOURCES, default=None)
    on_conflict: OnConflict = described(_ON_CONFLICT, default="warn")


@declared
class ObservationDeletion:
    """Facts to remove from an entity."""

    entity_name: str = described("Its exact name", key="entityName")
    observations: tuple[str, ...] = described("The exact texts to remove")
