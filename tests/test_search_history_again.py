"""A search that includes what was superseded: what it looks at, and when it looks again."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemolog.answers.excerpts import Scope
from mnemolog.jsonl import encode
from mnemolog.memory import Memory
from mnemolog.records import Entity, ObservationTags, Record, Superseded
from mnemolog.search.corpus import Corpus
from mnemolog.search.index import Index
from mnemolog.store.location import Settings

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
TAGS = ObservationTags("2026-02-01T12:00:00+00:00", "codex")
ALL_EVER = Scope(include_superseded=True)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    path = tmp_path / "m.jsonl"
    texts = tuple(f"fact {number} of the api" for number in range(30))
    later = "2026-02-02T12:00:00+00:00"
    retired = [Superseded("api", text, TAGS, later, "codex", None) for text in texts[::2]]
    said: list[Record] = [Entity("api", "service", texts, TAGS), *retired]
    path.write_bytes(b"".join(encode(record) for record in said))
    return Memory.open(Settings(str(path), None), tmp_path, lambda: NOON)


def found(memory: Memory, query: str) -> set[str]:
    return {hit.text for hit in memory.search_nodes(query, ALL_EVER).hits}


def noted(
    monkeypatch: pytest.MonkeyPatch, owner: type[Corpus | Index], name: str
) -> list[tuple[object, ...]]:
    """Return the arguments of each call of a method from now on."""
    calls: list[tuple[object, ...]] = []
    real = getattr(owner, name)

    def note(*args: object, **named: object) -> object:
        calls.append(args)
        return real(*args, **named)

    monkeypatch.setattr(owner, name, note)
    return calls


def test_an_index_with_history_is_built_once_for_each_state_of_the_memory(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = noted(monkeypatch, Index, "__init__")
    for _ in range(3):
        assert found(memory, "fact") >= {"fact 0 of the api", "fact 1 of the api"}
    assert len(built) == 1


def test_what_was_said_or_retired_since_is_found_among_the_history(memory: Memory) -> None:
    assert found(memory, "pytest") == set()
    memory.supersede_observation("api", "fact 1 of the api", "codex", new_text="uses pytest")
    assert "uses pytest" in found(memory, "pytest")
    memory.supersede_observation("api", "uses pytest", "codex")
    assert "uses pytest" in found(memory, "pytest")
    memory.delete_entities(["api"], "codex")
    assert found(memory, "pytest") == set()


def test_a_search_of_history_looks_at_an_entity_once_and_not_for_each_of_its_facts(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    gathered = noted(monkeypatch, Corpus, "_tags_of")
    assert len(found(memory, "fact")) == 20
    assert len(gathered) == 1
