"""A log that is cut at any byte is read as it was after some whole call, and can be written on."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from driver import open_memory, perform
from faultlab import IS_SOAK, Call, Snapshot, set_aside_beside, snapshot, snapshot_of

_NAMES: Final = ("Ada", "Bob", "Ça va?", "名前")
_TEXTS: Final = (
    "plain",
    "two\nlines",
    'a "quote" and a \\ backslash',
    "\u2028 separates \u0085 lines",
    "🙂 beyond the first plane",
    "",
    '{"type":"entity","name":"Ada"}',
)


@pytest.fixture(autouse=True)
def _without_syncs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Save time: no power is cut here."""
    for name in ("fsync", "fdatasync"):
        monkeypatch.setattr(os, name, lambda _descriptor: None, raising=False)


@pytest.mark.parametrize("seed", range(40 if IS_SOAK else 2))
def test_a_log_cut_at_any_byte_is_read_as_after_a_whole_call(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)  # noqa: S311 - a seed makes a failure repeatable
    content, states = _log_of_calls(
        tmp_path / "memory.jsonl", _random_calls(dice, 40 if IS_SOAK else 15)
    )
    for cut in range(len(content) + 1):
        _require_whole_calls(tmp_path / f"{cut}", content[:cut], states)


def test_a_first_write_cut_at_any_byte_is_no_write(tmp_path: Path) -> None:
    """In a repository, the first call also says whose memory it is."""
    subprocess.run(["git", "init", "-q", tmp_path / "repository"], check=True)
    calls: list[Call] = [("create_entities", {"Ada": ["one", "two"], "Bob": ["three"]})]
    content, states = _log_of_calls(tmp_path / "repository" / "memory.jsonl", calls)
    assert content.startswith(b'{"type":"header"')
    for cut in range(len(content) + 1):
        _require_whole_calls(tmp_path / f"{cut}", content[:cut], states)


def _require_whole_calls(folder: Path, content: bytes, states: dict[int, Snapshot]) -> None:
    path = folder / "memory.jsonl"
    folder.mkdir()
    path.write_bytes(content)
    # The newline after a call is no part of what it says.
    whole = max(end for end in states if end <= len(content) + 1)
    found = snapshot_of(path)
    assert found == states[whole]
    perform(open_memory(path), "create_entities", {"Next": ["still writes"]})
    entities, relations = snapshot_of(path)
    assert (entities[:-1], relations) == found
    assert entities[-1] == ("Next", "thing", ("still writes",))
    assert path.read_bytes().startswith(content[:whole])
    torn = content[whole:]
    assert set_aside_beside(path) == ([torn] if torn else [])


def _log_of_calls(
    path: Path, calls: Iterator[Call] | list[Call]
) -> tuple[bytes, dict[int, Snapshot]]:
    """Return the log that the calls make, and the graph at each size at which a call ends."""
    memory = open_memory(path)
    states = {0: snapshot(memory)}
    for operation, argument in calls:
        perform(memory, operation, argument)
        if path.exists():
            states[path.stat().st_size] = snapshot(memory)
    return path.read_bytes(), states


def _random_calls(dice: random.Random, count: int) -> Iterator[Call]:
    existing: list[str] = []
    for _ in range(count):
        names = dice.sample(_NAMES, dice.randint(1, 3))
        texts = {name: dice.sample(_TEXTS, dice.randint(0, 3)) for name in names}
        keys = [[dice.choice(_NAMES), dice.choice(_NAMES), "knows"] for _ in range(2)]
        known = {name: texts[name] for name in names if name in existing}
        call: Call = dice.choice(
            [
                ("create_entities", texts),
                ("create_entities", texts),
                ("create_relations", keys),
                ("add_observations", known),
                ("delete_entities", names[:1]),
                ("delete_observations", texts),
                ("delete_relations", keys),
            ]
        )
        match call[0]:
            case "create_entities":
                existing += names
            case "delete_entities":
                existing = [name for name in existing if name not in names[:1]]
        yield call
