"""The words of a memory by number: stems, so that `ranked` and `ranking` are one word.

Stemmers: M. F. Porter, "An algorithm for suffix stripping" (1980), in its later English form, by
the Snowball project's own library.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import count, islice
from typing import Final

import numpy as np
import Stemmer

from mnemolog.search.columns import IntArray
from mnemolog.text import is_plain, tokens, words

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
        return self._stem(word) if word.isalpha() and word.isascii() else word

    def find(self, word: str) -> int:
        """Return the number of a word, or -1 if it has none."""
        return self.numbers.get(self.stem(word), -1)

    def numbers_of(self, text: str) -> list[int]:
        """Return the numbers of all words of a text."""
        shapes = self._shapes
        return [number for shape in shapes.of_text(text) for number in shapes.everything(shape)]

    def spelling_of(self, text: str) -> tuple[int, ...]:
        """Return the numbers of the wholes of a text, in order: how a name is recognized."""
        shapes = self._shapes
        return tuple([number for shape in shapes.of_text(text) for number in shapes.wholes(shape)])

    def numbers_of_all(self, texts: Iterable[str]) -> tuple[IntArray, IntArray]:
        """Return the numbers of all words of many texts, one after the other, and how many each."""
        shapes, ends = self._shapes.of_texts(texts)
        flat, starts = self._shapes.table()
        sizes = (starts[1:] - starts[:-1])[shapes]
        numbers = flat[ranges(starts[shapes], sizes)]
        total = np.concatenate(([0], np.cumsum(sizes)))
        in_text = total[ends]
        return numbers, in_text[1:] - in_text[:-1]

    def numbers_for(self, found: Sequence[str]) -> Iterable[int]:
        """Return the numbers of some words, new ones for those that have none yet."""
        number_of = dict.fromkeys(found, 0)
        stem_of, numbers, spellings = self.stem, self.numbers, self.spellings
        for word in number_of:
            stem = stem_of(word)
            number = numbers.get(stem)
            if number is None:
                number = numbers[stem] = len(spellings)
                spellings.append(word)
            number_of[word] = number
        return map(number_of.__getitem__, found)


class _Shapes:
    """What each run of non-spaces is made of, worked out once, those of many texts at once.

    The words of all shapes stand in one array: a tuple for each would take several times the room.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self._lexicon = lexicon
        self._known: defaultdict[str, int] = defaultdict(count().__next__)
        self._known_before = 0
        """How many of them have been worked out."""
        self._words = array("q")
        self._starts = array("q", [0])
        self._ends_of_wholes = array("q")

    def of_text(self, text: str) -> list[int]:
        """Return the shapes of a text."""
        shapes = list(map(self._known.__getitem__, text.split()))
        self._work_out()
        return shapes

    def of_texts(self, texts: Iterable[str]) -> tuple[IntArray, IntArray]:
        """Return the shapes of many texts one after the other, and where those of each end."""
        shapes, ends = array("q"), array("q", [0])
        shape_of = self._known.__getitem__
        for text in texts:
            shapes.extend(map(shape_of, text.split()))
            ends.append(len(shapes))
        self._work_out()
        return np.frombuffer(shapes, np.int64), np.frombuffer(ends, np.int64)

    def _work_out(self) -> None:
        """Take apart the runs that have just been given numbers: the last ones."""
        if len(self._known) == self._known_before:
            return
        new = list(islice(reversed(self._known), len(self._known) - self._known_before))[::-1]
        found: list[str] = []
        ends: list[int] = []
        ends_of_wholes: list[int] = []
        for piece in new:
            if is_plain(piece):
                found.append(piece.lower())
                ends_of_wholes.append(len(found))
            else:
                of_tokens = [words(token) for token in tokens(piece)]
                for of_token in of_tokens:
                    found += of_token.wholes
                ends_of_wholes.append(len(found))
                for of_token in of_tokens:
                    found += of_token.parts
            ends.append(len(found))
            if len(piece) > _LONGEST_KEPT:
                del self._known[piece]
        before = len(self._words)
        self._words.extend(self._lexicon.numbers_for(found))
        self._starts.extend([before + end for end in ends])
        self._ends_of_wholes.extend([before + end for end in ends_of_wholes])
        self._known_before = len(self._known)

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
