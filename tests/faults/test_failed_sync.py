"""After a sync that fails nothing is acknowledged that the disk may lack, by any process."""

from __future__ import annotations

import errno
import os
import re
from pathlib import Path

import pytest

import faultlab
from driver import open_memory, perform
from faultlab import (
    Call,
    Lab,
    litter_beside,
    make,
    needs_strace,
    set_aside_beside,
    snapshot,
    snapshot_of,
)
from mnemolog.errors import NotDurable, StorageError
from scenarios import ADA, LATER, LINES, observations_of_ada

lab = faultlab.lab


@needs_strace
def test_after_a_failed_sync_only_a_whole_new_file_counts(lab: Lab, tmp_path: Path) -> None:
    path = tmp_path / "folder" / "memory.jsonl"
    make(path, [ADA])
    log = tmp_path / "strace"
    trace = ("-o", str(log), "-e", "trace=write,fdatasync,fsync,rename")
    fault = ("-e", "inject=fdatasync:error=EIO:when=1")
    outcome = lab.run(path, [LINES, LINES, LATER], *trace, *fault)
    assert outcome.errors[0].startswith("NotDurable")
    assert outcome.acknowledged == [1, 2]
    until_retry = log.read_text(encoding="ascii").partition('"ack 1')[0]
    assert re.search(r"fdatasync.*INJECTED[^$]*fdatasync[^$]*rename[^$]*fsync", until_retry)
    assert observations_of_ada(path) == ("likes tea", "one", "two", "three", "four")
    assert litter_beside(path) + set_aside_beside(path) == []


@needs_strace
def test_while_every_sync_fails_nothing_is_acknowledged(lab: Lab, tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    make(path, [ADA])
    fault = ("-e", "trace=fdatasync", "-e", "inject=fdatasync:error=EIO")
    outcome = lab.run(path, [LINES, LINES, LATER, ("read_graph", None)], *fault)
    assert outcome.acknowledged == [3]
    assert all(": " in message for message in outcome.errors.values())
    assert observations_of_ada(path)[0] == "likes tea"
    assert litter_beside(path) + set_aside_beside(path) == ["memory.jsonl.unsynced"]


@pytest.mark.parametrize("later", [LATER, LINES], ids=["the same call", "another call"])
def test_after_a_failed_sync_other_processes_write_a_whole_new_file_too(
    later: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.jsonl"
    make(path, [ADA])
    other = open_memory(path)
    snapshot(other)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fdatasync", _fail)
        with pytest.raises(NotDurable):
            perform(open_memory(path), *LATER)
        with pytest.raises(StorageError):
            perform(open_memory(path), *later)
    in_doubt = path.stat().st_ino
    perform(other, *later)
    settled = path.stat().st_ino
    assert settled != in_doubt
    assert litter_beside(path) + set_aside_beside(path) == []
    perform(open_memory(path), *later)
    assert path.stat().st_ino == settled


def test_a_failed_sync_is_not_forgotten_though_its_mark_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.jsonl"
    memory = open_memory(path)
    perform(memory, *ADA)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fdatasync", _fail)
        with pytest.raises(NotDurable):
            perform(memory, *LATER)
    (path.parent / "memory.jsonl.unsynced").unlink()
    in_doubt = path.stat().st_ino
    perform(memory, *LATER)
    assert path.stat().st_ino != in_doubt


def test_the_mark_of_a_failed_sync_is_written_through_no_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.jsonl"
    memory = open_memory(path)
    perform(memory, *ADA)
    (path.parent / "memory.jsonl.unsynced").symlink_to("elsewhere")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fdatasync", _fail)
        with pytest.raises(StorageError):
            perform(memory, *LATER)
    perform(memory, *LATER)
    assert sorted(place.name for place in tmp_path.iterdir()) == [path.name, f"{path.name}.lock"]


@needs_strace
def test_a_new_name_counts_once_its_folder_is_synced(lab: Lab, tmp_path: Path) -> None:
    path = tmp_path / "folder" / "memory.jsonl"
    path.parent.mkdir()
    log = tmp_path / "strace"
    trace = ("-o", str(log), "-e", "trace=write,fsync,rename")
    fault = ("-e", "inject=fsync:error=EIO:when=1")
    outcome = lab.run(path, [ADA, ADA, LATER], *trace, *fault)
    assert outcome.errors[0].startswith("NotDurable")
    assert outcome.acknowledged == [1, 2]
    assert "rename" in log.read_text(encoding="ascii").partition('"ack 1')[0]
    assert litter_beside(path) == []


def test_after_a_failed_sync_what_the_disk_has_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Linux drops pages that it could not write: a later read may find what was there before."""
    path = tmp_path / "memory.jsonl"
    memory = open_memory(path)
    perform(memory, *ADA)
    kept = path.stat().st_size
    with monkeypatch.context() as patch:
        patch.setattr(os, "fdatasync", _fail)
        with pytest.raises(NotDurable):
            perform(memory, *LATER)
    assert snapshot(memory) == snapshot_of(path)
    status = path.stat()
    os.truncate(path, kept)
    os.truncate(path, status.st_size)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    perform(memory, *LATER)
    assert observations_of_ada(path) == ("likes tea", "four")


def _fail(_descriptor: int) -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))
