"""What the warnings add to a write: `uv run python benchmarks/screening_cost.py [OBSERVATIONS]`.

Screens new facts against a memory of 10,000 (or so many as the argument says), without writing:
some are new, some reword or contradict one that is there. The bound is 5 ms at 10,000.
"""

from __future__ import annotations

import platform
import random
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles

from dataset import generate

from mnemolog.memory import Memory
from mnemolog.requests import NewObservations
from mnemolog.store.location import Settings

TURNS = 300
BOUND_MS = 5.0


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.jsonl"
        generate(count).write_ours(path)
        memory = Memory.open(Settings(str(path), None), path.parent)
        entities = [e for e in memory.read_graph().entities if e.observations]
        dice = random.Random(1)  # noqa: S311 - it has to repeat, not to surprise
        memory.check_observations([NewObservations("warm", ("up",))])
        took = []
        for turn in range(TURNS):
            entity = dice.choice(entities)
            known = dice.choice(entity.observations)
            text = (known.upper(), f"{known} and {turn}", f"note {turn}: {known[::-1]}")[turn % 3]
            started = time.perf_counter()
            memory.check_observations([NewObservations(entity.name, (text,))])
            took.append((time.perf_counter() - started) * 1000)
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {platform.machine()}: "
        f"screening one fact against {count:,}: median {median(took):.2f} ms, "
        f"p99 {quantiles(took, n=100)[98]:.2f} ms (bound {BOUND_MS:g} ms)"
    )


if __name__ == "__main__":
    main()
