"""Clients' configs as people write them: a program of the project, one switched off, comments."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from examinations import examine, found
from mnemolog.clients.known import CLIENTS
from mnemolog.clients.registration import register
from mnemolog.doctor import configs

CLAUDE = CLIENTS["claude-code"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    project = tmp_path / "app"
    for folder in (project / ".git", project / "src", project / "bin"):
        folder.mkdir(parents=True)
    (project / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (project / "bin" / "mnemolog").symlink_to(sys.executable)
    return project


def put(project: Path, **servers: Any) -> None:
    (project / ".mcp.json").write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")


@pytest.mark.parametrize("called_in", [".", "src"])
@pytest.mark.parametrize(
    "entry", [{"command": "./bin/mnemolog"}, {"command": "../bin/mnemolog", "cwd": "src"}]
)
def test_a_program_of_the_project_is_there_from_wherever_the_doctor_is_called(
    entry: dict[str, str], called_in: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(project, mnemolog=entry)
    monkeypatch.chdir(project / called_in)
    assert found(configs.missing_programs, examine(project / called_in)) == []


@pytest.mark.parametrize("called_in", [".", "bin"])
def test_a_program_that_the_project_lacks_is_missed_from_anywhere(
    called_in: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(project, mnemolog={"command": "./mnemolog"})
    monkeypatch.chdir(project / called_in)
    kinds = [finding.kind for finding in found(configs.missing_programs, examine(Path.cwd()))]
    assert kinds == ["missing_program"]


@pytest.mark.parametrize("name", ["memory", "mnemolog"])
@pytest.mark.parametrize("off", [{"disabled": True}, {"enabled": False}])
def test_an_entry_that_is_switched_off_is_said_to_be(
    name: str, off: dict[str, bool], project: Path
) -> None:
    put(project, **{name: {**CLAUDE.entry, **off}})
    assert register(CLAUDE, project).message.endswith("switched off")


# What Claude Code 2.1.332, Gemini CLI 0.61.0 and opencode 1.18.33 read and do not read.
COMMENTED = '{\n  // mine, "all"\n  "a": "// no comment, }"\n}\n'
TRAILING = '{\n  "a": "/* no comment */"\n  ,\n}\n'


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("claude-code", COMMENTED, 2),
        ("claude-code", TRAILING, None),
        ("gemini-cli", COMMENTED, 0),
        ("gemini-cli", "{\n  /* mine\n */\n}\n", 0),
        ("gemini-cli", TRAILING, None),
        ("opencode", COMMENTED, 0),
        ("opencode", TRAILING, 0),
        ("vscode", COMMENTED + "// and so on", 0),
        ("codex", "# mine\n", 0),
    ],
)
def test_init_and_the_doctor_say_what_a_client_does_not_read(
    name: str, text: str, line: int | None, project: Path
) -> None:
    """`line` is where the client stops, 0 where it does not, None where Python's version says."""
    config = project / CLIENTS[name].files[0]
    config.parent.mkdir(exist_ok=True)
    config.write_text(text, encoding="utf-8", newline="\n")
    first, second = register(CLIENTS[name], project), register(CLIENTS[name], project)
    assert (first.change, second.change) == ("registered", "already registered")
    expected = 0 if line == 0 else 1
    said = [f"see line {line or ''}" in outcome.message for outcome in (first, second)]
    assert said == [bool(expected)] * 2
    assert len(found(configs.broken_configs, examine(project))) == expected
