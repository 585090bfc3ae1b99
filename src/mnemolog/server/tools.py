"""All tools, and which of their results mean that the memory has changed."""

from __future__ import annotations

from mnemolog.results import (
    AddedObservations,
    CreatedEntities,
    CreatedRelations,
    DeletedEntities,
    DeletedObservations,
    DeletedRelations,
    EditedObservation,
    ImportReport,
    InitializedMemory,
    MergedEntities,
    RenamedEntity,
    SupersededObservation,
    Undone,
)
from mnemolog.server import reads, writes
from mnemolog.server.tool import TOOLS, Tool

__all__ = ["TOOLS", "Tool", "has_changed", "reads", "writes"]


def has_changed(result: object) -> bool:  # noqa: PLR0911 - one for each kind of result
    """Return whether the memory is another one after the call that gave this result."""
    match result:
        case CreatedEntities():
            return bool(result.entities)
        case CreatedRelations():
            return bool(result.relations)
        case AddedObservations():
            return any(additions.added_observations for additions in result.results)
        case DeletedEntities() | DeletedObservations() | DeletedRelations():
            return bool(result.deleted)
        case ImportReport():
            return bool(result.lines_added) and not result.dry_run
        case (
            InitializedMemory()
            | EditedObservation()
            | SupersededObservation()
            | RenamedEntity()
            | MergedEntities()
            | Undone()
        ):
            return True
    return False
