"""A type gets another name wherever it is used, in one whole call, and nothing else changes."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from mnemolog.answers.excerpts import EVERYTHING
from mnemolog.errors import InvalidRequest
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity, NewObservations, RelationTriple
from mnemolog.results import GraphResult
from mnemolog.store.location import Settings
from mnemolog.taxonomy.retyping import RetypedType

SAID = datetime(2026, 3, 2, 10, 0, 0, tzinfo=timezone(timedelta(hours=1)))
LATER = SAID + timedelta(days=30)
WITH_HISTORY = replace(EVERYTHING, include_superseded=True)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "m.jsonl"


def memory_at(path: Path, now: datetime = LATER) -> Memory:
    return Memory.open(Settings(str(path), None), path.parent, lambda: now)


@pytest.fixture
def memory(path: Path) -> Memory:
    first = memory_at(path, SAID)
    first.create_entities(
        [
            NewEntity("api", "Service", ("Runs on port 80.", "Owned by Ada.")),
            NewEntity("worker", "Service", ()),
            NewEntity("Ada", "person", ("Likes tea.",)),
            NewEntity("cron", "depends_on", ()),  # an entity type that is a relation type too
        ],
        "codex",
    )
    first.create_relations(
        [
            RelationTriple("api", "worker", "depends_on"),
            RelationTriple("worker", "api", "depends_on"),
            RelationTriple("api", "worker", "depends on"),
            RelationTriple("Ada", "api", "owns"),
        ],
        "cursor",
    )
    first.supersede_observation("api", "Runs on port 80.", "cursor", new_text="Runs on port 81.")
    return memory_at(path)


def all_of(memory: Memory) -> GraphResult:
    return memory.read_graph(WITH_HISTORY)


def with_types(graph: GraphResult, old: str, new: str) -> GraphResult:
    """The graph as it would be if only the type of its entities had been another one."""
    entities = (replace(e, entity_type=new) if e.entity_type == old else e for e in graph.entities)
    return replace(graph, entities=tuple(entities))


def test_entities_change_their_type_and_nothing_else(memory: Memory, path: Path) -> None:
    before = all_of(memory)
    done = memory.upkeep.retype("Service", "service", "cli")
    assert done == RetypedType("Service", "service", 2, 0, 0)
    expected = with_types(before, "Service", "service")
    assert all_of(memory) == expected
    assert all_of(memory_at(path)) == expected, "and so it is read from the file"


def test_dates_agents_and_history_outlive_a_compaction(memory: Memory, path: Path) -> None:
    before = all_of(memory)
    memory.upkeep.retype("Service", "service", "cli")
    memory.upkeep.compact()
    assert all_of(memory_at(path)) == with_types(before, "Service", "service")


def test_the_line_says_who_changed_the_type(memory: Memory, path: Path) -> None:
    size = path.stat().st_size
    memory.upkeep.retype("Service", "service", "cli")
    lines = [json.loads(line) for line in path.read_bytes()[size:].splitlines()]
    assert [line["name"] for line in lines] == ["api", "worker"]
    assert {line["edited_by"] for line in lines} == {"cli"}
    assert {line["added_at"] for line in lines} == {SAID.isoformat()}


def test_relations_keep_their_tags_and_merge_with_those_that_are_there(memory: Memory) -> None:
    before = {tuple(r.key): r.tags for r in all_of(memory).relations}
    done = memory.upkeep.retype("depends_on", "depends on", "cli", ["relation"])
    assert done == RetypedType("depends_on", "depends on", 0, 2, 1)
    after = {tuple(r.key): r.tags for r in all_of(memory).relations}
    assert set(after) == {
        ("api", "worker", "depends on"),
        ("worker", "api", "depends on"),
        ("Ada", "api", "owns"),
    }
    assert after["worker", "api", "depends on"] == before["worker", "api", "depends_on"]
    assert after["api", "worker", "depends on"] == before["api", "worker", "depends on"]


def test_a_name_that_is_both_is_changed_in_both_unless_one_is_chosen(memory: Memory) -> None:
    done = memory.upkeep.retype("depends_on", "needs", "cli", ["entity"])
    assert (done.entities, done.relations) == (1, 0)
    memory.upkeep.retype("needs", "depends_on", "cli", ["entity"])
    done = memory.upkeep.retype("depends_on", "needs", "cli")
    assert (done.entities, done.relations) == (1, 2)


def test_it_is_one_whole_call(memory: Memory, path: Path) -> None:
    before, size = all_of(memory), path.stat().st_size
    memory.upkeep.retype("depends_on", "needs", "cli")
    whole = path.read_bytes()
    for end in (*range(size, len(whole) - 1, 37), len(whole) - 2):
        path.write_bytes(whole[:end])
        cut = all_of(memory_at(path))
        assert (cut.entities, cut.relations) == (before.entities, before.relations)


def test_a_fact_said_later_keeps_the_new_type(memory: Memory) -> None:
    memory.upkeep.retype("Service", "service", "cli")
    memory.add_observations([NewObservations("api", ("Is written in Go.",))], "codex")
    assert memory.open_nodes(["api"]).entities[0].entity_type == "service"


def test_entities_without_a_type_can_be_given_one(path: Path) -> None:
    path.write_text('{"type":"entity","name":"Rope","observations":["hemp"]}\n', encoding="utf-8")
    memory = memory_at(path)
    memory.upkeep.retype("Generic", "tool", "cli")
    (rope,) = memory.read_graph().entities
    assert (rope.entity_type, rope.observations, rope.tags.agent) == ("tool", ("hemp",), None)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Servcie", "service", "The nearest types in use: 'Service'."),
        ("service", "Services", "The nearest types in use: 'Service'."),
        ("dependsOn", "x", "'depends_on'"),
        ("Service", " ", "blank"),
        ("Service", "Service", "the old type and the new one"),
        ("Service", "half \ud83d", "half of a character"),
    ],
)
def test_what_cannot_be_done_is_refused_and_writes_nothing(
    memory: Memory, path: Path, old: str, new: str, said: str
) -> None:
    before = path.read_bytes()
    with pytest.raises(InvalidRequest) as refused:
        memory.upkeep.retype(old, new, "cli")
    assert said in str(refused.value)
    assert path.read_bytes() == before


def test_in_an_empty_memory_there_is_nothing_near(path: Path) -> None:
    with pytest.raises(InvalidRequest, match=r"so nothing was changed\.$"):
        memory_at(path).upkeep.retype("a", "b", "cli")
    assert not path.exists()


def test_a_chosen_kind_is_named_where_it_has_no_such_type(memory: Memory) -> None:
    with pytest.raises(InvalidRequest, match="No relation has the type 'Service'"):
        memory.upkeep.retype("Service", "x", "cli", ["relation"])
