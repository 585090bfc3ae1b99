"""An index that heard of every change ranks as one that is built from what is left."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemolog.graph import Graph
from mnemolog.records import (
    UNTAGGED,
    Entity,
    ObservationTags,
    Record,
    Relation,
    Superseded,
    Tombstone,
)
from mnemolog.search.index import Index, SearchResult

NOW = datetime(2026, 11, 1, tzinfo=UTC)
NAMES = ("Red Fox", "hen", "Ada (person)", "中文", "")
TEXTS = (
    "the fox ate",
    "hen",
    "Ada saw the red fox",
    "用中文写",
    "runs",
    "running hens",
    "!?",
    "fox",
)
QUERIES = ("red fox", "hen ran", "ada fox hen", "中文", '"red fox"', "person thing", "foxes")

TAGS = st.builds(
    ObservationTags,
    st.sampled_from(("2026-10-01T09:00:00+02:00", "2026-10-31T09:00:00+02:00", None)),
    st.none(),
    edited_at=st.sampled_from((None, "2026-10-30T09:00:00+02:00")),
    priority=st.sampled_from((None, "high", "low")),
)
NAME = st.sampled_from(NAMES)
SOME_TEXTS = st.lists(st.sampled_from(TEXTS), max_size=3).map(tuple)
ALL_OR_SOME_TEXTS = st.one_of(st.just(TEXTS), SOME_TEXTS)
RECORDS: st.SearchStrategy[Record] = st.one_of(
    st.builds(Entity, NAME, st.sampled_from((None, "person", "thing")), SOME_TEXTS, TAGS),
    st.builds(Relation, NAME, NAME, st.just("knows"), st.just(UNTAGGED)),
    st.builds(Superseded, NAME, st.sampled_from(TEXTS), TAGS, st.none(), st.none()),
    st.builds(
        lambda of, name, texts: Tombstone(of, None, None, name, texts),
        st.sampled_from(("entity", "observation")),
        NAME,
        ALL_OR_SOME_TEXTS,
    ),
)


def results(index: Index) -> list[SearchResult]:
    return [
        index.search(query, now=NOW, expand=expand, explain=True, limit=limit)
        for query in QUERIES
        for expand in (False, True)
        for limit in (2, 50)
    ]


def ranks(index: Index) -> list[tuple[object, ...]]:
    """Everything but spellings: which one came first is forgotten with the words themselves."""
    return [(found.hits, found.total, found.bare_entities) for found in results(index)]


@given(before=st.lists(RECORDS, max_size=12), after=st.lists(RECORDS, max_size=20))
def test_an_index_ranks_the_same_after_any_history(
    before: list[Record], after: list[Record]
) -> None:
    graph = Graph()
    graph.apply_all(before)
    graph.watch(index := Index(graph))
    for record in after:
        graph.apply(record)
        if len(after) % 2:
            index.search("fox", now=NOW, expand=True)
    assert ranks(index) == ranks(Index(graph))


@given(st.lists(RECORDS, max_size=12))
def test_the_factors_make_up_the_score(records: list[Record]) -> None:
    graph = Graph()
    graph.apply_all(records)
    for hit in (hit for result in results(Index(graph)) for hit in result.hits):
        factors = hit.factors
        assert factors
        by_words = sum(earned for earned, _ in factors.words.values())
        linked = by_words * factors.named * factors.nearness + factors.bridge
        assert hit.score == pytest.approx(linked * factors.authority * factors.activation)


@given(st.lists(RECORDS, max_size=12))
def test_a_filter_that_lets_everything_through_changes_nothing(records: list[Record]) -> None:
    graph = Graph()
    graph.apply_all(records)
    index = Index(graph)
    for query in QUERIES:
        unfiltered = index.search(query, now=NOW, expand=True)
        assert unfiltered == index.search(query, now=NOW, expand=True, is_wanted=lambda *_: True)


def test_equals_are_in_file_order_however_late_they_were_said() -> None:
    graph = Graph()
    for name in ("first", "second"):
        graph.apply(Entity(name, "x", (), UNTAGGED))
    graph.watch(index := Index(graph))
    for name in ("second", "first"):
        graph.apply(Entity(name, None, ("same words",), UNTAGGED))
    assert [hit.entity for hit in index.search("words", now=NOW).hits] == ["first", "second"]


def test_an_entity_is_found_by_name_again_when_its_last_observation_is_gone() -> None:
    graph = Graph()
    graph.apply(Entity("payments", "x", ("slow",), UNTAGGED))
    graph.watch(index := Index(graph))
    assert index.search("payments", now=NOW).bare_entities == ()
    graph.apply(Tombstone("observation", None, None, "payments", ("slow",)))
    assert index.search("payments", now=NOW).bare_entities == ("payments",)
    graph.apply(Entity("payments", None, ("fast",), UNTAGGED))
    assert index.search("payments", now=NOW).bare_entities == ()
    assert index.search("payments", now=NOW).total == 1


def test_a_name_that_is_gone_is_not_mentioned_any_more() -> None:
    graph = Graph()
    graph.apply(Entity("Zephyr", "x", ("made by Northwind",), UNTAGGED))
    graph.apply(Entity("Northwind", "x", ("in Oslo",), UNTAGGED))
    graph.watch(index := Index(graph))
    assert index.search("zephyr northwind", now=NOW, expand=True).total == 2
    graph.apply(Tombstone("entity", None, None, "Northwind", ("in Oslo",)))
    assert index.search("zephyr northwind", now=NOW, expand=True).total == 1


def test_an_index_that_has_forgotten_more_than_it_holds_ranks_the_same() -> None:
    graph = Graph()
    graph.watch(index := Index(graph))
    for number in range(1200):
        graph.apply(Entity("log", "x", (f"line {number}",), UNTAGGED))
        graph.apply(Tombstone("observation", None, None, "log", (f"line {number}",)))
    graph.apply(Entity("log", "x", ("line of sight",), UNTAGGED))
    assert ranks(index) == ranks(Index(graph))
    assert [hit.text for hit in index.search("line", now=NOW).hits] == ["line of sight"]
