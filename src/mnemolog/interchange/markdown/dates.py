"""Dates that people write, as the log has them: ISO 8601 with an offset, to the second."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from mnemolog.interchange import utc_dates

_DIGITS_OF_MILLISECONDS: Final = 13
"""Dendron counts them; fewer and more digits can be a date without its signs."""


def as_tag(written: str) -> str | None:
    """Return a date as tags have it, or None if it is none; without an offset it is local time."""
    written = written.strip()
    if utc_dates.is_number(written):
        return utc_dates.as_tag(written) if len(written) == _DIGITS_OF_MILLISECONDS else None
    try:
        moment = datetime.fromisoformat(written)
        if moment.utcoffset() is None:
            moment = moment.astimezone()
    except (ValueError, OverflowError, OSError):  # the last two: years no local time reaches
        return None
    return moment.isoformat(timespec="seconds")
