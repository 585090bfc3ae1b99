"""The taxonomy is written, checked and versioned by itself, with git or without."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import repositories
from mnemolog.taxonomy.published import published_taxonomy
from mnemolog.taxonomy.versions import bumped
from project_copies import (
    FILES,
    allow_less,
    allow_more,
    cloned,
    copied,
    replace,
    say_otherwise,
    taxonomy_in,
)
from repositories import Run, commit, needs_git

run = repositories.run

BEFORE = published_taxonomy()
VERSION = BEFORE["taxonomy_version"]
MINOR, MAJOR = bumped(VERSION, "minor"), bumped(VERSION, "major")
PATCH = bumped(VERSION, "patch")

pytestmark = needs_git


@pytest.fixture
def clone(tmp_path: Path, run: Run) -> Path:
    return cloned(tmp_path, run)


def build(folder: Path, *words: str, code: int = 0, **environment: str) -> str:
    """Return what the script says, on whichever stream."""
    done = subprocess.run(
        [sys.executable, str(folder / "scripts" / "build_taxonomy.py"), *words],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment,
        cwd=folder.parent,
    )
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def test_a_fresh_clone_is_up_to_date(clone: Path, run: Run) -> None:
    assert build(clone, "--check") == ""
    assert build(clone) == "The taxonomy is what it was.\n"
    assert run(clone, "status", "--porcelain") == ""


def test_a_check_says_what_differs_and_writes_nothing(clone: Path) -> None:
    allow_more(clone)
    said = build(clone, "--check", code=1)
    assert "taxonomy.json and src/mnemolog/taxonomy.json:\n" in said
    assert "  tools.initialize_memory.parameters.mode.enum: join is new\n" in said
    assert "  enums.modes.values: join is new\n" in said
    assert f"  taxonomy_version: is {VERSION}, should be {MINOR}\n" in said
    assert "uv run python scripts/build_taxonomy.py" in said
    assert taxonomy_in(clone) == BEFORE


def test_writing_bumps_the_version_and_lists_what_changed(clone: Path) -> None:
    allow_less(clone)
    assert "enums.modes.values: adopt is gone" in build(clone)
    entry, *others = taxonomy_in(clone)["changelog"]
    assert (entry["version"], entry["bump"]) == (MAJOR, "major")
    assert "enums.modes.values: adopt is gone" in entry["changes"]
    assert others == BEFORE["changelog"]
    assert build(clone, "--check") == ""


def test_edits_before_one_commit_make_one_bump(clone: Path, run: Run) -> None:
    say_otherwise(clone)
    build(clone)
    assert taxonomy_in(clone)["taxonomy_version"] == PATCH
    allow_more(clone)
    build(clone)
    after = taxonomy_in(clone)
    assert after["taxonomy_version"] == MINOR
    assert len(after["changelog"]) == len(BEFORE["changelog"]) + 1
    commit(clone, run, "Allow more")
    replace(clone, "src/mnemolog/requests.py", '"adopt", "join"]', '"adopt", "join", "mix"]')
    build(clone)
    assert taxonomy_in(clone)["taxonomy_version"] == bumped(MINOR, "minor")


def test_an_edit_that_is_taken_back_takes_its_bump_along(clone: Path, run: Run) -> None:
    allow_more(clone)
    build(clone)
    run(clone, "checkout", "--quiet", "--", "src/mnemolog/requests.py")
    build(clone)
    assert run(clone, "status", "--porcelain") == ""


@pytest.mark.parametrize("older", FILES)
def test_without_git_each_build_follows_on_the_newer_file(tmp_path: Path, older: str) -> None:
    folder = copied(tmp_path / "unpacked")
    say_otherwise(folder)
    build(folder)
    assert taxonomy_in(folder)["taxonomy_version"] == PATCH
    shutil.copy(Path(__file__).parents[1] / older, folder / older)
    replace(folder, "src/mnemolog/records.py", '"Names the repository', '"Says the repository')
    build(folder)
    assert taxonomy_in(folder)["taxonomy_version"] == bumped(PATCH, "patch")


def test_a_release_unpacked_in_another_repository_follows_on_itself(
    tmp_path: Path, run: Run
) -> None:
    outer = repositories.new(tmp_path / "outer", run)
    commit(outer, run)
    folder = copied(outer / "mnemolog")
    assert build(folder, "--check") == ""


def test_a_repository_that_has_none_yet_starts_with_the_first_version(
    tmp_path: Path, run: Run
) -> None:
    folder = repositories.new(copied(tmp_path / "young"), run)
    for name in FILES:
        (folder / name).unlink()
    commit(folder, run)
    build(folder)
    say_otherwise(folder)
    build(folder)
    assert taxonomy_in(folder)["taxonomy_version"] == "1.0.0"


def test_a_lost_or_broken_copy_is_named_and_written_again(clone: Path) -> None:
    (clone / FILES[0]).unlink()
    (clone / FILES[1]).write_text("<<<<<<< HEAD\n", encoding="utf-8")
    said = build(clone, "--check", code=1)
    assert "taxonomy.json:\n  is missing\n" in said
    assert "src/mnemolog/taxonomy.json:\n  src/mnemolog/taxonomy.json is no taxonomy" in said
    build(clone)
    assert taxonomy_in(clone) == BEFORE


def test_a_file_with_other_line_ends_is_the_same(clone: Path) -> None:
    for name in FILES:
        content = (clone / name).read_bytes()
        (clone / name).write_bytes(content.replace(b"\n", b"\r\n"))
    assert build(clone, "--check") == ""


def test_a_file_in_another_layout_is_stale(clone: Path) -> None:
    replace(clone, FILES[0], '"taxonomy_version": ', '"taxonomy_version":')
    assert "taxonomy.json:\n  is laid out in another way" in build(clone, "--check", code=1)


def test_a_broken_commit_is_named_and_nothing_is_written(clone: Path, run: Run) -> None:
    (clone / FILES[0]).write_text("[1]\n", encoding="utf-8")
    commit(clone, run, "Break it")
    assert "HEAD's taxonomy.json is no taxonomy" in build(clone, code=1)
    assert (clone / FILES[0]).read_text(encoding="utf-8") == "[1]\n"


def test_what_a_hook_of_another_repository_says_does_not_count(
    clone: Path, tmp_path: Path, run: Run
) -> None:
    other = repositories.new(tmp_path / "other", run)
    commit(other, run)
    allow_more(clone)
    build(clone, GIT_DIR=str(other / ".git"), GIT_INDEX_FILE=str(other / ".git" / "index"))
    assert taxonomy_in(clone)["taxonomy_version"] == MINOR
