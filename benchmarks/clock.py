"""Seconds: on the clock, and of the processor, which a busy machine changes less."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable


def seconds_of(run: Callable[[], object]) -> float:
    """Return how long a call takes."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def cpu_of_children() -> float:
    """Return what all processes that were started from here, and have ended, have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
