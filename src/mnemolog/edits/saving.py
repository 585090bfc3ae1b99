"""Edits that add: entities, relations and observations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from mnemolog.edits.edit import Edit, refuse_unkeepable, revived_by
from mnemolog.errors import EntityNotFound
from mnemolog.graph import Graph
from mnemolog.records import (
    Entity,
    ObservationTags,
    Relation,
    RelationKey,
)
from mnemolog.requests import NewEntity, NewObservations, RelationTriple
from mnemolog.results import (
    AddedObservations,
    CreatedEntities,
    CreatedRelations,
    EntityAdditions,
    EntityResult,
    SkippedEntity,
    SkippedRelation,
)


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
        results,
        tuple(skipped) or None,
        missing_sources=_missing_sources(graph, requests, created.values()),
    )
    retiring = frozenset(
        (r.name, text) for r in requests if r.on_conflict == "supersede" for text in r.observations
    )
    return Edit(tuple(created.values()), result, retiring)


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
        results.append(EntityAdditions(name, tuple(new), revived_by(graph, name, new)))
    result = AddedObservations(
        tuple(results), missing_sources=_missing_sources(graph, requests, records)
    )
    retiring = frozenset(
        (r.entity_name, text)
        for r in requests
        if r.on_conflict == "supersede"
        for text in r.contents
    )
    return Edit(tuple(records), result, retiring)


def _missing_sources(
    graph: Graph, requests: Iterable[NewEntity | NewObservations], new: Iterable[Entity]
) -> tuple[str, ...] | None:
    wanted = dict.fromkeys(text for request in requests for text in request.sources or ())
    missing = set(wanted)
    missing.difference_update(text for record in new if wanted for text in record.observations)
    for entity in graph if missing else ():
        missing -= missing & entity.observations.keys()
    return tuple(text for text in wanted if text in missing) or None


def _unique(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
