"""History that does not fit is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog.answers.excerpts import Scope
from mnemolog.json_text import json_text
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity
from mnemolog.store.location import Settings

SMALL = 4_000
MANY = 100


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = Memory.open(Settings(str(tmp_path / "m.jsonl"), None), tmp_path)
    texts = tuple(f"was called name {n} for a while" for n in range(MANY))
    memory.create_entities([NewEntity("api", "service", (*texts, "is written in Go"))], "codex")
    for text in texts:
        memory.supersede_observation("api", text, "codex")
    return memory


def test_history_that_does_not_fit_is_counted_and_its_newest_part_shown(memory: Memory) -> None:
    answer = memory.open_nodes(["api"], Scope(include_superseded=True, max_chars=SMALL))
    (api,) = answer.entities
    assert api.observations == ("is written in Go",)
    assert api.superseded is not None
    assert 0 < len(api.superseded) < MANY
    assert api.superseded[-1].text == f"was called name {MANY - 1} for a while"
    assert api.superseded_count == MANY
    assert len(json_text(answer)) <= SMALL


def test_history_is_counted_where_only_names_are_asked_for(memory: Memory) -> None:
    scope = Scope(include_superseded=True, names_only=True)
    (api,) = memory.read_graph(scope).entities
    assert (api.observation_count, api.superseded_count) == (1, MANY)


def test_history_is_not_counted_where_it_was_not_asked_for(memory: Memory) -> None:
    (api,) = memory.read_graph(Scope(names_only=True)).entities
    assert (api.observation_count, api.superseded_count) == (1, None)
