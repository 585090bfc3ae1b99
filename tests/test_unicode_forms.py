"""A word is found in whatever Unicode form it was written."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from mnemolog.memory import Memory
from mnemolog.requests import NewEntity
from mnemolog.store.location import Settings
from mnemolog.text import words

TEXTS = ("한국어", "데이터베이스", "ガギグ", "Việt", "Straße", "naïve", "café", "ёлка")


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_word_is_the_same_in_every_unicode_form(text: str, form: str) -> None:
    assert words(unicodedata.normalize(form, text)) == words(text)  # type: ignore[arg-type]


@pytest.mark.parametrize("saved", ["NFC", "NFD"])
@pytest.mark.parametrize("asked", ["NFC", "NFD"])
def test_korean_is_found_in_every_unicode_form(tmp_path: Path, saved: str, asked: str) -> None:
    memory = Memory.open(Settings(str(tmp_path / "m.jsonl"), None), tmp_path)
    text = unicodedata.normalize(saved, "데이터베이스는 한국어로 답한다")  # type: ignore[arg-type]
    memory.create_entities([NewEntity("api", "service", (text,))], "ada")
    query = unicodedata.normalize(asked, "데이터베이스")  # type: ignore[arg-type]
    assert [hit.text for hit in memory.search_nodes(query).hits] == [text]
