"""A contradiction is named where there is one, and what can both be true raises no alarm."""

from __future__ import annotations

import pytest

from labelled_texts import Row, labelled, part_of, score
from mnemolog.screening.claims import compare, read_claim
from mnemolog.screening.conflict import Difference, contradiction, message

PAIRS = labelled("pairs.jsonl")


def difference(new: str, old: str, new_entity: str = "", old_entity: str = "") -> Difference | None:
    return contradiction(compare(read_claim(new, new_entity), read_claim(old, old_entity)))


def conflicts(row: Row) -> bool:
    return difference(row["new"], row["old"]) is not None


def test_what_was_held_out_is_told_apart_as_promised() -> None:
    held_out = [row for row in PAIRS if part_of(row) == "held out"]
    reached = score(held_out, "conflict", conflicts)
    assert reached.hits + reached.misses >= 60
    assert reached.precision >= 0.85
    assert reached.recall >= 0.6


def test_few_pairs_of_facts_that_are_both_true_conflict() -> None:
    distinct = [row for row in PAIRS if row["label"] == "distinct"]
    assert len(distinct) >= 300
    assert sum(map(conflicts, distinct)) <= len(distinct) * 0.03


def test_no_rewording_is_taken_for_a_conflict() -> None:
    rewordings = [row for row in PAIRS if row["label"] == "near_duplicate"]
    assert sum(map(conflicts, rewordings)) <= len(rewordings) * 0.02


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("Listens on port 8080", "Listens on port 9090", Difference("number", "9090", "8080")),
        (
            "The project requires Python 3.11 or newer",
            "The project requires Python 3.13 or newer",
            Difference("number", "3.13", "3.11"),
        ),
        (
            "The worker has a memory limit of 512 MB",
            "Worker memory limit: 1 GB",
            Difference("number", "1 GB", "512 MB"),
        ),
        (
            "The worker supports Windows",
            "The worker doesn't support Windows",
            Difference("negation", "not support", "support"),
        ),
        (
            "Feature X is enabled in production",
            "Feature X is disabled in production",
            Difference("opposite", "disabled", "enabled"),
        ),
        (
            "User prefers tabs over spaces",
            "User prefers spaces over tabs",
            Difference("order", "space over tab", "tab over space"),
        ),
        ("Deploys to Fly.io", "Deploys to AWS Lambda", Difference("name", "AWS Lambda", "Fly.io")),
        (
            "Uses Redis for caching",
            "Uses Memcached for caching",
            Difference("name", "Memcached", "Redis"),
        ),
    ],
)
def test_a_difference_in_one_place_is_named(old: str, new: str, expected: Difference) -> None:
    assert difference(new, old) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Uses Redis", "Uses Postgres"),
        ("Depends on libxml2", "Depends on zlib"),
        ("Speaks German", "Speaks French"),
        ("Dana is fluent in Spanish", "Dana is fluent in Dutch"),
        ("The user knows Python", "The user knows Rust"),
        ("The parser accepts JSON", "The parser accepts YAML"),
        ("Step 1 of the release is to freeze main", "Step 2 of the release is to freeze main"),
        ("The v1 API is deprecated", "The v2 API is deprecated"),
        ("Incident on 2024-03-01: queue was full", "Incident on 2024-06-12: queue was full"),
        ("Admins can delete users", "Editors can't delete users"),
        ("Use structlog for logging", "Use structlog, not print, for logging"),
        ("The timeout is 30 seconds", "The timeout of admin search requests is 5 seconds"),
        ("The cache TTL for pages is 300 seconds", "The cache TTL for images is 60 seconds"),
        ("The project uses Python", "The project uses Go"),
        ("Runs on Linux", "Runs on Windows"),
        ("Deploys to staging automatically", "Deploys to production manually"),
        ("HTTP 429 is retried", "HTTP 500 is not retried"),
        ("Benchmark with 1 thread: 12 s", "Benchmark with 4 threads: 4 s"),
        ("2025-06-01: 14 open bugs", "2025-06-08: 11 open bugs"),
        ("Server 1 is down", "Server 2 is down"),
        ("The US cluster has 3 nodes", "The EU cluster has 5 nodes"),
        ("GET /orders returns 200", "POST /orders returns 201"),
        ("Model A was trained for 10 epochs", "Model B was trained for 20 epochs"),
    ],
)
def test_what_can_both_be_true_is_no_conflict(old: str, new: str) -> None:
    assert difference(new, old) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("User prefers German", "User prefers French"),
        ("Answers in German", "Answers in French"),
        ("The service is written in Python", "The service is written in Rust"),
        ("Speaks German", "Doesn't speak German"),
        ("The project uses tabs", "The project uses spaces"),
        ("The project uses Python for its workers", "The project uses Go for its workers"),
        ("CI runs on Ubuntu 22.04", "CI runs on Ubuntu 24.04"),
        ("Maria is the tech lead", "Jonas is the tech lead"),
        ("Migrations live in db/migrations", "Migrations live in prisma/migrations"),
        ("Feature flag beta_ui is on", "Feature flag beta_ui is off"),
        ("Telemetry is turned on", "Telemetry is turned off"),
        ("The default log level is info", "The default log level is warn"),
        ("ESLint is used for linting", "Biome is used for linting"),
        ("Licensed under MIT", "Licensed under Apache-2.0"),
        ("Commits must be signed", "Commits do not need to be signed"),
        ("Workers: 4", "Workers: 8"),
        ("We decided to keep logs for 30 days", "We decided to keep logs for 90 days"),
        ("User asked to keep PRs under 400 lines", "User asked to keep PRs under 200 lines"),
        ("The user's OS is macOS", "The user's OS is Linux"),
        ("The user prefers Firefox", "The user prefers Chrome"),
        ("The default environment is staging", "The default environment is production"),
        ("Backups: 30 days", "Backups: 90 days"),
    ],
)
def test_what_there_is_one_of_still_conflicts(old: str, new: str) -> None:
    assert difference(new, old) is not None


def test_the_same_slot_of_two_entities_is_no_conflict() -> None:
    assert difference("Listens on port 9090", "Listens on port 8080", "api", "api") is not None
    assert difference("Listens on port 9090", "Listens on port 8080", "admin", "api") is None


def test_the_message_proposes_to_retire_the_old_fact() -> None:
    text = message(Difference("number", "9090", "8080"), "Listens on port 8080", "api")
    assert "'9090'" in text
    assert "'8080'" in text
    assert "'Listens on port 8080'" in text
    assert "supersede_observation (entityName 'api'" in text
