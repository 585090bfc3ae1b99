"""The operations without MCP, each beside the least that the system does for the same bytes.

Each size is measured in a process of its own, which prints its figures:

    uv run python benchmarks/without_mcp.py FILE OBSERVATIONS COUNT SCATTERED
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "conformance"))

from clock import seconds_of
from dataset import generate
from figures import Figures, Shape
from peers import OURS
from raw_disk import LockedFile
from workload import Calls

from mnemolog.memory import Memory
from mnemolog.requests import NewObservations
from mnemolog.store.location import Settings

FLOOR: Final = "the system"

READ: Final = "the whole file read"
ADD: Final = "an observation added, synced"
ADD_CPU: Final = "an observation added, processor time"
LOCKED_WRITE: Final = "lock + write + fdatasync"
WRITE: Final = "write + fdatasync"
OPEN: Final = "three entities opened"
SEARCH: Final = "three words searched for, answer included"
COMPACTION: Final = "compaction that drops half of the lines"
REWRITE: Final = "what it keeps written to a new file, synced"
PEAK: Final = "peak memory without MCP"

_AGENT: Final = "benchmark"
_SLOW_SECONDS: Final = 3.0
"""What takes longer is done once."""
_PATIENCE_SECONDS: Final = 600


def measure_without_mcp(figures: Figures, shape: Shape, folder: Path, count: int) -> None:
    """Measure one size in a process of its own; what it has told counts, however it ends."""
    file, told = folder / "memory.jsonl", folder / "told"
    command = [sys.executable, __file__, str(file), str(shape.observations), str(count)]
    with figures.attempt(f"some of what is measured without MCP at {shape}"), told.open("wb") as to:
        subprocess.run(
            [*command, str(int(shape.is_scattered))],
            stdout=to,
            stderr=subprocess.PIPE,
            check=True,
            timeout=_PATIENCE_SECONDS,
        )
    for line in told.read_text(encoding="utf-8").splitlines():
        what, who, values = json.loads(line)
        figures.note(what, who, values, shape)


def main(file: Path, observations: int, count: int, *, is_scattered: bool) -> None:
    dataset = generate(observations, is_scattered=is_scattered)
    dataset.write_ours(file)
    calls = Calls(dataset)
    del dataset
    memory = Memory.open(Settings(str(file), None), file.parent)
    tell(READ, FLOOR, [seconds_of(file.read_bytes) for _ in range(5)])
    tell(READ, OURS, [seconds_of(partial(memory.open_nodes, ["nobody"]))])
    measure_adding(memory, file, calls, count)
    opening = [seconds_of(partial(memory.open_nodes, calls.names())) for _ in range(count)]
    tell(OPEN, OURS, opening)
    searching = [seconds_of(partial(memory.search_nodes, calls.query())) for _ in range(count)]
    tell(SEARCH, OURS, searching)
    tell(PEAK, OURS, [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024])
    measure_compaction(file)


def measure_adding(memory: Memory, file: Path, calls: Calls, count: int) -> None:
    """Add observations, and in turn write the same bytes with nothing around it."""
    raw = LockedFile(file.with_name("raw"), file.read_bytes())
    add_one(memory, calls)  # the first one imports what screens, and builds the index
    took: dict[str, list[float]] = {ADD: [], LOCKED_WRITE: [], WRITE: []}
    cpu: list[float] = []
    for _ in range(count):
        size = file.stat().st_size
        processed, started = time.process_time(), time.perf_counter()
        add_one(memory, calls)
        took[ADD].append(time.perf_counter() - started)
        cpu.append(time.process_time() - processed)
        written = tail(file, size)
        took[LOCKED_WRITE].append(seconds_of(partial(raw.append_locked, written)))
        took[WRITE].append(seconds_of(partial(raw.append, written)))
    tell(ADD, OURS, took[ADD])
    tell(ADD_CPU, OURS, cpu)
    tell(LOCKED_WRITE, FLOOR, took[LOCKED_WRITE])
    tell(WRITE, FLOOR, took[WRITE])


def add_one(memory: Memory, calls: Calls) -> None:
    name, text = calls.new_observation()
    memory.add_observations([NewObservations(name, (text,))], _AGENT)


def measure_compaction(file: Path) -> None:
    """Compact a file of about the same size, in which half of the lines say nothing any more."""
    lines = file.read_bytes().splitlines(keepends=True)
    content = b"".join(lines[::4]) * 4  # of four that say the same, the first and the last count
    del lines
    took, rewriting = [], []
    for _ in range(3):
        file.write_bytes(content)
        memory = Memory.open(Settings(str(file), None), file.parent)
        memory.upkeep.describe()  # reads it
        took.append(seconds_of(memory.upkeep.compact))
        kept = file.read_bytes()
        assert len(kept) < 0.6 * len(content), f"{len(kept):,} of {len(content):,} bytes were kept"
        rewriting.append(seconds_of(partial(rewritten, file.with_name("rewritten"), kept)))
        if took[-1] > _SLOW_SECONDS:
            break
    tell(COMPACTION, OURS, took)
    tell(REWRITE, FLOOR, rewriting)


def rewritten(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def tail(file: Path, start: int) -> bytes:
    with file.open("rb") as opened:
        opened.seek(start)
        return opened.read()


def tell(what: str, who: str, values: list[float]) -> None:
    print(json.dumps([what, who, values]), flush=True)


if __name__ == "__main__":
    main(
        Path(sys.argv[1]),
        int(sys.argv[2]),
        int(sys.argv[3]),
        is_scattered=sys.argv[4] == "1",
    )
