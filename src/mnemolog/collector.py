"""The garbage collector, out of the way of what is made at once and stays."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Let nothing be collected meanwhile.

    While much is made that all stays, the collector would go through it again and again: a quarter
    of the time, or more.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def made_to_stay() -> Iterator[None]:
    """Let nothing be collected meanwhile, and let no collection look at what is there by then.

    Going through a large graph takes a tenth of a second, in the middle of some call. What is made
    here must not refer to itself in a circle, since only the collector could free that.
    """
    gc.collect(1)  # what is garbage by now would stay, too
    with collector_paused():
        yield
        gc.freeze()
