"""Which entities a text names: a name counts if it stands there whole."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

import numpy as np

from mnemolog.search.lexicon import NO_WORD, Lexicon

# Tried once for each run of blanks, not at each blank: a name can hold any number of them.
_DISAMBIGUATION: Final = re.compile(r"(?<!\s)\s*\([^()]*\)$")
_SHORTEST: Final = 3
"""Letters. Shorter names, `a` or `go`, would be found in every other text."""
_LONGEST: Final = 8
"""Words. Longer names are sentences, which no other text repeats.

A guess: the questions in `benchmarks/data` are answered alike with any bound from 3 on.
"""

Spelling: TypeAlias = tuple[int, ...]
"""The numbers of a name's words."""


def without_disambiguation(name: str) -> str:
    """Return `Mercury` for `Mercury (planet)`: texts leave out what stands in parentheses."""
    return _DISAMBIGUATION.sub("", name) or name


class NameBook:
    """Entities by the words of their names; a name is spelled out when a text has its first word.

    To spell all names of a large memory out takes longer than everything else that a search does.
    """

    def __init__(self, lexicon: Lexicon, names: Sequence[str]) -> None:
        self._lexicon = lexicon
        self._entities: dict[Spelling, dict[str, None]] = {}
        self._sizes: defaultdict[int, set[int]] = defaultdict(set)
        """By the first word of a name: how many words such names have."""
        self._spelled_out: set[int] = set()
        """The first words whose names are entered."""
        firsts = lexicon.first_wholes(names)
        self._unspelled = names
        self._order = np.argsort(firsts, kind="stable")
        self._firsts = firsts[self._order]
        self._spell_out(NO_WORD)

    def add(self, name: str) -> None:
        """Enter a name."""
        for spelling in self._spellings(name):
            self._spell_out(spelling[0])
            self._enter(name, spelling)

    def remove(self, name: str) -> None:
        """Strike a name out."""
        for spelling in self._spellings(name):
            self._spell_out(spelling[0])
            del self._entities[spelling][name]

    def named_in(self, text: Sequence[int]) -> list[str]:
        """Return the entities that a text names, by the numbers of its words, each once."""
        found = (
            name
            for spelling in self._spellings_in(text)
            for name in self._entities.get(spelling, ())
        )
        return list(dict.fromkeys(found))

    def _spellings_in(self, text: Sequence[int]) -> Iterator[Spelling]:
        for at, word in enumerate(text):
            self._spell_out(word)
            for size in sorted(self._sizes.get(word, ())):
                yield tuple(text[at : at + size])

    def _spell_out(self, word: int) -> None:
        if word in self._spelled_out:
            return
        self._spelled_out.add(word)
        start, end = np.searchsorted(self._firsts, (word, word + 1)).tolist()
        for at in self._order[start:end].tolist():
            for spelling in self._spellings(self._unspelled[at]):
                self._enter(self._unspelled[at], spelling)

    def _enter(self, name: str, spelling: Spelling) -> None:
        self._entities.setdefault(spelling, {})[name] = None
        self._sizes[spelling[0]].add(len(spelling))

    def _spellings(self, name: str) -> list[Spelling]:
        """Return what a text that names the entity can say, if any text would."""
        if len(name.encode()) < _SHORTEST:
            return []
        forms = dict.fromkeys((name, without_disambiguation(name)))
        spellings = dict.fromkeys(map(self._lexicon.spelling_of, forms))
        return [spelling for spelling in spellings if 0 < len(spelling) <= _LONGEST]
