"""Texts that make a careless pattern slow, and the time that reading one takes."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator

CHARACTERS = 20_000
SECONDS = 0.1


def hostile_texts(source: str = "") -> Iterator[str]:
    """Yield long texts of signs that patterns stumble over, and of the words of a pattern."""
    for unit in ("a", " ", "a ", "<", "-", "\n", "http://", "a.env", "._token", "not ", "ignore "):
        yield repeated(unit)
    words = re.findall(r"[a-z]{2,}|[@|<]", re.sub(r"\\.|\(\?[:!=<]+", " ", source))
    choose = random.Random(5)  # noqa: S311 - the same texts in each run
    for size in (1, 2, 3, 6, 30) if words else ():
        yield repeated(" ".join(choose.choices(words, k=size)) + " ")


def repeated(unit: str) -> str:
    return (unit * (CHARACTERS // len(unit) + 1))[:CHARACTERS]


def seconds_for(read: Callable[[], object]) -> float:
    """Return the best of three in this thread's own time, which no other process lengthens."""
    best = float("inf")
    for _ in range(3):
        started = time.thread_time()
        read()
        best = min(best, time.thread_time() - started)
        if best < SECONDS:
            break
    return best
