"""Why a hit scores what it scores, in words."""

from __future__ import annotations

from collections.abc import Iterator

from mnemolog.search.ranking import Factors, Hit


def explain(hit: Hit) -> tuple[str, ...]:
    """Return a sentence for each factor of the score of a hit that was searched with `explain`."""
    if hit.factors is None:
        return (f"Score {hit.score:.3f}.",)
    return (f"Score {hit.score:.3f}, rank {hit.rank}.", *_sentences(hit.factors))


def _sentences(factors: Factors) -> Iterator[str]:
    for word, (earned, is_borrowed) in factors.words.items():
        source = ", borrowed from a neighbouring observation" if is_borrowed else ""
        yield f"The word {word!r} earns {earned:.3f}{source}."
    if factors.named != 1:
        yield f"The query says the entity's whole name: times {factors.named:.2f}."
    if factors.nearness != 1:
        yield f"Links lead from the best hits to its entity: times {factors.nearness:.2f}."
    if factors.bridge:
        yield f"The hit {factors.bridge_from!r} leads to it: {factors.bridge:.3f} more."
    yield f"Its priority counts {factors.authority:.1f} times."
    if factors.activation != 1:
        yield f"It was said or used lately, or often: times {factors.activation:.3f}."
