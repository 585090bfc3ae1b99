"""Leaving observations out of the ranking changes nothing about the best, nor about the count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemolog.graph import Graph
from mnemolog.records import UNTAGGED, Entity, ObservationTags, Tombstone
from mnemolog.search import maxscore
from mnemolog.search.corpus import Corpus
from mnemolog.search.index import Index, SearchResult
from mnemolog.search.maxscore import best_by_words
from mnemolog.search.query import understand
from mnemolog.search.relevance import matches, relevance

NOW = datetime(2026, 11, 1, tzinfo=UTC)

WORDS = st.sampled_from(["the", "the", "the", "cache", "cache", "disk", "raft"])
TEXTS = st.builds(
    lambda words, fillers: " ".join(words) + " filler" * fillers,
    st.lists(WORDS, min_size=1, max_size=6),
    st.sampled_from([0, 0, 0, 0, 0, 0, 0, 300]),
)
TAGS = st.builds(
    lambda priority, days: replace(
        UNTAGGED,
        priority=priority,
        added_at=None if days is None else (NOW - timedelta(days=days)).isoformat(),
    ),
    st.sampled_from([None, None, None, "high", "low"]),
    st.sampled_from([None, 0, 1, 100]),
)


@pytest.fixture(autouse=True)
def leaves_out_whatever_it_can() -> Iterator[None]:
    """Small memories are ranked as a whole otherwise."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(maxscore, "_LARGE", 0)
        patch.setattr(maxscore, "_WORTH_IT", 1)
        patch.setattr(maxscore, "_FEW", 1)
        yield


def in_both_ways(index: Index, query: str, limit: int) -> tuple[SearchResult, SearchResult]:
    """Return what is found with some left out, and with all scored, as any filter asks for."""
    return (
        index.search(query, now=NOW, limit=limit),
        index.search(query, now=NOW, limit=limit, is_wanted=lambda _name, _text: True),
    )


@settings(max_examples=200)
@given(
    facts=st.lists(st.tuples(st.integers(0, 5), TEXTS, TAGS), min_size=10, max_size=40),
    gone=st.lists(st.integers(0, 39), max_size=8),
    later=st.lists(st.tuples(st.integers(0, 5), TEXTS, TAGS), max_size=5),
    query=st.builds(
        " ".join, st.lists(st.one_of(WORDS, st.just("service 3")), min_size=1, max_size=4)
    ),
    limit=st.integers(1, 6),
)
def test_the_best_are_the_same_as_of_all(
    facts: list[tuple[int, str, ObservationTags]],
    gone: list[int],
    later: list[tuple[int, str, ObservationTags]],
    query: str,
    limit: int,
) -> None:
    graph = Graph()
    for number, text, tags in facts:
        graph.apply(Entity(f"service {number}", "thing", (text,), tags))
    index = Index(graph)
    graph.watch(index)
    for at in gone:
        for number, text, _ in facts[at : at + 1]:
            graph.apply(Tombstone("observation", None, None, f"service {number}", (text,)))
    for number, text, tags in later:
        graph.apply(Entity(f"service {number}", "thing", (text,), tags))
    some_left_out, all_scored = in_both_ways(index, query, limit)
    assert some_left_out == all_scored


def test_what_is_named_in_the_query_is_worth_more_than_its_words() -> None:
    graph = Graph()
    for number in range(20):
        graph.apply(Entity(f"node {number}", "thing", ("raft raft raft raft",), UNTAGGED))
    graph.apply(Entity("raft", "thing", ("stands here",), UNTAGGED))
    some_left_out, all_scored = in_both_ways(Index(graph), "raft", 1)
    assert some_left_out == all_scored
    assert some_left_out.hits[0].text == "stands here"


def test_most_are_left_out() -> None:
    graph = Graph()
    for number in range(500):
        text = "the raft quorum" if number % 50 == 0 else "the disk"
        graph.apply(Entity(f"node {number}", "thing", (text,), UNTAGGED))
    corpus = Corpus(graph)
    matched = matches(corpus, understand("the raft quorum", corpus.lexicon))
    contenders = best_by_words(corpus, matched, 5, 1.1)
    assert len(contenders.slots) == 10
    assert contenders.total == 500
    everything = relevance(corpus, matched)
    assert contenders.scores.tolist() == everything.scores[contenders.slots].tolist()
