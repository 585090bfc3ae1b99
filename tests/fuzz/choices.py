"""Bytes as decisions: whoever changes the bytes changes what is done, and it stays valid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

ChoiceT = TypeVar("ChoiceT")


class Choices:
    """A supply of decisions; where the bytes have run out, it is the first choice, or nothing."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._place = 0

    @property
    def are_left(self) -> bool:
        """Whether any byte has not been used yet."""
        return self._place < len(self._raw)

    def number(self, below: int) -> int:
        """Return a number from 0, of up to 256."""
        return next(iter(self.take(1)), 0) % below

    def one_of(self, options: Sequence[ChoiceT]) -> ChoiceT:
        """Return one of the options."""
        return options[self.number(len(options))]

    def chance(self, of: int) -> bool:
        """Return True about once in so many times, and never at the end."""
        return self.number(of) == of - 1

    def take(self, count: int) -> bytes:
        """Return so many bytes, or what is left."""
        taken = self._raw[self._place : self._place + count]
        self._place += len(taken)
        return taken

    def rest(self) -> bytes:
        """Return everything that is left."""
        return self.take(len(self._raw))
