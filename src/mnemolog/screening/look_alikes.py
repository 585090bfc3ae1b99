"""Signs that nobody sees, and letters that look like other letters."""

from __future__ import annotations

import re
from typing import Final

INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e007f\U000e0100-\U000e01ef]+"
)
"""Spaces without width, marks of direction, tags, variation selectors."""

_WORD: Final = re.compile(r"\w+")
_LATIN: Final = re.compile(r"[a-z]")
_LOOK_LATIN: Final = str.maketrans(
    "\u0430\u0432\u0435\u0456\u0458\u043a\u043c\u043d\u043e\u0440\u0441\u0442\u0443\u0445\u0455"
    "\u0501\u04bb\u04cf\u043f\u03b1\u03b5\u03bd\u03b9\u03bf\u03ba\u03c1\u03c4\u03c5\u03c7",
    "abeijkmhopctyxsdhlnaeviokptux",
)
"""Cyrillic and Greek letters, and the Latin ones that they are read as."""


def as_latin(folded: str) -> str:
    """Return the folded text with the letters replaced that pass for Latin in a Latin word."""
    return folded if folded.isascii() else _WORD.sub(_in_latin, folded)


def _in_latin(word: re.Match[str]) -> str:
    return word[0].translate(_LOOK_LATIN) if _LATIN.search(word[0]) else word[0]
