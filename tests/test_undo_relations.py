"""Undo leaves no relation without an end that it had."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mnemolog.errors import InvalidRequest
from mnemolog.jsonl import encode
from mnemolog.memory import Memory
from mnemolog.records import UNTAGGED, Relation
from mnemolog.requests import NewEntity, NewObservations, RelationTriple
from mnemolog.store.location import Settings

NEEDED = RelationTriple("queue", "api", "feeds")

CALLS: dict[str, Callable[[Memory], object]] = {
    "create_entities": lambda m: m.create_entities(
        [NewEntity("api", "service", ("is fast",))], "ada"
    ),
    "rename_entity": lambda m: m.rename_entity("app", "api", "ada"),
}


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = Memory.open(Settings(str(tmp_path / "m.jsonl"), None), tmp_path)
    memory.create_entities([NewEntity("queue", "service", ()), NewEntity("app", "t", ())], "ada")
    return memory


@pytest.mark.parametrize("call", CALLS)
def test_undo_leaves_no_relation_without_its_end(memory: Memory, call: str) -> None:
    CALLS[call](memory)
    Memory(memory.location).create_relations([NEEDED], "bob")
    before = memory.read_graph()
    with pytest.raises(InvalidRequest, match="queue feeds api was made since"):
        memory.undo("ada")
    assert memory.read_graph() == before
    memory.delete_relations([NEEDED], "bob")
    memory.undo("ada")  # that deletion
    Memory(memory.location).delete_relations([NEEDED], "bob")
    assert memory.undo("ada").undone == call


def test_an_entity_that_stays_keeps_its_relations(memory: Memory) -> None:
    CALLS["create_entities"](memory)
    other = Memory(memory.location)
    other.create_relations([NEEDED], "bob")
    other.add_observations([NewObservations("api", ("is shared",))], "bob")
    memory.undo("ada")
    (api,) = memory.open_nodes(["api"]).entities
    assert api.observations == ("is shared",)


def test_a_relation_of_the_same_server_is_taken_back_first(memory: Memory) -> None:
    CALLS["create_entities"](memory)
    memory.create_relations([NEEDED], "ada")
    memory.undo("ada")
    memory.undo("ada")
    assert memory.read_graph().relations == ()
    assert memory.open_nodes(["api"]).entities == ()


def relate_from_outside(memory: Memory) -> None:
    with memory.location.path.open("ab") as file:
        file.write(encode(Relation(*NEEDED.key, UNTAGGED)))


@pytest.mark.parametrize("call", CALLS)
def test_a_relation_that_was_there_before_without_an_end_needs_none(
    memory: Memory, call: str
) -> None:
    relate_from_outside(memory)
    before = memory.read_graph()
    CALLS[call](memory)
    memory.undo("ada")
    assert memory.read_graph().relations == before.relations


def test_a_deletion_is_made_again_though_a_branch_related_the_entity_meanwhile(
    memory: Memory,
) -> None:
    CALLS["create_entities"](memory)
    memory.delete_entities(["api"], "ada")
    relate_from_outside(memory)
    memory.undo("ada")
    memory.upkeep.take_back(list(memory.upkeep.calls())[-1], "ada")
    assert [e.name for e in memory.read_graph().entities] == ["queue", "app"]
