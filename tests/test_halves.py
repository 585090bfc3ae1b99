"""What holds half of a character is told apart, and written with a sign in its place."""

from __future__ import annotations

import pytest

from mnemolog.halves import has_halves, without_halves


@pytest.mark.parametrize("text", ["", "plain", "æ, 語, \U0001f600", "\0\ufffd"])
def test_whole_characters_stay_as_they_are(text: str) -> None:
    assert not has_halves(text)
    assert without_halves(text) == text


@pytest.mark.parametrize("half", ["\ud83d", b"\xff".decode(errors="surrogateescape")])
def test_half_a_character_becomes_a_question_mark(half: str) -> None:
    assert has_halves(f"a{half}b")
    assert without_halves(f"a{half}b") == "a?b"
