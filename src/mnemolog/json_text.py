"""Records and results as compact JSON: what is shown again keeps its text."""

from __future__ import annotations

import json
from typing import Final

from msgspec.json import Encoder

from mnemolog.declarations import to_wire
from mnemolog.halves import without_halves

_encode: Final = Encoder().encode

_MOST_KEPT: Final = 16_384
"""How many texts of single records are kept: a few megabytes of them."""

_BLOCK: Final = 256
"""How many records of a long list have their text in common."""


def json_text(value: object) -> str:
    """Return the JSON form of a declaration as text."""
    wire = to_wire(value)
    try:
        return _encode(wire).decode()
    except UnicodeEncodeError:  # of a path, which may hold bytes that are no UTF-8
        return without_halves(json.dumps(wire, ensure_ascii=False, separators=(",", ":")))


class KeptTexts:
    """The JSON texts of records, kept from one answer to the next.

    A graph of ten thousand observations changes by one between two reads: all but one of its
    entities are then the same objects as before.
    """

    def __init__(self) -> None:
        # By identity, since hashing a record costs as much as encoding it. Holding the record
        # beside its text keeps its identity from being given to another.
        self._kept: dict[int, tuple[object, str]] = {}
        self._blocks: dict[tuple[type, int], tuple[tuple[object, ...], str]] = {}

    def of(self, record: object) -> str:
        """Return the record's JSON form."""
        found = self._kept.get(id(record))
        if found is None:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            found = self._kept[id(record)] = (record, json_text(record))
        return found[1]

    def joined(self, records: tuple[object, ...]) -> str:
        """Return the records' JSON forms with commas between them.

        Looking up each of ten thousand records, all over memory, takes longer than sending them.
        """
        if len(records) <= _BLOCK:
            return ",".join(map(self.of, records))
        return ",".join([self._block(records, at) for at in range(0, len(records), _BLOCK)])

    def _block(self, records: tuple[object, ...], start: int) -> str:
        block, place = records[start : start + _BLOCK], (type(records[0]), start)
        found = self._blocks.get(place)
        # Compared one by one, and by identity first: what is another object says something else.
        if found is None or found[0] != block:
            found = self._blocks[place] = (block, json_text(block)[1:-1])
        return found[1]


TEXTS: Final = KeptTexts()
"""The texts of this process: an answer is measured and then written, and encoded once for both."""
