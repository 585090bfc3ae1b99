"""Eight processes that add to one memory at once, beside eight that only write and sync.

Each pauses for 20 ms between two additions. The sync itself is measured in the same way: eight
processes, the same pause, the same bytes, each with a file of its own and no lock. A process is
this file as a script; it says when it is ready and starts when it reads a line.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "conformance"))

from dataset import generate
from figures import Figures, Shape
from peers import OURS
from raw_disk import LockedFile
from workload import Calls

from mnemolog.memory import Memory
from mnemolog.requests import NewObservations
from mnemolog.store.location import Settings

WRITERS: Final = 8
PAUSE_SECONDS: Final = 0.02
SHAPE: Final = Shape(1_000)

ADDED: Final = "8 writers"
LOCKED: Final = "8 times lock + write + fdatasync"
SYNCED: Final = "8 times write + fdatasync, each its own file"
RAW: Final = "the system"

_LINE: Final = b'{"type":"entity","name":"x","entityType":"y","observations":["%s"]}\n' % (
    b"." * 120
)
_PATIENCE_SECONDS: Final = 300


def measure_writers(figures: Figures, folder: Path, adds: int, rounds: int) -> None:
    """Measure all three, one after the other, a few rounds."""
    dataset = generate(SHAPE.observations)
    kinds = ((ADDED, OURS, "mnemolog"), (LOCKED, RAW, "locked"), (SYNCED, RAW, "alone"))
    taken: dict[str, list[float]] = {what: [] for what, _, _ in kinds}
    used: dict[str, list[float]] = {what: [] for what, _, _ in kinds}
    for turn in range(rounds):
        file = folder / f"shared-{turn}.jsonl"  # what is there already would not be saved again
        dataset.write_ours(file)
        for what, _, kind in kinds:
            with figures.attempt(what):
                took, cpu = _together(kind, file, adds)
                taken[what] += took
                used[what] += cpu
    for what, who, _ in kinds:
        figures.note(what, who, taken[what])
        figures.note(f"{what}, processor time", who, used[what])


def _together(kind: str, file: Path, adds: int) -> tuple[list[float], list[float]]:
    """Let eight processes write at once; return the seconds of each addition, and processor's."""
    writers = [
        subprocess.Popen(
            [sys.executable, __file__, kind, str(file), str(adds), str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(WRITERS)
    ]
    try:
        for writer in writers:
            assert writer.stdout
            assert writer.stdout.readline() == "ready\n", "a writer did not start"
        for writer in writers:
            assert writer.stdin
            writer.stdin.write("go\n")
            writer.stdin.flush()
        outputs = [writer.communicate(timeout=_PATIENCE_SECONDS)[0] for writer in writers]
    finally:
        for writer in writers:
            writer.kill()
    assert all(writer.returncode == 0 for writer in writers), "a writer failed"
    took, cpu = zip(*map(json.loads, outputs), strict=True)
    return list(chain(*took)), list(chain(*cpu))


def main(kind: str, file: Path, adds: int, number: int) -> None:
    add = _adder(kind, file, number)
    add()
    print("ready", flush=True)
    sys.stdin.readline()
    time.sleep(PAUSE_SECONDS * number / WRITERS)  # agents do not start in step
    took, cpu = [], []
    for _ in range(adds):
        start, processed = time.perf_counter(), time.process_time()
        add()
        took.append(time.perf_counter() - start)
        cpu.append(time.process_time() - processed)
        time.sleep(PAUSE_SECONDS)
    print(json.dumps([took, cpu]))


def _adder(kind: str, file: Path, number: int) -> Callable[[], object]:
    if kind == "mnemolog":
        return _memory_adder(file, number)
    if kind == "locked":
        shared = LockedFile(file.with_name(f"{file.stem}-raw"))
        return lambda: shared.append_locked(_LINE)
    own = LockedFile(file.with_name(f"own-{number}"))
    return lambda: own.append(_LINE)


def _memory_adder(file: Path, number: int) -> Callable[[], object]:
    memory = Memory.open(Settings(str(file), None), file.parent)
    calls = Calls(generate(SHAPE.observations), seed=number)

    def add() -> None:
        name, text = calls.new_observation()
        memory.add_observations([NewObservations(name, (text,))], f"writer-{number}")

    return add


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
