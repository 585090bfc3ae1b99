"""A search that finds a hub: an entity with many more relations than an answer has room for."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog.answers.bounds import Room
from mnemolog.answers.excerpts import Scope
from mnemolog.memory import Memory
from mnemolog.records import Relation
from mnemolog.requests import NewEntity, RelationTriple
from mnemolog.store.location import Settings


def test_the_relations_of_a_hub_are_not_all_tried_when_there_is_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = Memory.open(Settings(str(tmp_path / "m.jsonl"), None), tmp_path)
    spokes = [f"spoke {number}" for number in range(400)]
    memory.create_entities([NewEntity("hub", "x", ("is central",))], "ada")
    memory.create_entities([NewEntity(name, "x", ()) for name in spokes], "ada")
    memory.create_relations([RelationTriple(name, "hub", "uses") for name in spokes], "ada")
    tried: list[object] = []
    real = Room.take

    def noted(room: Room, *items: object) -> bool:
        tried.extend(items)
        return real(room, *items)

    monkeypatch.setattr(Room, "take", noted)
    answer = memory.search_nodes("central", Scope(max_chars=4_000))
    assert [entity.name for entity in answer.entities] == ["hub"]
    assert answer.relations
    tried_relations = [item for item in tried if isinstance(item, Relation)]
    assert len(tried_relations) < 2 * len(answer.relations)
