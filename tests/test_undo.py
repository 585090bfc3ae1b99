"""Undo takes back the call that was made, and nothing that others did since."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mnemolog import writer
from mnemolog.errors import InvalidRequest, NotDurable
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity, NewObservations, ObservationDeletion
from mnemolog.store.location import Settings


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = Memory.open(Settings(str(tmp_path / "m.jsonl"), None), tmp_path)
    memory.create_entities([NewEntity("api", "service", ("is written in Go",))], "ada")
    return memory


def texts(memory: Memory) -> tuple[str, ...]:
    return tuple(text for entity in memory.read_graph().entities for text in entity.observations)


def the_next_sync_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fdatasync

    def fail(_descriptor: int) -> None:
        monkeypatch.setattr(os, "fdatasync", real)
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fdatasync", fail)


def test_undo_takes_back_a_call_that_may_not_be_on_the_disk_and_not_the_one_before(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    the_next_sync_fails(monkeypatch)
    with pytest.raises(NotDurable):
        memory.add_observations([NewObservations("api", ("is fast",))], "ada")
    assert texts(memory) == ("is written in Go", "is fast")
    assert memory.undo("ada").undone == "add_observations"
    assert texts(memory) == ("is written in Go",)


def test_an_undo_that_may_not_be_on_the_disk_does_not_stand_in_the_way_of_the_next(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory.add_observations([NewObservations("api", ("is fast",))], "ada")
    the_next_sync_fails(monkeypatch)
    with pytest.raises(NotDurable):
        memory.undo("ada")
    assert texts(memory) == ("is written in Go",)
    assert memory.undo("ada").undone == "create_entities"
    assert texts(memory) == ()


def test_what_another_process_does_at_once_is_not_taken_for_a_part_of_the_call(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Memory(memory.location)
    real = fcntl.flock

    def release(descriptor: int, operation: int) -> Any:
        done = real(descriptor, operation)
        if operation == fcntl.LOCK_UN:
            monkeypatch.setattr(fcntl, "flock", real)
            other.edit_observation("api", "is fast", "bob", priority="high")
        return done

    monkeypatch.setattr(fcntl, "flock", release)
    memory.add_observations([NewObservations("api", ("is fast",))], "ada")
    with pytest.raises(InvalidRequest, match="has changed since"):
        memory.undo("ada")
    assert texts(memory) == ("is written in Go", "is fast")


def test_large_calls_can_be_taken_back_as_long_as_they_are_not_too_much_to_keep(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "_SIZE_KEPT", 3_000)
    for name in "abc":
        memory.create_entities([NewEntity(name, "service", (name * 1_400,))], "ada")
    assert [memory.undo("ada").undone for _ in range(2)] == ["create_entities"] * 2
    with pytest.raises(InvalidRequest, match="nothing to take back that this server remembers"):
        memory.undo("ada")


def test_the_last_call_can_be_taken_back_whatever_its_size(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "_SIZE_KEPT", 10)
    memory.delete_entities(["api"], "ada")
    memory.undo("ada")
    assert texts(memory) == ("is written in Go",)


@pytest.mark.parametrize("is_renamed", [True, False])
def test_an_observation_does_not_come_back_to_an_entity_that_is_gone(
    memory: Memory, *, is_renamed: bool
) -> None:
    memory.add_observations([NewObservations("api", ("is fast",))], "ada")
    memory.delete_observations([ObservationDeletion("api", ("is fast",))], "ada")
    deletion = tuple(memory.upkeep.calls())[-1]
    other = Memory(memory.location)
    if is_renamed:
        other.rename_entity("api", "gateway", "bob")
    else:
        other.delete_entities(["api"], "bob")
    before = memory.read_graph()
    with pytest.raises(InvalidRequest, match='"api" was removed or renamed since'):
        memory.upkeep.take_back(deletion, "ada")
    assert memory.read_graph() == before
    other.undo("bob")
    memory.upkeep.take_back(deletion, "ada")
    assert texts(memory) == ("is written in Go", "is fast")


CALLS: dict[str, Callable[[Memory], object]] = {
    "add_observations": lambda m: m.add_observations([NewObservations("api", ("new",))], "ada"),
    "edit_observation": lambda m: m.edit_observation("api", "is fast", "ada", new_text="new"),
    "supersede_observation": lambda m: m.supersede_observation(
        "api", "is fast", "ada", new_text="new"
    ),
    "delete_observations": lambda m: m.delete_observations(
        [ObservationDeletion("api", ("is fast",))], "ada"
    ),
}


@pytest.mark.parametrize("call", CALLS)
def test_what_became_of_an_entity_that_a_call_left_as_it_was_does_not_matter(
    memory: Memory, call: str
) -> None:
    memory.add_observations([NewObservations("api", ("is fast",))], "ada")
    CALLS[call](memory)
    Memory(memory.location).upkeep.retype("service", "program", "bob")
    assert memory.undo("ada").undone == call
    (api,) = memory.read_graph().entities
    assert (api.entity_type, api.observations) == ("program", ("is written in Go", "is fast"))
