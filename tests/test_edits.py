"""What each operation writes and answers, from the graph alone."""

from __future__ import annotations

import pytest

from mnemolog.edits import curation, deleting, saving
from mnemolog.edits.edit import LARGEST_TEXT_BYTES
from mnemolog.errors import EntityNotFound, InvalidRequest
from mnemolog.graph import Graph
from mnemolog.records import Entity, ObservationTags, Record, Relation, Superseded, Tombstone
from mnemolog.requests import NewEntity, NewObservations, ObservationDeletion, RelationTriple

TAGS = ObservationTags("2026-03-01T09:00:00+01:00", "codex")


def graph_of(*records: Record) -> Graph:
    graph = Graph()
    graph.apply_all(records)
    return graph


def lamp(*observations: str) -> Entity:
    return Entity("Lamp", "device", observations, TAGS)


def test_an_edit_changes_nothing_until_its_lines_are_applied() -> None:
    graph = graph_of(lamp("is on"))
    deleting.delete_entities(graph, ["Lamp"], TAGS)
    assert "Lamp" in graph.entities


def test_an_existing_name_is_left_as_it_is_and_the_answer_says_what_to_do() -> None:
    edit = saving.create_entities(graph_of(lamp()), [NewEntity("Lamp", "lamp", ("new",))], TAGS)
    assert edit.records == ()
    assert edit.result.skipped is not None
    assert "add_observations" in edit.result.skipped[0].reason


def test_a_name_twice_in_one_call_is_created_once() -> None:
    requests = [NewEntity("Desk", "furniture", ("oak",)), NewEntity("Desk", "table", ("pine",))]
    edit = saving.create_entities(Graph(), requests, TAGS)
    assert edit.records == (Entity("Desk", "furniture", ("oak",), TAGS),)
    (skipped,) = edit.result.skipped or ()
    assert (skipped.name, "twice" in skipped.reason) == ("Desk", True)


def test_an_observation_twice_in_one_call_is_saved_once() -> None:
    requests = [NewObservations("Lamp", ("a", "a")), NewObservations("Lamp", ("a", "b"))]
    edit = saving.add_observations(graph_of(lamp()), requests, TAGS)
    assert [r.added_observations for r in edit.result.results] == [("a",), ("b",)]
    assert [r.observations for r in edit.records if isinstance(r, Entity)] == [("a",), ("b",)]


def test_one_missing_entity_refuses_the_whole_call() -> None:
    requests = [NewObservations("Lamp", ("a",)), NewObservations("Ghost", ("b",))]
    with pytest.raises(EntityNotFound, match="Ghost"):
        saving.add_observations(graph_of(lamp()), requests, TAGS)


def test_a_relation_needs_both_ends_and_a_skipped_one_names_the_missing_ones() -> None:
    request = RelationTriple("Lamp", "Ghost", "haunts")
    edit = saving.create_relations(graph_of(lamp()), [request], TAGS)
    assert edit.records == ()
    assert edit.result.skipped is not None
    assert '"Ghost"' in edit.result.skipped[0].reason


def test_a_relation_that_is_there_or_was_asked_for_before_is_skipped() -> None:
    loop = RelationTriple("Lamp", "Lamp", "lights")
    edit = saving.create_relations(graph_of(lamp()), [loop, loop], TAGS)
    assert edit.records == (Relation("Lamp", "Lamp", "lights", TAGS),)
    assert [s.reason for s in edit.result.skipped or ()] == ["It exists already."]
    assert saving.create_relations(graph_of(lamp(), *edit.records), [loop], TAGS).records == ()


def test_deleting_an_entity_lists_everything_it_ever_had_and_its_relations() -> None:
    old = Superseded("Lamp", "is off", TAGS, None, None)
    loop = Relation("Lamp", "Lamp", "lights", TAGS)
    edit = deleting.delete_entities(graph_of(lamp("is on"), old, loop), ["Lamp", "Lamp"], TAGS)
    entity, relation = edit.records
    assert isinstance(entity, Tombstone)
    assert entity.observations == ("is on", "is off")
    assert isinstance(relation, Tombstone)
    assert relation.relation_key == loop.key


def test_deleting_says_honestly_what_was_not_there() -> None:
    graph = graph_of(lamp("is on"))
    edit = deleting.delete_observations(
        graph,
        [ObservationDeletion("Lamp", ("is on", "is off")), ObservationDeletion("X", ("y",))],
        TAGS,
    )
    assert (
        edit.result.message == "Deleted 1 of 3 observations. Not found: is off (of Lamp), y (of X)"
    )
    assert edit.result.success
    loop, ghost = Relation("Lamp", "Lamp", "lights", TAGS), RelationTriple("Lamp", "X", "lights")
    asked = [RelationTriple(*loop.key), ghost]
    relations = deleting.delete_relations(graph_of(lamp(), loop), asked, TAGS)
    assert relations.result.deleted == (asked[0],)
    assert relations.result.not_found == (ghost,)
    assert len(relations.records) == 1


def test_deleting_what_is_all_there_answers_in_server_memorys_words() -> None:
    edit = deleting.delete_entities(graph_of(lamp()), ["Lamp"], TAGS)
    assert edit.result.message == "Entities deleted successfully"


def test_half_a_character_is_refused_before_anything_is_said() -> None:
    broken = "half \ud83d"
    attempts = (
        lambda: saving.create_entities(Graph(), [NewEntity("A", "t", (broken,))], TAGS),
        lambda: saving.create_relations(Graph(), [RelationTriple("A", "B", broken)], TAGS),
        lambda: saving.add_observations(
            graph_of(lamp()), [NewObservations("Lamp", (broken,))], TAGS
        ),
        lambda: curation.edit_observation(graph_of(lamp("on")), "Lamp", "on", broken, TAGS),
        lambda: curation.supersede_observation(graph_of(lamp("on")), "Lamp", "on", broken, TAGS),
        lambda: curation.rename_entity(graph_of(lamp("on")), "Lamp", broken, TAGS),
    )
    for attempt in attempts:
        with pytest.raises(InvalidRequest, match="surrogate"):
            attempt()


def test_a_text_or_a_call_that_is_too_large_is_refused() -> None:
    fits = "x" * LARGEST_TEXT_BYTES
    saving.create_entities(Graph(), [NewEntity("A", "t", (fits,))], TAGS)
    with pytest.raises(InvalidRequest, match="262,144 are kept"):
        saving.create_entities(Graph(), [NewEntity("A", "t", (fits + "x",))], TAGS)
    many = tuple(f"{n}{fits[9:]}" for n in range(17))
    with pytest.raises(InvalidRequest, match="several calls"):
        saving.add_observations(graph_of(lamp()), [NewObservations("Lamp", many)], TAGS)
