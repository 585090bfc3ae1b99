"""The command is enough: no refusal of it asks for an agent alone, and no option is dropped."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import repositories
from command_line import invoke, run
from repositories import Run, commit, needs_git, new

pytestmark = needs_git
run_git = repositories.run


@pytest.fixture
def copied(tmp_path: Path, run_git: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a repository that has the memory of another one."""
    for name in ("MEMORY_FILE_PATH", "MEMORY_AGENT"):
        monkeypatch.delenv(name, raising=False)
    theirs, ours = (new(tmp_path / name, run_git) for name in ("theirs", "ours"))
    for place in (theirs, ours):
        commit(place, run_git, place.name)
    monkeypatch.chdir(theirs)
    run("add", "api", "Runs on port 8080", "--type", "service")
    (theirs / ".agents").rename(ours / ".agents")
    monkeypatch.chdir(ours)
    return ours / ".agents" / "memory.local.jsonl"


def test_the_memory_of_another_repository_can_be_taken_over_without_an_agent(copied: Path) -> None:
    refused = run("list", code=1)
    assert re.search(r"Without an agent: move the file away.* 'mnemolog import FILE'", refused)
    copied.rename(copied.with_name("old.jsonl"))
    assert "Nothing is listed" in run("list")
    run("import", ".agents/old.jsonl")
    assert "Runs on port 8080" in run("show", "api")


def test_configs_that_are_printed_are_no_json_for_programs(tmp_path: Path) -> None:
    assert tmp_path.is_dir()
    result = invoke("init", "--print", "--json", "--client", "codex")
    assert result.exit_code == 2
    assert "leave --json away" in result.output
