"""What keeps an answer short: the room that it has, and the cursors that lead to the rest."""

from __future__ import annotations

import json
from itertools import count
from math import inf
from typing import Final, Generic, TypeVar

from mnemolog.declarations import to_wire
from mnemolog.errors import InvalidRequest

SnapshotT = TypeVar("SnapshotT")

_ENVELOPE: Final = 200
"""Room for the keys around the lists of an answer, and for the cursor."""

_SNAPSHOTS: Final = 32
"""How many reads can be under way at the same time."""


class Cursors(Generic[SnapshotT]):
    """The reads that can be gone on with; the oldest are forgotten."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._snapshots: dict[str, SnapshotT] = {}
        self._numbers = count(1)

    def open(self, snapshot: SnapshotT) -> str:
        """Return the key of a new snapshot."""
        key = f"{self._prefix}{next(self._numbers)}"
        self._snapshots[key] = snapshot
        for oldest in list(self._snapshots)[:-_SNAPSHOTS]:
            del self._snapshots[oldest]
        return key

    def find(self, cursor: str) -> tuple[str, SnapshotT, int]:
        """Return a cursor's key, its snapshot, and how far it has come.

        Raises:
            InvalidRequest: It never was a cursor of this kind, or its snapshot is forgotten.
        """
        key, _, place = cursor.partition(".")
        if key not in self._snapshots or not (place.isascii() and place.isdecimal()):
            raise InvalidRequest(
                f"The cursor {cursor[:40]!r} has expired: call again without it to start over."
            )
        return key, self._snapshots[key], int(place)


class Room:
    """How many characters of JSON an answer still has room for."""

    def __init__(self, max_chars: int) -> None:
        self.left = max_chars - _ENVELOPE if max_chars else inf

    def take(self, *items: object) -> bool:
        """Return whether there is room for all the items, and take it if so."""
        if self.left == inf:
            return True
        needed = 0
        for item in items:
            needed += _SIZES.of(item) + 1
            if needed > self.left:
                return False
        self.left -= needed
        return True


class _Sizes:
    """How long items are as JSON; between two answers most of them are the same objects."""

    def __init__(self) -> None:
        # By identity, since hashing an item costs as much as encoding it. Holding the item keeps
        # its identity from being given to another.
        self._known: dict[int, tuple[object, int]] = {}

    def of(self, item: object) -> int:
        """Return the length of an item's JSON form, in characters."""
        found = self._known.get(id(item))
        if found is None:
            if len(self._known) >= _SIZES_KEPT:
                self._known.clear()
            found = self._known[id(item)] = (item, len(_ENCODER.encode(to_wire(item))))
        return found[1]


_SIZES_KEPT: Final = 4096
_SIZES: Final = _Sizes()
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
