from __future__ import annotations

from pathlib import Path

import pytest

from cases import entity, line, lines
from mnemolog.answers.excerpts import Scope
from mnemolog.filters import Filters
from mnemolog.memory import Memory
from mnemolog.store.location import Settings

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
