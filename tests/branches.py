"""Random histories on two branches, made of the calls that a user could make."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from mnemolog.edits import deleting, saving
from mnemolog.graph import Graph
from mnemolog.jsonl import encode_call
from mnemolog.records import (
    UNTAGGED,
    Entity,
    ObservationTags,
    Record,
    Relation,
    Superseded,
    Tombstone,
)
from mnemolog.requests import (
    NewEntity,
    NewObservations,
    ObservationDeletion,
    RelationTriple,
)
from mnemolog.store.runs import lines_in

NAMES: Final = ("Boat", "Pier", "Gull", "Rope")
TEXTS: Final = tuple(f"fact {n}" for n in range(6))
KINDS: Final = ("uses", "near")

Thing: TypeAlias = tuple[str, ...]
"""An entity (name), a fact (name, text) or a relation (from, to, type)."""


# --- one side's calls ----------------------------------------------------------------------------


@dataclass
class Side:
    """A branch: its file, what it says, and what its own lines said and removed."""

    content: bytes = b""
    graph: Graph = field(default_factory=Graph)
    said: set[Thing] = field(default_factory=set)
    removed: set[Thing] = field(default_factory=set)
    undecided: set[Thing] = field(default_factory=set)
    """What a torn call is about: it was not acknowledged, so it may be there or not."""

    def branch(self) -> Side:
        graph = Graph()
        for placed in lines_in(self.content):
            graph.apply_all(placed.line.records)
        return Side(self.content, graph)

    def append(self, records: Sequence[Record]) -> None:
        self.content += encode_call(tuple(records))
        self.graph.apply_all(records)
        self.said |= {thing for record in records for thing in things_said(record)}
        self.removed |= {thing for record in records for thing in things_removed(record)}

    def append_torn(self, records: Sequence[Record], at: Callable[[int], int]) -> None:
        call = encode_call(tuple(records))
        self.content += call[: at(len(call))]
        for record in records:
            self.undecided |= {*things_said(record), *things_removed(record)}

    def things(self) -> set[Thing]:
        names = {(e.name,) for e in self.graph}
        facts = {(e.name, text) for e in self.graph for text in e.observations}
        return names | facts | set(self.graph.relations)


def things_said(record: Record) -> Iterator[Thing]:
    if isinstance(record, Entity):
        yield (record.name,)
        yield from ((record.name, text) for text in record.observations)
    elif isinstance(record, Relation):
        yield record.key


def things_removed(record: Record) -> Iterator[Thing]:
    if isinstance(record, Superseded):
        yield (record.entity, record.observation)
    elif isinstance(record, Tombstone) and record.of == "relation":
        yield record.relation_key
    elif isinstance(record, Tombstone):
        if record.of == "entity":
            yield (record.name or "",)
        yield from ((record.name or "", text) for text in record.observations or ())


def random_call(graph: Graph, dice: random.Random) -> tuple[Record, ...]:
    """Return a call that a user could make of this graph; none if it would change nothing."""
    # Few tags, so that both sides also write the very same line.
    tags = ObservationTags(f"2026-01-0{dice.randint(1, 3)}T00:00:00+01:00", "codex")
    make = dice.choice(
        (add, add, add, relate, edit, edit, forget, unrelate, delete, rename, supersede, retype)
    )
    return make(graph, tags, dice)


def add(graph: Graph, tags: ObservationTags, dice: random.Random) -> tuple[Record, ...]:
    name, texts = dice.choice(NAMES), tuple(dice.sample(TEXTS, dice.randint(1, 2)))
    if name in graph.entities:
        return saving.add_observations(graph, [NewObservations(name, texts)], tags).records
    return saving.create_entities(graph, [NewEntity(name, "thing", texts)], tags).records


def relate(graph: Graph, tags: ObservationTags, dice: random.Random) -> tuple[Record, ...]:
    triple = RelationTriple(dice.choice(NAMES), dice.choice(NAMES), dice.choice(KINDS))
    return saving.create_relations(graph, [triple], tags).records


def edit(graph: Graph, tags: ObservationTags, dice: random.Random) -> tuple[Record, ...]:
    if (fact := some_fact(graph, dice)) is None:
        return ()
    name, old = fact
    new = dice.choice([text for text in (*TEXTS, "edited") if text != old])
    said = replace(graph.entities[name].observations[old], edited_at=tags.added_at)
    return (
        Entity(name, graph.entities[name].entity_type, (new,), said),
        Tombstone("observation", tags.added_at, tags.agent, name, (old,)),
    )


def forget(graph: Graph, tags: ObservationTags, dice: random.Random) -> tuple[Record, ...]:
    if (fact := some_fact(graph, dice)) is None:
        return ()
    deletion = ObservationDeletion(fact[0], (fact[1],))
    return deleting.delete_observations(graph, [deletion], tags).records


def unrelate(graph: Graph, tags: ObservationTags, dice: random.Random) -> tuple[Record, ...]:
    triples = [RelationTriple(*key) for key in graph.relations]
    return deleting.delete_relations(
        graph, dice.sample(triples, min(1, len(triples))), tags
    ).records


def delete(graph: Graph, tags: ObservationTags, dice: random.Random) -> tuple[Record, ...]:
    return deleting.delete_entities(graph, [dice.choice(NAMES)], tags).records


def rename(graph: Graph, tags: ObservationTags, dice: random.Random) -> tuple[Record, ...]:
    old, new = dice.sample(NAMES, 2)
    if old not in graph.entities or new in graph.entities:
        return ()
    entity = graph.entities[old]
    facts = [Entity(new, entity.entity_type, (t,), g) for t, g in entity.observations.items()]
    history = [replace(line, entity=new) for line in graph.superseded.get(old, {}).values()]
    relations = [
        replace(
            r,
            source=new if r.source == old else r.source,
            target=new if r.target == old else r.target,
        )
        for r in graph.relations_touching([old])
    ]
    first = Entity(new, entity.entity_type, (), UNTAGGED)
    return (
        first,
        *facts,
        *history,
        *relations,
        *deleting.delete_entities(graph, [old], tags).records,
    )


def supersede(graph: Graph, tags: ObservationTags, dice: random.Random) -> tuple[Record, ...]:
    if (fact := some_fact(graph, dice)) is None:
        return ()
    name, old = fact
    new = dice.choice([text for text in TEXTS if text != old])
    said = graph.entities[name].observations[old]
    return (
        Entity(name, graph.entities[name].entity_type, (new,), tags),
        Superseded(name, old, said, tags.added_at, tags.agent, new),
    )


def retype(graph: Graph, tags: ObservationTags, dice: random.Random) -> tuple[Record, ...]:
    name = dice.choice(NAMES)
    return (Entity(name, "retyped", (), tags),) if name in graph.entities else ()


def some_fact(graph: Graph, dice: random.Random) -> tuple[str, str] | None:
    facts = [(e.name, text) for e in graph for text in e.observations]
    return dice.choice(facts) if facts else None


def random_branches(seed: int) -> tuple[Side, Side, Side, random.Random]:
    dice = random.Random(seed)  # noqa: S311 - a history, not a secret
    base = Side()
    for _ in range(dice.randint(1, 8)):
        base.append(random_call(base.graph, dice))
    base = base.branch()
    ours, theirs = base.branch(), base.branch()
    for side in (ours, theirs):
        for _ in range(dice.randint(1, 8)):
            side.append(random_call(side.graph, dice))
    return base, ours, theirs, dice
