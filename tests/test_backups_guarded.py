"""A backup is that of its own repository, and is not committed."""

from __future__ import annotations

from pathlib import Path

import pytest

import repositories
from mnemolog.errors import BackupRefused
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity
from mnemolog.store.location import Settings
from repositories import Run, commit, needs_git, new

git = repositories.run

OURS = ".agents/memory.local.jsonl"


def memory_in(root: Path) -> Memory:
    return Memory.open(Settings(None, None), root)


def repository(root: Path, git: Run, on: int) -> Path:
    commit(new(root, git), git, root.name, on=on)
    memory_in(root).create_entities([NewEntity(root.name, "service", ())], "codex")
    return root


@needs_git
def test_the_memory_of_another_repository_is_refused_as_a_backup(tmp_path: Path, git: Run) -> None:
    ours, theirs = repository(tmp_path / "ours", git, 1), repository(tmp_path / "theirs", git, 2)
    before = (ours / OURS).read_bytes()
    with pytest.raises(BackupRefused, match=r"'theirs'.*'ours'.*mnemolog import"):
        memory_in(ours).upkeep.restore(theirs / OURS)
    assert (ours / OURS).read_bytes() == before


@needs_git
def test_our_backup_takes_the_place_of_another_repositorys_memory(tmp_path: Path, git: Run) -> None:
    ours, theirs = repository(tmp_path / "ours", git, 1), repository(tmp_path / "theirs", git, 2)
    backup = Path(memory_in(ours).upkeep.back_up().backup)
    (ours / OURS).write_bytes((theirs / OURS).read_bytes())
    done = memory_in(ours).upkeep.restore(backup)
    assert Path(done.set_aside or "").read_bytes() == (theirs / OURS).read_bytes()
    assert [entity.name for entity in memory_in(ours).read_graph().entities] == ["ours"]


@needs_git
def test_a_backup_beside_the_memory_is_not_committed(tmp_path: Path, git: Run) -> None:
    ours = repository(tmp_path / "ours", git, 1)
    memory_in(ours).upkeep.back_up()
    assert git(ours, "status", "--porcelain") == ""
