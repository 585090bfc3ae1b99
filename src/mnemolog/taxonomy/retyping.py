"""Giving a type another name, wherever it is used."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import chain

from mnemolog.declarations import declared, described
from mnemolog.edits.edit import Edit, refuse_unkeepable, relation_tombstone
from mnemolog.errors import InvalidRequest
from mnemolog.graph import EntityState, Graph
from mnemolog.records import KINDS, Entity, Kind, ObservationTags, Record
from mnemolog.screening.type_variant import closest


@declared
class RetypedType:
    """Where a type was given another name."""

    old_type: str = described("The type that is gone")
    new_type: str = described("The type in its place")
    entities: int = described("How many entities have it now that had the old one")
    relations: int = described("How many relations had the old one")
    merged_relations: int = described("How many of these were there with the new type already")


def retype(
    graph: Graph, old: str, new: str, tags: ObservationTags, kinds: Collection[Kind] = KINDS
) -> Edit[RetypedType]:
    """Give entities and relations of the type `old` the type `new`; dates and agents stay.

    A relation that is there with the new type already is not said twice. History has no types, so
    it stays as it is.

    Raises:
        InvalidRequest: Nothing has the old type, or the new one is none.
    """
    _refuse_no_change(old, new)
    entities = [e for e in graph if e.entity_type == old] if "entity" in kinds else []
    relations = (
        [r for r in graph.relations.values() if r.relation_type == old]
        if "relation" in kinds
        else []
    )
    if not entities and not relations:
        raise InvalidRequest(_not_used(graph, old, kinds))
    retyped = [replace(r, relation_type=new) for r in relations]
    kept = [r for r in retyped if r.key not in graph.relations]
    records: tuple[Record, ...] = (
        *(_said_as(entity, new, tags) for entity in entities),
        *kept,
        *(relation_tombstone(r.key, tags) for r in relations),
    )
    merged = len(relations) - len(kept)
    return Edit(records, RetypedType(old, new, len(entities), len(relations), merged))


def _said_as(entity: EntityState, new: str, tags: ObservationTags) -> Entity:
    # With the entity's own date and agent: once a compaction has dropped the line that said it
    # first, this one may be the first.
    own = ObservationTags(entity.tags.added_at, entity.tags.agent, tags.added_at, tags.agent)
    return Entity(entity.name, new, (), own)


def _refuse_no_change(old: str, new: str) -> None:
    refuse_unkeepable([new])
    if not new.strip():
        raise InvalidRequest("The new type is blank: name one. Nothing was changed.")
    if new == old:
        raise InvalidRequest(f"{old!r} is the old type and the new one. Nothing was changed.")


def _not_used(graph: Graph, old: str, kinds: Collection[Kind]) -> str:
    used = dict.fromkeys(chain.from_iterable(map(graph.types_of, kinds)))
    things = " and no ".join(sorted(kinds))
    near = f" The nearest types in use: {', '.join(map(repr, closest(old, used)))}." if used else ""
    return f"No {things} has the type {old!r}, so nothing was changed.{near}"
