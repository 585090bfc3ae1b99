"""The order in which hits are shown to a language model.

N. F. Liu et al., "Lost in the Middle: How Language Models Use Long Contexts" (2024): what stands
at the start or the end of a long context is used best, what stands in the middle worst.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

ItemT = TypeVar("ItemT")


def order_by_position(best_first: Sequence[ItemT]) -> tuple[ItemT, ...]:
    """Return the items with the best at the start and the end, and the weakest in the middle.

    Of 1 to 5, best first, this makes 1, 3, 5, 4, 2.
    """
    return (*best_first[::2], *best_first[1::2][::-1])
