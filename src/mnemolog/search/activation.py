"""Activation: what was said or used lately, or often, is likelier to be needed now.

J. R. Anderson et al., "An integrated theory of the mind" (2004): the base-level activation of a
memory is B = ln Σ t^-d, over the times t since each of its uses. With one use it is power-law
recency (J. R. Anderson, L. J. Schooler, "Reflections of the environment in memory", 1991).

The odds that it is needed are e^B, so the boost is e^B / (1 + e^B), between 0 and 1. Here t is in
days: a fact of yesterday is worth 1/2, one of a hundred days ago 1/11.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, TypeVar

from mnemolog.filters import moment_of

if TYPE_CHECKING:
    from mnemolog.search.columns import FloatArray

StrengthT = TypeVar("StrengthT", float, "FloatArray")

D: Final = 0.5
"""How fast a use is forgotten."""

W: Final = 0.1
"""The most that activation adds to a score: enough for near-ties, too little to beat relevance."""

_DAY: Final = 86_400.0
_SHORTEST: Final = 60.0
"""Seconds. A clock that was ahead makes a use of the future: it counts as one of just now."""


def strength_of_use(used_at: float, now: float) -> float:
    """Return t^-d for one use; 0 if its time is not known."""
    return 0.0 if math.isnan(used_at) else 1 / math.sqrt(max(now - used_at, _SHORTEST) / _DAY)


def strength(used_at: FloatArray, now: float) -> FloatArray:
    """Return t^-d for each use, of which e^B is the sum; 0 where the time is not known."""
    import numpy as np  # noqa: PLC0415 - it takes long to import, and one use needs no arrays

    t = np.maximum(now - used_at, _SHORTEST) / _DAY
    # Not `t ** -D`: a power may come out differently by its place in the array, a root may not.
    return np.where(np.isnan(t), 0.0, 1 / np.sqrt(t))


def boost(strength: StrengthT) -> StrengthT:
    """Return how much of a boost a memory gets, from 0 to 1, by its e^B."""
    return strength / (1 + strength)


def seconds(timestamp: str | None) -> float:
    """Return a tag's time in seconds since 1970; not a number if it says none."""
    moment = moment_of(timestamp)
    return math.nan if moment is None else moment.timestamp()
