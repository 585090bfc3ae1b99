"""The pre-commit hook, in real clones with real commits."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import repositories
from mnemolog.taxonomy.published import published_taxonomy
from mnemolog.taxonomy.versions import bumped
from project_copies import FILES, allow_more, cloned, replace, say_otherwise, taxonomy_in
from repositories import Run, needs_git

run = repositories.run

VERSION = published_taxonomy()["taxonomy_version"]
MINOR = bumped(VERSION, "minor")

pytestmark = [
    needs_git,
    pytest.mark.skipif(sys.platform == "win32", reason="the stand-ins for PATH are shell scripts"),
]
needs_uv = pytest.mark.skipif(shutil.which("uv") is None, reason="uv is not installed")


@pytest.fixture
def clone(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone with the hook enabled, on a machine where no environment is active."""
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    # The environment that runs these tests serves the clone too, so that nothing is downloaded.
    for name, value in (("PROJECT_ENVIRONMENT", sys.prefix), ("NO_SYNC", "1"), ("OFFLINE", "1")):
        monkeypatch.setenv(f"UV_{name}", value)
    clone = cloned(tmp_path, run)
    run(clone, "config", "core.hooksPath", ".githooks")
    return clone


def programs(folder: Path, **scripts: str) -> Mapping[str, str]:
    """Return an environment with git, a shell and nothing else but these scripts on PATH."""
    folder.mkdir()
    for name in ("git", "sh"):
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    for name, script in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8", newline="\n")
        (folder / name).chmod(0o755)
    return {"PATH": str(folder)}


PYTHON3 = f'exec {sys.executable} "$@"'


def commit(
    folder: Path, *words: str, environment: Mapping[str, str] | None = None
) -> tuple[bool, str]:
    """Return whether the commit was made, and what git and the hook said."""
    done = subprocess.run(
        ["git", "commit", "--message", "Try", *words],
        cwd=folder,
        env=os.environ | (environment or {}),
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode == 0, done.stdout + done.stderr


def committed(folder: Path, run: Run) -> dict[str, Any]:
    top, packaged = (run(folder, "show", f"HEAD:{name}") for name in FILES)
    assert top == packaged
    taxonomy: dict[str, Any] = json.loads(top)
    return taxonomy


def stops_then_lets_pass(
    root: Path, run: Run, folder: Path, environment: Mapping[str, str] | None = None
) -> None:
    """Change the code, be stopped, stage what was written, and commit."""
    allow_more(root)
    run(root, "add", "--update")
    is_made, said = commit(folder, environment=environment)
    assert not is_made
    assert "enums.modes.values: join is new" in said
    stage = f"git add :/{FILES[0]} :/{FILES[1]}"
    assert stage in said
    assert taxonomy_in(root)["taxonomy_version"] == MINOR
    run(folder, *stage.split()[1:])
    is_made, said = commit(folder, environment=environment)
    assert is_made, said
    assert committed(root, run)["taxonomy_version"] == MINOR
    assert run(root, "status", "--porcelain") == ""


@needs_uv
def test_a_commit_is_stopped_until_the_new_version_is_staged(clone: Path, run: Run) -> None:
    stops_then_lets_pass(clone, run, clone)


@needs_uv
def test_it_works_from_a_subfolder(clone: Path, run: Run) -> None:
    stops_then_lets_pass(clone, run, clone / "src" / "mnemolog")


@needs_uv
def test_it_works_in_a_linked_worktree_and_leaves_the_main_one_alone(
    clone: Path, tmp_path: Path, run: Run
) -> None:
    worktree = tmp_path / "worktree"
    run(clone, "worktree", "add", "--quiet", "-b", "side", str(worktree))
    stops_then_lets_pass(worktree, run, worktree / "scripts")
    assert run(clone, "status", "--porcelain") == ""
    assert taxonomy_in(clone)["taxonomy_version"] == VERSION


@needs_uv
def test_what_is_written_and_not_staged_does_not_pass(clone: Path, run: Run) -> None:
    allow_more(clone)
    run(clone, "add", "--update")
    assert [commit(clone)[0] for _ in range(2)] == [False, False]
    run(clone, "add", FILES[0])
    assert not commit(clone)[0]
    run(clone, "add", FILES[1])
    assert commit(clone)[0]


@needs_uv
def test_all_at_once_passes_the_second_time(clone: Path, run: Run) -> None:
    say_otherwise(clone)
    assert [commit(clone, "--all")[0] for _ in range(2)] == [False, True]
    assert committed(clone, run)["taxonomy_version"] == bumped(VERSION, "patch")


@needs_uv
def test_work_that_is_not_staged_does_not_count(clone: Path, run: Run) -> None:
    allow_more(clone)
    replace(clone, "src/mnemolog/__main__.py", "main()\n", "main()  # as a module\n")
    run(clone, "add", "src/mnemolog/__main__.py")
    is_made, said = commit(clone)
    assert is_made, said
    assert committed(clone, run)["taxonomy_version"] == VERSION


@needs_uv
def test_a_commit_of_one_path_is_judged_by_that_path(clone: Path, run: Run) -> None:
    allow_more(clone)
    run(clone, "add", "--update")
    (clone / "README.md").write_text("Read me.\n", encoding="utf-8")
    is_made, said = commit(clone, "--only", "README.md")
    assert is_made, said


def test_without_uv_another_python_serves(clone: Path, tmp_path: Path, run: Run) -> None:
    stops_then_lets_pass(clone, run, clone, programs(tmp_path / "bin", python3=PYTHON3))


def test_without_uv_the_environment_in_the_usual_place_serves(
    clone: Path, tmp_path: Path, run: Run
) -> None:
    python = clone / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f"#!/bin/sh\n{PYTHON3}\n", encoding="utf-8", newline="\n")
    python.chmod(0o755)
    (clone / ".git" / "info" / "exclude").write_text(".venv\n", encoding="utf-8")
    stops_then_lets_pass(clone, run, clone, programs(tmp_path / "bin"))


def test_a_python_without_the_dependencies_says_what_to_do(
    clone: Path, tmp_path: Path, run: Run
) -> None:
    bare = f'exec {sys.executable} -I -S "$@"'
    allow_more(clone)
    run(clone, "add", "--update")
    is_made, said = commit(clone, environment=programs(tmp_path / "bin", python3=bare))
    assert not is_made
    assert "has no module click" in said
    assert "Install uv, or activate the environment" in said


def test_without_any_python_it_says_what_to_do(clone: Path, tmp_path: Path, run: Run) -> None:
    allow_more(clone)
    run(clone, "add", "--update")
    is_made, said = commit(clone, environment=programs(tmp_path / "bin"))
    assert not is_made
    assert "there is neither uv nor python3" in said


def test_a_commit_that_touches_nothing_described_needs_no_python(
    clone: Path, tmp_path: Path, run: Run
) -> None:
    (clone / "README.md").write_text("Read me.\n", encoding="utf-8")
    run(clone, "add", "--update")
    is_made, said = commit(clone, environment=programs(tmp_path / "bin"))
    assert is_made, said


def test_the_very_first_commit_is_looked_at(tmp_path: Path, clone: Path, run: Run) -> None:
    shutil.rmtree(clone / ".git")
    repositories.new(clone, run)
    run(clone, "config", "core.hooksPath", ".githooks")
    allow_more(clone)
    run(clone, "add", "--all")
    identity = {
        f"GIT_{role}_{key}": "a@example.org"
        for role in ("AUTHOR", "COMMITTER")
        for key in ("NAME", "EMAIL")
    }
    environment = {**programs(tmp_path / "bin", python3=PYTHON3), **identity}
    assert not commit(clone, environment=environment)[0]
    run(clone, "add", "--all")
    is_made, said = commit(clone, environment=environment)
    assert is_made, said
