"""Correcting, superseding, renaming and merging lose nothing that was known."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemolog.answers.excerpts import Scope
from mnemolog.errors import EntityNotFound, InvalidRequest, ObservationNotFound
from mnemolog.memory import Memory
from mnemolog.records import ObservationTags
from mnemolog.requests import (
    NewEntity,
    NewObservations,
    ObservationDeletion,
    RelationTriple,
)
from mnemolog.results import GraphResult
from mnemolog.store.access import AccessLog
from mnemolog.store.location import Settings

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
FIRST = "2026-03-01T12:00:00+00:00"


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def memory(tmp_path: Path, clock: Clock) -> Memory:
    memory = Memory.open(Settings(str(tmp_path / "m.jsonl"), None), tmp_path, clock)
    memory.create_entities(
        [
            NewEntity("api", "service", ("deploys to Fly.io", "is written in Go")),
            NewEntity("worker", "service", ("is written in Rust",)),
            NewEntity("queue", "service", ("holds jobs",)),
        ],
        "codex",
    )
    memory.create_relations(
        [
            RelationTriple("api", "worker", "feeds"),
            RelationTriple("worker", "queue", "reads"),
            RelationTriple("api", "queue", "reads"),
        ],
        "codex",
    )
    clock.now += timedelta(days=1)
    return memory


def everything(memory: Memory) -> GraphResult:
    return memory.read_graph(Scope(include_superseded=True, max_chars=0))


def texts(memory: Memory, name: str) -> tuple[str, ...]:
    return tuple(text for e in memory.open_nodes([name]).entities for text in e.observations)


def tags(memory: Memory, name: str, text: str) -> ObservationTags:
    (entity,) = memory.open_nodes([name]).entities
    assert entity.observation_tags is not None
    return entity.observation_tags[entity.observations.index(text)]


def restarted(memory: Memory) -> Memory:
    return Memory(memory.location)


# --- editing and superseding ---------------------------------------------------------------------


def test_an_edited_observation_keeps_its_date_and_agent(memory: Memory) -> None:
    memory.edit_observation("api", "deploys to Fly.io", "ada", new_text="is deployed to Fly.io")
    assert tags(restarted(memory), "api", "is deployed to Fly.io") == ObservationTags(
        FIRST, "codex", "2026-03-02T12:00:00+00:00", "ada"
    )
    assert "deploys to Fly.io" not in texts(memory, "api")


def test_an_edited_observation_keeps_its_priority(memory: Memory) -> None:
    memory.edit_observation("api", "deploys to Fly.io", "ada", priority="low")
    memory.edit_observation("api", "deploys to Fly.io", "ada", new_text="is deployed to Fly.io")
    assert tags(memory, "api", "is deployed to Fly.io").priority == "low"


def test_a_priority_alone_can_be_edited(memory: Memory) -> None:
    memory.edit_observation("api", "deploys to Fly.io", "ada", priority="high")
    assert tags(memory, "api", "deploys to Fly.io").priority == "high"
    assert texts(memory, "api") == ("deploys to Fly.io", "is written in Go")


@pytest.mark.parametrize(
    ("edit", "error"),
    [
        (lambda m: m.edit_observation("ghost", "x", "ada", new_text="y"), EntityNotFound),
        (lambda m: m.edit_observation("api", "x", "ada", new_text="y"), ObservationNotFound),
        (lambda m: m.edit_observation("api", "is written in Go", "ada"), InvalidRequest),
        (
            lambda m: m.edit_observation(
                "api", "is written in Go", "ada", new_text="deploys to Fly.io"
            ),
            InvalidRequest,
        ),
        (lambda m: m.supersede_observation("api", "x", "ada"), ObservationNotFound),
        (
            lambda m: m.supersede_observation(
                "api", "is written in Go", "ada", new_text="is written in Go"
            ),
            InvalidRequest,
        ),
        (lambda m: m.rename_entity("ghost", "x", "ada"), EntityNotFound),
        (lambda m: m.rename_entity("api", "worker", "ada"), InvalidRequest),
        (lambda m: m.merge_entities("api", "ghost", "ada"), EntityNotFound),
        (lambda m: m.merge_entities("api", "api", "ada"), InvalidRequest),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(
    memory: Memory, edit: Callable[[Memory], object], error: type[Exception]
) -> None:
    before = memory.location.path.read_bytes()
    with pytest.raises(error, match="Nothing was saved"):
        edit(memory)
    assert memory.location.path.read_bytes() == before


@pytest.mark.parametrize("blank", ["", " \n"])
def test_a_blank_new_text_is_none(memory: Memory, blank: str) -> None:
    with pytest.raises(InvalidRequest, match="Nothing would change"):
        memory.edit_observation("api", "is written in Go", "codex", new_text=blank)
    memory.edit_observation("api", "is written in Go", "codex", new_text=blank, priority="high")
    assert tags(memory, "api", "is written in Go").priority == "high"
    retired = memory.supersede_observation("api", "is written in Go", "codex", new_text=blank)
    assert retired.replaced_by is None
    assert texts(memory, "api") == ("deploys to Fly.io",)


def test_a_superseded_observation_stays_as_history(memory: Memory) -> None:
    memory.supersede_observation("api", "deploys to Fly.io", "ada", new_text="deploys to AWS")
    assert texts(restarted(memory), "api") == ("is written in Go", "deploys to AWS")
    (retired,) = everything(restarted(memory)).entities[0].superseded or ()
    assert (retired.text, retired.tags.added_at) == ("deploys to Fly.io", FIRST)
    assert (retired.superseded_by, retired.replaced_by) == ("ada", "deploys to AWS")


def test_what_was_superseded_comes_back_to_life_when_it_is_said_again(memory: Memory) -> None:
    memory.supersede_observation("api", "deploys to Fly.io", "ada")
    result = memory.add_observations([NewObservations("api", ("deploys to Fly.io",))], "bob")
    assert result.results[0].revived == ("deploys to Fly.io",)
    assert "deploys to Fly.io" in texts(memory, "api")
    assert everything(memory).entities[0].superseded is None


def test_an_edit_that_brings_back_what_was_superseded_says_so(memory: Memory) -> None:
    memory.supersede_observation("api", "deploys to Fly.io", "ada", new_text="deploys to AWS")
    reworded = memory.edit_observation("api", "deploys to AWS", "ada", new_text="runs on AWS")
    assert reworded.revived is None
    edited = memory.edit_observation("api", "runs on AWS", "ada", new_text="deploys to Fly.io")
    assert edited.revived == ("deploys to Fly.io",)
    worth = memory.edit_observation("api", "deploys to Fly.io", "ada", priority="high")
    assert worth.revived is None


def test_a_replacement_that_had_been_superseded_itself_is_told_of(memory: Memory) -> None:
    first = memory.supersede_observation("api", "deploys to Fly.io", "ada", new_text="is on AWS")
    assert first.revived is None
    back = memory.supersede_observation("api", "is on AWS", "ada", new_text="deploys to Fly.io")
    assert back.revived == ("deploys to Fly.io",)


def test_priority_and_sources_are_kept_and_a_missing_source_is_reported(memory: Memory) -> None:
    note = NewObservations("api", ("is a Go service",), "low", ("is written in Go", "a dream"))
    result = memory.add_observations([note], "ada")
    assert result.missing_sources == ("a dream",)
    assert tags(restarted(memory), "api", "is a Go service") == ObservationTags(
        "2026-03-02T12:00:00+00:00",
        "ada",
        priority="low",
        sources=("is written in Go", "a dream"),
    )


# --- renaming and merging ------------------------------------------------------------------------


def test_a_renamed_entity_keeps_facts_history_relations_and_its_own_date(memory: Memory) -> None:
    memory.supersede_observation("api", "is written in Go", "ada")
    memory.rename_entity("api", "gateway", "ada")
    graph = everything(restarted(memory))
    gateway = next(entity for entity in graph.entities if entity.name == "gateway")
    assert gateway.observations == ("deploys to Fly.io",)
    assert gateway.tags.added_at == FIRST
    assert [retired.text for retired in gateway.superseded or ()] == ["is written in Go"]
    assert [r.key for r in graph.relations if "gateway" in r.key] == [
        ("gateway", "worker", "feeds"),
        ("gateway", "queue", "reads"),
    ]
    assert all("api" not in relation.key for relation in graph.relations)
    assert "api" not in [entity.name for entity in graph.entities]


def test_a_merge_moves_what_is_new_and_reports_what_it_drops(memory: Memory) -> None:
    memory.add_observations([NewObservations("worker", ("is written in Go",))], "ada")
    result = memory.merge_entities("worker", "api", "ada")
    assert result.observations == ("is written in Rust",)
    assert [r.key for r in result.dropped_relations or ()] == [
        ("api", "worker", "feeds"),
        ("worker", "queue", "reads"),
    ]
    graph = everything(restarted(memory))
    assert [entity.name for entity in graph.entities] == ["api", "queue"]
    assert texts(memory, "api") == ("deploys to Fly.io", "is written in Go", "is written in Rust")
    assert tags(memory, "api", "is written in Rust").added_at == FIRST
    assert [r.key for r in graph.relations] == [("api", "queue", "reads")]


def test_a_merge_drops_every_relation_that_would_become_a_loop(memory: Memory) -> None:
    loops = [("worker", "api", "feeds"), ("worker", "worker", "feeds"), ("api", "worker", "feeds")]
    memory.create_relations([RelationTriple(*loop) for loop in loops[:2]], "ada")
    result = memory.merge_entities("worker", "api", "ada")
    assert {r.key for r in result.dropped_relations or ()} == {*loops, ("worker", "queue", "reads")}
    assert result.relations == ()
    assert [r.key for r in memory.read_graph().relations] == [("api", "queue", "reads")]


def test_history_comes_along_when_an_entity_gets_its_old_name_back(memory: Memory) -> None:
    memory.supersede_observation("api", "deploys to Fly.io", "ada")
    memory.rename_entity("api", "gateway", "ada")
    memory.rename_entity("gateway", "api", "ada")
    (api,) = (entity for entity in everything(restarted(memory)).entities if entity.name == "api")
    assert [retired.text for retired in api.superseded or ()] == ["deploys to Fly.io"]


def test_history_comes_along_when_a_merge_that_was_undone_is_made_again(memory: Memory) -> None:
    memory.create_entities([NewEntity("gateway", "service", ())], "ada")
    memory.supersede_observation("api", "deploys to Fly.io", "ada")
    memory.merge_entities("api", "gateway", "ada")
    memory.undo("ada")
    memory.merge_entities("api", "gateway", "ada")
    entities = {entity.name: entity for entity in everything(restarted(memory)).entities}
    history = entities["gateway"].superseded or ()
    assert [retired.text for retired in history] == ["deploys to Fly.io"]


@pytest.mark.parametrize("how", ["rename", "merge"])
def test_the_history_of_openings_moves_along(memory: Memory, how: str) -> None:
    memory.open_nodes(["worker"])
    if how == "rename":
        memory.rename_entity("worker", "runner", "ada")
    else:
        memory.merge_entities("worker", "queue", "ada")
    moved = memory.location.path.with_name("m.access.jsonl").read_text(encoding="utf-8")
    assert '"moved"' in moved.splitlines()[-1]


@pytest.mark.parametrize("by", ["the process", "the log"])
def test_an_undone_rename_gives_the_openings_back(memory: Memory, clock: Clock, by: str) -> None:
    memory.open_nodes(["worker"])
    opened_at = clock.now.timestamp()
    memory.rename_entity("worker", "runner", "ada")
    if by == "the process":
        memory.undo("ada")
    else:
        memory.upkeep.take_back(tuple(memory.upkeep.calls())[-1], "ada")
    opens = AccessLog(memory.location.path).opens()
    assert opens["worker"] == [opened_at]
    assert "runner" not in opens


def test_an_undone_merge_leaves_the_target_its_openings(memory: Memory) -> None:
    memory.open_nodes(["queue"])
    memory.merge_entities("worker", "queue", "ada")
    memory.undo("ada")
    assert list(AccessLog(memory.location.path).opens()) == ["queue"]


# --- taking back ---------------------------------------------------------------------------------

CALLS: dict[str, Callable[[Memory], object]] = {
    "create": lambda m: m.create_entities([NewEntity("cache", "service", ("is warm",))], "ada"),
    "relate": lambda m: m.create_relations([RelationTriple("queue", "api", "calls")], "ada"),
    "add": lambda m: m.add_observations([NewObservations("api", ("is fast", "is small"))], "ada"),
    "revive": lambda m: m.add_observations([NewObservations("api", ("was slow",))], "ada"),
    "edit": lambda m: m.edit_observation("api", "is written in Go", "ada", new_text="in Go"),
    "supersede": lambda m: m.supersede_observation("api", "is written in Go", "ada", new_text="x"),
    "rename": lambda m: m.rename_entity("api", "gateway", "ada"),
    "merge": lambda m: m.merge_entities("worker", "api", "ada"),
    "delete entities": lambda m: m.delete_entities(["api", "queue"], "ada"),
    "delete observations": lambda m: m.delete_observations(
        [ObservationDeletion("api", ("is written in Go", "was slow"))], "ada"
    ),
    "delete relations": lambda m: m.delete_relations(
        [RelationTriple("api", "queue", "reads")], "ada"
    ),
}


def standing(memory: Memory) -> object:
    """Everything that is there, whatever its order."""
    graph = everything(memory)
    entities = {
        (e.name, e.entity_type, e.tags.added_at, e.tags.agent): (
            dict(zip(e.observations, e.observation_tags or (), strict=True)),
            {retired.text: retired for retired in e.superseded or ()},
        )
        for e in graph.entities
    }
    return entities, {relation.key: relation for relation in graph.relations}


@pytest.mark.parametrize("call", CALLS)
def test_undo_brings_back_everything_as_it_was(memory: Memory, clock: Clock, call: str) -> None:
    memory.add_observations([NewObservations("api", ("was slow",))], "codex")
    memory.supersede_observation("api", "was slow", "codex")
    before = standing(memory)
    clock.now += timedelta(days=1)
    CALLS[call](memory)
    assert standing(memory) != before
    memory.undo("ada")
    assert standing(memory) == standing(restarted(memory)) == before


def test_undo_again_takes_back_the_call_before(memory: Memory) -> None:
    states = []
    for call in ("create", "relate", "add", "supersede", "rename", "delete entities"):
        states.append(standing(memory))
        CALLS[call](memory)
    while states:
        memory.undo("ada")
        assert standing(memory) == states.pop()


def test_undo_is_refused_when_something_it_touched_has_changed(memory: Memory) -> None:
    CALLS["add"](memory)
    deletion = ObservationDeletion("api", ("is fast",))
    restarted(memory).delete_observations([deletion], "bob")
    with pytest.raises(InvalidRequest, match=r"'is fast' of \"api\" has changed since"):
        memory.undo("ada")


def test_undo_leaves_alone_what_others_have_said_meanwhile(memory: Memory) -> None:
    CALLS["create"](memory)
    restarted(memory).add_observations([NewObservations("cache", ("is shared",))], "bob")
    memory.undo("ada")
    assert texts(memory, "cache") == ("is shared",)


def test_with_nothing_saved_there_is_nothing_to_take_back(memory: Memory) -> None:
    with pytest.raises(InvalidRequest, match="nothing to take back"):
        restarted(memory).undo("ada")


def test_a_call_that_saved_nothing_is_not_taken_back(memory: Memory) -> None:
    before = standing(memory)
    CALLS["add"](memory)
    memory.delete_entities(["nobody"], "ada")
    memory.undo("ada")
    assert standing(memory) == before
