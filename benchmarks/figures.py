"""What a run has measured so far: kept as it comes, so that a failure costs one figure, not all."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Final

from stdio_client import ServerGone

FAILURES: Final = (ServerGone, OSError, subprocess.SubprocessError, AssertionError, ValueError)
"""What can go wrong with a process that is measured."""

FEWEST_FOR_P99: Final = 100


@dataclass(frozen=True, slots=True)
class Shape:
    """How many observations there are, and how they are spread over entities."""

    observations: int
    is_scattered: bool = False

    def __str__(self) -> str:
        spread = "one to an entity" if self.is_scattered else "five to an entity"
        return f"{self.observations:,}, {spread}"


NO_SHAPE: Final = Shape(0)
"""Of a figure that does not depend on the facts."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured thing: seconds, or bytes for memory."""

    what: str
    who: str
    median: float
    p99: float | None = None
    """None where there were too few for one."""
    count: int = 1
    shape: Shape = NO_SHAPE


class Figures:
    """Everything that one run has measured, and what it could not."""

    def __init__(self, file: Path | None = None) -> None:
        self.about = ""
        """The machine, the versions and the day."""
        self.gaps: list[str] = []
        """What could not be measured, and why."""
        self._file = file
        self._by_key: dict[tuple[str, str, Shape], Figure] = {}

    def __iter__(self) -> Iterator[Figure]:
        return iter(self._by_key.values())

    def note(self, what: str, who: str, values: Sequence[float], shape: Shape = NO_SHAPE) -> None:
        """Keep the median of some measurements, and their 99th percentile if they are enough."""
        if not values:
            return
        p99 = percentile_99(values) if len(values) >= FEWEST_FOR_P99 else None
        figure = Figure(what, who, median(values), p99, len(values), shape)
        self._by_key[what, who, shape] = figure
        where = f", {shape}" if shape.observations else ""
        print(f"measured: {what}, {who}{where}", file=sys.stderr, flush=True)
        self.save()

    def find(self, what: str, who: str, shape: Shape = NO_SHAPE) -> Figure | None:
        """Return a figure, if it was measured."""
        return self._by_key.get((what, who, shape))

    def miss(self, what: str, reason: object) -> None:
        """Say that something was not measured."""
        self.gaps.append(f"{what}: {str(reason).strip().splitlines()[0]}")
        print(f"not measured: {self.gaps[-1]}", file=sys.stderr, flush=True)
        self.save()

    @contextmanager
    def attempt(self, what: str) -> Iterator[None]:
        """Go on with the next thing if this one fails."""
        try:
            yield
        except FAILURES as failure:
            self.miss(what, _said_by(failure))

    def save(self) -> None:
        """Write down everything so far."""
        if self._file:
            kept = {"about": self.about, "gaps": self.gaps, "figures": [asdict(f) for f in self]}
            self._file.write_text(json.dumps(kept, indent=1), encoding="utf-8", newline="\n")

    @classmethod
    def load(cls, file: Path) -> Figures:
        """Return what an earlier run has saved."""
        kept = json.loads(file.read_text(encoding="utf-8"))
        figures = cls()
        figures.about, figures.gaps = kept["about"], kept["gaps"]
        for figure in kept["figures"]:
            shape = Shape(**figure.pop("shape"))
            read = Figure(**figure, shape=shape)
            figures._by_key[read.what, read.who, shape] = read
        return figures


def _said_by(failure: Exception) -> str:
    """Return one line that says what went wrong, without the paths in a command."""
    if isinstance(failure, subprocess.CalledProcessError):
        stderr = failure.stderr or b"it failed"
        told = stderr if isinstance(stderr, str) else stderr.decode(errors="replace")
        return told.strip().splitlines()[-1]
    if isinstance(failure, subprocess.TimeoutExpired):
        return f"no answer in {failure.timeout:g} seconds"
    return str(failure) or type(failure).__name__


def percentile_99(values: Sequence[float]) -> float:
    """Return the value that one in a hundred is above."""
    return sorted(values)[-1 - len(values) // 100]
