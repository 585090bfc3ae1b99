"""Whatever the system refuses: a clear error, reads go on, nothing is lost, nothing lies around."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

import faultlab
from driver import open_memory, perform
from faultlab import (
    Lab,
    litter_beside,
    make,
    needs_root,
    needs_strace,
    set_aside_beside,
    snapshot,
    snapshot_of,
)
from mnemolog.errors import LockTimeout, StorageError
from mnemolog.graph import GraphWatcher
from mnemolog.interchange import records_of_document
from mnemolog.memory import Memory
from mnemolog.store.log import Log
from scenarios import (
    ADA,
    DOCUMENT,
    LATER,
    LINES,
    TORN,
    a_log_of_dead_lines,
    a_log_with_a_torn_call,
    observations_of_ada,
)

lab = faultlab.lab


# --- a write that fails ------------------------------------------------------------------------


@needs_strace
@pytest.mark.parametrize("error", ["ENOSPC", "EIO", "EDQUOT"])
def test_a_refused_write_is_reported_and_leaves_the_file_as_it_was(
    error: str, lab: Lab, tmp_path: Path
) -> None:
    path = tmp_path / "memory.jsonl"
    make(path, [ADA])
    fault = ("-P", str(path), "-e", "trace=write", "-e", f"inject=write:error={error}:when=1")
    outcome = lab.run(path, [LINES, LATER], *fault)
    assert outcome.errors[0].startswith("StorageError")
    assert outcome.acknowledged == [1]
    assert observations_of_ada(path) == ("likes tea", "four")
    assert litter_beside(path) + set_aside_beside(path) == []


def test_a_write_that_the_system_cuts_short_is_taken_back(lab: Lab, tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    make(path, [ADA])
    before = path.read_bytes()
    pid = lab.start(path, [LINES, ("read_graph", None)])
    limit = len(before) + 150
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (limit, limit))
    lab.let_go()
    outcome = lab.outcome()
    assert "File too large" in outcome.errors[0]
    assert outcome.acknowledged == [1]
    assert path.read_bytes() == before
    assert litter_beside(path) + set_aside_beside(path) == []


@needs_root
def test_a_full_disk_refuses_the_call_and_keeps_the_rest(tmp_path: Path) -> None:
    with _mounted(tmp_path / "small", "size=64k"):
        path = tmp_path / "small" / "memory.jsonl"
        memory = open_memory(path)
        perform(memory, *ADA)
        filler = path.with_name("filler")
        filler.write_bytes(bytes(8192))
        saved = _fill(memory)
        assert 10 < saved < 50
        assert len(observations_of_ada(path)) == 1 + 2 * saved
        assert snapshot(memory) == snapshot_of(path)
        filler.unlink()
        assert litter_beside(path) + set_aside_beside(path) == []
        perform(memory, "delete_observations", {"Ada": ["0"]})
        assert len(observations_of_ada(path)) == 2 * saved


def _fill(memory: Memory) -> int:
    """Make calls until one is refused, and return how many were not."""
    for saved in range(100):
        try:
            perform(memory, "add_observations", {"Ada": [f"{saved} " * 900, f"{saved}"]})
        except StorageError as refusal:
            assert "No space left" in str(refusal)  # noqa: PT017 - any later call may be the one
            return saved
    pytest.fail("nothing was refused")


@needs_strace
def test_a_torn_call_that_cannot_be_set_aside_stays_in_the_file(lab: Lab, tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    a_log_with_a_torn_call(path)
    before = path.read_bytes()
    refused = snapshot_of(path)
    for fault in ("write:error=ENOSPC:when=1", "fdatasync:error=EIO", "ftruncate:error=EIO"):
        name = fault.partition(":")[0]
        calls = [LINES, ("read_graph", None)]
        outcome = lab.run(path, calls, "-e", f"trace={name}", "-e", f"inject={fault}")
        assert outcome.errors[0].startswith("StorageError"), fault
        assert outcome.acknowledged == [1]
        assert path.read_bytes() == before
        assert snapshot_of(path) == refused
        assert litter_beside(path) + set_aside_beside(path) == []
    make(path, [LATER])
    assert set_aside_beside(path) == [TORN]


def test_an_interrupt_leaves_a_torn_call_in_the_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.jsonl"
    a_log_with_a_torn_call(path)
    content = path.read_bytes()

    def interrupt(_descriptor: int, _size: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "ftruncate", interrupt)
    with pytest.raises(KeyboardInterrupt):
        make(path, [LINES])
    assert path.read_bytes() == content
    assert set_aside_beside(path) == []


@needs_strace
def test_a_file_that_cannot_be_read_is_an_error_not_an_empty_graph(
    lab: Lab, tmp_path: Path
) -> None:
    path = tmp_path / "memory.jsonl"
    make(path, [ADA])
    before = path.read_bytes()
    fault = ("-P", str(path), "-e", "trace=read", "-e", "inject=read:error=EIO")
    outcome = lab.run(path, [("read_graph", None), LINES, ADA], *fault)
    assert len(outcome.errors) == 3
    assert all(message.startswith("StorageError") for message in outcome.errors.values())
    assert path.read_bytes() == before


# --- a folder that may not be written, a lock that cannot be had ---------------------------------


def test_a_folder_that_may_not_be_written_serves_reads(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    with _read_only_folder(folder) as path:
        before = path.read_bytes()
        memory = open_memory(path)
        assert snapshot(memory)[0][0][0] == "Ada"
        with pytest.raises(StorageError, match="Nothing was saved"):
            perform(memory, *LINES)
        assert snapshot(memory)[0][0][0] == "Ada"
        assert path.read_bytes() == before
        assert [found.name for found in folder.iterdir()] == [path.name]


@needs_strace
@pytest.mark.parametrize("fault", ["flock:error=ENOLCK", "flock:error=EIO", "openat:error=EROFS"])
def test_a_place_without_locks_refuses_writes_and_serves_reads(
    fault: str, lab: Lab, tmp_path: Path
) -> None:
    path = tmp_path / "memory.jsonl"
    make(path, [ADA])
    before = path.read_bytes()
    name = fault.partition(":")[0]
    only = ("-P", f"{path}.lock", "-e", f"trace={name}", "-e", f"inject={fault}")
    outcome = lab.run(path, [LINES, ("read_graph", None)], *only)
    assert "cannot be locked" in outcome.errors[0]
    assert outcome.acknowledged == [1]
    assert path.read_bytes() == before
    assert litter_beside(path) == []


_HOLD_LOCK: Final = """
import fcntl, sys, time
file = open(sys.argv[1], "a")
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
time.sleep(600)
"""


def test_a_stopped_process_that_holds_the_lock_is_waited_for_no_longer_than_promised(
    tmp_path: Path,
) -> None:
    path = tmp_path / "folder" / "memory.jsonl"
    make(path, [ADA])
    log = Log(
        path,
        read_document=lambda _content: None,
        may_compact=lambda: False,
        lock_timeout_seconds=0.2,
    )
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD_LOCK, f"{path}.lock"], stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == b"held\n"
        holder.send_signal(signal.SIGSTOP)
        with pytest.raises(LockTimeout, match=re.escape(f"{path}.lock")):
            log.compact()
        assert "Ada" in log.read().entities
        holder.kill()
    log.compact()  # the lock goes with its holder


# --- a rename that is refused ------------------------------------------------------------------


@needs_strace
@pytest.mark.parametrize("error", ["EBUSY", "EACCES"])
def test_a_write_succeeds_though_its_compaction_is_refused(
    error: str, lab: Lab, tmp_path: Path
) -> None:
    path = tmp_path / "folder" / "memory.jsonl"
    a_log_of_dead_lines(path)
    log = tmp_path / "strace"
    fault = ("-o", str(log), "-e", "trace=rename", "-e", f"inject=rename:error={error}")
    outcome = lab.run(path, [LINES, LATER], *fault)
    assert outcome.acknowledged == [0, 1]
    # Not tried again before the file has doubled.
    assert log.read_text(encoding="ascii").count("rename(") == 1
    assert set(observations_of_ada(path)) >= {"one", "two", "three", "four"}
    assert litter_beside(path) == []


@needs_strace
def test_a_compaction_that_is_refused_says_so_and_changes_nothing(lab: Lab, tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    a_log_of_dead_lines(path)
    before = path.read_bytes()
    fault = ("-e", "trace=rename", "-e", "inject=rename:error=EBUSY")
    outcome = lab.run(path, [("compact", None), ("initialize_memory", "fresh")], *fault)
    assert len(outcome.errors) == 2
    assert path.read_bytes() == before
    assert litter_beside(path) + set_aside_beside(path) == []


@needs_strace
def test_a_document_that_cannot_be_replaced_stays_and_leaves_no_copies(
    lab: Lab, tmp_path: Path
) -> None:
    path = tmp_path / "memory.jsonl"
    path.write_bytes(DOCUMENT)
    fault = ("-e", "trace=rename", "-e", "inject=rename:error=EBUSY")
    outcome = lab.run(path, [LINES, LINES, ("read_graph", None)], *fault)
    assert outcome.acknowledged == [2]
    assert path.read_bytes() == DOCUMENT
    assert litter_beside(path) + set_aside_beside(path) == []


# --- places ------------------------------------------------------------------------------------


@contextmanager
def _mounted(folder: Path, options: str) -> Iterator[None]:
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", options, "none", str(folder)]
    if not shutil.which("mount") or subprocess.run(mount, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@contextmanager
def _read_only_folder(folder: Path) -> Iterator[Path]:
    """Give a memory file in a folder that may not be written, by whoever runs the test."""
    path = folder / "memory.jsonl"
    if os.geteuid() == 0:
        with _mounted(folder, "size=64k"):
            make(path, [ADA])
            path.with_name(f"{path.name}.lock").unlink()
            subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
            yield path
    else:
        folder.mkdir()
        make(path, [ADA])
        path.with_name(f"{path.name}.lock").unlink()
        folder.chmod(0o500)
        yield path
        folder.chmod(0o700)


class _OutOfMemory(GraphWatcher):
    """Lets memory run out at the second observation that it hears of."""

    heard = 0

    def observation_said(self, _name: str, _text: str) -> None:
        self.heard += 1
        if self.heard > 1:
            raise MemoryError


def test_a_file_that_is_read_in_part_for_want_of_memory_counts_as_not_read(
    tmp_path: Path,
) -> None:
    path = tmp_path / "memory.jsonl"
    make(path, [ADA])
    log = Log(path, read_document=records_of_document, may_compact=lambda: False)
    watcher = _OutOfMemory()
    log.read().watch(watcher)
    make(path, [LINES, LATER])
    with pytest.raises(MemoryError):
        log.read()
    expected = snapshot_of(path)
    assert log.read().entities["Ada"].observations.keys() == set(observations_of_ada(path))
    log.compact()
    assert snapshot_of(path) == expected
