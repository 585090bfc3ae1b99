"""`mnemolog log` and `undo`."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

import command_line
import repositories
from command_line import NOON, memory, on_a_terminal, run, run_json, texts_of
from mnemolog.requests import NewEntity, NewObservations, RelationTriple
from repositories import Run, needs_git, new

folder = command_line.folder
git = repositories.run


@pytest.fixture
def filled(folder: Path) -> Path:
    first, later = memory(NOON), memory(NOON + timedelta(days=3))
    first.create_entities([NewEntity("api", "service", ("Is fast.",))], "codex")
    first.create_entities([NewEntity("db", "database", ())], "codex")
    later.edit_observation("api", "Is fast.", "claude-code", new_text="Is quick.")
    later.create_relations([RelationTriple("api", "db", "reads")], "codex")
    return folder


@pytest.mark.usefixtures("filled")
def test_log_prints_whole_calls_the_last_one_first() -> None:
    rest = (
        "From line 3 on nothing has been dropped; of what is older, a compaction may have dropped "
        "lines."
    )
    assert run("log").splitlines() == [
        "2026-03-05 12:00  codex  (line 5)",
        "  + api reads db",
        "2026-03-05 12:00  claude-code  (lines 3-4)",
        "  ~ api: Is quick.  (was: Is fast.)",
        "2026-03-02 12:00  codex  (line 2)",
        "  + db (database)",
        "2026-03-02 12:00  codex  (line 1)",
        "  + api (service)",
        "  + api: Is fast.",
        f"The log reaches back to 2026-03-02 12:00. {rest}",
    ]


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize(
    ("options", "lines"),
    [
        (("--agent", "claude-code"), [3]),
        (("--since", "2026-03-05"), [5, 3]),
        (("--before", "2026-03-05"), [2, 1]),
        (("--entity", "db"), [5, 2]),
        (("--limit", "1"), [5]),
        (("--limit", "0"), [5, 3, 2, 1]),
    ],
)
def test_log_is_filtered(options: tuple[str, ...], lines: list[int]) -> None:
    assert [call["line"] for call in run_json("log", *options)["calls"]] == lines


def test_log_of_one_entity_leaves_out_what_else_a_call_changed(folder: Path) -> None:
    memory(NOON).create_entities([NewEntity("api", "service", ()), NewEntity("db", "x", ())], "a")
    printed = run("log", "--entity", "db")
    assert "  + db (x)\n  ... and 1 change of other entities\n" in printed
    assert "api (service)" not in printed
    assert folder.exists()


@pytest.mark.usefixtures("filled")
def test_log_says_how_many_calls_are_not_shown() -> None:
    assert "3 earlier calls not shown; --limit 0 shows all." in run("log", "--limit", "1")


@pytest.mark.usefixtures("folder")
def test_log_cuts_a_long_call_short_unless_all_of_it_is_wanted() -> None:
    texts = tuple(f"Fact {number}." for number in range(30))
    memory().create_entities([NewEntity("api", "service", texts)], "codex")
    assert "  ... and 11 more changes\n" in run("log")
    assert "Fact 29." in run("log", "--full")
    assert len(run_json("log")["calls"][0]["changes"]) == 31


@pytest.mark.usefixtures("filled")
def test_log_says_how_far_it_reaches_after_a_compaction() -> None:
    run("compact")
    assert "A compaction may have dropped lines, so that not all changes since" in run("log")


@needs_git
def test_a_log_that_was_never_compacted_says_so(folder: Path, git: Run) -> None:
    new(folder, git)
    memory(NOON).create_entities([NewEntity("api", "service", ())], "codex")
    assert "The log reaches back to 2026-03-02 12:00. Nothing has been dropped from it." in run(
        "log"
    )


@pytest.mark.usefixtures("folder")
def test_log_of_no_memory_says_so_and_succeeds() -> None:
    assert run("log") == "Nothing of the kind is in the log.\n"


def test_another_servers_document_has_no_log(folder: Path) -> None:
    path = folder / ".agents" / "memory.local.jsonl"
    path.parent.mkdir()
    # A log of plain-text-memory-mcp, whose lines replace one another: ours would add up.
    said = {"text": "Is fast.", "added_at": "2026-03-01T08:00:00+00:00", "agent": "codex"}
    line = {"type": "entity", "name": "api", "entityType": "service", "observations": [said]}
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert texts_of("api") == ("Is fast.",)
    assert run_json("log")["calls"] == []
    assert "nothing to take back" in run("undo", "--yes", code=1)
    assert (run_json("stats")["lines"], run_json("stats")["dead_lines"]) == (0, 0)


# --- undo ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("filled")
def test_undo_shows_whose_call_it_takes_back_and_when() -> None:
    said = run("undo", "--yes")
    assert said.startswith("Line 5, 2026-03-05 12:00, codex:\n  + api reads db\n")
    assert "The call at line 5 was taken back. Removed 1 and brought back 0" in said
    assert memory().read_graph().relations == ()


@pytest.mark.usefixtures("filled")
def test_undo_again_takes_back_the_call_before() -> None:
    run("undo", "--yes")
    said = run("undo", "--yes")
    assert "What came after it was taken back already" in said
    assert texts_of("api") == ("Is fast.",)
    for _ in range(2):
        run("undo", "--yes")
    assert memory().read_graph().entities == ()
    assert "There is nothing to take back" in run("undo", "--yes", code=1)


@pytest.mark.usefixtures("filled")
def test_undo_asks_on_a_terminal_and_takes_no_for_an_answer() -> None:
    said, code = on_a_terminal("undo", typed=b"n\n")
    assert b"Take it back?" in said
    assert code == 1
    assert len(memory().read_graph().relations) == 1
    _, code = on_a_terminal("undo", typed=b"y\n")
    assert (len(memory().read_graph().relations), code) == (0, 0)


@pytest.mark.usefixtures("filled")
def test_nothing_is_taken_back_where_there_is_nobody_to_ask() -> None:
    assert "add --yes" in run("undo", code=1)
    assert len(memory().read_graph().relations) == 1


@pytest.mark.usefixtures("filled")
def test_undo_takes_back_a_call_by_its_line_also_an_undo() -> None:
    assert run_json("undo", "4", "--yes")["undone"] == "The call at line 3"
    assert texts_of("api") == ("Is fast.",)
    line = run_json("log", "--limit", "1")["calls"][0]["line"]
    run("undo", str(line), "--yes")
    assert texts_of("api") == ("Is quick.",)
    assert "No call at line 99" in run("undo", "99", "--yes", code=1)


@pytest.mark.usefixtures("filled")
def test_undo_leaves_alone_what_has_changed_since() -> None:
    assert "has changed since" in run("undo", "1", "--yes", code=1)
    assert texts_of("api") == ("Is quick.",)


@pytest.mark.usefixtures("filled")
def test_an_undo_stands_in_the_log_with_who_took_back_and_when() -> None:
    run("undo", "--yes")
    call = run_json("log", "--limit", "1")["calls"][0]
    assert (call["agent"], call["is_undo"]) == ("cli", True)
    assert ", undo)\n  - api reads db  (deleted)" in run("log")


def test_undo_refuses_what_a_compaction_has_left_of_a_call(folder: Path) -> None:
    memory(NOON).create_entities([NewEntity("api", "service", ())], "codex")
    memory(NOON).add_observations([NewObservations("api", ("Is fast.",))], "codex")
    later = memory(NOON + timedelta(days=1))
    later.edit_observation("api", "Is fast.", "codex", new_text="Is quick.")
    run("compact")
    path = folder / ".agents" / "memory.local.jsonl"
    before = path.read_bytes()
    assert "what a compaction has left of a call" in run("undo", "--yes", code=1)
    assert path.read_bytes() == before


def test_undo_says_when_a_call_may_have_been_longer(folder: Path) -> None:
    memory(NOON).create_entities([NewEntity("api", "service", ())], "codex")
    later = memory(NOON + timedelta(days=1))
    later.add_observations([NewObservations("api", ("Is fast.", "Is small."))], "codex")
    later.delete_entities(["none"], "codex")
    run("compact")
    assert "does not show whether line 2, of the same second" in run("undo", "--yes")
    assert texts_of("api") == ("Is fast.",)
    assert folder.exists()


@pytest.mark.usefixtures("filled")
def test_an_undo_by_a_person_is_not_undone_by_the_agent_that_was_undone() -> None:
    agent = memory(NOON + timedelta(days=4))
    agent.add_observations([NewObservations("api", ("Is small.",))], "codex")
    run("undo", "--yes")
    with pytest.raises(Exception, match="has changed since"):
        agent.undo("codex")
