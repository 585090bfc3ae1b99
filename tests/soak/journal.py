"""What happened, for a person who has to find out why something went wrong."""

from __future__ import annotations

import threading
import time
from collections import Counter, deque
from typing import Final

_KEPT: Final = 2000
_IDLE_SECONDS: Final = 3.0


class Journal:
    """The last operations, and how many there were of each kind."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._lines: deque[str] = deque(maxlen=_KEPT)
        self._start = time.monotonic()
        self._operations = 0
        self.counts: Counter[str] = Counter()
        self.largest: Counter[str] = Counter()

    def note(self, who: str, what: str) -> None:
        """Write down that somebody did something."""
        with self._lock:
            self._lines.append(f"{time.monotonic() - self._start:9.3f} {who:8} {what}")

    def operation(self, what: str) -> None:
        """Count an operation."""
        with self._lock:
            self.counts[what] += 1
            self._operations += 1

    @property
    def operations(self) -> int:
        """How many operations there were."""
        return self._operations

    def wait_for(self, more: int) -> None:
        """Return once there were so many more operations, or none for some time."""
        goal, seen, since = self._operations + more, self._operations, time.monotonic()
        while self._operations < goal and time.monotonic() - since < _IDLE_SECONDS:
            if self._operations != seen:
                seen, since = self._operations, time.monotonic()
            time.sleep(0.005)

    def count(self, what: str, many: int = 1) -> None:
        """Count something."""
        with self._lock:
            self.counts[what] += many

    def measure(self, what: str, size: int) -> None:
        """Keep the largest of a size."""
        with self._lock:
            self.largest[what] = max(self.largest[what], size)

    def lines(self) -> list[str]:
        """Return the last lines, oldest first."""
        with self._lock:
            return [*self._lines]
