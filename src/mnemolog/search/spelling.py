"""Words of the memory that look like a word that is not in it."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

_MOST: Final = 3
_ALIKE: Final = 0.75
"""The least share of letters, in order, that two near spellings have in common."""

_LENGTH_APART: Final = 2


def near_spellings(word: str, known: Iterable[str]) -> list[str]:
    """Return the words most like this one, best first: same first letter, about the same length."""
    candidates = {
        other
        for other in known
        if other[:1] == word[:1] and abs(len(other) - len(word)) <= _LENGTH_APART
    }
    return get_close_matches(word, sorted(candidates), _MOST, _ALIKE)
