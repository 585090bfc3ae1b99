"""A git that does not answer is a reason to hold back, and one that does starts nothing."""

import os
import shutil
from pathlib import Path

import pytest

import repositories
from mnemolog.store import git
from mnemolog.store.git import (
    UNKNOWN,
    contains_commit,
    find_root,
    is_ignored,
    is_tracked,
    oldest_root_commit,
)
from repositories import Run, commit, needs_git, new

ELSEWHERE = "1" * 40

pytestmark = needs_git
run = repositories.run


def put_on_path(monkeypatch: pytest.MonkeyPatch, folder: Path, script: str) -> None:
    program = folder / "git"
    program.write_text(script, encoding="utf-8", newline="\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


needs_scripts = pytest.mark.skipif(os.name == "nt", reason="a script stands in for git")


def answers(root: Path) -> list[object]:
    path = root / "memory.jsonl"
    return [
        oldest_root_commit(root),
        contains_commit(root, ELSEWHERE),
        is_tracked(path, root),
        is_ignored(path, root),
    ]


def test_without_git_everything_is_unknown(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = new(tmp_path / "app", run)
    commit(root, run)
    assert answers(root) == [run(root, "rev-parse", "HEAD"), False, False, False]
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_root(root) == root
    assert answers(root) == [UNKNOWN, None, None, None]


@needs_scripts
def test_a_repository_of_dubious_ownership_is_unknown(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = new(tmp_path / "app", run)
    commit(root, run)
    program = shutil.which("git")
    script = f'#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec "{program}" "$@"\n'
    put_on_path(monkeypatch, tmp_path, script)
    assert answers(root) == [UNKNOWN, None, None, None]
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "safe.directory")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(root))
    assert UNKNOWN not in answers(root)


@needs_scripts
@pytest.mark.parametrize("script", ["#!/bin/sh\nexec sleep 600\n", "not a program\0"])
def test_a_git_that_hangs_or_cannot_be_started_is_unknown(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    root = new(tmp_path / "app", run)
    commit(root, run)
    put_on_path(monkeypatch, tmp_path, script)
    monkeypatch.setattr(git, "TIMEOUT", 0.05)
    assert answers(root) == [UNKNOWN, None, None, None]


@needs_scripts
def test_a_git_that_lies_in_the_current_folder_is_never_started(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = new(tmp_path / "app", run)
    put_on_path(monkeypatch, root, "#!/bin/sh\n: > started\n")
    monkeypatch.chdir(root)
    monkeypatch.setenv("PATH", ".")
    assert answers(root) == [UNKNOWN, None, None, None]
    assert not (root / "started").exists()


def test_a_broken_repository_is_not_taken_for_the_one_around_it(tmp_path: Path, run: Run) -> None:
    outer = new(tmp_path / "outer", run)
    commit(outer, run)
    inner = outer / "inner"
    (inner / ".git").mkdir(parents=True)
    (inner / ".git" / "HEAD").touch()
    assert find_root(inner) == inner
    assert oldest_root_commit(inner) is UNKNOWN
    assert contains_commit(inner, ELSEWHERE) is None


def test_a_hook_of_another_repository_does_not_mislead_us(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, other = new(tmp_path / "app", run), new(tmp_path / "other", run)
    first = commit(root, run)
    commit(other, run, "Other")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git" / "index"))
    assert oldest_root_commit(root) == first
    assert contains_commit(root, first) is True


@needs_scripts
def test_a_git_that_is_kept_elsewhere_finds_its_own_commands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_on_path(monkeypatch, tmp_path, '#!/bin/sh\necho "$GIT_EXEC_PATH"\n')
    monkeypatch.setenv("GIT_EXEC_PATH", "/elsewhere/libexec")
    assert git.version() == "/elsewhere/libexec"


@needs_scripts
def test_a_repository_cannot_make_git_start_a_program(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run)
    (root / "watcher").write_text("#!/bin/sh\ntouch started\n", encoding="utf-8", newline="\n")
    (root / "watcher").chmod(0o755)
    run(root, "add", "watcher")
    run(root, "update-index", "--force-untracked-cache")
    run(root, "config", "core.fsmonitor", str(root / "watcher"))
    answers(root)
    assert not (root / "started").exists()
