"""How lines add up, in file order: each rule of the grammar, then all of them at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

import histories
from mnemolog.graph import Graph
from mnemolog.records import (
    UNTAGGED,
    Entity,
    Header,
    ObservationTags,
    Record,
    Relation,
    Repository,
    Superseded,
    Tombstone,
)
from standing import expected_standing, standing_of

EARLY = ObservationTags("2026-01-02T03:04:05+01:00", "codex")
LATE = ObservationTags("2026-02-03T04:05:06+01:00", "cursor")


def graph_of(*records: Record) -> Graph:
    graph = Graph()
    graph.apply_all(records)
    return graph


def said(name: str, *texts: str, kind: str | None = None, tags: ObservationTags = EARLY) -> Entity:
    return Entity(name, kind, texts, tags)


def gone(name: str, *texts: str) -> Tombstone:
    return Tombstone("observation", None, None, name, texts)


def entity_gone(name: str, *texts: str) -> Tombstone:
    return Tombstone("entity", None, None, name, texts)


def retired(name: str, text: str, by: str | None = None) -> Superseded:
    return Superseded(name, text, EARLY, "2026-03-04T05:06:07+01:00", "cursor", by)


def relation_gone(source: str, target: str, kind: str) -> Tombstone:
    return Tombstone("relation", None, None, source=source, target=target, relation_type=kind)


def texts_of(graph: Graph, name: str) -> list[str]:
    return list(graph.entities[name].observations)


def test_entity_lines_add_and_never_remove() -> None:
    graph = graph_of(said("Lamp", "a", "b"), said("Desk"), said("Lamp", "c"), said("Lamp"))
    assert list(graph.entities) == ["Lamp", "Desk"]
    assert texts_of(graph, "Lamp") == ["a", "b", "c"]


def test_a_later_lines_type_counts_and_no_type_changes_nothing() -> None:
    graph = graph_of(said("Lamp", kind="thing"), said("Lamp", kind="device"), said("Lamp", "a"))
    assert graph.entities["Lamp"].entity_type == "device"


def test_an_entity_that_no_line_types_is_generic() -> None:
    assert graph_of(said("Lamp")).entities["Lamp"].entity_type == "Generic"


def test_an_observation_keeps_its_place_and_takes_a_later_lines_tags() -> None:
    graph = graph_of(said("Lamp", "a", "b"), said("Lamp", "a", tags=LATE))
    assert graph.entities["Lamp"].observations == {"a": LATE, "b": EARLY}
    assert texts_of(graph, "Lamp") == ["a", "b"]


def test_an_entity_keeps_the_tags_of_its_first_line() -> None:
    graph = graph_of(said("Lamp", "a", tags=LATE), said("Lamp", "b"))
    assert graph.entities["Lamp"].tags == LATE


def test_a_relation_keeps_its_place_and_takes_a_later_lines_tags() -> None:
    first, other = Relation("a", "b", "uses", EARLY), Relation("a", "c", "uses", EARLY)
    graph = graph_of(first, other, Relation("a", "b", "uses", LATE))
    assert list(graph.relations) == [first.key, other.key]
    assert graph.relations[first.key].tags == LATE


def test_a_relation_needs_neither_of_its_ends() -> None:
    graph = graph_of(Relation("a", "b", "uses", UNTAGGED), Relation("a", "a", "is", UNTAGGED))
    assert [r.key for r in graph.relations_touching(["a"])] == [
        ("a", "b", "uses"),
        ("a", "a", "is"),
    ]


def test_a_tombstone_removes_what_it_lists_and_nothing_else() -> None:
    graph = graph_of(said("Lamp", "a", "b"), said("Desk", "a"), gone("Lamp", "a", "z"))
    assert texts_of(graph, "Lamp") == ["b"]
    assert texts_of(graph, "Desk") == ["a"]


def test_an_observations_tombstone_leaves_an_entity_without_observations() -> None:
    assert texts_of(graph_of(said("Lamp", "a"), gone("Lamp", "a")), "Lamp") == []


def test_an_observation_said_again_goes_to_the_end() -> None:
    graph = graph_of(said("Lamp", "a", "b"), gone("Lamp", "a"), said("Lamp", "a"))
    assert texts_of(graph, "Lamp") == ["b", "a"]


def test_an_entity_whose_tombstone_lists_all_it_had_is_gone() -> None:
    assert not graph_of(said("Lamp", "a", "b"), entity_gone("Lamp", "a", "b")).entities


def test_a_fact_that_the_entitys_tombstone_does_not_list_keeps_the_entity_alive() -> None:
    graph = graph_of(said("Lamp", "a"), said("Lamp", "b"), entity_gone("Lamp", "a"))
    assert texts_of(graph, "Lamp") == ["b"]


def test_an_entity_is_gone_once_its_last_survivor_is() -> None:
    survivor = (said("Lamp", "a", "b"), entity_gone("Lamp", "a"))
    assert not graph_of(*survivor, gone("Lamp", "b")).entities
    assert not graph_of(*survivor, retired("Lamp", "b")).entities


def test_a_line_behind_its_tombstone_asserts_an_entity_again() -> None:
    graph = graph_of(said("Lamp", "a"), entity_gone("Lamp"), said("Lamp"), gone("Lamp", "a"))
    assert texts_of(graph, "Lamp") == []


def test_an_entity_created_again_starts_anew() -> None:
    graph = graph_of(
        said("Lamp", "a", kind="device"),
        said("Desk"),
        entity_gone("Lamp", "a"),
        said("Lamp", tags=LATE),
    )
    assert list(graph.entities) == ["Desk", "Lamp"]
    lamp = graph.entities["Lamp"]
    assert (lamp.entity_type, lamp.tags, lamp.observations) == ("Generic", LATE, {})


def test_an_entitys_tombstone_leaves_its_relations() -> None:
    graph = graph_of(said("a"), Relation("a", "b", "uses", EARLY), entity_gone("a"))
    assert list(graph.relations) == [("a", "b", "uses")]


def test_a_relations_tombstone_removes_that_relation() -> None:
    graph = graph_of(
        Relation("a", "b", "uses", EARLY),
        Relation("b", "a", "uses", EARLY),
        relation_gone("a", "b", "uses"),
    )
    assert list(graph.relations) == [("b", "a", "uses")]


def test_a_superseded_line_retires_an_observation_into_history() -> None:
    graph = graph_of(said("Lamp", "a", "b"), retired("Lamp", "a", by="b"))
    assert texts_of(graph, "Lamp") == ["b"]
    assert graph.superseded["Lamp"]["a"].replaced_by == "b"
    assert graph.observations_ever("Lamp") == ("b", "a")


def test_a_retired_observation_is_true_again_if_a_later_line_says_so() -> None:
    graph = graph_of(said("Lamp", "a", "b"), retired("Lamp", "a"), said("Lamp", "a"))
    assert texts_of(graph, "Lamp") == ["b", "a"]
    assert not graph.superseded


def test_a_tombstone_removes_a_retired_observation_from_history() -> None:
    assert not graph_of(said("Lamp", "a"), retired("Lamp", "a"), gone("Lamp", "a")).superseded


def test_a_removed_observation_does_not_come_back_as_history() -> None:
    """One branch removed it, the other retired it: both orders of a merge agree."""
    assert not graph_of(said("Lamp", "a"), gone("Lamp", "a"), retired("Lamp", "a")).superseded


def test_the_last_header_counts() -> None:
    one, two = (Header(1, Repository(name, None, None), EARLY) for name in ("one", "two"))
    assert graph_of(one, two).header == two


def test_lines_of_other_tools_are_noticed() -> None:
    assert not graph_of(said("Lamp")).has_untagged_lines
    assert graph_of(said("Lamp", tags=UNTAGGED)).has_untagged_lines


@given(st.lists(histories.records, max_size=25))
def test_any_records_add_up_as_the_grammar_says(records: list[Record]) -> None:
    assert standing_of(graph_of(*records)) == expected_standing(records)


@given(st.lists(histories.records, max_size=25))
def test_what_a_graph_counts_is_what_it_holds(records: list[Record]) -> None:
    graph = graph_of(*records)
    assert graph.observation_count == sum(len(entity.observations) for entity in graph)
    assert graph.superseded_count == sum(len(texts) for texts in graph.superseded.values())
    assert graph.live_size <= graph.said_size


@given(st.lists(histories.records, max_size=25))
def test_relations_are_found_by_their_ends_in_file_order(records: list[Record]) -> None:
    graph = graph_of(*records)
    for name in histories.NAMES:
        touching = [r for r in graph.relations.values() if name in r.key[:2]]
        assert graph.relations_touching([name]) == touching
