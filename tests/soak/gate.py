"""Who may do what when: calls side by side, and faults that need quiet or want company."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_PATIENCE_SECONDS: Final = 180.0


class Stuck(Exception):
    """A call did not end."""


class Gate:
    """Lets calls through; closes for what must not meet any, or none but those under way."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._changed = threading.Condition(self.lock)
        self._under_way: set[str] = set()
        self._is_closed = False
        self.overrun: set[str] = set()
        """Whose call was under way when the file was replaced: either file may have it."""

    @contextmanager
    def call(self, owner: str) -> Iterator[None]:
        """Wait until the gate is open, and be under way."""
        with self._changed:
            self._changed.wait_for(lambda: not self._is_closed)
            self._under_way.add(owner)
        try:
            yield
        finally:
            with self._changed:
                self._under_way.discard(owner)
                self._changed.notify_all()

    @contextmanager
    def quiet(self) -> Iterator[None]:
        """Let no call begin, and give the moment when none is under way."""
        with self._closed():
            self._wait_for_all()
            yield

    @contextmanager
    def company(self) -> Iterator[Callable[[], None]]:
        """Let no call begin, and give the moment when some are under way, and what waits for them.

        What became of those calls has to be found out before the end.
        """
        with self._closed():
            with self.lock:
                self.overrun = set(self._under_way)
            yield self._wait_for_all

    @contextmanager
    def _closed(self) -> Iterator[None]:
        with self.lock:
            self._is_closed = True
        try:
            yield
        finally:
            with self._changed:
                self._is_closed = False
                self.overrun = set()
                self._changed.notify_all()

    def _wait_for_all(self) -> None:
        with self._changed:
            if not self._changed.wait_for(lambda: not self._under_way, _PATIENCE_SECONDS):
                raise Stuck(f"the calls of {', '.join(sorted(self._under_way))} do not end")
