"""The words of a memory by number: stems, so that `ranked` and `ranking` are one word.

Stemmers: M. F. Porter, "An algorithm for suffix stripping" (1980), in its later English form, by
the Snowball project's own library.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, islice
from typing import Final

import numpy as np
import Stemmer

from mnemolog.search.columns import IntArray
from mnemolog.text import is_plain, words_of

_LONGEST_KEPT: Final = 40
"""A longer piece of text, as in scripts without spaces, hardly comes twice: not worth keeping."""

NO_WORD: Final = -1
"""In place of the number of a word that there is not."""


class Lexicon:
    """Gives each word a number, and each text the numbers of its words."""

    def __init__(self) -> None:
        self._stems = _Stems()
        self._shapes = _Shapes(self._stems)

    @property
    def spellings(self) -> Sequence[str]:
        """By number: how the word was first spelled."""
        return self._stems.spellings

    def find(self, word: str) -> int:
        """Return the number of a word, or `NO_WORD` if it has none."""
        return self._stems.find(word)

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
        shapes, counts = self._shapes.of_texts(texts)
        flat, starts = self._shapes.table()
        sizes = np.diff(starts)[shapes]
        numbers = flat[ranges(starts[shapes], sizes)]
        up_to = np.append(0, np.cumsum(sizes))[np.cumsum(counts)]
        return numbers, np.diff(up_to, prepend=0)

    def first_wholes(self, texts: Iterable[str]) -> IntArray:
        """Return each text's first whole; `NO_WORD` for one that does not begin with a word."""
        shapes, counts = self._shapes.of_texts(texts)
        firsts = np.where(counts > 0, np.append(shapes, 0)[np.cumsum(counts) - counts], -1)
        of_shapes: IntArray = np.append(self._shapes.first_wholes(), NO_WORD)[firsts]
        return of_shapes


class _Stems:
    """The number of each word, the same for all forms of one stem."""

    def __init__(self) -> None:
        self.spellings: list[str] = []
        self._numbers: dict[str, int] = {}
        self._stem = Stemmer.Stemmer("english", 0).stemWord  # no cache: each word comes once

    def find(self, word: str) -> int:
        """Return the number of a word, or `NO_WORD` if it has none."""
        return self._numbers.get(self._stem_of(word), NO_WORD)

    def numbers_for(self, found: Sequence[str]) -> Iterable[int]:
        """Return the numbers of some words, new ones for those that have none yet."""
        number_of = dict.fromkeys(found, 0)
        stem_of, numbers, spellings = self._stem_of, self._numbers, self.spellings
        for word in number_of:
            stem = stem_of(word)
            number = numbers.get(stem)
            if number is None:
                number = numbers[stem] = len(spellings)
                spellings.append(word)
            number_of[word] = number
        return map(number_of.__getitem__, found)

    def _stem_of(self, word: str) -> str:
        """Return what the word is looked up by; only plain words have endings."""
        return self._stem(word) if word.isalpha() and word.isascii() else word


class _Shapes:
    """What each run of non-spaces is made of, worked out once, those of many texts at once.

    The words of all shapes stand in one array: a tuple for each would take several times the room.
    """

    def __init__(self, stems: _Stems) -> None:
        self._stems = stems
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
        """Return the shapes of many texts one after the other, and how many each has."""
        counts = array("q")

        def pieces() -> Iterator[list[str]]:
            for text in texts:
                found = text.split()
                counts.append(len(found))
                yield found

        shape_of = self._known.__getitem__
        shapes = np.fromiter(map(shape_of, chain.from_iterable(pieces())), np.int64)
        self._work_out()
        return shapes, np.array(counts)

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
                wholes, parts = words_of(piece)
                found += wholes
                ends_of_wholes.append(len(found))
                found += parts
            ends.append(len(found))
            if len(piece) > _LONGEST_KEPT:
                del self._known[piece]
        before = len(self._words)
        self._words.extend(self._stems.numbers_for(found))
        self._starts.extend([before + end for end in ends])
        self._ends_of_wholes.extend([before + end for end in ends_of_wholes])
        self._known_before = len(self._known)

    def everything(self, shape: int) -> array[int]:
        """Return all words of a shape, its wholes first."""
        return self._words[self._starts[shape] : self._starts[shape + 1]]

    def wholes(self, shape: int) -> array[int]:
        """Return the wholes of a shape."""
        return self._words[self._starts[shape] : self._ends_of_wholes[shape]]

    def first_wholes(self) -> IntArray:
        """Return the first whole of each shape; `NO_WORD` for one that has none."""
        flat, starts = self.table()
        has_any = np.array(self._ends_of_wholes) > starts[:-1]
        return np.where(has_any, np.append(flat, NO_WORD)[starts[:-1]], NO_WORD)

    def table(self) -> tuple[IntArray, IntArray]:
        """Return the words of all shapes one after the other, and where each shape starts."""
        return np.array(self._words), np.array(self._starts)


def ranges(starts: IntArray, sizes: IntArray) -> IntArray:
    """Return `start, start + 1, …`, `size` many for each pair, one after the other."""
    ends = np.cumsum(sizes)
    total = int(ends[-1]) if len(ends) else 0
    each: IntArray = np.arange(total) + np.repeat(starts - (ends - sizes), sizes)
    return each
