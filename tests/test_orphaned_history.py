"""History whose entity is gone can be searched with filters."""

from __future__ import annotations

from pathlib import Path

import pytest

from cases import entity, line, lines
from command_line import folder, run
from mnemolog.answers.excerpts import Scope
from mnemolog.filters import Filters
from mnemolog.history.calls import not_taken_back
from mnemolog.memory import Memory
from mnemolog.requests import ObservationDeletion
from mnemolog.store.location import Settings

__all__ = ["folder"]

# What a merge makes of a branch that retired a fact of an entity that the other branch deleted.
MERGED = lines(
    entity("api", "service", "is written in Go"),
    entity("api", "service", "listens on 8080", added_at="2026-03-01T12:00:00+00:00", agent="ada"),
    line(
        type="superseded",
        entity="api",
        observation="listens on 8080",
        superseded_at="2026-03-02T12:00:00+00:00",
        superseded_by="bob",
    ),
    line(type="tombstone", of="entity", name="api", observations=["is written in Go"]),
    entity("web", "service", "asks the api"),
)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    path = tmp_path / "m.jsonl"
    path.write_bytes(MERGED)
    return Memory.open(Settings(str(path), None), tmp_path)


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (Filters(), ["listens on 8080"]),
        (Filters(agent="bob"), ["listens on 8080"]),
        (Filters(agent="ada"), []),
        (Filters(min_priority="medium"), ["listens on 8080"]),
        (Filters(entity_types=("service",)), []),
    ],
)
def test_a_search_with_filters_copes_with_the_history_of_what_is_gone(
    memory: Memory, filters: Filters, found: list[str]
) -> None:
    answer = memory.search_nodes("listens", Scope(filters, include_superseded=True))
    assert [hit.text for hit in answer.hits] == found


def history(memory: Memory) -> list[str]:
    answer = memory.search_nodes("listens", Scope(include_superseded=True))
    return [hit.text for hit in answer.hits]


def test_the_history_of_what_is_gone_can_be_deleted_and_brought_back(memory: Memory) -> None:
    before = memory.read_graph()
    deletion = ObservationDeletion("api", ("listens on 8080", "is written in Go"))
    message = memory.delete_observations([deletion], "ada").message
    assert message == "Deleted 1 of 2 observations. Not found: is written in Go (of api)"
    assert history(memory) == []
    memory.undo("ada")
    assert history(memory) == ["listens on 8080"]
    assert memory.read_graph() == before


def test_an_undone_deletion_of_it_is_passed_over_and_can_be_done_again(memory: Memory) -> None:
    memory.delete_observations([ObservationDeletion("api", ("listens on 8080",))], "ada")
    standing = len(not_taken_back(memory.upkeep.calls()))
    memory.undo("ada")
    assert len(not_taken_back(memory.upkeep.calls())) == standing - 1
    memory.upkeep.take_back(list(memory.upkeep.calls())[-1], "ada")
    assert history(memory) == []


def test_the_command_deletes_it_by_its_text(folder: Path) -> None:
    (folder / ".agents").mkdir()
    (folder / ".agents" / "memory.local.jsonl").write_bytes(MERGED)
    assert "Deleted of api: listens on 8080" in run("delete", "api", "listens on 8080", "--yes")
