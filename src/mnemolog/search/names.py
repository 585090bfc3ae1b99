"""Which entities a text names: a name counts if it stands there whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

# Tried once for each run of blanks, not at each blank: a name can hold any number of them.
_DISAMBIGUATION: Final = re.compile(r"(?<!\s)\s*\([^()]*\)$")
_SHORTEST: Final = 3
"""Letters. Shorter names, `a` or `go`, would be found in every other text."""
_LONGEST: Final = 8
"""Words. Longer names are sentences, which no other text repeats."""

Spelling: TypeAlias = tuple[int, ...]
"""The numbers of a name's words."""


def without_disambiguation(name: str) -> str:
    """Return `Mercury` for `Mercury (planet)`: texts leave out what stands in parentheses."""
    return _DISAMBIGUATION.sub("", name) or name


class NameBook:
    """Entities by the words of their names."""

    def __init__(self) -> None:
        self._entities: dict[Spelling, list[str]] = {}
        self._sizes: dict[int, set[int]] = {}
        """By the first word of a name: how many words such names have."""

    def add(self, name: str, spelling: Spelling) -> None:
        """Enter a name."""
        if not 0 < len(spelling) <= _LONGEST or len(name.encode()) < _SHORTEST:
            return
        self._entities.setdefault(spelling, []).append(name)
        self._sizes.setdefault(spelling[0], set()).add(len(spelling))

    def remove(self, name: str, spelling: Spelling) -> None:
        """Strike a name out."""
        names = self._entities.get(spelling, [])
        if name in names:
            names.remove(name)

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
            for size in sorted(self._sizes.get(word, ())):
                yield tuple(text[at : at + size])
