"""The best hits stand at both ends of a list."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mnemolog.search.ordering import order_by_position


def test_the_best_stand_at_both_ends() -> None:
    assert order_by_position([1, 2, 3, 4, 5]) == (1, 3, 5, 4, 2)
    assert order_by_position([]) == ()


@given(st.integers(0, 50))
def test_ranks_fall_to_the_middle_and_rise_again(count: int) -> None:
    ordered = order_by_position(range(count))
    assert sorted(ordered) == list(range(count))
    weakest = ordered.index(count - 1) if count else 0
    assert list(ordered[:weakest]) == sorted(ordered[:weakest])
    assert list(ordered[weakest:]) == sorted(ordered[weakest:], reverse=True)
