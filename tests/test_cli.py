from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from mnemolog.cli import main
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity
from mnemolog.store.location import Settings


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MEMORY_FILE_PATH", raising=False)
    return tmp_path


def run(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(main, words)
    assert result.exit_code == code, result.output
    return result.output


def memory() -> Memory:
    return Memory.open(Settings.from_environment(), Path.cwd())


def test_where_names_the_file_the_reason_and_what_is_in_it(folder: Path) -> None:
    memory().create_entities([NewEntity("Lamp", "device", ("is on",))], "codex")
    output = run("where")
    assert output.startswith(str(folder / ".agents" / "memory.local.jsonl"))
    assert "lies in no git repository" in output
    assert "1 entities, 1 observations and 0 relations" in output


@pytest.mark.usefixtures("folder")
def test_where_says_what_is_wrong_with_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_FILE_PATH", "${workspaceFolder}/m.jsonl")
    assert "did not fill in" in run("where", code=1)


def test_compact_says_how_much_it_dropped(folder: Path) -> None:
    memory().create_entities([NewEntity("Lamp", "device", ("is on",))], "codex")
    memory().delete_entities(["Lamp"], "codex")
    assert "2 lines dropped" in run("compact")
    assert (folder / ".agents" / "memory.local.jsonl").read_bytes() == b""


def test_compacting_a_tracked_file_says_that_removed_facts_can_come_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_FILE_PATH", "m.jsonl")
    memory().create_entities([NewEntity("Lamp", "device", ("is on",))], "codex")
    memory().delete_entities(["Lamp"], "codex")
    for words in (["init", "--quiet"], ["add", "m.jsonl"]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    assert "can come back" in run("compact")


@pytest.mark.usefixtures("folder")
def test_search_prints_the_facts_best_first_with_their_tags() -> None:
    facts = ("Deploys to Fly.io on merge.", "Tests run with pytest.")
    memory().create_entities([NewEntity("api", "service", facts)], "codex")
    first, *_ = run("search", "where does it deploy").splitlines()
    assert first.startswith("1. api: Deploys to Fly.io on merge.  (20")
    assert first.endswith(", codex)")


@pytest.mark.usefixtures("folder")
def test_search_explains_every_factor_of_a_score() -> None:
    memory().create_entities([NewEntity("api", "service", ("Deploys on merge.",))], "codex")
    explained = run("search", "--explain", "deploys")
    assert "The word 'deploys' earns" in explained
    assert "Its priority counts 0.6 times." in explained


@pytest.mark.usefixtures("folder")
def test_search_finds_entities_by_name_and_suggests_spellings() -> None:
    memory().create_entities([NewEntity("scheduler", "service", ())], "codex")
    assert run("search", "scheduler") == "scheduler (service)\n"
    assert run("search", "schedular") == "Nothing was found. Did you mean: scheduler?\n"
    assert run("search", "zzzzzz") == "Nothing was found.\n"


@pytest.mark.usefixtures("folder")
def test_what_could_steer_a_terminal_is_shown_escaped() -> None:
    text = "deploys \x1b[2J\u202eevil\u200b"
    memory().create_entities([NewEntity("api", "service", (text,))], "codex")
    assert r"deploys \x1b[2J\u202eevil\u200b" in run("search", "deploys")


def test_import_brings_rows_along_and_says_how_many(folder: Path) -> None:
    rows = folder / "rows.jsonl"
    rows.write_text(
        '{"entityName":"Lamp","entityType":"device","observation":"is on"}\n'
        '{"entityName":"Lamp","entityType":"device","observation":"is red"}\n',
        encoding="utf-8",
    )
    assert "1 entities, 2 observations and 0 relations are new" in run("import", str(rows))
    assert "0 entities, 0 observations" in run("import", str(rows))
    (lamp,) = memory().read_graph().entities
    assert lamp.observations == ("is on", "is red")


def test_import_of_a_file_without_a_memory_is_refused(folder: Path) -> None:
    (folder / "diary.txt").write_text("Dear diary", encoding="utf-8")
    assert "No memory was found" in run("import", "diary.txt", code=1)


def test_the_demo_shows_every_fact_of_both_clients() -> None:
    demo = [sys.executable, "-m", "mnemolog", "demo"]
    shown = subprocess.run(demo, capture_output=True, text=True, check=True, timeout=60)
    assert '"agent":"codex"' in shown.stdout
    assert '"agent":"claude-code"' in shown.stdout
    assert "Every fact of both clients is there." in shown.stdout


def test_on_a_terminal_the_server_says_which_file_it_serves_and_how_to_stop(folder: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "mnemolog"],
        stdin=theirs,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd=folder,
    ) as server:
        os.close(theirs)
        os.write(ours, b"\x04")  # Ctrl-D
        _, said = server.communicate(timeout=60)
    os.close(ours)
    assert str(folder / ".agents" / "memory.local.jsonl").encode() in said
    assert b"Ctrl-D" in said
    assert server.returncode == 0


def test_compacting_no_memory_leaves_no_trace(folder: Path) -> None:
    assert "0 bytes before" in run("compact")
    assert list(folder.iterdir()) == []
