"""Whether an observation rewords another one.

Texts are compared as sets of shingles, runs of w words (A. Z. Broder, "On the resemblance and
containment of documents", 1997). One-line facts are too short for runs: for them w = 1, over words
that say something, and the containment c(A, B) = |S(A) ∩ S(B)| / |S(A)| of the smaller set counts,
since a rewording adds a word more often than it replaces one. Longer texts keep his w = 3.

The same words with another value are a conflict, not a rewording.
"""

from __future__ import annotations

from collections.abc import Hashable
from collections.abc import Set as AbstractSet
from typing import Final

from mnemolog.screening.claims import Comparison, Term, are_opposites, keys, quoted

LEAST: Final = 0.8
"""The containment from which two texts say the same."""

_LONG: Final = 40
"""Terms. A longer text contains most words of any short one by chance."""

_SHINGLE: Final = 3
_FEWEST: Final = 3
"""Terms that one text must have before more words in the other count as a rewording of it."""

_LARGER: Final = 1.4
"""How many times as many terms the larger text may have: beyond that it says more."""


def resemblance(pair: Comparison) -> float | None:
    """Return how much of the smaller claim the larger one contains; None if they differ."""
    if not pair.shared:
        return None
    is_long = max(len(pair.new), len(pair.old)) > _LONG
    score = _long_score(pair) if is_long else _score(pair)
    if score < LEAST:
        return None
    differs = _numbers_differ(pair) if is_long else _says_otherwise(pair)
    return None if differs else score


def message(old_text: str, old_entity: str) -> str:
    """Return what an agent reads about a fact that rewords a saved one."""
    return (
        f"Rewords an observation that {old_entity!r} already has: {quoted(old_text)}. If it says "
        "nothing new of the same thing, remove one of the two with delete_observations; to improve "
        "the wording, use edit_observation on the old one."
    )


def _score(pair: Comparison) -> float:
    ours, theirs = set(keys(pair.new)), set(keys(pair.old))
    fewer, more = sorted((len(ours), len(theirs)))
    if ours != theirs and (fewer < _FEWEST or more > _LARGER * fewer):
        return 0.0
    return _containment(ours, theirs)


def _long_score(pair: Comparison) -> float:
    ours, theirs = _shingles(pair.new), _shingles(pair.old)
    fewer, more = sorted((len(ours), len(theirs)))
    return _containment(ours, theirs) if 0 < more <= _LARGER * fewer else 0.0


def _shingles(terms: tuple[Term, ...]) -> set[tuple[str, ...]]:
    words = keys(terms)
    return {tuple(words[at : at + _SHINGLE]) for at in range(len(words) - _SHINGLE + 1)}


def _containment(ours: AbstractSet[Hashable], theirs: AbstractSet[Hashable]) -> float:
    return len(ours & theirs) / min(len(ours), len(theirs))


def _numbers_differ(pair: Comparison) -> bool:
    return any(term.is_number for term in pair.only_new) and any(
        term.is_number for term in pair.only_old
    )


def _says_otherwise(pair: Comparison) -> bool:
    """Return whether the words that differ change what is said."""
    new, old = pair.only_new, pair.only_old
    return (
        any(term.is_number for term in new + old)
        or (any(term.is_name for term in new) and any(term.is_name for term in old))
        or any(are_opposites(ours.key, theirs.key) for ours in new for theirs in old)
        or pair.denied is not None
        or pair.is_replaced
        or pair.is_led_otherwise
        or (pair.swapped is not None and not pair.is_passive)
    )
