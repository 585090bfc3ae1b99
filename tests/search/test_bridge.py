"""A bridge earns what its formula says."""

from __future__ import annotations

import numpy as np

from mnemolog.search.bridge import path_scores


def test_a_path_earns_the_open_words_and_most_of_the_hit_by_the_fan() -> None:
    earned = path_scores(8.0, np.array([3.0, 0.0, 3.0]), np.array([1.0, 1.0, 5.0]))
    assert earned.tolist() == [9.0, 6.0, 1.8]
