"""Scores are those of BM25's formula, whatever was added and removed before."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25, BM25Okapi

from mnemolog.search.bm25 import K1, B, BM25Postings


class OkapiWithOurIdf(BM25Okapi):  # type: ignore[misc] # rank-bm25 has no type hints
    def _calc_idf(self, nd: Mapping[str, int]) -> None:
        for word, n in nd.items():
            self.idf[word] = math.log(1 + (self.corpus_size - n + 0.5) / (n + 0.5))


WORDS = st.lists(st.sampled_from("abcde"), min_size=1, max_size=6)
CHANGES = st.lists(st.one_of(WORDS, st.integers(0, 20)), max_size=25)
"""A list of words is added; a number removes the document that stands there."""


@given(loaded=st.lists(WORDS, max_size=4), changes=CHANGES, query=WORDS)
def test_scores_are_those_of_okapi_after_any_history(
    loaded: list[list[str]], changes: list[list[str] | int], query: list[str]
) -> None:
    ours = BM25Postings()
    numbers = [(ord(word), at + 1) for at, document in enumerate(loaded) for word in document]
    words, slots = np.array(numbers, np.int64).reshape(-1, 2).T
    ours.load(words, slots, len(loaded))
    live = dict(enumerate(loaded, start=1))
    for change in changes:
        if not isinstance(change, int):
            live[ours.add(map(ord, change))] = change
        elif live:
            slot = list(live)[change % len(live)]
            ours.remove(slot)
            del live[slot]
    if not live:
        assert ours.corpus_size == 0
        return
    okapi = OkapiWithOurIdf(list(live.values()), k1=K1, b=B)
    asked = [ord(word) for word in query]
    assert ours.get_scores(asked) == pytest.approx(okapi.get_scores(query), abs=1e-9)
    assert ours.corpus_size == okapi.corpus_size
    assert ours.avgdl == pytest.approx(okapi.avgdl)
    assert ours.doc_len == okapi.doc_len
    by_number = [{ord(word): f for word, f in of_one.items()} for of_one in okapi.doc_freqs]
    assert ours.doc_freqs == by_number


def test_it_has_the_interface_of_rank_bm25() -> None:
    corpus = [["red", "fox"], ["red", "red", "hen"], ["hen"]]
    index = BM25Postings(corpus)
    assert isinstance(index, BM25)
    assert index.get_top_n(["red"], ["first", "second", "third"], n=1) == ["second"]
    assert index.get_batch_scores(["red"], [2, 1]) == index.get_scores(["red"])[[2, 1]].tolist()


def test_the_idf_is_the_one_of_the_formula() -> None:
    index = BM25Postings([["a"], ["b"], ["c"]])
    index.get_scores(["a"])
    assert index.idf["a"] == pytest.approx(0.98083, abs=1e-5)  # ln(1 + 2.5 / 1.5)


def test_a_score_is_the_one_of_the_formula() -> None:
    index = BM25Postings([["a", "a", "b"], ["b"]], k1=1.2, b=0.75)
    # f 2, |D| 3, avgdl 2: ln 2 · 2 · 2.2 / (2 + 1.2 · (0.25 + 0.75 · 1.5))
    assert index.get_scores(["a"])[0] == pytest.approx(math.log(2) * 4.4 / 3.65)


@pytest.mark.parametrize("documents", [1, 2, 3, 5])
def test_a_match_scores_above_zero_even_in_every_document(documents: int) -> None:
    index = BM25Postings([["same"]] * documents)
    assert (index.get_scores(["same"]) > 0).all()


def test_an_empty_index_finds_nothing() -> None:
    assert BM25Postings().get_scores(["a"]).tolist() == []
