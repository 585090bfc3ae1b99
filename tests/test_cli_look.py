"""`mnemolog search`, `show`, `list` and `stats`."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

import command_line
from cases import CASES
from command_line import NOON, invoke, memory, run, run_json
from mnemolog.requests import NewEntity, NewObservations, RelationTriple

folder = command_line.folder
pytestmark = pytest.mark.usefixtures("folder")


@pytest.fixture
def filled(folder: Path) -> Path:
    first, later = memory(NOON), memory(NOON + timedelta(days=40))
    facts = ("Runs on port 8080.", "Is written in Go.")
    first.create_entities([NewEntity("api", "service", facts)], "codex")
    first.create_entities([NewEntity("db", "database", (), "high")], "codex")
    first.create_relations([RelationTriple("api", "db", "reads")], "codex")
    later.add_observations([NewObservations("db", ("Is PostgreSQL 16.",), "high")], "claude-code")
    later.supersede_observation("api", facts[0], "claude-code", new_text="Runs on Kubernetes.")
    return folder


# --- search --------------------------------------------------------------------------------------


def test_search_prints_the_facts_best_first_with_their_tags() -> None:
    facts = ("Deploys to Fly.io on merge.", "Tests run with pytest.")
    memory(NOON).create_entities([NewEntity("api", "service", facts)], "codex")
    first, *_ = run("search", "where does it deploy").splitlines()
    assert first == "1. api: Deploys to Fly.io on merge.  (2026-03-02T12:00:00+00:00, codex)"


def test_search_explains_every_factor_of_a_score() -> None:
    memory().create_entities([NewEntity("api", "service", ("Deploys on merge.",))], "codex")
    explained = run("search", "--explain", "deploys")
    assert "The word 'deploys' earns" in explained
    assert "Its priority counts 0.6 times." in explained


def test_search_finds_entities_by_name_and_suggests_spellings() -> None:
    memory().create_entities([NewEntity("scheduler", "service", ())], "codex")
    assert run("search", "scheduler") == "scheduler (service)\n"
    assert run("search", "schedular") == "Nothing was found. Did you mean: scheduler?\n"
    assert run("search", "zzzzzz") == "Nothing was found.\n"


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--since", "2026-04-01"), {"Is PostgreSQL 16.", "Runs on Kubernetes."}),
        (("--before", "2026-04-01"), {"Is written in Go."}),
        (("--agent", "codex"), {"Is written in Go."}),
        (("--type", "database"), {"Is PostgreSQL 16."}),
        (("--min-priority", "high"), {"Is PostgreSQL 16."}),
        (
            ("--superseded", "--type", "service"),
            {"Runs on port 8080.", "Runs on Kubernetes.", "Is written in Go."},
        ),
    ],
)
def test_search_takes_the_filters_of_the_tool(options: tuple[str, ...], expected: set[str]) -> None:
    found = run_json("search", "written runs PostgreSQL", *options)
    assert {hit["text"] for hit in found["hits"]} == expected


@pytest.mark.usefixtures("filled")
def test_search_says_since_when_a_fact_is_no_longer_true() -> None:
    assert "no longer true since 2026-04-11" in run("search", "--superseded", "port 8080")


@pytest.mark.parametrize(
    "words",
    [("search", "x", "--since", "yesterday"), ("search", "x", "--explain", "--json"), ("search",)],
)
def test_what_cannot_be_meant_is_a_usage_error(words: tuple[str, ...]) -> None:
    run(*words, code=2)


# --- show ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("filled")
def test_show_prints_numbered_facts_with_their_tags_and_the_relations() -> None:
    assert run("show", "db").splitlines() == [
        "db (database)  2026-03-02, codex",
        "  1. Is PostgreSQL 16.  (2026-04-11, claude-code, high priority)",
        "Relations",
        "  api reads db  (2026-03-02, codex)",
    ]


@pytest.mark.usefixtures("filled")
def test_show_keeps_history_for_when_it_is_asked_for() -> None:
    assert "8080" not in run("show", "api")
    assert (
        "No longer true\n  Runs on port 8080.  (2026-03-02, codex; until 2026-04-11, claude-code; "
        "now: Runs on Kubernetes.)\n"
    ) in run("show", "api", "--history")
    (api,) = run_json("show", "api", "--history")["entities"]
    assert [old["text"] for old in api["superseded"]] == ["Runs on port 8080."]


@pytest.mark.usefixtures("filled")
def test_show_names_what_is_near_when_nothing_has_the_name() -> None:
    memory().create_entities([NewEntity("Payment Service", "service", ())], "codex")
    assert 'No entity is named "API". Did you mean "api"?' in run("show", "API", code=1)
    assert 'Did you mean "Payment Service"?' in run("show", "payment", code=1)
    assert 'Did you mean "Payment Service"?' in run("show", "paymentservice", code=1)
    assert run("show", "zebra", code=1) == 'Error: No entity is named "zebra".\n'


@pytest.mark.usefixtures("filled")
def test_looking_at_an_entity_is_no_use_of_it() -> None:
    access = memory().location.path.with_name("memory.local.access.jsonl")
    run("show", "api")
    assert not access.exists()
    memory().open_nodes(["api"])
    assert access.exists()


def test_lines_that_cannot_be_read_are_named_on_stderr(filled: Path) -> None:
    with (filled / ".agents" / "memory.local.jsonl").open("a", encoding="utf-8") as file:
        file.write("<<<<<<< HEAD\n")
    memory().add_observations([NewObservations("db", ("Is large.",))], "codex")
    for words in (["show", "db"], ["list"], ["search", "large"]):
        result = invoke(*words)
        assert "is kept, but not read" in result.stderr
        assert "is kept, but not read" not in result.stdout


# --- list ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("filled")
def test_list_prints_each_entity_with_how_much_there_is_to_it() -> None:
    assert run("list").splitlines() == [
        "api (service)  2 observations, last 2026-04-11 by claude-code",
        "db (database)  1 observation, last 2026-04-11 by claude-code",
    ]


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--type", "service"), {"api": 2}),
        (("--min-priority", "high"), {"db": 1}),
        (("--agent", "codex"), {"api": 1}),
        (("--since", "2026-04-01"), {"api": 1, "db": 1}),
        (("--since", "2026-05-01"), {}),
        (("--limit", "1"), {"api": 2}),
        (("--sort", "type"), {"db": 1, "api": 2}),
        (("--sort", "observations"), {"api": 2, "db": 1}),
    ],
)
def test_list_counts_only_what_is_asked_for(
    options: tuple[str, ...], expected: dict[str, int]
) -> None:
    found = run_json("list", *options)
    assert [(e["name"], len(e["observations"])) for e in found] == list(expected.items())


@pytest.mark.usefixtures("filled")
def test_list_sorts_by_the_last_change() -> None:
    at = NOON + timedelta(days=50)
    memory(at).edit_observation("db", "Is PostgreSQL 16.", "ada", new_text="Is PostgreSQL 17.")
    first, _ = run("list", "--sort", "changed").splitlines()
    assert first == "db (database)  1 observation, last 2026-04-21 by ada"


def test_list_lays_an_edit_that_names_nobody_to_nobody(folder: Path) -> None:
    memory(NOON).create_entities([NewEntity("api", "service", ("Is written in Go.",))], "codex")
    log = folder / ".agents" / "memory.local.jsonl"
    said = log.read_text(encoding="utf-8")
    edited = said.replace('"agent":"codex"}', '"agent":"codex","edited_at":"2026-04-21T12:00:00Z"}')
    assert edited != said
    log.write_text(edited, encoding="utf-8", newline="\n")
    assert run("list") == "api (service)  1 observation, last 2026-04-21 by unknown\n"
    assert run_json("list", "--agent", "codex") == []


@pytest.mark.usefixtures("filled")
def test_list_of_what_is_superseded_names_no_other_entity() -> None:
    listed = run("list", "--status", "superseded", "--observations")
    assert listed.splitlines() == [
        "api (service)  1 superseded observation, last 2026-04-11 by claude-code",
        "  Runs on port 8080.",
    ]


def test_list_of_an_empty_memory_says_so_and_succeeds() -> None:
    assert run("list") == "Nothing is listed: the memory has no such facts.\n"
    assert run_json("list") == []


# --- stats ---------------------------------------------------------------------------------------


def test_stats_count_everything(filled: Path) -> None:
    size = (filled / ".agents" / "memory.local.jsonl").stat().st_size
    counts = run_json("stats")
    assert {
        key: counts[key] for key in ("entities", "observations", "superseded", "relations")
    } == {
        "entities": 2,
        "observations": 3,
        "superseded": 1,
        "relations": 1,
    }
    assert counts["entityTypes"] == [
        {"name": "database", "count": 1},
        {"name": "service", "count": 1},
    ]
    assert counts["agents"] == [
        {"name": "claude-code", "count": 2},
        {"name": "codex", "count": 1},
    ]
    assert counts["priorities"] == [{"name": "medium", "count": 2}, {"name": "high", "count": 1}]
    assert counts["months"] == [{"name": "2026-03", "count": 2}, {"name": "2026-04", "count": 2}]
    assert (counts["file_bytes"], counts["lines"], counts["dead_lines"]) == (size, 6, 0)


@pytest.mark.usefixtures("filled")
def test_stats_say_what_a_compaction_would_save() -> None:
    memory().delete_entities(["db"], "codex")
    before = run_json("stats")
    assert "would drop 5 lines" in run("stats")
    run("compact")
    after = run_json("stats")
    assert (after["dead_lines"], after["file_bytes"]) == (0, before["live_bytes"])


def test_stats_promise_nothing_of_a_compaction_of_a_document_of_another_server() -> None:
    path = memory().location.path
    path.parent.mkdir()
    path.write_bytes(CASES["a graph object on one line"].content)
    before = run_json("stats")
    run("compact")
    assert before["file_bytes"] == before["live_bytes"] == path.stat().st_size


@pytest.mark.usefixtures("filled")
def test_stats_leave_a_torn_last_call_out_of_what_they_count() -> None:
    path = memory().location.path
    counts = run_json("stats")
    path.write_bytes(path.read_bytes() + b'{"type":"entity","na')
    torn = run_json("stats")
    assert torn["file_bytes"] == counts["file_bytes"] + 20
    assert (torn["lines"], torn["live_bytes"]) == (counts["lines"], counts["live_bytes"])


@pytest.mark.usefixtures("filled")
def test_stats_say_which_lines_they_do_not_count() -> None:
    assert "problems" not in run_json("stats")
    path = memory().location.path
    path.write_bytes(path.read_bytes() + b'{"type":"entity","na\n' + path.read_bytes())
    assert [problem["line"] for problem in run_json("stats")["problems"]] == [7]
    assert "Line 7 is kept, but not read" in invoke("stats").stderr


@pytest.mark.usefixtures("filled")
def test_stats_print_the_most_frequent_first_and_say_how_many_are_left() -> None:
    assert "Agents\n  2  claude-code\n  ... and 1 more\n" in run("stats", "--most", "1")
