"""The garbage collector, out of the way while much is made at once."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Let nothing be collected meanwhile.

    What is made while a graph or its index is loaded stays, and the collector would go through all
    of it again and again: a quarter of the time, or more.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
