"""An entity outlives the last of its facts."""

from __future__ import annotations

from pathlib import Path

import pytest

from cases import entity, line, lines, relation
from mnemolog.answers.excerpts import Scope
from mnemolog.memory import Memory
from mnemolog.requests import ObservationDeletion
from mnemolog.store.location import Settings

# What a merge makes of a branch that deleted an entity, of which the other branch said one more
# fact: it is there by that fact alone.
MERGED = lines(
    entity("api", "service", "is written in Go", added_at="2026-03-01T12:00:00+00:00", agent="ada"),
    entity("web", "service", "asks the api"),
    relation("web", "api", "asks"),
    entity("api", "service", "listens on 8080"),
    line(type="tombstone", of="entity", name="api", observations=["is written in Go"]),
)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    path = tmp_path / "m.jsonl"
    path.write_bytes(MERGED)
    return Memory.open(Settings(str(path), None), tmp_path)


def test_an_entity_stays_when_its_last_fact_is_superseded(memory: Memory) -> None:
    memory.supersede_observation("api", "listens on 8080", "bob")
    for reader in (memory, Memory(memory.location)):
        (api,) = reader.open_nodes(["api"], Scope(include_superseded=True)).entities
        assert (api.entity_type, api.observations) == ("service", ())
        assert api.superseded is not None
        assert [retired.text for retired in api.superseded] == ["listens on 8080"]
        assert (api.tags.added_at, api.tags.agent) == ("2026-03-01T12:00:00+00:00", "ada")


def test_an_entity_stays_when_its_last_fact_is_deleted(memory: Memory) -> None:
    memory.delete_observations([ObservationDeletion("api", ("listens on 8080",))], "bob")
    for reader in (memory, Memory(memory.location)):
        (api,) = reader.open_nodes(["api"]).entities
        assert api.observations == ()
    memory.undo("bob")
    (api,) = memory.open_nodes(["api"]).entities
    assert api.observations == ("listens on 8080",)


def test_no_line_is_spent_on_an_entity_that_stays_anyway(memory: Memory) -> None:
    memory.delete_observations([ObservationDeletion("web", ("asks the api",))], "bob")
    assert memory.location.path.read_bytes().count(b'"name":"web"') == 2
