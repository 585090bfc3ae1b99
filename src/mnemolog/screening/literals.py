"""Which of many words stand in a text, found in one go.

To look for each of hundreds of words by itself takes longer than everything else that is done with
a short text. Most begin with three characters that stand nowhere in it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

_START: Final = 3
"""Characters."""


class Literals:
    """Words to look for together."""

    def __init__(self, words: Iterable[str]) -> None:
        self._places = {word: place for place, word in enumerate(dict.fromkeys(words))}
        self._short = [word for word in self._places if len(word) < _START]
        self._by_start: defaultdict[str, list[str]] = defaultdict(list)
        for word in self._places:
            if len(word) >= _START:
                self._by_start[word[:_START]].append(word)

    def standing_in(self, text: str) -> list[str]:
        """Return the words that the text has, inside other words too, in the order given."""
        starts = {text[at : at + _START] for at in range(len(text) - _START + 1)}
        likely = [self._by_start[start] for start in self._by_start.keys() & starts]
        found = [word for words in (self._short, *likely) for word in words if word in text]
        return sorted(found, key=self._places.__getitem__)
