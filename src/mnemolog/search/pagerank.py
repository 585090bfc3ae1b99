"""Personalized PageRank by forward push: how near each entity is to some others.

R. Andersen, F. Chung, K. Lang, "Local graph partitioning using PageRank vectors" (2006). The cost
depends on alpha and epsilon alone, not on the size of the graph. Used for memory by HippoRAG
(B. J. Gutiérrez et al., 2024).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Final

ALPHA: Final = 0.5
"""The restart probability: at each step, the walk goes back to the seeds with this probability."""

EPSILON: Final = 0.001
"""The residual that is left unpushed, for each link of an entity."""


def forward_push(
    seeds: Mapping[str, float],
    degree: Callable[[str], int],
    links: Callable[[str], Sequence[str]],
    *,
    alpha: float = ALPHA,
    epsilon: float = EPSILON,
) -> dict[str, float]:
    """Return p, the share of a walk from the seeds that is spent at each entity.

    Each p(u) is too small by at most epsilon · degree(u), added up over where the walk still was.
    `links(u)` has `degree(u)` entities; it is asked only for those from which something is pushed,
    so an entity with very many links costs nothing.
    """
    p: dict[str, float] = {}
    total = sum(seeds.values())
    r = {seed: weight / total for seed, weight in seeds.items()}

    def is_due(u: str) -> bool:
        return r[u] > epsilon * max(1, degree(u))

    waiting = deque(filter(is_due, r))
    while waiting:
        u = waiting.popleft()
        pushed, r[u] = r[u], 0.0
        p[u] = p.get(u, 0.0) + alpha * pushed
        for v in links(u):
            was_due = v in r and is_due(v)
            r[v] = r.get(v, 0.0) + (1 - alpha) * pushed / degree(u)
            if is_due(v) and not was_due:
                waiting.append(v)
    return p
