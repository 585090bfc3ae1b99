"""Records and results as compact JSON: what is shown again keeps its text."""

from __future__ import annotations

from typing import Final

from msgspec.json import Encoder

from mnemolog.declarations import to_wire

_encode: Final = Encoder().encode

_FEWEST_KEPT: Final = 4096


def json_text(value: object) -> str:
    """Return the JSON form of a declaration as text."""
    return _encode(to_wire(value)).decode()


class KeptTexts:
    """The JSON texts of records, kept from one answer to the next.

    A graph of ten thousand observations changes by one between two reads: all but one of its
    entities are then the same objects as before.
    """

    def __init__(self) -> None:
        # By identity, since hashing a record costs as much as encoding it. Holding the record
        # beside its text keeps its identity from being given to another.
        self._kept: dict[int, tuple[object, str]] = {}
        self._most = _FEWEST_KEPT

    def of(self, record: object) -> str:
        """Return the record's JSON form."""
        found = self._kept.get(id(record))
        if found is None:
            if len(self._kept) >= self._most:
                self._kept.clear()
            found = self._kept[id(record)] = (record, json_text(record))
        return found[1]

    def make_room(self, count: int) -> None:
        """Let an answer of so many records find them all again."""
        self._most = max(self._most, 2 * count)


TEXTS: Final = KeptTexts()
"""The texts of this process: an answer is measured and then written, and encoded once for both."""
