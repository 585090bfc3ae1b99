"""Dates of programs that keep UTC."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from mnemolog.interchange.utc_dates import as_tag


@pytest.fixture(autouse=True)
def _far_from_greenwich(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if not hasattr(time, "tzset"):
        yield
        return
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("TZ", "XXX-9")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.parametrize(
    ("stored", "tag"),
    [
        ("2026-11-29 19:54:16", "2026-11-29T19:54:16+00:00"),  # SQLite's own clock
        ("2026-11-29T19:46:27.283951+00:00", "2026-11-29T19:46:27+00:00"),
        ("2026-11-29T19:49:43.470082Z", "2026-11-29T19:49:43+00:00"),
        ("2026-11-29T19:49:43+05:30", "2026-11-29T19:49:43+05:30"),
        ("2026-11-29", "2026-11-29T00:00:00+00:00"),
        (1795981783.47008, "2026-11-29T19:49:43+00:00"),
        (1795981783, "2026-11-29T19:49:43+00:00"),
        (1795981783470, "2026-11-29T19:49:43+00:00"),
        ("1795981783.47", "2026-11-29T19:49:43+00:00"),
        ("1712123121530", "2024-04-03T05:45:21+00:00"),
    ],
)
def test_a_date_keeps_its_moment_and_says_its_offset(stored: Any, tag: str) -> None:
    assert as_tag(stored) == tag


@pytest.mark.parametrize(
    "stored",
    ["", "yesterday", None, b"2026", float("nan"), float("inf"), 10**30, "99999999999999999999"],
    ids=repr,
)
def test_what_is_no_date_is_no_tag(stored: Any) -> None:
    assert as_tag(stored) is None
