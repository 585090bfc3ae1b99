"""Of many words, exactly those that stand in a text are found."""

from __future__ import annotations

import random

from mnemolog.screening.literals import Literals

WORDS = ("0.", "do ", "token", "to", "tokens", "ok", "ignore", "ignor", "забудь", "忘れ", "e")


def test_words_are_found_inside_others_and_over_each_other() -> None:
    assert Literals(WORDS).standing_in("ignored tokens") == [
        *("token", "to", "tokens", "ok", "ignore", "ignor", "e"),
    ]


def test_they_come_in_the_order_in_which_they_were_given_each_once() -> None:
    words = ("second", "first", "second")
    assert Literals(words).standing_in("the first, the second") == ["second", "first"]


def test_exactly_the_words_that_stand_in_a_text_are_found() -> None:
    chance = random.Random(5)  # noqa: S311 - it has to be repeatable, not secret
    literals = Literals(WORDS)
    for length in (*range(8), *range(10, 200, 7)):
        text = "".join(chance.choices("".join(WORDS), k=length))
        assert literals.standing_in(text) == [word for word in WORDS if word in text]
