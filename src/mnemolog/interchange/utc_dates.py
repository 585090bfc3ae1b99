"""Dates of programs that keep UTC, as the log writes them: ISO 8601 with an offset, to the second.

`dates` is for what people write, where a date without an offset is local time.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from mnemolog.filters import is_number

_MILLISECONDS_FROM: Final = 1e11
"""As seconds this is the year 5138, so a larger number counts milliseconds."""


def as_tag(stored: Any) -> str | None:  # noqa: ANN401 - whatever a store holds
    """Return a date as tags have it, or None if it is none.

    A text keeps its offset; without one it is UTC, as SQLite's own clock writes it. A number
    counts seconds since 1970, or milliseconds.
    """
    try:
        moment = _of_text(stored) if isinstance(stored, str) else _of_number(stored)
    except (ValueError, TypeError, OverflowError, OSError):  # the last two: no year of a calendar
        return None
    return moment.isoformat(timespec="seconds")


def _of_text(text: str) -> datetime:
    text = text.strip()
    try:
        moment = datetime.fromisoformat("" if is_number(text) else text)
    except ValueError:
        return _of_number(float(text))
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _of_number(number: float) -> datetime:
    seconds = number / 1000 if abs(number) >= _MILLISECONDS_FROM else number
    return datetime.fromtimestamp(seconds, UTC)
