"""Which facts pass a filter by date, agent, priority and type."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from mnemolog.errors import InvalidRequest
from mnemolog.filters import Filters, read_moment
from mnemolog.records import UNTAGGED, ObservationTags, Superseded, Tags

ADDED = ObservationTags("2026-03-01T12:00:00+01:00", "codex")
EDITED = ObservationTags("2026-03-01T12:00:00+01:00", "codex", "2026-03-05T12:00:00+01:00", "ada")


def at(day: int, hour: int = 11) -> datetime:
    return datetime(2026, 3, day, hour, tzinfo=UTC)


def test_since_includes_its_moment_and_before_does_not() -> None:
    assert Filters(since=at(1)).keep(ADDED)
    assert not Filters(before=at(1)).keep(ADDED)
    assert not Filters(since=at(1, 12)).keep(ADDED)
    assert Filters(before=at(1, 12)).keep(ADDED)


def test_the_latest_change_of_a_fact_counts() -> None:
    assert Filters(since=at(4)).keep(EDITED)
    assert Filters(agent="ada").keep(EDITED)
    assert not Filters(agent="codex").keep(EDITED)
    gone = Superseded("Lamp", "is on", EDITED, "2026-03-09T12:00:00+01:00", "bob")
    assert Filters(since=at(8), agent="bob").keep_superseded(gone)
    assert not Filters(agent="ada").keep_superseded(gone)


@pytest.mark.parametrize("tags", [UNTAGGED, ObservationTags("yesterday", None)])
def test_a_fact_without_a_date_passes_no_date_and_no_agent(tags: Tags) -> None:
    assert not Filters(since=at(1)).keep(tags)
    assert not Filters(before=at(9)).keep(tags)
    assert not Filters(agent="codex").keep(tags)
    assert Filters().keep(tags)


def test_a_fact_without_a_priority_is_of_medium_priority() -> None:
    low = ObservationTags(None, None, priority="low")
    high = ObservationTags(None, None, priority="high")
    kept = [Filters(min_priority="medium").keep(tags) for tags in (low, ADDED, high)]
    assert kept == [False, True, True]
    assert not Filters(min_priority="high").keep(ADDED)


def test_types_are_matched_as_they_are_spelt() -> None:
    filters = Filters(entity_types=("service",))
    assert filters.keep_type("service")
    assert not filters.keep_type("Service")
    assert not filters.are_about_facts


@pytest.mark.parametrize("text", ["2026-10-01", "2026-10-01T09:00:00-04:00", "2026-10-01T13:00Z"])
def test_dates_and_timestamps_are_read(text: str) -> None:
    moment = read_moment("since", text)
    assert moment is not None
    assert moment.tzinfo is not None
    assert (moment.year, moment.month) == (2026, 10)


def test_a_date_is_its_first_moment_of_local_time() -> None:
    assert read_moment("since", "2026-10-01") == datetime(2026, 10, 1).astimezone()


@pytest.mark.parametrize(
    "text",
    ["", "last week", "10/01/2026", "2026-13-01", "0001-01-01", "∞", "1764498600", "1796101200000"],
)
def test_anything_else_is_an_error_that_shows_both_forms(text: str) -> None:
    with pytest.raises(InvalidRequest, match=r"since.*2026-10-01, or a timestamp.*-04:00"):
        read_moment("since", text)


def test_no_date_is_no_bound() -> None:
    assert read_moment("since", None) is None
