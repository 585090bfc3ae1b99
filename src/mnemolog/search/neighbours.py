"""Neighbours: what was said of the same entity just before and after lends its words.

"It was great!" answers a question whose words stand in the observation before it. An observation
borrows the score of words that it lacks itself: half of it from the next place, half of that from
the place after. Only words it lacks: plain smoothing blurs which of the neighbours it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from mnemolog.search.columns import BoolArray, Column, FloatArray, IntArray

SHARE: Final = 0.5
"""What is left of a word's score one place further."""

REACH: Final = 3
"""How many places away a word can still be borrowed."""


class Places:
    """Which slot stands before and after each, on the same entity; 0 is nowhere."""

    def __init__(self) -> None:
        self._before = Column(np.zeros(1, np.int64))
        self._after = Column(np.zeros(1, np.int64))
        self._links: tuple[BoolArray, IntArray] | None = None
        """Which slots have the next slot after them, and which another one; None if not known."""

    def load(self, starts: IntArray, size: int) -> None:
        """Put the slots 1 to `size - 1` in a row, with an end before each slot of `starts`."""
        before, after = np.arange(size) - 1, np.arange(size) + 1
        before[starts] = 0
        after[starts - 1] = 0
        before[0] = after[0] = after[-1] = 0
        self._before, self._after = Column(before), Column(after)
        self._links = None

    def append(self, last: int) -> None:
        """Add a slot behind `last`, the last of its entity, or 0."""
        slot = self._before.size
        self._links = None
        self._before.append(last)
        self._after.append(0)
        if last:
            self._after[last] = slot

    def remove(self, slot: int) -> None:
        """Let the slots around this one be next to each other."""
        before, after = int(self._before[slot]), int(self._after[slot])
        self._links = None
        if before:
            self._after[before] = after
        if after:
            self._before[after] = before
        self._before[slot] = self._after[slot] = 0

    def within_reach(self, slot: int) -> list[tuple[int, float]]:
        """Return each slot that this one borrows from, and the share that it gets."""
        around = self.around(np.array([slot]))
        return [(slot, 1.0), *((int(there[0]), share) for there, share in around if there[0])]

    def around(self, slots: IntArray) -> Iterator[tuple[IntArray, float]]:
        """Go through the places around some slots, the nearest first, each with its share.

        Each array has one number for each of `slots`, 0 where nothing stands there.
        """
        before, after, share = slots, slots, 1.0
        for _ in range(REACH):
            before, after = self._before.values[before], self._after.values[after]
            share *= SHARE
            yield before, share
            yield after, share

    def spread_marks(self, marks: BoolArray) -> None:
        """Mark every slot that is within reach of a marked one, of all slots.

        All slots are gone through at once, since most stand in a row.
        """
        follows, jumping = self._linked()
        there = self._after.values[jumping]
        ahead, behind = marks.copy(), marks.copy()
        for _ in range(REACH):
            jumped_ahead, jumped_behind = ahead[jumping], behind[there]
            ahead[1:] = ahead[:-1] & follows
            behind[:-1] = behind[1:] & follows
            ahead[there] |= jumped_ahead
            behind[jumping] |= jumped_behind
            marks |= ahead
            marks |= behind

    def _linked(self) -> tuple[BoolArray, IntArray]:
        if self._links is None:
            after = self._after.values[:-1]
            follows: BoolArray = after == np.arange(1, len(after) + 1)
            self._links = follows, np.flatnonzero(~follows & (after > 0))
        return self._links

    def spread(self, slots: IntArray, scores: FloatArray, into: FloatArray) -> IntArray:
        """Write a word's scores, and what is borrowed of them, and return the slots written.

        `into` holds zeros at first; a slot may be returned more than once.
        """
        written = [slots]
        for there, share in self.around(slots):
            into[there] = np.maximum(into[there], share * scores)
            written.append(there)
        into[slots] = scores
        into[0] = 0
        return np.concatenate(written)


def lookup(slots: IntArray, scores: FloatArray, wanted: IntArray) -> FloatArray:
    """Return a word's score at each wanted slot, 0 where there is none; `slots` rise."""
    if not len(slots):
        return np.zeros(len(wanted))
    at = np.minimum(np.searchsorted(slots, wanted), len(slots) - 1)
    is_there: BoolArray = slots[at] == wanted
    found: FloatArray = np.where(is_there, scores[at], 0.0)
    return found
