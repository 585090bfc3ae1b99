"""A search leads to every entity that has no facts and matches."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog.answers.excerpts import Scope
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity
from mnemolog.results import SearchResults
from mnemolog.store.location import Settings


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = Memory.open(Settings(str(tmp_path / "m.jsonl"), None), tmp_path)
    memory.create_entities([NewEntity(f"svc {n}", "service", ()) for n in range(50)], "codex")
    return memory


def pages(memory: Memory, query: str, scope: Scope) -> list[SearchResults]:
    answers = [memory.search_nodes(query, scope)]
    while answers[-1].cursor:
        answers.append(memory.search_nodes(query, scope, answers[-1].cursor))
    return answers


def names(answers: list[SearchResults]) -> list[str]:
    return [entity.name for answer in answers for entity in answer.entities]


def test_entities_without_observations_are_counted_and_the_cursor_leads_to_them(
    memory: Memory,
) -> None:
    first, *rest = pages(memory, "service", Scope())
    assert len(first.entities) == 20
    assert first.omitted is not None
    assert (first.omitted.entities, first.omitted.hits) == (30, 0)
    assert sorted(names([first, *rest])) == sorted(f"svc {n}" for n in range(50))


def test_hits_do_not_hide_an_entity_without_observations(memory: Memory) -> None:
    memory.create_entities(
        [NewEntity(f"tool {n}", "tool", (f"needs the service {n}",)) for n in range(30)], "codex"
    )
    answers = pages(memory, "service", Scope())
    assert sorted(names(answers)) == sorted(
        [*(f"svc {n}" for n in range(50)), *(f"tool {n}" for n in range(30))]
    )
    assert sorted(hit.entity_name for a in answers for hit in a.hits) == sorted(
        f"tool {n}" for n in range(30)
    )
    assert all(len(a.entities) <= 20 and len(a.hits) <= 20 for a in answers)


def test_what_follows_leaves_out_what_is_gone_and_repeats_nothing(
    memory: Memory,
) -> None:
    first = memory.search_nodes("service", Scope())
    memory.delete_entities(["svc 49"], "codex")
    rest = memory.search_nodes("service", Scope(limit=50), first.cursor)
    assert "svc 49" not in names([rest])
    assert not set(names([first])) & set(names([rest]))
