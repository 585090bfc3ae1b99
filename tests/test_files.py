"""What is made is private, what was left behind goes, and nothing else does."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from mnemolog.store.files import FOLDER_MODE, make_folders, remove_temporaries, replace, set_aside


@pytest.mark.parametrize("name", ["memory.jsonl", "memory [1] (a*b?).jsonl"])
def test_what_a_killed_process_left_is_removed_and_nothing_else(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    kept = [
        path,
        *(tmp_path / f"{name}.{end}" for end in ("lock", "bak-1", "tmp", "tmp-before")),
        tmp_path / "x",
    ]
    others = [tmp_path / f"other.tmp-{os.getpid()}", tmp_path / f"a{name}.tmp-1"]
    left = [tmp_path / f"{name}.tmp-{number}" for number in (1, os.getpid())]
    for file in (*kept, *others, *left):
        file.touch()
    folder = tmp_path / f"{name}.tmp-2"
    folder.mkdir()
    remove_temporaries(path)
    assert sorted(tmp_path.iterdir()) == sorted((*kept, *others, folder))


def test_where_there_is_no_folder_nothing_was_left(tmp_path: Path) -> None:
    remove_temporaries(tmp_path / "missing" / "memory.jsonl")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs root")
def test_a_file_that_root_replaces_stays_its_owners(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    path.touch(mode=0o640)
    os.chown(path, 12345, 23456)
    replace(path, b"new", lambda: None)
    status = path.stat()
    assert path.read_bytes() == b"new"
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (12345, 23456, 0o640)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no modes")
def test_folders_that_are_missing_are_made_private(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir(mode=0o755)
    make_folders(there / "one" / "two")
    make_folders(there / "one" / "two")
    modes = [stat.S_IMODE(f.stat().st_mode) for f in (there, there / "one", there / "one" / "two")]
    assert modes == [0o755, FOLDER_MODE, FOLDER_MODE]


def test_an_interrupted_copy_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mnemolog.store.files.sync", _interrupt)
    with pytest.raises(KeyboardInterrupt):
        set_aside(tmp_path / "memory.jsonl", "torn", b"half a call")
    assert list(tmp_path.iterdir()) == []


def _interrupt(_descriptor: int) -> None:
    raise KeyboardInterrupt


@pytest.mark.skipif(
    sys.platform != "linux", reason="other systems see first that the name is taken"
)
def test_a_copy_of_the_same_second_outlives_one_that_cannot_be_opened(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    place = set_aside(tmp_path / "memory.jsonl", "torn", b"half a call")
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, most))
    try:
        with pytest.raises(OSError, match="Too many open files"):
            set_aside(tmp_path / "memory.jsonl", "torn", b"another")
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (least, most))
    assert place.read_bytes() == b"half a call"
