"""Activation follows the formula of its paper, also where a time is missing or odd."""

from __future__ import annotations

import math
from datetime import datetime

import numpy as np
import pytest

from mnemolog.search.activation import D, boost, seconds, strength

NOW = 1_700_000_000.0
DAY = 86_400.0


def test_the_base_level_is_the_log_of_summed_powers_of_age() -> None:
    used_at = NOW - DAY * np.array([1.0, 4.0, 100.0])
    base_level = math.log(strength(used_at, NOW).sum())
    assert base_level == pytest.approx(math.log(1**-D + 4**-D + 100**-D))  # ln 1.6


def test_the_boost_is_the_chance_that_goes_with_the_odds() -> None:
    assert boost(np.array([1.0, 0.1, 0.0])).tolist() == pytest.approx([1 / 2, 1 / 11, 0])


def test_a_time_that_is_not_known_is_no_use() -> None:
    assert strength(np.array([math.nan]), NOW).tolist() == [0.0]


def test_a_use_in_the_future_counts_as_one_of_just_now() -> None:
    just_now, ahead = strength(np.array([NOW, NOW + 400 * DAY]), NOW)
    assert just_now == ahead


@pytest.mark.parametrize(
    ("timestamp", "expected"),
    [
        ("2023-11-14T22:13:20+00:00", NOW),
        ("2023-11-14T17:13:20-05:00", NOW),
        ("2023-11-14T22:13:20", datetime(2023, 11, 14, 22, 13, 20).astimezone().timestamp()),
        ("yesterday", None),
        (None, None),
    ],
)
def test_timestamps_are_read_and_others_are_unknown(
    timestamp: str | None, expected: float | None
) -> None:
    read = seconds(timestamp)
    assert math.isnan(read) if expected is None else read == expected
