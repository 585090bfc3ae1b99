"""What an observation borrows from those beside it, and what it does not."""

from __future__ import annotations

import numpy as np

from mnemolog.search.neighbours import Places, lookup


def row_of(count: int) -> Places:
    places = Places()
    for last in range(count):
        places.append(last)
    return places


def spread(places: Places, scores: dict[int, float], size: int) -> list[float]:
    into = np.zeros(size)
    slots = np.array(list(scores), np.int64)
    places.spread(slots, np.array(list(scores.values())), into)
    return into.tolist()


def test_a_word_is_worth_half_one_place_further_and_nothing_after_three() -> None:
    assert spread(row_of(6), {1: 8.0}, 7) == [0, 8, 4, 2, 1, 0, 0]


def test_an_own_word_is_not_borrowed_too() -> None:
    assert spread(row_of(3), {1: 8.0, 2: 1.0}, 4) == [0, 8, 1, 2]


def test_nothing_is_borrowed_from_another_entity() -> None:
    places = Places()
    places.load(np.array([1, 3]), 5)
    assert spread(places, {2: 8.0}, 5) == [0, 4, 8, 0, 0]
    assert spread(places, {3: 8.0}, 5) == [0, 0, 0, 8, 4]


def test_what_stood_around_a_removed_observation_become_neighbours() -> None:
    places = row_of(3)
    places.remove(2)
    assert spread(places, {1: 8.0}, 4) == [0, 8, 0, 4]


def test_what_is_within_reach_is_what_spreads() -> None:
    assert dict(row_of(5).within_reach(1)) == {1: 1.0, 2: 0.5, 3: 0.25, 4: 0.125}


def test_marks_spread_as_far_as_scores_whatever_was_added_and_removed() -> None:
    places = Places()
    places.load(np.array([1, 6]), 9)
    places.append(5)  # slot 9 is said of the first entity, 10 and 11 of the second
    places.append(8)
    places.append(10)
    for gone in (0, 3, 7, 10):
        if gone:
            places.remove(gone)
        for slot in {*range(1, 12)} - {3, 7, 10}:
            marks = np.zeros(12, np.bool_)
            marks[slot] = True
            places.spread_marks(marks)
            assert marks.tolist() == [score > 0 for score in spread(places, {slot: 1.0}, 12)]


def test_a_score_is_looked_up_by_its_slot() -> None:
    slots, scores = np.array([2, 5]), np.array([1.0, 3.0])
    assert lookup(slots, scores, np.array([5, 4, 2, 9])).tolist() == [3, 0, 1, 0]
    assert lookup(slots[:0], scores[:0], np.array([5])).tolist() == [0]
