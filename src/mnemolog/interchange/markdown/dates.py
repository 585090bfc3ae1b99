"""Dates that people write, as the log has them: ISO 8601 with an offset, to the second."""

from __future__ import annotations

from typing import Final

from mnemolog.filters import is_number, moment_of
from mnemolog.interchange import utc_dates

_DIGITS_OF_MILLISECONDS: Final = 13
"""Dendron counts them; fewer and more digits can be a date without its signs."""


def as_tag(written: str) -> str | None:
    """Return a date as tags have it, or None if it is none; without an offset it is local time."""
    written = written.strip()
    if is_number(written) and len(written) == _DIGITS_OF_MILLISECONDS:
        return utc_dates.as_tag(written)
    moment = moment_of(written)
    return None if moment is None else moment.isoformat(timespec="seconds")
