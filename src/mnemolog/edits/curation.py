"""Edits that keep a memory true: correct, supersede, rename and merge."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from mnemolog.edits.edit import (
    Edit,
    Fact,
    as_history,
    refuse_unkeepable,
    relation_tombstone,
    revived_by,
)
from mnemolog.errors import EntityNotFound, InvalidRequest, ObservationNotFound
from mnemolog.filters import rank_of
from mnemolog.graph import EntityState, Graph
from mnemolog.records import (
    Entity,
    ObservationTags,
    Priority,
    Record,
    Relation,
    Superseded,
    Tags,
    Tombstone,
)
from mnemolog.requests import RelationTriple
from mnemolog.results import (
    AddedObservations,
    CreatedEntities,
    EditedObservation,
    MergedEntities,
    RenamedEntity,
    Resembling,
    SupersededObservation,
)


def edit_observation(
    graph: Graph,
    entity_name: str,
    old_text: str,
    new_text: str | None,
    tags: ObservationTags,
    *,
    priority: Priority | None = None,
) -> Edit[EditedObservation]:
    """Change an observation's wording, or how much it is worth; it keeps its date and agent.

    Raises:
        EntityNotFound: There is no such entity.
        ObservationNotFound: It has no such observation.
        InvalidRequest: Nothing would change, or the new text is there already.
    """
    entity = _entity(graph, entity_name)
    old = _observation(entity, old_text)
    text = _worded(new_text) or old_text
    if text == old_text and priority in {None, old.priority}:
        raise InvalidRequest(
            "Nothing would change: give newText, another priority, or both. Nothing was saved."
        )
    if text != old_text:
        refuse_unkeepable([text])
        _refuse_known(entity, text)
    edited = replace(
        old,
        edited_at=tags.added_at,
        edited_by=tags.agent,
        priority=priority or old.priority,
    )
    records: list[Record] = [Entity(entity_name, entity.entity_type, (text,), edited)]
    if text != old_text:
        records.append(
            Tombstone("observation", tags.added_at, tags.agent, entity_name, (old_text,))
        )
    revived = revived_by(graph, entity_name, (text,))
    return Edit(tuple(records), EditedObservation(entity_name, text, edited, revived))


def supersede_observation(
    graph: Graph,
    entity_name: str,
    old_text: str,
    new_text: str | None,
    tags: ObservationTags,
) -> Edit[SupersededObservation]:
    """Retire an observation that stopped being true, and say what is true instead, if anything.

    Raises:
        EntityNotFound: There is no such entity.
        ObservationNotFound: It has no such observation.
        InvalidRequest: The new text is the old one.
    """
    entity = _entity(graph, entity_name)
    old = _observation(entity, old_text)
    new_text = _worded(new_text)
    if new_text == old_text:
        raise InvalidRequest(
            "newText is the text that it would replace: leave it out if nothing took its place. "
            "Nothing was saved."
        )
    records: list[Record] = []
    revived = None
    if new_text is not None and new_text not in entity.observations:
        refuse_unkeepable([new_text])
        revived = revived_by(graph, entity_name, (new_text,))
        records.append(Entity(entity_name, entity.entity_type, (new_text,), tags))
    records += entity.said_to_stay((old_text,))
    retired = Superseded(entity_name, old_text, old, tags.added_at, tags.agent, new_text)
    records.append(retired)
    result = SupersededObservation(entity_name, old_text, new_text, revived)
    return Edit(tuple(records), result)


def _worded(text: str | None) -> str | None:
    """Return a text that says something, else None: some clients fill in every argument."""
    return None if text is None or not text.strip() else text


def rename_entity(graph: Graph, entity_name: str, new_name: str, tags: Tags) -> Edit[RenamedEntity]:
    """Give an entity another name; its facts keep their tags and its relations move along.

    Raises:
        EntityNotFound: There is no such entity.
        InvalidRequest: The new name is taken.
    """
    entity = _entity(graph, entity_name)
    if new_name in graph.entities:
        raise InvalidRequest(
            f'"{new_name}" exists already: use merge_entities to make one of the two, or choose '
            "another name. Nothing was saved."
        )
    refuse_unkeepable([new_name])
    history = graph.superseded.get(entity_name, {}).values()
    moved = tuple(
        _with_end_moved(relation, entity_name, new_name)
        for relation in graph.relations_touching([entity_name])
    )
    records: tuple[Record, ...] = (
        *entity.said_as(new_name),
        *_history_under(graph, new_name, entity.entity_type, history),
        *moved,
        *_removal(graph, entity_name, tags),
    )
    return Edit(records, RenamedEntity(entity_name, new_name, _triples(moved)))


def merge_entities(
    graph: Graph, source_name: str, target_name: str, tags: Tags
) -> Edit[MergedEntities]:
    """Move everything that is known of one entity to another, and remove the first.

    What both know stays as the target has it. Relations that would lead from the target to itself,
    or that it has already, are dropped and listed.

    Raises:
        EntityNotFound: One of them does not exist.
        InvalidRequest: They are the same.
    """
    source, target = _entity(graph, source_name), _entity(graph, target_name)
    if source is target:
        raise InvalidRequest(f'"{source_name}" cannot be merged into itself. Nothing was saved.')
    new = {t: of for t, of in source.observations.items() if t not in target.observations}
    known = {*target.observations, *new, *graph.superseded.get(target_name, {})}
    history = [
        line for text, line in graph.superseded.get(source_name, {}).items() if text not in known
    ]
    moved, dropped = _moved_relations(graph, source_name, target_name)
    records: tuple[Record, ...] = (
        *(Entity(target_name, target.entity_type, (text,), of) for text, of in new.items()),
        *_history_under(graph, target_name, target.entity_type, history),
        *moved,
        *_removal(graph, source_name, tags),
    )
    result = MergedEntities(target_name, tuple(new), _triples(moved), _triples(dropped) or None)
    return Edit(records, result)


def _history_under(
    graph: Graph, name: str, entity_type: str, history: Iterable[Superseded]
) -> Iterator[Record]:
    """Yield the lines that keep history under another name."""
    for line in history:
        yield from as_history(graph, replace(line, entity=name), entity_type)


FactsResultT = TypeVar("FactsResultT", CreatedEntities, AddedObservations)


def retire_contradicted(
    graph: Graph,
    edit: Edit[FactsResultT],
    contradicted: Iterable[tuple[Fact, Fact]],
    tags: Tags,
) -> Edit[FactsResultT]:
    """Let the retiring facts retire those that they contradict, unless those are worth more.

    Nothing is warned of that is settled so.
    """
    if not edit.retiring:
        return edit
    worth = {
        (r.name, t): r.tags for r in edit.records if isinstance(r, Entity) for t in r.observations
    }
    retired: dict[Fact, Superseded] = {}
    for new, old in contradicted:
        known = graph.entities[old[0]].observations[old[1]]
        if new in edit.retiring and outranks(worth[new], known):
            retired[old] = Superseded(*old, known, tags.added_at, tags.agent, new[1])
    if not retired:
        return edit
    gone = tuple(Resembling(*old) for old in retired)
    left = tuple(
        warning
        for warning in edit.result.warnings or ()
        if warning.kind != "conflict" or warning.resembles not in gone
    )
    result = replace(edit.result, superseded=gone, warnings=left or None)
    return replace(edit, records=(*edit.records, *retired.values()), result=result)


def outranks(new: ObservationTags, old: ObservationTags) -> bool:
    """Return whether a fact may retire another: it is worth as much, or more."""
    return rank_of(new) >= rank_of(old)


def _moved_relations(
    graph: Graph, source: str, target: str
) -> tuple[tuple[Relation, ...], tuple[Relation, ...]]:
    """Return the source's relations as the target's, and those that it cannot or need not have."""
    moved: list[Relation] = []
    dropped: list[Relation] = []
    for relation in graph.relations_touching([source]):
        there = _with_end_moved(relation, source, target)
        # No two become the same but those that would lead from the target to itself.
        if there.source == there.target or there.key in graph.relations:
            dropped.append(relation)
        else:
            moved.append(there)
    return tuple(moved), tuple(dropped)


def _with_end_moved(relation: Relation, old: str, new: str) -> Relation:
    ends = [new if end == old else end for end in (relation.source, relation.target)]
    return replace(relation, source=ends[0], target=ends[1])


def _removal(graph: Graph, name: str, tags: Tags) -> Iterator[Tombstone]:
    observations = graph.observations_ever(name)
    yield Tombstone("entity", tags.added_at, tags.agent, name, observations)
    for relation in graph.relations_touching([name]):
        yield relation_tombstone(relation.key, tags)


def _entity(graph: Graph, name: str) -> EntityState:
    entity = graph.entities.get(name)
    if entity is None:
        raise EntityNotFound(name)
    return entity


def _observation(entity: EntityState, text: str) -> ObservationTags:
    tags = entity.observations.get(text)
    if tags is None:
        raise ObservationNotFound(entity.name, text)
    return tags


def _refuse_known(entity: EntityState, text: str) -> None:
    if text in entity.observations:
        raise InvalidRequest(
            f'"{entity.name}" has the new text already; delete_observations removes the old one. '
            "Nothing was saved."
        )


def _triples(relations: Sequence[Relation]) -> tuple[RelationTriple, ...]:
    return tuple(RelationTriple(*relation.key) for relation in relations)
