"""Numbers in a row that grows at its end, without being copied for each one."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
AnyArray = npt.NDArray[Any]

_GROWTH: Final = 2
_SMALLEST: Final = 16


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
