"""A memory is not committed by accident."""

from pathlib import Path

import pytest

import repositories
from mnemolog.store.guard import GITIGNORE, protect_from_commit
from mnemolog.store.location import Location, Settings, locate
from repositories import Run, needs_git, new

pytestmark = needs_git
run = repositories.run


def default_in(folder: Path) -> Location:
    return locate(Settings(None, None), folder, folder.parent)


def is_clean(folder: Path, run: Run) -> bool:
    for name in ("memory.local.jsonl", "memory.local.jsonl.lock", ".memory.local.jsonl.tmp"):
        (folder / ".agents").mkdir(exist_ok=True)
        (folder / ".agents" / name).touch()
    return not run(folder, "status", "--porcelain", "--untracked-files=all")


def test_the_memory_is_kept_from_being_committed(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run)
    protect_from_commit(default_in(root))
    ignore = root / ".agents" / ".gitignore"
    assert ignore.read_bytes() == b"*memory.local.*\n.gitignore\n" == GITIGNORE
    assert is_clean(root, run)


def test_outside_git_it_is_protected_for_the_time_after(tmp_path: Path, run: Run) -> None:
    (tmp_path / "plain").mkdir()
    protect_from_commit(default_in(tmp_path / "plain"))
    assert is_clean(new(tmp_path / "plain", run), run)


def test_an_existing_gitignore_is_left_alone(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run)
    (root / ".agents").mkdir()
    ignore = root / ".agents" / ".gitignore"
    ignore.write_bytes(b"mine\n")
    protect_from_commit(default_in(root))
    assert ignore.read_bytes() == b"mine\n"


def test_a_gitignore_that_a_killed_process_left_empty_is_filled(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run)
    (root / ".agents").mkdir()
    (root / ".agents" / ".gitignore").touch()
    protect_from_commit(default_in(root))
    assert (root / ".agents" / ".gitignore").read_bytes() == GITIGNORE


def test_a_gitignore_that_leads_elsewhere_is_not_followed(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run)
    (root / ".agents").mkdir()
    (tmp_path / "elsewhere").touch()
    (root / ".agents" / ".gitignore").symlink_to(tmp_path / "elsewhere")
    protect_from_commit(default_in(root))
    assert (tmp_path / "elsewhere").read_bytes() == b""


@pytest.mark.parametrize(
    ("rule", "is_enough"),
    [(".agents/", True), ("*.local.*", True), ("memory.local.jsonl", False), ("*.txt", False)],
)
def test_a_rule_that_covers_all_of_the_memory_is_enough(
    tmp_path: Path, run: Run, rule: str, *, is_enough: bool
) -> None:
    root = new(tmp_path / "app", run)
    (root / ".gitignore").write_text(f"{rule}\n", encoding="utf-8", newline="\n")
    protect_from_commit(default_in(root))
    assert (root / ".agents" / ".gitignore").exists() is not is_enough


def test_without_git_the_memory_is_protected_all_the_same(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = new(tmp_path / "app", run)
    monkeypatch.setenv("PATH", str(tmp_path))
    protect_from_commit(default_in(root))
    assert (root / ".agents" / ".gitignore").exists()


def test_a_chosen_file_is_not_protected(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run)
    protect_from_commit(locate(Settings(".agents/memory.jsonl", None), root, tmp_path))
    assert not (root / ".agents").exists()


def test_a_gitignore_that_cannot_be_created_stops_nobody(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run)
    location = default_in(root)
    (root / ".agents").touch()
    protect_from_commit(location)
    assert (root / ".agents").is_file()
