"""What the doctor finds about the memory and its repository."""

from __future__ import annotations

from pathlib import Path

import pytest

import repositories
from examinations import examine, found, line, only, save, write
from mnemolog.doctor import repository
from mnemolog.store.location import FILE, FOLDER
from repositories import Run, commit, needs_git, new

run = repositories.run
pytestmark = needs_git

CHECKS = (
    repository.missing_git,
    repository.wrong_repository,
    repository.tracked_by_accident,
    repository.not_ignored,
    repository.merged_by_lines,
)


@pytest.fixture
def root(tmp_path: Path, run: Run) -> Path:
    root = new(tmp_path / "app", run)
    commit(root, run)
    return root


def kinds(root: Path, setting: str | None = None) -> list[str]:
    return [f.kind for check in CHECKS for f in check(examine(root, setting=setting))]


def test_an_ordinary_repository_gives_no_cause(root: Path, run: Run) -> None:
    assert kinds(root) == []
    save(root)
    assert kinds(root) == []
    commit(root, run, "More", on=2)
    assert kinds(root) == []


def test_without_git_nobody_can_tell(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(root)
    monkeypatch.setenv("PATH", str(root))
    assert kinds(root) == ["missing_git"]


def test_the_memory_of_another_repository_is_a_problem(root: Path, run: Run) -> None:
    other = new(root.parent / "other", run)
    commit(other, run, "Another", on=3)
    write(root, [save(other).read_bytes().rstrip(b"\n")])
    finding = only(repository.wrong_repository, examine(root))
    assert (finding.severity, finding.kind) == ("problem", "other_repository")
    assert "'other'" in finding.what
    assert "initialize_memory" in finding.fix


def test_a_repository_that_git_cannot_name_is_a_remark(root: Path, run: Run) -> None:
    commit(root, run, "Second", on=2)
    run(root.parent, "clone", "--quiet", "--depth=1", root.as_uri(), "shallow")
    finding = only(repository.wrong_repository, examine(root.parent / "shallow"))
    assert (finding.severity, finding.kind) == ("remark", "unknown_repository")
    assert "--unshallow" in finding.fix


def test_a_tracked_local_file_is_a_problem(root: Path, run: Run) -> None:
    path = save(root)
    run(root, "add", "--force", str(path))
    commit(root, run, "Too much", on=2)
    finding = only(repository.tracked_by_accident, examine(root))
    assert (finding.severity, finding.kind) == ("problem", "tracked_local_file")
    assert FILE in finding.what
    assert "rm --cached" in finding.fix
    path.unlink()
    assert found(repository.tracked_by_accident, examine(root)) == [finding]


def test_a_tracked_access_log_is_found_too(root: Path, run: Run) -> None:
    access = save(root).with_name("memory.local.access.jsonl")
    access.write_bytes(b"{}\n")
    run(root, "add", "--force", str(access))
    assert access.name in only(repository.tracked_by_accident, examine(root)).what


def test_a_memory_that_git_would_add_is_a_problem(root: Path) -> None:
    save(root)
    rules = root / FOLDER / ".gitignore"
    rules.unlink()
    finding = only(repository.not_ignored, examine(root))
    assert (finding.severity, finding.is_fixable) == ("problem", True)
    rules.write_text("other\n", encoding="utf-8")
    assert not only(repository.not_ignored, examine(root)).is_fixable


def test_what_is_set_aside_has_to_be_ignored_too(root: Path) -> None:
    save(root)
    (root / FOLDER / ".gitignore").write_text(f"{FILE}\n", encoding="utf-8")
    assert only(repository.not_ignored, examine(root)).kind == "not_ignored"


def test_a_shared_memory_is_better_merged_by_union(root: Path, run: Run) -> None:
    (root / FOLDER).mkdir()
    shared = root / FOLDER / "memory.jsonl"
    shared.write_bytes(line("a") + b"\n")
    assert kinds(root, str(shared)) == []
    commit(root, run, "Share", on=2)
    assert kinds(root, str(shared)) == ["no_union_merge"]
    rule = ".agents/memory.jsonl text eol=lf merge=union\n"
    (root / ".gitattributes").write_text(rule, encoding="utf-8")
    assert kinds(root, str(shared)) == []


def test_outside_git_there_is_nothing_to_say(tmp_path: Path) -> None:
    folder = tmp_path / "app"
    folder.mkdir()
    save(folder)
    assert kinds(folder) == []
