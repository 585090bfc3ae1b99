"""How much work something is, counted instead of timed: the machine may be busy."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def lines_run(call: Callable[[], object]) -> int:
    """Return how many lines of Python a call goes through, each as often as it comes by it."""
    count = 0

    def note(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return note

    before = sys.gettrace()
    sys.settrace(note)
    try:
        call()
    finally:
        sys.settrace(before)
    return count
