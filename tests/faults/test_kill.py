"""A process that is killed at any moment loses nothing it acknowledged, and leaves no half call."""

from __future__ import annotations

import random
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import faultlab
from driver import open_memory, perform
from faultlab import (
    IS_SOAK,
    Call,
    Lab,
    Outcome,
    Snapshot,
    litter_beside,
    make,
    needs_strace,
    snapshot_of,
    snapshots_after_each,
)
from scenarios import SCENARIOS, Scenario

_WHAT_CHANGES_THE_DISK = (
    "/^(open|creat|write|pwrite|fsync|fdatasync|ftruncate|rename|unlink|mkdir|flock|fchmod|close)"
)

lab = faultlab.lab


@needs_strace
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_a_kill_at_any_system_call_keeps_what_was_acknowledged(
    scenario: Scenario, lab: Lab, tmp_path: Path
) -> None:
    expected = snapshots_after_each(_prepared(scenario, tmp_path / "expected"), scenario.calls)
    log = tmp_path / "strace"
    traced = lab.trace(
        _prepared(scenario, tmp_path / "traced"), scenario.calls, log, _WHAT_CHANGES_THE_DISK
    )
    kills = list(_every_system_call(traced))
    assert len(kills) > 10
    for name, number in kills:
        path = _prepared(scenario, tmp_path / f"{name}-{number}")
        fault = f"inject={name}:signal=SIGKILL:when={number}"
        outcome = lab.run(path, scenario.calls, "-e", f"trace={name}", "-e", fault)
        assert outcome.was_killed, fault
        _require_whole_calls(path, outcome, expected, fault)
        if scenario.kept:
            found = [f.read_bytes() for f in path.parent.iterdir()]
            assert any(scenario.kept in content for content in found), fault
        shutil.rmtree(tmp_path / f"{name}-{number}")


def test_kills_at_random_moments_keep_what_was_acknowledged(lab: Lab, tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    dice = random.Random(7)  # noqa: S311 - a seed makes a failure repeatable
    make(path, [("create_entities", {"Ada": []})])
    acknowledged = 0
    for round_number in range(300 if IS_SOAK else 25):
        calls = list(_adds_and_deletes(round_number))
        before = snapshot_of(path)
        copy = tmp_path / "copy"
        copy.mkdir()
        shutil.copy(path, copy / path.name)
        expected = snapshots_after_each(copy / path.name, calls)
        shutil.rmtree(copy)
        assert expected[0] == before
        lab.start(path, calls, killed_after=dice.uniform(0.0, 0.2))
        lab.let_go()
        outcome = lab.outcome()
        acknowledged += len(outcome.acknowledged)
        assert not outcome.errors
        _require_whole_calls(path, outcome, expected, f"round {round_number}")
    assert acknowledged > 20


def _adds_and_deletes(round_number: int) -> Iterator[Call]:
    names = [f"{round_number}.{n}" for n in range(12)]
    for name in names:
        yield "create_entities", {name: ["here " * 200, "and there"], f"{name}b": []}
        yield "create_relations", [[name, "Ada", "knows"], [f"{name}b", name, "knows"]]
        yield "delete_entities", [name, f"{name}b"]


def _require_whole_calls(
    path: Path, outcome: Outcome, expected: list[Snapshot], fault: str
) -> None:
    done = len(outcome.acknowledged)
    found = snapshot_of(path)
    assert found in expected[done : done + 2], fault
    memory = open_memory(path)
    perform(memory, "create_entities", {"Next": ["still writes"]})
    entities, relations = snapshot_of(path)
    assert (entities[:-1], relations) == found, fault
    assert entities[-1] == ("Next", "thing", ("still writes",)), fault
    assert litter_beside(path) == [], fault
    perform(memory, "delete_entities", ["Next"])


def _every_system_call(traced: str) -> Iterator[tuple[str, int]]:
    counts: Counter[str] = Counter()
    for line in traced.splitlines():
        if found := re.match(r"\d+ +(\w+)\(", line):
            name = found[1]
            counts[name] += 1
            yield name, counts[name]


def _prepared(scenario: Scenario, folder: Path) -> Path:
    path = folder / scenario.place
    folder.mkdir()
    scenario.prepare(path)
    return path
