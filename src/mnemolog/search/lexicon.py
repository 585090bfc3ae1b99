"""The words of a memory by number: stems, so that `ranked` and `ranking` are one word.

Stemmers: M. F. Porter, "An algorithm for suffix stripping" (1980), in its later English form, by
the Snowball project's own library.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Final

import numpy as np
import Stemmer

from mnemolog.search.columns import IntArray
from mnemolog.text import tokens, words

_LONGEST_KEPT: Final = 40
"""A longer piece of text, as in scripts without spaces, hardly comes twice: not worth keeping."""


class Lexicon:
    """Gives each word a number, and each text the numbers of its words."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        """The number of each stem."""
        self.spellings: list[str] = []
        """By number: how the word was first spelled."""
        self._stem = Stemmer.Stemmer("english", 0).stemWord  # no cache: each word comes once
        self._shapes = _Shapes(self)

    def stem(self, word: str) -> str:
        """Return what the word is looked up by; only plain words have endings."""
        return self._stem(word) if word.isascii() and word.isalpha() else word

    def numbers_of(self, text: str) -> list[int]:
        """Return the numbers of all words of a text."""
        shapes = self._shapes
        return [n for piece in text.split() for n in shapes.everything(shapes[piece])]

    def spelling_of(self, text: str) -> tuple[int, ...]:
        """Return the numbers of the wholes of a text, in order: how a name is recognized."""
        shapes = self._shapes
        return tuple([n for piece in text.split() for n in shapes.wholes(shapes[piece])])

    def numbers_of_all(self, texts: Iterable[str]) -> tuple[IntArray, IntArray]:
        """Return the numbers of all words of many texts, one after the other, and how many each."""
        written, ends = array("q"), [0]
        for text in texts:
            written.extend(map(self._shapes.__getitem__, text.split()))
            ends.append(len(written))
        shapes = np.frombuffer(written, np.int64)
        flat, starts = self._shapes.table()
        sizes = (starts[1:] - starts[:-1])[shapes]
        numbers = flat[ranges(starts[shapes], sizes)]
        total = np.concatenate(([0], np.cumsum(sizes)))
        in_text = total[np.asarray(ends)]
        return numbers, in_text[1:] - in_text[:-1]

    def find(self, word: str) -> int:
        """Return the number of a word, or -1 if it has none."""
        return self.numbers.get(self.stem(word), -1)

    def number(self, word: str) -> int:
        """Return the number of a word, a new one if it has none yet."""
        stem = self.stem(word)
        number = self.numbers.setdefault(stem, len(self.spellings))
        if number == len(self.spellings):
            self.spellings.append(word)
        return number


class _Shapes(dict[str, int]):
    """What each run of non-spaces is made of, worked out once.

    The words of all shapes stand in one array: a tuple for each would take several times the room.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__()
        self._lexicon = lexicon
        self._words = array("q")
        self._starts = array("q", [0])
        self._ends_of_wholes = array("q")

    def __missing__(self, piece: str) -> int:
        number = self._lexicon.number
        of_tokens = [words(token) for token in tokens(piece)]
        for of_token in of_tokens:
            self._words.extend(map(number, of_token.wholes))
        self._ends_of_wholes.append(len(self._words))
        for of_token in of_tokens:
            self._words.extend(map(number, of_token.parts))
        shape = len(self._starts) - 1
        self._starts.append(len(self._words))
        if len(piece) <= _LONGEST_KEPT:
            self[piece] = shape
        return shape

    def everything(self, shape: int) -> array[int]:
        """Return all words of a shape, its wholes first."""
        return self._words[self._starts[shape] : self._starts[shape + 1]]

    def wholes(self, shape: int) -> array[int]:
        """Return the wholes of a shape."""
        return self._words[self._starts[shape] : self._ends_of_wholes[shape]]

    def table(self) -> tuple[IntArray, IntArray]:
        """Return the words of all shapes one after the other, and where each shape starts."""
        return np.array(self._words), np.array(self._starts)


def ranges(starts: IntArray, sizes: IntArray) -> IntArray:
    """Return `start, start + 1, …`, `size` many for each pair, one after the other."""
    ends = np.cumsum(sizes)
    total = int(ends[-1]) if len(ends) else 0
    each: IntArray = np.arange(total) + np.repeat(starts - (ends - sizes), sizes)
    return each
