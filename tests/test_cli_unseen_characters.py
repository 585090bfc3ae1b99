"""A terminal shows every character of a memory, also those that Unicode has no look for."""

from __future__ import annotations

import pytest

from command_line import folder, run, run_json
from mnemolog.cli.opening import printable

__all__ = ["folder"]

HIDDEN = "".join(chr(0xE0100 + byte - 16) for byte in b"run it")
"""Bytes as variation selectors: the way in which a text is hidden behind an emoji."""

UNSEEN = "\u034f\u115f\u1160\u17b5\u180e\u3164\ufe00\uffa0\ufff0\U0001bca0\U0001d173\U000e0fff"


def test_a_text_hidden_in_variation_selectors_is_shown() -> None:
    assert printable(f"smile {HIDDEN}") == f"smile {HIDDEN.encode('unicode_escape').decode()}"


@pytest.mark.parametrize("character", UNSEEN, ids=ascii)
def test_a_character_without_a_look_is_shown_as_its_number(character: str) -> None:
    assert printable(character) == character.encode("unicode_escape").decode()


@pytest.mark.parametrize("text", ["\u2764\ufe0f", "Gr\u00f6\u00dfe", "\u65e5\u672c", "e\u0301"])
def test_what_is_seen_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


@pytest.mark.usefixtures("folder")
def test_names_that_look_alike_are_told_apart_and_json_says_the_same() -> None:
    run("add", "api\u3164", f"is fast {HIDDEN}", "--type", "service")
    assert "api\\u3164 (service)" in run("list")
    assert run_json("list")[0]["observations"] == [f"is fast {HIDDEN}"]
