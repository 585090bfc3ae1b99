"""Openings are seen by every process, stay few, and can be lost without harm."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemolog.store import access
from mnemolog.store.access import AccessLog

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
LATER = NOON + timedelta(minutes=1)


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    return tmp_path / "memory.local.jsonl"


def test_it_lies_beside_the_memory_and_is_named_after_it(memory: Path) -> None:
    assert AccessLog(memory).path.name == "memory.local.access.jsonl"


def test_an_opening_is_seen_by_every_process(memory: Path) -> None:
    here, there = AccessLog(memory), AccessLog(memory)
    assert there.opens() == {}
    here.note(["Lamp", "Desk"], NOON)
    there.note(["Lamp"], LATER)
    for log in (here, there):
        assert log.opens() == {
            "Lamp": [NOON.timestamp(), LATER.timestamp()],
            "Desk": [NOON.timestamp()],
        }


def test_opening_nothing_leaves_no_trace(memory: Path) -> None:
    log = AccessLog(memory)
    log.note([], NOON)
    assert not log.path.exists()


def test_unreadable_lines_are_skipped(memory: Path) -> None:
    log = AccessLog(memory)
    log.note(["Lamp"], NOON)
    with log.path.open("ab") as file:
        file.write(b'\xff\n[]\n{"at":5,"entity":"Desk"}\n{"at":"soon","entity":"Desk"}\n{}\nnull\n')
        file.write(b"[" * 100_000 + b"\n")
    log.note(["Desk"], LATER)
    assert log.opens() == {"Lamp": [NOON.timestamp()], "Desk": [LATER.timestamp()]}


def test_a_half_written_line_counts_once_it_is_whole(memory: Path) -> None:
    log = AccessLog(memory)
    log.note(["Lamp"], NOON)
    line = log.path.read_bytes()
    with log.path.open("ab") as file:
        file.write(line[:20])
    assert len(log.opens()["Lamp"]) == 1
    with log.path.open("ab") as file:
        file.write(line[20:])
    assert len(log.opens()["Lamp"]) == 2


def test_deleting_it_only_forgets_the_openings(memory: Path) -> None:
    log = AccessLog(memory)
    log.note(["Lamp"], NOON)
    assert log.opens()
    log.path.unlink()
    assert log.opens() == {}
    log.note(["Desk"], NOON)
    assert list(log.opens()) == ["Desk"]


def test_emptying_it_forgets_the_openings_too(memory: Path) -> None:
    log = AccessLog(memory)
    log.note(["Lamp", "Chair", "Shelf"], NOON)
    assert log.opens()
    os.truncate(log.path, 0)
    log.note(["Desk"], NOON)
    assert list(log.opens()) == ["Desk"]


def test_one_that_was_cut_is_read_again(memory: Path) -> None:
    log = AccessLog(memory)
    log.note(["Lamp"], NOON)
    first = log.path.stat().st_size
    log.note(["Desk", "Chair"], NOON)
    assert list(log.opens()) == ["Lamp", "Desk", "Chair"]
    os.truncate(log.path, first)
    assert list(log.opens()) == ["Lamp"]


def test_it_stays_bounded_and_keeps_the_newer_half(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "LARGEST_BYTES", 2000)
    log = AccessLog(memory)
    for place in range(100):
        log.note([f"entity {place}"], NOON)
    assert log.path.stat().st_size <= 2000
    kept = list(AccessLog(memory).opens())
    assert kept[-1] == "entity 99"
    assert "entity 0" not in kept
    assert log.opens() == AccessLog(memory).opens()


def test_what_a_killed_process_left_behind_is_cleared_away(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access, "LARGEST_BYTES", 50)
    log = AccessLog(memory)
    leftover = log.path.with_name(f"{log.path.name}.tmp-1")
    leftover.write_bytes(b"half of it")
    log.note(["Lamp", "Desk"], NOON)
    assert [path.name for path in log.path.parent.iterdir()] == [log.path.name]


def test_a_folder_that_cannot_be_written_is_no_reason_to_fail(tmp_path: Path) -> None:
    log = AccessLog(tmp_path / "missing" / "memory.local.jsonl")
    log.note(["Lamp"], NOON)
    assert log.opens() == {}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_named_pipe_in_its_place_is_not_waited_for(memory: Path) -> None:
    log = AccessLog(memory)
    os.mkfifo(log.path)
    log.note(["Lamp"], NOON)
    assert log.opens() == {}
