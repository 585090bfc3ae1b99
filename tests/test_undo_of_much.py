"""Taking back a call of many entities: a look at what it left, not one for each entity."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from mnemolog.edits.undo import Step, states_of, subjects_of, take_back, turns_since
from mnemolog.graph import Graph
from mnemolog.records import Entity, ObservationTags, Relation, Tags
from mnemolog.subjects import Subject

TAGS = ObservationTags("2026-02-01T12:00:00+00:00", "ada")


class Walked(dict[Subject, Any]):
    """States that count how often somebody goes through their keys."""

    walks = 0

    def keys(self) -> Any:
        self.walks += 1
        return super().keys()


def test_undo_does_not_go_through_all_of_a_call_for_each_entity_of_it() -> None:
    graph = Graph()
    names = [f"entity {number}" for number in range(20)]
    said = [Entity(name, "thing", (), TAGS) for name in names]
    related = [
        Relation(one, two, "next to", Tags(TAGS.added_at, TAGS.agent))
        for one, two in pairwise(names)
    ]
    before = states_of(graph, subjects_of((*said, *related)))
    graph.apply_all((*said, *related))
    turns = Walked(turns_since(before, graph))
    take_back(graph, Step("create_entities", turns), TAGS)
    assert turns.walks <= 1
