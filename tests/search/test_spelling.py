"""Words that look like a missing one are found, others are not."""

from __future__ import annotations

from mnemolog.search.spelling import near_spellings


def test_a_near_spelling_is_found_and_a_far_one_is_not() -> None:
    assert near_spellings("educaton", ["education", "educe", "elephant"]) == ["education"]


def test_nothing_is_near_a_word_like_no_other() -> None:
    assert near_spellings("xyzzy", ["education", "yogurt"]) == []
