"""Which facts a read is about: by date, agent, priority and the type of their entity."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from mnemolog.errors import InvalidRequest
from mnemolog.records import ObservationTags, Priority, Superseded, Tags

DEFAULT_PRIORITY: Final[Priority] = "medium"
RANK: Final[dict[Priority, int]] = {"low": 0, "medium": 1, "high": 2}
"""Priorities, from the least worth to the most."""

_DIGITS_OF_A_DAY: Final = len("20261001")


@dataclass(frozen=True, slots=True)
class Filters:
    """What a fact has to be; None asks nothing."""

    since: datetime | None = None
    """It was last added, edited or superseded then or later."""
    before: datetime | None = None
    """It was last added, edited or superseded earlier."""
    agent: str | None = None
    """Who said, edited or superseded it last."""
    entity_types: tuple[str, ...] | None = None
    min_priority: Priority | None = None

    @property
    def are_about_facts(self) -> bool:
        """Whether single facts can be left out, not only whole entities."""
        # Asked for every entity of a read, so without a loop.
        return not (
            self.since is None
            and self.before is None
            and self.agent is None
            and self.min_priority is None
        )

    def keep_type(self, entity_type: str) -> bool:
        """Return whether entities of this type are asked for."""
        return self.entity_types is None or entity_type in self.entity_types

    def keep(self, tags: Tags) -> bool:
        """Return whether a fact with these tags is asked for; one without tags passes no date."""
        return self._keep_worth(tags) and self._keep_change(*last_change(tags))

    def keep_superseded(self, record: Superseded) -> bool:
        """Return whether an observation that is no longer true is asked for."""
        return self._keep_worth(record.tags) and self._keep_change(
            record.superseded_at, record.superseded_by
        )

    def _keep_worth(self, tags: Tags) -> bool:
        return self.min_priority is None or rank_of(tags) >= RANK[self.min_priority]

    def _keep_change(self, at: str | None, by: str | None) -> bool:
        if self.agent is not None and by != self.agent:
            return False
        if self.since is None and self.before is None:
            return True
        moment = moment_of(at)
        return (
            moment is not None
            and (self.since is None or moment >= self.since)
            and (self.before is None or moment < self.before)
        )


def read_moment(name: str, text: str | None) -> datetime | None:
    """Return the moment that an argument names; a date is its first moment, local time.

    Raises:
        InvalidRequest: It is neither an ISO date nor an ISO timestamp.
    """
    if text is None:
        return None
    moment = moment_of(text)
    if moment is None:
        raise InvalidRequest(
            f"{name} is {text[:60]!r}, which is no date: give an ISO date such as 2026-10-01, or a "
            "timestamp such as 2026-10-01T09:00:00-04:00."
        )
    return moment


def moment_of(text: str | None) -> datetime | None:
    """Return the moment that a text names, local time unless it says otherwise; None if none."""
    if text is None or is_number(text):
        return None
    try:
        moment = datetime.fromisoformat(text)
        return moment if moment.tzinfo else moment.astimezone()
    except (ValueError, OverflowError, OSError):  # the year 1 has no local time everywhere
        return None


def is_number(text: str) -> bool:
    """Return whether digits are no day, as `20261001` is.

    Python takes any sign for the `T` behind a day, so `1796101200000` were a day of 1796.
    """
    return text.isdecimal() and len(text) > _DIGITS_OF_A_DAY


def last_change(tags: Tags) -> tuple[str | None, str | None]:
    """Return when a fact was last said or edited, and by whom."""
    if isinstance(tags, ObservationTags) and tags.edited_at is not None:
        return tags.edited_at, tags.edited_by
    return tags.added_at, tags.agent


def rank_of(tags: Tags) -> int:
    """Return how much a fact is worth, in the order of `RANK`."""
    return RANK[(isinstance(tags, ObservationTags) and tags.priority) or DEFAULT_PRIORITY]
