"""Adopting a memory does not hide that a newer mnemolog wrote it."""

from __future__ import annotations

from pathlib import Path

import pytest

import repositories
from cases import BOAT, line, lines
from mnemolog.errors import NewerFormat
from mnemolog.memory import Memory
from mnemolog.requests import InitializeMode
from mnemolog.store.location import Settings
from repositories import Run, commit, needs_git, new

pytestmark = needs_git
run = repositories.run

_REPO = {"name": "other", "commit": "a" * 40, "root": "/elsewhere"}


def test_a_newer_format_is_not_hidden_by_adopting_it(tmp_path: Path, run: Run) -> None:
    repository = new(tmp_path / "ours", run)
    commit(repository, run, "ours")
    path = repository / "memory.jsonl"
    theirs = line(type="header", format=2, repo=_REPO, added_at=None, agent=None)
    path.write_bytes(lines(theirs, BOAT))
    before = path.read_bytes()
    memory = Memory.open(Settings("memory.jsonl", None), repository)
    with pytest.raises(NewerFormat, match="format 2"):
        memory.initialize_memory("adopt", "tester")
    assert path.read_bytes() == before


@pytest.mark.parametrize("mode", ["adopt", "fresh"])
def test_a_memory_that_is_taken_over_is_kept_from_being_committed(
    mode: InitializeMode, tmp_path: Path, run: Run
) -> None:
    repository = new(tmp_path / "ours", run)
    (repository / ".agents").mkdir()
    (repository / ".agents" / "memory.local.jsonl").write_bytes(lines(BOAT))
    Memory.open(Settings(None, None), repository).initialize_memory(mode, "tester")
    assert not run(repository, "status", "--porcelain", "--untracked-files=all")
