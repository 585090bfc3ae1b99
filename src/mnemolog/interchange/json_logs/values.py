"""Bytes to JSON values, for files whose values are not yet known to be records."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from mnemolog.jsonl import BOM, load_values, records_of
from mnemolog.records import Record

_INK: Final = re.compile(rb"[^ \t\r\n]")


def first_line(content: bytes) -> tuple[bytes, int]:
    """Return the first line that is not blank, without its newline, and where it ends."""
    start = len(BOM) if content.startswith(BOM) else 0
    ink = _INK.search(content, start)
    if ink is None:
        return b"", len(content)
    end = content.find(b"\n", ink.start())
    end = len(content) if end < 0 else end
    return content[ink.start() : end], end


def values_in(content: bytes) -> list[Any] | None:
    """Return the JSON values that stand one after the other, or None if something else does."""
    try:
        return load_values(content.removeprefix(BOM).decode())
    except ValueError:  # UnicodeDecodeError is one, too
        return None


def values_of_lines(content: bytes) -> Iterator[Any]:
    """Yield the JSON values of each line that can be read."""
    start = 0
    while start < len(content):
        end = content.find(b"\n", start)
        end = len(content) if end < 0 else end
        yield from values_in(content[start:end]) or ()
        start = end + 1


def readable_records(value: Any) -> tuple[Record, ...]:  # noqa: ANN401 - any JSON value
    """Return the records that a value is, or nothing if it is none or lacks what makes it one."""
    try:
        return records_of(value)
    except ValueError:
        return ()
