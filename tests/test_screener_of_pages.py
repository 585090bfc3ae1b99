"""What is looked at of long facts that are compared with each other: their beginning, as of all."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog import screener
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity, NewObservations
from mnemolog.screening.claims import READ
from mnemolog.store.location import Settings
from mnemolog.text import tokens

PAGE = " ".join(f"word{number} deploys" for number in range(READ))


def test_a_long_fact_is_compared_by_its_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = Memory.open(Settings(str(tmp_path / "m.jsonl"), None), tmp_path)
    memory.create_entities([NewEntity("api", "service", (PAGE,))], "ada")
    read: list[int] = []

    def noted(text: str) -> list[str]:
        read.append(len(text))
        return tokens(text)

    monkeypatch.setattr(screener, "tokens", noted)
    facts = (f"{PAGE} twice", "word1 deploys word2")
    warnings = memory.add_observations([NewObservations("api", facts)], "ada").warnings
    assert [(w.kind, w.text) for w in warnings or ()] == [("near_duplicate", facts[0])]
    assert max(read) == READ


def test_the_pages_of_an_entity_are_not_read_for_each_new_fact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = Memory.open(Settings(str(tmp_path / "m.jsonl"), None), tmp_path)
    pages = tuple(f"page{number} {PAGE}" for number in range(20))
    memory.create_entities([NewEntity("api", "service", (*pages, "Listens on port 80"))], "ada")
    read: list[str] = []

    def noted(text: str) -> list[str]:
        read.append(text)
        return tokens(text)

    monkeypatch.setattr(screener, "tokens", noted)
    warnings = memory.add_observations(
        [NewObservations("api", ("Listens on port 81",))], "ada"
    ).warnings
    assert [w.kind for w in warnings or ()] == ["conflict"]
    assert not [text for text in read if "page" in text]
