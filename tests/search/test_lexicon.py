"""Words have one number each, whether texts come one by one or all at once."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemolog.search.lexicon import Lexicon
from mnemolog.text import is_plain, tokens, words, words_of

TEXTS = st.lists(st.text("aAbZ19 _-.'é本日,", max_size=12), max_size=8)


def numbers_of_each(lexicon: Lexicon, texts: list[str]) -> list[list[int]]:
    flat, sizes = lexicon.numbers_of_all(texts)
    ends = sizes.cumsum().tolist()
    return [flat[end - size : end].tolist() for end, size in zip(ends, sizes.tolist(), strict=True)]


@given(TEXTS)
def test_many_texts_at_once_have_the_words_that_each_has_alone(texts: list[str]) -> None:
    together, alone = Lexicon(), Lexicon()
    assert numbers_of_each(together, texts) == [alone.numbers_of(text) for text in texts]
    assert together.spellings == alone.spellings
    assert [together.numbers_of(text) for text in texts] == [alone.numbers_of(t) for t in texts]


@given(TEXTS, TEXTS)
def test_what_comes_later_gets_new_numbers_and_changes_no_earlier_one(
    texts: list[str], later: list[str]
) -> None:
    lexicon = Lexicon()
    before = numbers_of_each(lexicon, texts)
    numbers_of_each(lexicon, later)
    assert numbers_of_each(lexicon, texts) == before


@pytest.mark.parametrize("long", ["日本語" * 30, "a" * 50, "a-b" * 30])
def test_a_long_run_has_the_same_words_each_time_although_it_is_not_kept(long: str) -> None:
    lexicon = Lexicon()
    first = lexicon.numbers_of(f"{long} deploy {long}")
    assert lexicon.numbers_of(f"{long} deploy {long}") == first
    assert lexicon.numbers_of("deploy") == lexicon.numbers_of("deploys")


@given(st.text("aAbZ19é_-本", max_size=5))
def test_a_plain_piece_is_one_token_that_is_one_word(piece: str) -> None:
    if is_plain(piece):
        assert tokens(piece) == [piece]
        assert words(piece) == ((piece.lower(),), ())


@given(st.text("aAbZ19_-.@/\\:'é本", max_size=9))
def test_a_piece_has_the_words_of_its_tokens(piece: str) -> None:
    found = [words(token) for token in tokens(piece)]
    wholes, parts = words_of(piece)
    assert list(wholes) == [whole for of_token in found for whole in of_token.wholes]
    assert list(parts) == [part for of_token in found for part in of_token.parts]
