"""What a search finds, in which order, and why: each promise about the ranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from mnemolog.graph import Graph
from mnemolog.records import (
    UNTAGGED,
    Entity,
    ObservationTags,
    Priority,
    Relation,
    Superseded,
    Tombstone,
)
from mnemolog.search.explanation import explain
from mnemolog.search.index import Index, SearchResult
from mnemolog.search.relevance import MOST_WORDS

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)


def graph_of(facts: Mapping[str, Sequence[str]], entity_type: str = "thing") -> Graph:
    graph = Graph()
    for name, texts in facts.items():
        graph.apply(Entity(name, entity_type, tuple(texts), UNTAGGED))
    return graph


def search(graph: Graph, query: str, **options: object) -> SearchResult:
    return Index(graph).search(query, now=NOW, **options)  # type: ignore[arg-type] # checked by use


def texts(result: SearchResult) -> list[str]:
    return [hit.text for hit in result.hits]


def tagged(age: timedelta, priority: Priority | None = None) -> ObservationTags:
    return replace(UNTAGGED, added_at=(NOW - age).isoformat(), priority=priority)


# --- small and odd memories ----------------------------------------------------------------------


@pytest.mark.parametrize("count", range(1, 6))
def test_a_small_memory_ranks_and_no_match_scores_zero(count: int) -> None:
    facts = [f"the cache holds {number} items" for number in range(count)]
    result = search(graph_of({"cache": facts}), "cache 0")
    assert result.hits[0].text == facts[0]
    assert len(result.hits) == result.total == count
    assert all(hit.score > 0 for hit in result.hits)


def test_an_empty_memory_finds_nothing() -> None:
    assert search(Graph(), "anything", expand=True) == SearchResult((), 0, (), ())


@pytest.mark.parametrize("query", ["", "   ", "?!... --", '"', '""'])
def test_a_query_without_a_word_finds_nothing(query: str) -> None:
    assert search(graph_of({"a": ["one fact"]}), query).total == 0


def test_ranks_count_from_one_and_scores_fall() -> None:
    result = search(
        graph_of({"db": ["postgres is slow", "postgres, postgres", "a disk"]}), "postgres"
    )
    assert [hit.rank for hit in result.hits] == [1, 2, 3]
    scores = [hit.score for hit in result.hits]
    assert scores == sorted(scores, reverse=True)


def test_equals_are_in_file_order_and_a_limit_keeps_the_first() -> None:
    facts = {f"entity {number}": ["same words"] for number in range(30)}
    result = search(graph_of(facts), "same words", limit=7)
    assert [hit.entity for hit in result.hits] == [f"entity {number}" for number in range(7)]
    assert result.total == 30


def test_a_word_on_half_of_all_facts_still_ranks() -> None:
    facts = [f"fact {n} about {'caching' if n % 2 else 'routing'}" for n in range(1000)]
    result = search(graph_of({f"e{n}": [fact] for n, fact in enumerate(facts)}), "caching 77")
    assert result.hits[0].text == facts[77]
    assert all("caching" in text for text in texts(result))
    assert result.total == 500


def test_446_observations_of_one_entity_are_told_apart() -> None:
    facts = [f"step {n} sets knob{n} to {n * 7}" for n in range(446)]
    result = search(graph_of({"runbook": facts, "other": ["no steps"]}), "knob300", expand=True)
    assert result.hits[0].text == facts[300]


def test_a_query_of_10000_characters_is_answered_by_its_rarest_words() -> None:
    facts = [f"word{n} common" for n in range(3 * MOST_WORDS)] + ["needle common"]
    query = " ".join(["needle", *(f"word{n} common" for n in range(1000))])[:10_000]
    assert "needle common" in texts(search(graph_of({"a": facts}), query, limit=100))


# --- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "fact"),
    [
        ("ranked", "the ranking of hits"),
        ("cafe", "meet at the Café"),
        ("STRASSE", "in der Straße"),
        ("搜索", "我们用中文搜索记忆"),
        ("猫", "黒猫が好き"),
        ("データベース", "データベースを移行した"),
        ("한국어", "그는 한국어를 배운다"),
        ("محمد", "كتب مُحَمَّد الوثيقة"),
        ("हिन्दी", "वह हिन्दी बोलती है"),
        ("🚀", "ship it 🚀 today"),
        ("user", "see UserService"),
        ("userservice", "see user_service"),
        ("user_service", "see UserService"),
        ("graph.py", "edit src/mnemolog/graph.py first"),
        ("src/mnemolog/graph.py", "edit src/mnemolog/graph.py first"),
        ("1.12.3", "pinned to 1.12.3"),
        ("jo@example.org", "ask jo@example.org"),
        ("2026-10-01", "due 2026-10-01"),
        ("2026", "due 2026-10-01"),
        ("O'Brien", "signed by O\u2019Brien"),
    ],
)
def test_every_kind_of_word_is_found(query: str, fact: str) -> None:
    graph = graph_of({"one": ["nothing of the sort"], "two": [fact], "three": ["nor here"]})
    assert texts(search(graph, query)) == [fact]


FACTS = {
    "billing-service": ["Uses PostgreSQL 15.2 (primary).", "Owner: Ana-María; see docs/billing.md"],
    "工单系统": ["负责人是小王", "path C:\\tools\\run.exe"],
    "O'Hara": ["likes naïve_bayes & HTTPServer", "e-mail: o@hara.ie", "is 42% done?"],
}


@pytest.mark.parametrize(
    "word",
    [
        *("billing", "service", "uses", "postgresql", "15", "primary", "owner", "ana", "maría"),
        *("docs", "md", "tools", "exe", "naïve", "bayes", "httpserver", "hara", "ie", "42"),
        *("done", "thing"),
    ],
)
def test_what_server_memory_finds_for_a_whole_word_is_found(word: str) -> None:
    graph = graph_of(FACTS)
    by_substring = {
        entity.name
        for entity in graph
        if any(word in s.lower() for s in (entity.name, entity.entity_type, *entity.observations))
    }
    assert by_substring
    assert by_substring <= {hit.entity for hit in search(graph, word).hits}


def test_question_words_are_dropped_unless_they_are_all_there_is() -> None:
    graph = graph_of({"a": ["who knows what", "deploys run on Friday"]})
    assert texts(search(graph, "what deploys"))[0] == "deploys run on Friday"
    assert texts(search(graph, "who what"))[0] == "who knows what"


def test_a_quoted_phrase_must_appear_whole_and_unstemmed() -> None:
    graph = graph_of({"a": ["rate limits apply"], "b": ["limit the rate"], "c": ["a Rate-Limit"]})
    assert texts(search(graph, '"rate limit"')) == ["a Rate-Limit"]
    assert texts(search(graph, '"rate limit" "no such"')) == []


def test_a_phrase_of_question_words_counts() -> None:
    graph = graph_of({"a": ["the what if case"], "b": ["the case"]})
    assert texts(search(graph, 'case "what if"')) == ["the what if case"]


def test_a_lone_quotation_mark_is_punctuation() -> None:
    graph = graph_of({"a": ["rate limits apply"]})
    assert texts(search(graph, '"rate limit')) == ["rate limits apply"]


def test_the_name_and_the_type_are_searched_with_each_observation() -> None:
    graph = graph_of({"payments": ["written in Go"]}, entity_type="service")
    assert texts(search(graph, "payments")) == ["written in Go"]
    assert texts(search(graph, "services")) == ["written in Go"]


def test_an_entity_without_observations_is_found_by_its_name() -> None:
    graph = graph_of({"payments": [], "payments api": [], "unrelated": []})
    assert search(graph, "payments").bare_entities == ("payments", "payments api")
    assert search(
        graph, "payments", is_wanted=lambda name, _: name != "payments"
    ).bare_entities == ("payments api",)


def test_near_spellings_are_offered_when_nothing_is_found() -> None:
    graph = graph_of({"a": ["continuing education"]})
    assert search(graph, "educaton").did_you_mean == ("education",)
    assert search(graph, "education educaton").did_you_mean == ()


def test_a_word_that_occurs_is_not_offered_in_its_own_place() -> None:
    graph = graph_of({"a": ["continuing education"]})
    assert search(graph, "education", is_wanted=lambda *_: False).did_you_mean == ()
    assert search(graph, '"education continuing"').did_you_mean == ()


def test_a_spelling_that_is_gone_is_not_offered() -> None:
    graph = graph_of({"a": ["continuing education", "other"]})
    graph.watch(index := Index(graph))
    graph.apply(Tombstone("observation", None, None, "a", ("continuing education",)))
    assert index.search("educaton", now=NOW).did_you_mean == ()


def test_a_near_spelling_of_a_word_that_is_gone_is_offered() -> None:
    graph = graph_of({"a": ["deployment", "deploymant"]})
    graph.watch(index := Index(graph))
    graph.apply(Tombstone("observation", None, None, "a", ("deploymant",)))
    assert index.search("deploymant", now=NOW).did_you_mean == ("deployment",)


# --- factors -------------------------------------------------------------------------------------


def test_a_neighbour_lends_its_words() -> None:
    graph = graph_of({"talk": ["How was the marathon?", "Great!", *"uvwxyz"], "b": ["x"]})
    assert "Great!" in texts(search(graph, "marathon"))
    assert len(search(graph, "marathon").hits) == 4


@pytest.mark.parametrize(
    ("better", "worse"), [("high", "medium"), ("medium", "low"), ("high", "low"), (None, "low")]
)
def test_of_two_equal_facts_the_one_of_more_authority_comes_first(
    better: Priority | None, worse: Priority
) -> None:
    graph = Graph()
    for priority in (worse, better):
        tags = replace(UNTAGGED, priority=priority)
        graph.apply(Entity(f"{priority}", "x", (f"use tabs {priority}",), tags))
    assert search(graph, "use tabs").hits[0].entity == str(better)


def test_authority_never_lifts_a_fact_that_does_not_match() -> None:
    graph = graph_of({"a": ["about spaces"]})
    graph.apply(Entity("b", "thing", ("about tabs",), tagged(timedelta(), "high")))
    assert texts(search(graph, "spaces")) == ["about spaces"]


def test_of_two_equal_facts_the_newer_comes_first() -> None:
    graph = Graph()
    for name, days in (("old", 90), ("new", 1)):
        graph.apply(Entity(name, "x", ("port is 80",), tagged(timedelta(days=days))))
    assert [hit.entity for hit in search(graph, "port").hits] == ["new", "old"]


def test_being_new_does_not_beat_fitting_better() -> None:
    graph = Graph()
    graph.apply(Entity("old", "x", ("the port of the proxy is 80",), tagged(timedelta(days=900))))
    graph.apply(Entity("new", "x", ("the port of the server is 80",), tagged(timedelta(0))))
    assert search(graph, "port proxy").hits[0].entity == "old"


def test_a_date_ahead_of_the_clock_is_just_now_and_breaks_nothing() -> None:
    graph = Graph()
    for name, age in (("ahead", -timedelta(days=1)), ("now", timedelta(0))):
        graph.apply(Entity(name, "x", ("port is 80",), tagged(age)))
    first, second = search(graph, "port").hits
    assert first.score == second.score
    assert first.entity == "ahead"


def test_an_entity_that_was_opened_comes_before_its_equal() -> None:
    graph = graph_of({"a": ["port is 80"], "b": ["port is 80"]})
    opens = {"b": [(NOW - timedelta(hours=1)).timestamp()], "gone": [0.0]}
    assert [hit.entity for hit in search(graph, "port", opens=opens).hits] == ["b", "a"]


def test_filters_leave_facts_out_and_the_statistics_alone() -> None:
    graph = graph_of({"a": ["port is 80"], "b": ["port is 81"], "c": ["port is 82"]})
    every = {hit.entity: hit.score for hit in search(graph, "port").hits}
    result = search(graph, "port", is_wanted=lambda name, _: name != "a")
    assert {hit.entity: hit.score for hit in result.hits} == {"b": every["b"], "c": every["c"]}
    assert result.total == 2


def test_the_factors_multiply_to_the_score_and_can_be_read() -> None:
    graph = linked_graph()
    result = search(graph, "who founded the maker of Zephyr", expand=True, explain=True)
    for hit in result.hits:
        factors = hit.factors
        assert factors
        by_words = sum(score for score, _ in factors.words.values())
        linked = by_words * factors.named * factors.nearness + factors.bridge
        assert hit.score == pytest.approx(linked * factors.authority * factors.activation)
    sentences = "\n".join(line for hit in result.hits for line in explain(hit))
    for said in ("The word 'zephyr' earns", "whole name", "Links lead", "leads to it", "priority"):
        assert said in sentences
    assert explain(search(graph, "zephyr").hits[0])[0].startswith("Score ")


# --- links ---------------------------------------------------------------------------------------


def linked_graph() -> Graph:
    graph = graph_of(
        {
            "Zephyr": ["The maker of Zephyr is Northwind Labs."],
            "Northwind Labs (company)": ["Founded by Ada in 1999."],
            "Southwind": ["Founded by Bob in 2001."],
            "Ada": ["Lives in Oslo."],
        }
    )
    graph.apply(Relation("Zephyr", "Ada", "praised by", UNTAGGED))
    return graph


def test_an_entity_that_the_best_hit_mentions_joins_by_what_is_still_asked() -> None:
    graph = linked_graph()
    query = "who founded the maker of Zephyr"
    expanded = search(graph, query, expand=True)
    assert texts(expanded)[:2] == [
        "The maker of Zephyr is Northwind Labs.",
        "Founded by Ada in 1999.",
    ]
    plain = {hit.text: hit.score for hit in search(graph, query).hits}
    assert plain["Founded by Ada in 1999."] == pytest.approx(
        plain["Founded by Bob in 2001."], rel=0.2
    )


def test_an_entity_that_the_best_hit_is_related_to_joins_without_a_word() -> None:
    graph = linked_graph()
    assert "Lives in Oslo." not in texts(search(graph, "zephyr"))
    assert "Lives in Oslo." in texts(search(graph, "zephyr", expand=True))


def test_what_is_not_wanted_does_not_join_by_a_link() -> None:
    graph = linked_graph()
    result = search(graph, "zephyr", expand=True, is_wanted=lambda name, _: name != "Ada")
    assert "Lives in Oslo." not in texts(result)


# --- history -------------------------------------------------------------------------------------


def test_superseded_facts_neither_match_nor_count_unless_asked_for() -> None:
    graph = graph_of({"db": ["runs postgres 14", "runs postgres 16"], "web": ["runs nginx"]})
    without = graph_of({"db": ["runs postgres 16"], "web": ["runs nginx"]})
    graph.apply(Superseded("db", "runs postgres 14", UNTAGGED, None, None))
    assert search(graph, "postgres").hits == search(without, "postgres").hits
    everything = Index(graph, with_superseded=True).search("postgres 14", now=NOW)
    assert texts(everything)[0] == "runs postgres 14"


def test_history_that_outlived_its_entity_is_found_when_asked_for() -> None:
    graph = Graph()
    graph.apply(Superseded("gone", "ran on mysql", UNTAGGED, None, None))
    assert search(graph, "mysql").total == 0
    assert Index(graph, with_superseded=True).search("mysql", now=NOW).hits[0].entity == "gone"


def test_what_a_quoted_phrase_leads_to_stands_behind_what_has_it() -> None:
    graph = graph_of({"deploys": [f"plan 19 {'is long and says much ' * 100}"]})
    for number in range(30):
        graph.apply(Entity(f"service {number}", "thing", (f"plan {number}",), UNTAGGED))
        graph.apply(Relation("deploys", f"service {number}", "concerns", UNTAGGED))
    result = search(graph, '"plan 19 is"', expand=True, explain=True)
    assert result.hits[0].entity == "deploys"
    assert len(result.hits) == 20
    for hit in result.hits[1:]:
        assert hit.factors is not None
        assert (dict(hit.factors.words), hit.factors.bridge > 0) == ({}, True)
