"""Imports that are killed, and imports that are large."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from imports import bring, entity, json_lines, memory_in, relation, state_of, written
from mnemolog.edits.edit import LARGEST_TEXT_BYTES
from mnemolog.graph import Graph
from mnemolog.importing import steps
from mnemolog.importing.report import Counts
from mnemolog.interchange.sources import Found
from mnemolog.records import UNTAGGED, Entity

_KILLED = """
import os, signal, sys
from pathlib import Path
from mnemolog.importing import steps
from mnemolog.memory import Memory
from mnemolog.store.location import Settings
steps.CALL_RECORDS = 50
memory = Memory.open(Settings(sys.argv[1], None), Path.cwd())
for number, _ in enumerate(memory.upkeep.import_steps(Path(sys.argv[2]), "cli")):
    if number == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system has no SIGKILL")
@pytest.mark.parametrize("number", [0, 3, 9])
def test_an_import_that_was_killed_is_simply_run_again(tmp_path: Path, number: int) -> None:
    once, killed = tmp_path / "once", tmp_path / "killed"
    for folder in (once, killed):
        folder.mkdir()
    lines = [relation(f"E{n}", f"E{(n * 7) % 400}") for n in range(100)]
    lines += [entity(f"E{n}", f"fact {n}", f"another {n}") for n in range(400)]
    source = written(tmp_path / "theirs.jsonl", *lines)
    bring(once, source)
    words = [sys.executable, "-c", _KILLED, str(killed / "memory.jsonl"), str(source), str(number)]
    done = subprocess.run(words, check=False, cwd=killed, env={**os.environ})
    assert done.returncode == -signal.SIGKILL
    assert state_of(killed) != state_of(once)
    bring(killed, source)
    assert state_of(killed) == state_of(once)
    assert bring(killed, source).lines_added == 0


def test_a_call_of_an_import_ends_at_a_few_megabytes() -> None:
    large = Entity("Lamp", "device", ("x" * LARGEST_TEXT_BYTES,), UNTAGGED)
    run = steps.Run(lambda batch: batch(Graph()).result, Counts(), steps.CALL_RECORDS)
    batches = list(run.batches(Found(f"line {n}", large) for n in range(40)))
    assert [len(batch) for batch in batches] == [16, 16, 8]


def traced(call: Callable[[], object]) -> tuple[int, int]:
    """Return how much memory is held after a call, and the most that was held meanwhile."""
    tracemalloc.start()
    try:
        kept = call()
        held, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    del kept
    return held, peak


LAYOUTS: dict[str, Callable[[list[Any]], Iterator[bytes]]] = {
    "lines": lambda values: (json_lines(value) for value in values),
    "array": lambda values: iter(
        [b"[" + b",".join(json_lines(value).rstrip() for value in values) + b"]"]
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_import_needs_the_memory_of_the_graph_and_not_of_the_source(
    tmp_path: Path, layout: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(steps, "CALL_RECORDS", 100)
    values: list[Any] = [relation(f"E{n}", f"E{n // 2}") for n in range(3000)]
    values += [entity(f"E{n}", f"fact {n} " + "z" * 1000) for n in range(3000)]
    source = tmp_path / "theirs.json"
    source.write_bytes(b"".join(LAYOUTS[layout](values)))
    small = written(tmp_path / "small.jsonl", entity("A", "warm up"))
    for folder in ("ours", "other"):
        (tmp_path / folder).mkdir()
    bring(tmp_path / "other", small)
    _, always = traced(lambda: bring(tmp_path / "ours", small))
    _, peak = traced(lambda: bring(tmp_path / "ours", source))
    reader = memory_in(tmp_path / "ours")
    graph, _ = traced(reader.read_graph)
    assert peak - always < 1.15 * graph
