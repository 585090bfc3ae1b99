"""Numbers in a row that grows at its end, without being copied for each one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
AnyArray = npt.NDArray[Any]

_GROWTH: Final = 2
_SMALLEST: Final = 16
_SPARE: Final = 8
"""A part in so many is left free in scratch room, for what is added later."""


class Column:
    """One number for each slot."""

    __slots__ = ("_room", "size")

    def __init__(self, values: AnyArray) -> None:
        self._room = values
        self.size = len(values)

    @property
    def values(self) -> AnyArray:
        """The numbers so far; not to be kept across an `append`."""
        return self._room[: self.size]

    def append(self, value: float) -> None:
        """Add one number; twice the room is made when there is none."""
        if self.size == len(self._room):
            roomier = np.zeros(max(_SMALLEST, _GROWTH * self.size), self._room.dtype)
            roomier[: self.size] = self._room
            self._room = roomier
        self._room[self.size] = value
        self.size += 1

    def __setitem__(self, slot: int, value: float) -> None:
        self._room[slot] = value

    def __getitem__(self, slot: int) -> Any:  # noqa: ANN401 - as wide as numpy's own
        return self._room[slot]


class Scratch:
    """Zeros to work with, kept for the next time: making a million of them takes a millisecond."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: list[FloatArray] = []

    @contextmanager
    def zeros(self, size: int) -> Iterator[FloatArray]:
        """Lend so many zeros; whoever has them writes zeros back before the end."""
        room = self._kept.pop() if self._kept else np.zeros(0)
        if len(room) < size:
            room = np.zeros(size + size // _SPARE)
        yield room[:size]
        self._kept.append(room)  # not after an exception: then they may be anything
