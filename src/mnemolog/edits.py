"""What each operation would say: the lines to append, and the answer once they are written.

An edit only looks at the graph. It raises before a byte is written, and nothing changes until the
log has its lines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from mnemolog.errors import EntityNotFound, InvalidRequest
from mnemolog.graph import Graph
from mnemolog.records import (
    Entity,
    ObservationTags,
    Record,
    Relation,
    RelationKey,
    Tags,
    Tombstone,
)
from mnemolog.requests import NewEntity, NewObservations, ObservationDeletion, RelationTriple
from mnemolog.results import (
    AddedObservations,
    CreatedEntities,
    CreatedRelations,
    DeletedEntities,
    DeletedObservations,
    DeletedRelations,
    EntityAdditions,
    EntityObservations,
    EntityResult,
    SkippedEntity,
    SkippedRelation,
)

ResultT = TypeVar("ResultT")

LARGEST_TEXT_BYTES: Final = 256 * 1024
LARGEST_CALL_BYTES: Final = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Edit(Generic[ResultT]):
    """The lines that carry out a call, additions first, and what it answers."""

    records: tuple[Record, ...]
    result: ResultT


def create_entities(
    graph: Graph, requests: Sequence[NewEntity], tags: ObservationTags
) -> Edit[CreatedEntities]:
    """Create the entities whose names are not taken yet."""
    refuse_unkeepable(text for r in requests for text in (r.name, r.entity_type, *r.observations))
    created: dict[str, Entity] = {}
    skipped: list[SkippedEntity] = []
    for request in requests:
        if request.name in graph.entities:
            skipped.append(SkippedEntity(request.name, _EXISTS))
        elif request.name in created:
            skipped.append(SkippedEntity(request.name, _TWICE))
        else:
            texts = _unique(request.observations)
            worth = replace(tags, priority=request.priority, sources=request.sources)
            created[request.name] = Entity(request.name, request.entity_type, texts, worth)
    results = tuple(
        EntityResult(
            e.name, e.entity_type or "", e.observations, tags, (e.tags,) * len(e.observations)
        )
        for e in created.values()
    )
    result = CreatedEntities(
        results, tuple(skipped) or None, missing_sources=_missing_sources(graph, requests)
    )
    return Edit(tuple(created.values()), result)


_EXISTS = "It exists already and was left as it is: use add_observations to add facts to it."
_TWICE = "The call names it twice: only its first occurrence was created."


def create_relations(
    graph: Graph, requests: Sequence[RelationTriple], tags: ObservationTags
) -> Edit[CreatedRelations]:
    """Create the relations that are new and whose ends exist."""
    refuse_unkeepable(text for r in requests for text in r.key)
    created: dict[RelationKey, Relation] = {}
    skipped: list[SkippedRelation] = []
    for request in requests:
        missing = [end for end in _unique(request.key[:2]) if end not in graph.entities]
        if missing:
            skipped.append(SkippedRelation(request, _missing_ends(missing)))
        elif request.key in graph.relations or request.key in created:
            skipped.append(SkippedRelation(request, "It exists already."))
        else:
            created[request.key] = Relation(*request.key, tags)
    records = tuple(created.values())
    return Edit(records, CreatedRelations(records, tuple(skipped) or None))


def _missing_ends(missing: Sequence[str]) -> str:
    names = " and ".join(f'"{name}"' for name in missing)
    return f"No entity is named {names}: create it with create_entities, then relate it again."


def add_observations(
    graph: Graph, requests: Sequence[NewObservations], tags: ObservationTags
) -> Edit[AddedObservations]:
    """Add the observations that are not there yet, one line each.

    Raises:
        EntityNotFound: An entity does not exist; then nothing of the call is saved.
    """
    refuse_unkeepable(text for r in requests for text in r.contents)
    records: list[Entity] = []
    results: list[EntityAdditions] = []
    seen: set[tuple[str, str]] = set()
    for request in requests:
        name = request.entity_name
        if (entity := graph.entities.get(name)) is None:
            raise EntityNotFound(name)
        new = [
            text
            for text in _unique(request.contents)
            if text not in entity.observations and (name, text) not in seen
        ]
        seen.update((name, text) for text in new)
        worth = replace(tags, priority=request.priority, sources=request.sources)
        records += (Entity(name, entity.entity_type, (text,), worth) for text in new)
        history = graph.superseded.get(name, {})
        revived = tuple(text for text in new if text in history)
        results.append(EntityAdditions(name, tuple(new), revived or None))
    missing = _missing_sources(graph, requests)
    return Edit(tuple(records), AddedObservations(tuple(results), missing_sources=missing))


def _missing_sources(
    graph: Graph, requests: Iterable[NewEntity | NewObservations]
) -> tuple[str, ...] | None:
    wanted = dict.fromkeys(text for request in requests for text in request.sources or ())
    missing = (t for t in wanted if not any(t in entity.observations for entity in graph))
    return tuple(missing) or None


def delete_entities(graph: Graph, names: Sequence[str], tags: Tags) -> Edit[DeletedEntities]:
    """Delete entities, with the relations that touch them."""
    asked = _unique(names)
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
        known = set(graph.observations_ever(name)) if name in graph.entities else set()
        for text in request.observations:
            (deleted if text in known else missing).setdefault(name, {})[text] = None
    records = tuple(
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
    return Edit(records, result)


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
        message=_deletion_message(
            "relations",
            len(deleted),
            [f"{r.source} {r.relation_type} {r.target}" for r in missing],
        ),
        deleted=deleted,
        not_found=missing or None,
    )
    records = tuple(relation_tombstone(r.key, tags) for r in deleted)
    return Edit(records, result)


def relation_tombstone(key: RelationKey, tags: Tags) -> Tombstone:
    """Return the line that removes a relation."""
    source, target, relation_type = key
    return Tombstone(
        "relation",
        tags.added_at,
        tags.agent,
        source=source,
        target=target,
        relation_type=relation_type,
    )


def _deletion_message(kind: str, deleted: int, missing: Sequence[str]) -> str:
    if not missing:
        return f"{kind.capitalize()} deleted successfully"
    total = deleted + len(missing)
    return f"Deleted {deleted} of {total} {kind}. Not found: {', '.join(missing)}"


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))


def refuse_unkeepable(texts: Iterable[str]) -> None:
    """Refuse texts that no file can keep, or that no reader could use.

    Raises:
        InvalidRequest: A text holds half of a character, or is too large, or all are together.
    """
    total = 0
    for text in texts:
        try:
            size = len(text.encode())
        except UnicodeEncodeError:
            raise InvalidRequest(
                f"{text[:100]!a} holds half of a character (a lone surrogate), which no UTF-8 file "
                "can keep. Nothing was saved: send the whole character, or leave it out."
            ) from None
        total += size
        if size > LARGEST_TEXT_BYTES:
            raise InvalidRequest(
                f"A text of {size:,} bytes is too large ({text[:60]!r}...): at most "
                f"{LARGEST_TEXT_BYTES:,} are kept. Nothing was saved: save what matters of it, or "
                "keep it in a file and save where that is."
            )
    if total > LARGEST_CALL_BYTES:
        raise InvalidRequest(
            f"The call holds {total:,} bytes of text; at most {LARGEST_CALL_BYTES:,} are taken at "
            "once. Nothing was saved: send it in several calls."
        )
