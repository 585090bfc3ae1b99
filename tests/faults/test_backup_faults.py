"""Whatever happens meanwhile, a backup is whole or not there, and a restore destroys nothing."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

import faultlab
from driver import open_memory, perform
from faultlab import (
    Call,
    Lab,
    litter_beside,
    make,
    needs_strace,
    snapshot_of,
    snapshots_after_each,
)
from mnemolog.errors import StorageError
from scenarios import BACKUP, NEWER, START, a_log, a_log_and_an_older_backup

lab = faultlab.lab

_ADD: Final[Call] = ("add_observations", {"Ada": ["three"]})
_CALLS: Final[tuple[Call, ...]] = (("back_up", None), _ADD, ("back_up", None))
_CHANGES: Final = "/^(open|write|fsync|fdatasync|link|unlink|fchmod|close)"


@needs_strace
def test_a_kill_at_any_system_call_leaves_no_part_of_a_backup(lab: Lab, tmp_path: Path) -> None:
    make(tmp_path / "expected.jsonl", START)
    expected = snapshots_after_each(tmp_path / "expected.jsonl", [_ADD])
    path = _prepared(tmp_path / "traced")
    traced = lab.trace(path, _CALLS, tmp_path / "strace", _CHANGES)
    assert "link" in traced
    for name, number in _every_system_call(traced):
        path = _prepared(tmp_path / f"{name}-{number}")
        fault = f"inject={name}:signal=SIGKILL:when={number}"
        outcome = lab.run(path, _CALLS, "-e", f"trace={name}", "-e", fault)
        assert outcome.was_killed, fault
        made = sorted(path.parent.glob("*.bak-*"))
        assert len(made) >= len([n for n in outcome.acknowledged if n != 1]), fault
        for backup in made:
            assert snapshot_of(backup) in expected, fault
            backup.with_name(f"{backup.name}.lock").unlink(missing_ok=True)
        perform(open_memory(path), "create_entities", {"Next": []})
        assert litter_beside(path) == [], fault
        shutil.rmtree(path.parent)


@needs_strace
@pytest.mark.parametrize("error", ["ENOSPC", "EIO", "EDQUOT"])
@pytest.mark.parametrize("call", ["write", "fdatasync", "link", "linkat"])
def test_a_refused_backup_leaves_nothing_behind(
    call: str, error: str, lab: Lab, tmp_path: Path
) -> None:
    path = _prepared(tmp_path / "folder")
    before = path.read_bytes()
    # write: 1 is what the child says to the lab.
    fault = ("-e", f"trace=/^{call}$", "-e", f"inject={call}:error={error}:when=1+")
    outcome = lab.run(path, [("back_up", None)], *fault)
    if outcome.acknowledged:
        assert call.startswith("link"), "it was not needed"
        return
    assert path.read_bytes() == before
    assert litter_beside(path) == []
    assert not [*path.parent.glob("*.bak-*")]


@needs_strace
@pytest.mark.parametrize("error", ["ENOSPC", "EIO", "EDQUOT"])
def test_a_restore_for_which_there_is_no_room_leaves_the_memory_as_it_was(
    error: str, lab: Lab, tmp_path: Path
) -> None:
    for sync in range(1, 3):
        path = tmp_path / str(sync) / "memory.jsonl"
        path.parent.mkdir()
        a_log_and_an_older_backup(path)
        before = path.read_bytes()
        fault = ("-e", "trace=fdatasync", "-e", f"inject=fdatasync:error={error}:when={sync}")
        outcome = lab.run(path, [("restore", BACKUP)], *fault)
        assert outcome.errors[0].startswith("StorageError"), sync
        assert path.read_bytes() == before
        assert litter_beside(path) == []
        assert [place.name for place in path.parent.glob("*.bak-*")] == [BACKUP]
        assert lab.run(path, [("restore", BACKUP)]).acknowledged == [0]


def test_on_a_full_disk_a_backup_is_refused_and_a_restore_too(tmp_path: Path) -> None:
    with _mounted(tmp_path / "small", "size=64k") as folder:
        path = folder / "memory.jsonl"
        make(path, [("create_entities", {"Ada": ["x" * 30_000]})])
        shutil.copy(path, folder / BACKUP)
        make(path, [("add_observations", {"Ada": [NEWER]})])
        before = path.read_bytes()
        for call in (("back_up", None), ("restore", BACKUP)):
            with pytest.raises(StorageError, match="No space left"):
                perform(open_memory(path), *call)
            assert path.read_bytes() == before
            assert {place.name for place in folder.iterdir()} == {
                *(path.name, f"{path.name}.lock", BACKUP),
            }


def test_a_memory_in_a_folder_that_is_only_read_can_be_backed_up_elsewhere(tmp_path: Path) -> None:
    with _read_only_folder(tmp_path / "fixed") as path:
        memory = open_memory(path)
        with pytest.raises(StorageError, match="mnemolog backup PATH"):
            memory.upkeep.back_up()
        done = memory.upkeep.back_up(tmp_path)
        assert Path(done.backup).read_bytes() == path.read_bytes()
        other = tmp_path / "other.jsonl"
        make(other, [("create_entities", {"Bob": []})])
        with pytest.raises(StorageError):
            memory.upkeep.restore(other)
        assert [place.name for place in path.parent.iterdir()] == [path.name]


# --- pieces --------------------------------------------------------------------------------------


def _prepared(folder: Path) -> Path:
    folder.mkdir()
    a_log(folder / "memory.jsonl")
    return folder / "memory.jsonl"


def _every_system_call(traced: str) -> Iterator[tuple[str, int]]:
    counts: Counter[str] = Counter()
    for line in traced.splitlines():
        if found := re.match(r"\d+ +(\w+)\(", line):
            counts[found[1]] += 1
            yield found[1], counts[found[1]]


@contextmanager
def _mounted(folder: Path, options: str) -> Iterator[Path]:
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", options, "none", str(folder)]
    if not shutil.which("mount") or subprocess.run(mount, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@contextmanager
def _read_only_folder(folder: Path) -> Iterator[Path]:
    """Give a memory file in a folder that may not be written, by whoever runs the test."""
    if os.geteuid() == 0:
        with _mounted(folder, "size=64k"):
            yield _alone(folder)
            subprocess.run(["mount", "-o", "remount,rw", str(folder)], check=True)
    else:
        folder.mkdir()
        yield _alone(folder)
        folder.chmod(0o700)


def _alone(folder: Path) -> Path:
    path = folder / "memory.jsonl"
    make(path, START)
    path.with_name(f"{path.name}.lock").unlink()
    if os.geteuid() == 0:
        subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
    else:
        folder.chmod(0o500)
    return path
