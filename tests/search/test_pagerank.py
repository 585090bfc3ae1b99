"""PageRank by forward push comes near the exact one and opens few entities."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemolog.search.pagerank import forward_push

Links = dict[str, list[str]]


def exact(seeds: dict[str, float], links: Links, alpha: float) -> dict[str, float]:
    """Power iteration, as slow and as plain as it gets."""
    total = sum(seeds.values())
    restart = {name: seeds.get(name, 0) / total for name in links}
    walk, p = dict(restart), dict.fromkeys(links, 0.0)
    for _ in range(200):
        onward = dict.fromkeys(links, 0.0)
        for name, share in walk.items():
            p[name] += alpha * share
            for other in links[name]:
                onward[other] += (1 - alpha) * share / len(links[name])
        walk = onward
    return p


def pushed(seeds: dict[str, float], links: Links, epsilon: float) -> dict[str, float]:
    return forward_push(
        seeds, lambda name: len(links[name]), lambda name: links[name], alpha=0.5, epsilon=epsilon
    )


def test_two_entities_share_the_walk_two_to_one() -> None:
    # p(a) = 1/2 + 1/4 · p(a): a walk that restarts half of the time is at its seed 2/3 of it.
    p = pushed({"a": 1.0}, {"a": ["b"], "b": ["a"]}, 1e-12)
    assert p == pytest.approx({"a": 2 / 3, "b": 1 / 3})


def test_the_seed_is_split_by_weight() -> None:
    p = pushed({"a": 3.0, "b": 1.0}, {"a": [], "b": []}, 1e-12)
    assert p == pytest.approx({"a": 3 / 8, "b": 1 / 8})


def test_an_entity_with_very_many_links_is_never_opened() -> None:
    opened: list[str] = []

    def links(name: str) -> list[str]:
        opened.append(name)
        return {"a": ["hub"]}[name]

    forward_push({"a": 1.0}, lambda name: 100_000 if name == "hub" else 1, links, epsilon=1e-3)
    assert opened == ["a"]


NAMES = "abcdef"
GRAPHS = st.fixed_dictionaries(
    {name: st.lists(st.sampled_from(NAMES), unique=True) for name in NAMES}
)


@given(links=GRAPHS, seeds=st.dictionaries(st.sampled_from(NAMES), st.floats(0.1, 1), min_size=1))
def test_no_share_is_too_large_and_little_of_the_walk_is_lost(
    links: Links, seeds: dict[str, float]
) -> None:
    epsilon = 1e-4
    p, truth = pushed(seeds, links, epsilon), exact(seeds, links, 0.5)
    assert all(p.get(name, 0.0) <= truth[name] + 1e-12 for name in NAMES)
    left = sum(epsilon * max(1, len(of_one)) for of_one in links.values())
    assert sum(truth.values()) - sum(p.values()) <= left
