"""The commands where, compact and demo, and what a person sees who starts the server."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

import command_line
from command_line import memory, run, run_json
from mnemolog.requests import NewEntity

folder = command_line.folder


def test_where_names_the_file_the_reason_and_what_is_in_it(folder: Path) -> None:
    memory().create_entities([NewEntity("Lamp", "device", ("is on",))], "codex")
    output = run("where")
    assert output.startswith(str(folder / ".agents" / "memory.local.jsonl"))
    assert "lies in no git repository" in output
    assert "1 entity, 1 observation and 0 relations" in output


def test_where_as_json_tells_file_and_repository_apart(folder: Path) -> None:
    told = run_json("where")
    assert told["path"] == str(folder / ".agents" / "memory.local.jsonl")
    assert (told["exists"], told["repository"], told["is_default"]) == (False, None, True)
    assert "lies in no git repository" in told["description"][0]


@pytest.mark.usefixtures("folder")
def test_where_says_what_is_wrong_with_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_FILE_PATH", "${workspaceFolder}/m.jsonl")
    assert "did not turn" in run("where", code=1)


def test_compact_says_how_much_it_dropped(folder: Path) -> None:
    memory().create_entities([NewEntity("Lamp", "device", ("is on",))], "codex")
    memory().delete_entities(["Lamp"], "codex")
    assert "2 lines dropped" in run("compact")
    assert (folder / ".agents" / "memory.local.jsonl").read_bytes() == b""


@pytest.mark.usefixtures("folder")
def test_compact_as_json_counts_bytes_and_lines() -> None:
    memory().create_entities([NewEntity("Lamp", "device", ("is on",))], "codex")
    memory().delete_entities(["Lamp"], "codex")
    done = run_json("compact")
    assert done["bytes_before"] > 0
    assert (done["bytes_after"], done["dropped_lines"]) == (0, 2)


def test_compacting_a_tracked_file_says_that_removed_facts_can_come_back(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMORY_FILE_PATH", "m.jsonl")
    memory().create_entities([NewEntity("Lamp", "device", ("is on",))], "codex")
    memory().delete_entities(["Lamp"], "codex")
    for words in (["init", "--quiet"], ["add", "m.jsonl"]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    assert "can come back" in run("compact")


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
