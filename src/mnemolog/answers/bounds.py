"""What keeps an answer short: the room that it has, and the cursors that lead to the rest."""

from __future__ import annotations

from itertools import count
from math import inf
from os import urandom
from typing import Final, Generic, Protocol, TypeVar

from mnemolog.answers.excerpts import Scope
from mnemolog.errors import InvalidRequest
from mnemolog.json_text import TEXTS
from mnemolog.results import Problem


class Scoped(Protocol):
    """A read that can be gone on with."""

    scope: Scope


SnapshotT = TypeVar("SnapshotT", bound=Scoped)

_ENVELOPE: Final = 200
"""Room for the keys around the lists of an answer, and for the cursor."""

_LONGEST_PLACE: Final = 18
"""Digits. Python refuses to read a number of some thousand."""

_PROBLEMS_TOLD: Final = 20

_CHARS_A_PROBLEM: Final = 1_000
"""Where an answer is short, so is the list of problems: most of it is for the facts."""

_SNAPSHOTS: Final = 32
"""How many reads can be under way at the same time."""


class Cursors(Generic[SnapshotT]):
    """The reads that can be gone on with; the oldest are forgotten."""

    def __init__(self, prefix: str) -> None:
        # Another process, or this server after a restart, must not take it for one of its own.
        self._prefix = f"{prefix}{urandom(3).hex()}-"
        self._snapshots: dict[str, SnapshotT] = {}
        self._numbers = count(1)

    def open(self, snapshot: SnapshotT) -> str:
        """Return the key of a new snapshot."""
        key = f"{self._prefix}{next(self._numbers)}"
        self._snapshots[key] = snapshot
        for oldest in list(self._snapshots)[:-_SNAPSHOTS]:
            del self._snapshots[oldest]
        return key

    def made(self, cursor: str) -> bool:
        """Return whether the cursor is of this kind, forgotten or not."""
        return cursor.startswith(self._prefix)

    def bounded(
        self, asked: Scope, cursor: str | None, problems: tuple[Problem, ...]
    ) -> tuple[Scope, tuple[Problem, ...] | None]:
        """Return what an answer, or the next page, shows, and those problems that it names.

        Raises:
            InvalidRequest: The cursor has expired.
        """
        snapshot = self.find(cursor)[1] if cursor else None
        scope = snapshot.scope.going_on(asked) if snapshot else asked
        named = _few_of(problems, scope.max_chars)
        scope = scope.leaving_room_for(named)
        if snapshot:
            snapshot.scope = scope
        return scope, named

    def find(self, cursor: str) -> tuple[str, SnapshotT, int]:
        """Return a cursor's key, its snapshot, and how far it has come.

        Raises:
            InvalidRequest: It never was a cursor of this kind, or its snapshot is forgotten.
        """
        key, _, place = cursor.partition(".")
        is_place = place.isascii() and place.isdecimal() and len(place) <= _LONGEST_PLACE
        if key not in self._snapshots or not is_place:
            raise InvalidRequest(
                f"The cursor {cursor[:40]!r} has expired: call again without it to start over."
            )
        return key, self._snapshots[key], int(place)


def _few_of(problems: tuple[Problem, ...], max_chars: int) -> tuple[Problem, ...] | None:
    """Return the first problems and how many more there are; all if the answer has no bound."""
    told = problems[: min(_PROBLEMS_TOLD, max_chars // _CHARS_A_PROBLEM)]
    if len(told) == len(problems) or not max_chars:
        return problems or None
    more = f"the first of {len(problems) - len(told):,} more that cannot be read"
    return (*told, Problem(problems[len(told)].line, more))


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
            needed += len(TEXTS.of(item)) + 1
            if needed > self.left:
                return False
        self.left -= needed
        return True

    def exchange(self, old: object, new: object) -> bool:
        """Return whether there is room for one item in the place of another, and take it if so."""
        if self.left == inf:
            return True
        needed = len(TEXTS.of(new)) - len(TEXTS.of(old))
        if needed > self.left:
            return False
        self.left -= needed
        return True
