"""A rewording is told from what says something else."""

from __future__ import annotations

from functools import partial

import pytest

from hostile_texts import SECONDS, hostile_texts, seconds_for
from labelled_texts import Row, labelled, part_of, score
from mnemolog.screening.claims import Claim, compare, read_claim
from mnemolog.screening.conflict import contradiction
from mnemolog.screening.near_duplicate import message, resemblance

PAIRS = labelled("pairs.jsonl")


def likeness(new: Claim, old: Claim) -> float | None:
    return resemblance(compare(new, old))


def rewords(row: Row) -> bool:
    return likeness(read_claim(row["new"]), read_claim(row["old"])) is not None


def test_what_was_held_out_is_told_apart_as_promised() -> None:
    held_out = [row for row in PAIRS if part_of(row) == "held out"]
    reached = score(held_out, "near_duplicate", rewords)
    assert reached.hits + reached.misses >= 60
    assert reached.precision >= 0.95
    assert reached.recall >= 0.85


def test_no_conflict_is_taken_for_a_rewording() -> None:
    assert not [row for row in PAIRS if row["label"] == "conflict" and rewords(row)]


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("Queue consumers have to be idempotent", "The queue consumer must be idempotent"),
        (
            "docs/errors.md documents the error codes",
            "Error codes are documented in docs/errors.md",
        ),
        ("Use structlog rather than print for logging", "Use structlog for logging, not print"),
        ("Backups are retained for 35 days", "Backups are kept for 35 days"),
    ],
)
def test_other_order_endings_and_little_words_say_the_same(new: str, old: str) -> None:
    assert likeness(read_claim(new), read_claim(old)) is not None
    assert likeness(read_claim(old), read_claim(new)) is not None


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The API server listens on port 9090", "The API listens on port 8080"),
        ("Deploys to AWS Lambda in the EU region", "Deploys to Fly.io in the EU region"),
        ("The worker does not support Windows", "The worker supports Windows"),
        ("Prefer spaces over tabs", "Prefer tabs over spaces"),
        ("The client calls the server", "The server calls the client"),
        ("The users table has a soft-delete column", "The orders table has a soft-delete column"),
        ("C# is used for the parser tools", "C++ is used for the parser tools"),
        ("Feature flag beta_ui is off", "Feature flag beta_ui is on"),
        ("Data flows from ClickHouse to Kafka", "Data flows from Kafka to ClickHouse"),
        ("Prefer inheritance to composition", "Prefer composition to inheritance"),
        ("Passwords can contain a symbol", "Passwords must contain a symbol"),
    ],
)
def test_another_value_name_or_denial_says_something_else(new: str, old: str) -> None:
    assert likeness(read_claim(new), read_claim(old)) is None


def test_a_text_that_leaves_its_subject_out_is_about_its_entity() -> None:
    old = read_claim("Uses Redis as a cache", "billing")
    assert likeness(read_claim("Uses Redis as cache", "billing"), old) is not None
    assert likeness(read_claim("Uses Redis as cache", "search"), old) is None


def test_a_fact_that_names_its_subject_is_found_on_another_entity() -> None:
    old = read_claim("Migrations must be reversible", "conventions")
    assert likeness(read_claim("Every migration must be reversible", "billing"), old) is not None


def test_a_short_fact_is_no_rewording_of_a_long_text_that_has_its_words() -> None:
    words = "the worker retries failed jobs and writes logs to stdout while tests run in docker"
    long_text = f"{words} " + " ".join(f"point{number}" for number in range(60))
    assert likeness(read_claim("Failed jobs run in docker"), read_claim(long_text)) is None


def test_scripts_without_spaces_are_compared_by_pairs_of_signs() -> None:
    old = read_claim("本番環境のデプロイは火曜日に行う")
    assert likeness(read_claim("本番環境のデプロイは火曜日に行う。"), old) is not None
    assert likeness(read_claim("テストは毎回実行する"), old) is None


def test_a_fact_that_says_more_is_no_rewording() -> None:
    short = read_claim("Nightly imports run on Kubernetes")
    more = read_claim("Nightly imports of partner catalogues run on Kubernetes jobs with retries")
    assert likeness(more, short) is None


def test_a_long_text_with_a_few_words_changed_is_a_rewording() -> None:
    words = [f"word{chr(97 + number % 26)}{chr(97 + number // 26)}" for number in range(120)]
    changed = [*words[:60], "entirely", *words[61:]]
    assert likeness(read_claim(" ".join(changed)), read_claim(" ".join(words))) is not None
    assert likeness(read_claim(" ".join(words[::-1])), read_claim(" ".join(words))) is None


def test_texts_without_words_resemble_nothing() -> None:
    assert likeness(read_claim(""), read_claim("")) is None
    assert likeness(read_claim("the"), read_claim("a")) is None


def test_the_message_names_what_is_reworded_and_what_to_do() -> None:
    text = message("Backups are kept for 35 days", "backups")
    assert "'Backups are kept for 35 days'" in text
    assert "'backups'" in text
    assert "delete_observations" in text


def test_hostile_text_is_compared_in_bounded_time() -> None:
    for text in hostile_texts("a-b/c not n't 1.2 v3 x_y"):
        assert seconds_for(partial(compare_with_itself, text)) < SECONDS


def compare_with_itself(text: str) -> None:
    likeness(read_claim(text), read_claim(text[1:]))
    contradiction(compare(read_claim(text), read_claim(text[1:])))
