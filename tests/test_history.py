"""The log is read back as calls, and each can be taken back."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemolog.history.calls import Call, calls_in, newest, not_taken_back
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity, NewObservations, ObservationDeletion, RelationTriple
from mnemolog.store.location import Settings

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


class Minutes:
    """A clock that goes on by a minute whenever somebody looks."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


@pytest.fixture
def clock() -> Minutes:
    return Minutes()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "m.jsonl"


@pytest.fixture
def memory(path: Path, clock: Minutes) -> Memory:
    memory = Memory.open(Settings(str(path), None), path.parent, clock)
    memory.create_entities([NewEntity("api", "service", ("is written in Go",))], "codex")
    memory.create_entities([NewEntity("db", "database", ())], "codex")
    return memory


def calls(path: Path) -> list[Call]:
    return list(calls_in(path.read_bytes()))


def kinds(call: Call) -> list[str]:
    return [change.kind for change in call.changes]


def restarted(memory: Memory, clock: Minutes) -> Memory:
    return Memory(memory.location, clock)


def take_back_last(memory: Memory, agent: str = "cli") -> None:
    memory.upkeep.take_back(not_taken_back(memory.upkeep.calls())[-1], agent)


CALLS: dict[str, tuple[Callable[[Memory], object], list[str]]] = {
    "add_observations": (
        lambda m: m.add_observations([NewObservations("api", ("is fast", "is small"))], "ada"),
        ["added", "added"],
    ),
    "edit_text": (
        lambda m: m.edit_observation("api", "is written in Go", "ada", new_text="is in Go"),
        ["edited"],
    ),
    "edit_priority": (
        lambda m: m.edit_observation("api", "is written in Go", "ada", priority="high"),
        ["edited"],
    ),
    "supersede": (
        lambda m: m.supersede_observation("api", "is written in Go", "ada", new_text="is in Rust"),
        ["added", "superseded"],
    ),
    "rename": (lambda m: m.rename_entity("api", "gateway", "ada"), ["renamed"]),
    "rename_bare": (lambda m: m.rename_entity("db", "store", "ada"), ["renamed"]),
    "merge": (lambda m: m.merge_entities("api", "db", "ada"), ["merged"]),
    "relate": (
        lambda m: m.create_relations([RelationTriple("api", "db", "reads")], "ada"),
        ["related"],
    ),
    "delete_entity": (lambda m: m.delete_entities(["api"], "ada"), ["deleted", "removed"]),
    "delete_observation": (
        lambda m: m.delete_observations([ObservationDeletion("api", ("is written in Go",))], "ada"),
        ["removed"],
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_says_when_who_and_what(memory: Memory, path: Path, name: str) -> None:
    make, expected = CALLS[name]
    make(memory)
    call = calls(path)[-1]
    assert call.stamp == ("2026-03-02T12:03:00+00:00", "ada")
    assert kinds(call) == expected


@pytest.mark.parametrize("name", ["rename", "merge"])
def test_a_call_is_not_laid_to_whoever_said_what_it_moves_by_a_clock_that_is_ahead(
    memory: Memory, path: Path, clock: Minutes, name: str
) -> None:
    clock.now += timedelta(hours=1)
    memory.add_observations([NewObservations("api", ("is fast",))], "bob")
    clock.now = NOON + timedelta(minutes=9)
    CALLS[name][0](memory)
    assert calls(path)[-1].stamp == ("2026-03-02T12:10:00+00:00", "ada")


@pytest.mark.parametrize("name", CALLS)
def test_another_process_takes_back_a_call_whole(
    memory: Memory, path: Path, clock: Minutes, name: str
) -> None:
    before = graph_of(memory)
    CALLS[name][0](memory)
    assert graph_of(memory) != before
    take_back_last(restarted(memory, clock))
    assert graph_of(memory) == before
    last = calls(path)[-1]
    assert (last.is_undo, last.stamp[1]) == (True, "cli")


def graph_of(memory: Memory) -> object:
    """Return what a graph says, whatever its order in the file."""
    graph = memory.read_graph()
    entities = {e.name: (e.entity_type, e.tags.added_at, e.tags.agent) for e in graph.entities}
    tags = {
        (entity.name, text): of
        for entity in graph.entities
        for text, of in zip(entity.observations, entity.observation_tags or (), strict=True)
    }
    return entities, tags, frozenset(graph.relations)


def test_a_relation_of_a_renamed_entity_moves_along_unmentioned(memory: Memory, path: Path) -> None:
    memory.create_relations([RelationTriple("api", "db", "reads")], "ada")
    memory.rename_entity("api", "gateway", "ada")
    assert kinds(calls(path)[-1]) == ["renamed"]


def test_what_an_edit_changed_is_told_with_what_it_was(memory: Memory, path: Path) -> None:
    memory.edit_observation("api", "is written in Go", "ada", new_text="is in Go", priority="low")
    (change,) = calls(path)[-1].changes
    assert (change.text, change.old, change.priority) == ("is in Go", "is written in Go", "low")


def test_a_torn_last_call_is_no_call(memory: Memory, path: Path) -> None:
    memory.add_observations([NewObservations("api", ("is fast", "is small"))], "ada")
    first, second, *rest = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + second + rest[0])  # the first of two lines
    assert len(calls(path)) == 2


def test_lines_of_other_servers_are_calls_without_date_and_agent(path: Path) -> None:
    line = {"type": "entity", "name": "api", "entityType": "service", "observations": ["is fast"]}
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    (call,) = calls(path)
    assert call.stamp == (None, None)
    assert kinds(call) == ["created", "added"]


# --- undo ----------------------------------------------------------------------------------------


def test_undo_again_walks_further_back(memory: Memory, clock: Minutes) -> None:
    memory.add_observations([NewObservations("api", ("is fast",))], "ada")
    memory.delete_entities(["db"], "ada")
    for _ in range(4):
        take_back_last(restarted(memory, clock))
    assert memory.read_graph().entities == ()
    assert not_taken_back(memory.upkeep.calls()) == ()


def test_a_deletion_by_hand_is_taken_back_though_it_undid_the_call_before(
    memory: Memory, clock: Minutes
) -> None:
    memory.add_observations([NewObservations("api", ("is fast",))], "ada")
    memory.delete_observations([ObservationDeletion("api", ("is fast",))], "ada")
    take_back_last(restarted(memory, clock))
    (api, _) = memory.read_graph().entities
    assert api.observations == ("is written in Go", "is fast")


def test_an_agents_own_undo_is_passed_over_too(memory: Memory, clock: Minutes) -> None:
    memory.add_observations([NewObservations("api", ("is fast",))], "ada")
    memory.undo("ada")
    take_back_last(restarted(memory, clock))
    assert [e.name for e in memory.read_graph().entities] == ["api"]


def test_an_undo_can_itself_be_taken_back(memory: Memory, path: Path, clock: Minutes) -> None:
    memory.add_observations([NewObservations("api", ("is fast",))], "ada")
    before = graph_of(memory)
    take_back_last(restarted(memory, clock))
    memory.upkeep.take_back(calls(path)[-1], "cli")
    assert graph_of(memory) == before
    take_back_last(memory)
    assert graph_of(memory) != before


def test_an_undone_call_in_the_middle_is_passed_over(memory: Memory, clock: Minutes) -> None:
    memory.add_observations([NewObservations("api", ("is fast",))], "ada")
    memory.add_observations([NewObservations("db", ("is big",))], "codex")
    memory.upkeep.take_back(not_taken_back(memory.upkeep.calls())[-2], "cli")
    take_back_last(restarted(memory, clock))
    assert [e.observations for e in memory.read_graph().entities] == [("is written in Go",), ()]


def test_undo_goes_on_behind_an_entity_that_others_have_kept_alive(
    memory: Memory, clock: Minutes
) -> None:
    memory.create_entities([NewEntity("web", "service", ("is old",))], "ada")
    restarted(memory, clock).add_observations([NewObservations("web", ("is fast",))], "bob")
    created = list(memory.upkeep.calls())[-2]
    memory.upkeep.take_back(created, "cli")
    take_back_last(memory)
    assert [entity.name for entity in memory.read_graph().entities] == ["api", "db"]
    take_back_last(memory)
    assert [entity.name for entity in memory.read_graph().entities] == ["api"]


def test_an_undo_of_one_of_several_entities_without_facts_is_passed_over(memory: Memory) -> None:
    memory.create_entities([NewEntity("web", "service", ())], "ada")
    memory.upkeep.take_back(list(memory.upkeep.calls())[1], "cli")
    take_back_last(memory)
    assert [entity.name for entity in memory.read_graph().entities] == ["api"]


def test_taking_back_says_nothing_more_once_compacted(memory: Memory, path: Path) -> None:
    memory.add_observations([NewObservations("api", ("is fast",))], "ada")
    before = graph_of(memory)
    memory.delete_observations([ObservationDeletion("api", ("is fast",))], "ada")
    memory.undo("ada")
    memory.upkeep.compact()
    assert graph_of(memory) == before
    assert b"tombstone" not in path.read_bytes()


# --- how far the log reaches ---------------------------------------------------------------------


def test_a_log_with_a_call_of_several_lines_is_whole_from_there(memory: Memory) -> None:
    memory.add_observations([NewObservations("api", ("is fast", "is small"))], "ada")
    memory.delete_entities(["db"], "ada")
    history = newest(memory.upkeep.calls(), lambda _call: True, None)
    assert (history.whole_from, history.is_complete) == (3, False)
    assert history.oldest == "2026-03-02T12:01:00+00:00"
    memory.upkeep.compact()
    history = newest(memory.upkeep.calls(), lambda _call: True, None)
    assert history.whole_from is None


def test_the_newest_calls_come_first_and_the_others_are_counted(memory: Memory) -> None:
    memory.delete_entities(["db"], "ada")
    history = newest(memory.upkeep.calls(), lambda _call: True, 2)
    assert [call.line for call in history.calls] == [3, 2]
    assert history.earlier == 1


def superseded_of_a_line_of_its_own(memory: Memory) -> None:
    memory.add_observations([NewObservations("api", ("is fast",))], "ada")
    memory.supersede_observation("api", "is fast", "ada")


REMNANTS: dict[str, Callable[[Memory], object]] = {
    "edit": CALLS["edit_text"][0],
    "supersede": CALLS["supersede"][0],
    "supersede_without_a_new_text": superseded_of_a_line_of_its_own,
    "rename": lambda m: m.rename_entity("api", "gateway", "ada"),
}


@pytest.mark.parametrize("name", REMNANTS)
def test_what_a_compaction_has_left_of_a_call_is_no_call_to_take_back(
    memory: Memory, path: Path, name: str
) -> None:
    REMNANTS[name](memory)
    assert not calls(path)[-1].is_remnant
    memory.upkeep.compact()
    assert calls(path)[-1].is_remnant


def test_a_line_whose_call_left_nothing_out_may_be_taken_back(memory: Memory, path: Path) -> None:
    memory.supersede_observation("api", "is written in Go", "ada")
    memory.upkeep.compact()
    assert not calls(path)[-1].is_remnant


def test_a_plain_line_may_be_taken_back_after_a_compaction(memory: Memory, path: Path) -> None:
    memory.upkeep.compact()
    assert not any(call.is_remnant for call in calls(path))


def test_lines_of_one_second_may_be_one_call_that_a_compaction_took_apart(
    memory: Memory, path: Path
) -> None:
    memory.add_observations([NewObservations("api", ("is fast", "is small"))], "ada")
    memory.delete_entities(["db"], "ada")
    memory.upkeep.compact()
    *_, before, last = calls(path)
    assert last.may_continue(before)


def test_what_another_branch_said_earlier_is_no_remnant_in_a_whole_log(
    memory: Memory, path: Path
) -> None:
    memory.add_observations([NewObservations("api", ("is fast", "is small"))], "ada")
    line = {"type": "entity", "name": "db", "observations": ["is big"]}
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(json.dumps(line | {"added_at": "2026-01-01T12:00:00+00:00"}) + "\n")
    assert not calls(path)[-1].is_remnant


def test_a_deleted_fact_that_was_worth_more_comes_back_so_that_both_calls_can_be_taken_back(
    memory: Memory,
) -> None:
    memory.create_entities([NewEntity("ui", "app", ("is red",), priority="high")], "ada")
    memory.delete_entities(["ui"], "ada")
    memory.undo("ada")
    memory.undo("ada")
    assert "ui" not in [e.name for e in memory.read_graph().entities]
