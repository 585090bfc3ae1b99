"""After a power cut at any moment, every acknowledged call is there, whole."""

from __future__ import annotations

import itertools
import random
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePath
from typing import Final

import pytest

import faultlab
from driver import open_memory, perform
from faultlab import (
    IS_SOAK,
    Call,
    Lab,
    Snapshot,
    litter_beside,
    needs_strace,
    snapshot_of,
    snapshots_after_each,
)
from powercut import TRACED, Disk, states_after_a_cut
from scenarios import SCENARIOS, Scenario

lab = faultlab.lab

_CUTS_PER_WRITE = 1 << 24 if IS_SOAK else 12


@needs_strace
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_a_power_cut_keeps_what_was_acknowledged(
    scenario: Scenario, lab: Lab, tmp_path: Path
) -> None:
    expected = _expected(scenario, tmp_path)
    count = 0
    for acknowledged, path in _crashes(scenario, lab, tmp_path):
        found = snapshot_of(path)
        assert found in expected[acknowledged : acknowledged + 2]
        contents = [f.read_bytes() for f in path.parent.iterdir()] if path.parent.exists() else []
        assert not scenario.kept or any(scenario.kept in content for content in contents)
        if IS_SOAK or count % 10 == 0:
            _require_next_write_to_succeed(path, found)
        count += 1
    assert count > 20


def _require_next_write_to_succeed(path: Path, found: Snapshot) -> None:
    perform(open_memory(path), "create_entities", {"Next": ["still writes"]})
    entities, relations = snapshot_of(path)
    assert (entities[:-1], relations) == found
    assert entities[-1][0] == "Next"
    assert litter_beside(path) == []


@needs_strace
@pytest.mark.parametrize(
    ("scenario", "missing"),
    [(SCENARIOS[0], "fsync"), (SCENARIOS[1], "fdatasync"), (SCENARIOS[3], "fsync")],
    ids=["a new name", "a write", "a rename"],
)
def test_the_simulator_sees_that_a_sync_is_missing(
    scenario: Scenario, missing: str, lab: Lab, tmp_path: Path
) -> None:
    expected = _expected(scenario, tmp_path)
    assert any(
        snapshot_of(path) not in expected[acknowledged : acknowledged + 2]
        for acknowledged, path in _crashes(scenario, lab, tmp_path, without=[missing])
    )


_RETRIED: Final = ("create_entities", {"Eve": ["one", "two"]})
_OTHER: Final = ("create_entities", {"Fay": ["one", "two"]})


@needs_strace
@pytest.mark.parametrize("second", [_RETRIED, _OTHER], ids=["the same call", "another call"])
@pytest.mark.parametrize(
    "scenario", [SCENARIOS[0], SCENARIOS[3], SCENARIOS[6]], ids=lambda scenario: scenario.name
)
def test_a_power_cut_after_a_kill_keeps_what_the_next_process_acknowledged(
    scenario: Scenario, second: Call, lab: Lab, tmp_path: Path
) -> None:
    """What another process left unsynced must not take an acknowledged call down with it."""
    first = [call for call in scenario.calls if call[0] in {"compact", "initialize_memory"}]
    dice = random.Random(3)  # noqa: S311 - a seed makes a failure repeatable
    killed = 0
    for sync, number in itertools.product(["fsync", "fdatasync"], range(1, 8)):
        folder = tmp_path / f"{sync}-{number}"
        path = folder / scenario.place
        folder.mkdir()
        scenario.prepare(path)
        disk = Disk(folder)
        kill = ("-e", f"inject={sync}:signal=SIGKILL:when={number}")
        log = tmp_path / "strace"
        how = ("-o", str(log), "-xx", "-s", str(1 << 24), "-e", f"trace={TRACED}")
        outcome = lab.run(path, first or [_RETRIED], *how, *kill)
        if not outcome.was_killed:
            continue
        killed += 1
        traced = log.read_text(encoding="ascii")
        traced += lab.trace(path, [second], log, TRACED)
        for acknowledged, left in states_after_a_cut(disk, traced, dice, 2):
            _lay_out(tmp_path / "crashed", left)
            entities, _ = snapshot_of(tmp_path / "crashed" / scenario.place)
            names = [name for name, _, _ in entities]
            assert not acknowledged or set(second[1]) <= set(names), f"killed at {sync} {number}"
    assert killed > 1


def _crashes(
    scenario: Scenario, lab: Lab, tmp_path: Path, *, without: Sequence[str] = ()
) -> Iterator[tuple[int, Path]]:
    """Yield the memory file in each state that a cut could leave, and how much was acknowledged."""
    folder = tmp_path / "traced"
    path = folder / scenario.place
    folder.mkdir()
    scenario.prepare(path)
    disk = Disk(folder)
    traced = lab.trace(path, scenario.calls, tmp_path / "strace", TRACED, without=without)
    crashed = tmp_path / "crashed"
    dice = random.Random(3)  # noqa: S311 - a seed makes a failure repeatable
    for acknowledged, left in states_after_a_cut(disk, traced, dice, _CUTS_PER_WRITE):
        _lay_out(crashed, left)
        yield acknowledged, crashed / scenario.place


def _lay_out(folder: Path, files: dict[PurePath, bytes]) -> None:
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir()
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def _expected(scenario: Scenario, tmp_path: Path) -> list[Snapshot]:
    path = tmp_path / "expected" / scenario.place
    (tmp_path / "expected").mkdir()
    scenario.prepare(path)
    return snapshots_after_each(path, scenario.calls)
