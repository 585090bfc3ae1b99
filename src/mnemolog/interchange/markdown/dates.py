"""Dates that people write, as the log has them: ISO 8601 with an offset, to the second."""

from __future__ import annotations

from datetime import datetime


def as_tag(written: str) -> str | None:
    """Return a date as tags have it, or None if it is none; without an offset it is local time."""
    try:
        moment = datetime.fromisoformat(written.strip())
        if moment.utcoffset() is None:
            moment = moment.astimezone()
    except (ValueError, OverflowError, OSError):  # the last two: years no local time reaches
        return None
    return moment.isoformat(timespec="seconds")
