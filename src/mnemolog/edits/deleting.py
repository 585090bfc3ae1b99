"""Edits that remove, by tombstones that list what is gone."""

from __future__ import annotations

from collections.abc import Sequence

from mnemolog.edits.edit import Edit, relation_tombstone
from mnemolog.graph import Graph
from mnemolog.records import (
    Record,
    Tags,
    Tombstone,
)
from mnemolog.requests import ObservationDeletion, RelationTriple
from mnemolog.results import (
    DeletedEntities,
    DeletedObservations,
    DeletedRelations,
    EntityObservations,
)
from mnemolog.subjects import in_words


def delete_entities(graph: Graph, names: Sequence[str], tags: Tags) -> Edit[DeletedEntities]:
    """Delete entities, with the relations that touch them."""
    asked = tuple(dict.fromkeys(names))
    deleted = tuple(name for name in asked if name in graph.entities)
    relations = graph.relations_touching(deleted)
    records: list[Record] = [
        Tombstone("entity", tags.added_at, tags.agent, name, graph.observations_ever(name))
        for name in deleted
    ]
    records += (relation_tombstone(r.key, tags) for r in relations)
    missing = tuple(name for name in asked if name not in graph.entities)
    result = DeletedEntities(
        success=True,
        message=_deletion_message("entities", len(deleted), missing),
        deleted=deleted,
        deleted_relations=tuple(RelationTriple(*r.key) for r in relations),
        not_found=missing or None,
    )
    return Edit(tuple(records), result)


def delete_observations(
    graph: Graph, requests: Sequence[ObservationDeletion], tags: Tags
) -> Edit[DeletedObservations]:
    """Delete observations, current or superseded, that match exactly."""
    deleted: dict[str, dict[str, None]] = {}
    missing: dict[str, dict[str, None]] = {}
    for request in requests:
        name = request.entity_name
        for text in request.observations:
            found = deleted if graph.knows(name, text) else missing
            found.setdefault(name, {})[text] = None
    records: list[Record] = []
    for entity in graph.open(deleted):
        records += entity.said_to_stay(deleted[entity.name])
    records += (
        Tombstone("observation", tags.added_at, tags.agent, name, tuple(texts))
        for name, texts in deleted.items()
    )
    absent = [f"{text} (of {name})" for name, texts in missing.items() for text in texts]
    count = sum(len(texts) for texts in deleted.values())
    result = DeletedObservations(
        success=True,
        message=_deletion_message("observations", count, absent),
        deleted=_by_entity(deleted),
        not_found=_by_entity(missing) or None,
    )
    return Edit(tuple(records), result)


def _by_entity(texts_by_name: dict[str, dict[str, None]]) -> tuple[EntityObservations, ...]:
    return tuple(EntityObservations(name, tuple(texts)) for name, texts in texts_by_name.items())


def delete_relations(
    graph: Graph, requests: Sequence[RelationTriple], tags: Tags
) -> Edit[DeletedRelations]:
    """Delete the relations that match exactly."""
    asked = {request.key: request for request in requests}
    deleted = tuple(r for key, r in asked.items() if key in graph.relations)
    missing = tuple(r for key, r in asked.items() if key not in graph.relations)
    result = DeletedRelations(
        success=True,
        message=_deletion_message("relations", len(deleted), [in_words(r.key) for r in missing]),
        deleted=deleted,
        not_found=missing or None,
    )
    records = tuple(relation_tombstone(r.key, tags) for r in deleted)
    return Edit(records, result)


def _deletion_message(kind: str, deleted: int, missing: Sequence[str]) -> str:
    if not missing:
        return f"{kind.capitalize()} deleted successfully"
    total = deleted + len(missing)
    return f"Deleted {deleted} of {total} {kind}. Not found: {', '.join(missing)}"
