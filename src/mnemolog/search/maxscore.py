"""MaxScore: the observations that can be among the best, without scoring all that match.

H. Turtle, J. Flood, "Query evaluation: strategies and optimizations" (1995). No observation earns
more by a word than the word's highest score. So once enough observations are known to reach some
score, one that has only words whose highest scores do not add up to it needs no look. Here a word
has two highest scores, since one that is borrowed from a neighbour earns at most a share.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mnemolog.search.columns import FloatArray, IntArray
from mnemolog.search.corpus import Corpus
from mnemolog.search.neighbours import SHARE, lookup
from mnemolog.search.relevance import NAMED, Matches, WordScores, add_spread, relevance

_LARGE: Final = 300_000
"""In a memory of fewer observations, scoring all that match is as fast."""

_WORTH_IT: Final = 2
"""Scoring all costs less, too, if words with half of all occurrences matter even when borrowed."""

_FEW: Final = 4
"""With more contenders than so many times the limit, it pays to score the most promising first."""

_LOOKED_UP: Final = 8
"""A word with so many times as many occurrences is looked up, rather than spread out."""

_NONE: Final = np.zeros(0, np.int64)

_ROUNDING: Final = 1 - 1e-9
"""A sum in another order may be off by this much."""


@dataclass(frozen=True, slots=True)
class Contenders:
    """The observations that can be among the best."""

    slots: IntArray
    """Rising."""
    scores: FloatArray
    """What each of them earns."""
    total: int
    """How many observations earn anything."""


def best_by_words(corpus: Corpus, matched: Matches, limit: int, most_boosted: float) -> Contenders:
    """Return whatever can be among the best `limit` by its words, its authority and its boost.

    A boost multiplies with 1 at least and with `most_boosted` at most.
    """
    words = sorted(matched.words, key=lambda word: len(word.slots))
    if words and corpus.observations.slot_count > _LARGE:
        margin = _ROUNDING / (most_boosted * (NAMED if matched.named else 1.0))
        reached = margin * _reached(corpus, words, limit)
        plan = _plan(words, reached / corpus.highest_authority)
        if _occurrences(plan.borrowed) * _WORTH_IT < _occurrences(words):
            slots, bounds = _able(corpus, plan, reached)
            if len(slots) > _FEW * limit:
                most_promising = slots[np.argpartition(bounds, -_FEW * limit)[-_FEW * limit :]]
                earned = _scores(corpus, matched, most_promising)
                reached = margin * _best(earned * corpus.authorities(most_promising), limit)
                slots = slots[bounds >= reached]
            return Contenders(slots, _scores(corpus, matched, slots), _count(corpus, words))
    found = relevance(corpus, matched)
    return Contenders(found.slots, found.scores[found.slots], len(found.slots))


def _occurrences(words: Iterable[WordScores]) -> int:
    return sum(len(word.slots) for word in words)


def _reached(corpus: Corpus, words: Sequence[WordScores], limit: int) -> float:
    """Return a score that at least `limit` observations reach; 0 if so many were not found.

    Looked for among those that have the rarest words, by what they earn by their own words.
    """
    seeds = _NONE
    for word in words:
        seeds = np.union1d(seeds, word.slots) if len(seeds) else word.slots
        if len(seeds) >= limit:
            break
    else:
        return 0.0
    own = np.zeros(len(seeds))
    with corpus.scratch.zeros(corpus.observations.slot_count) as of_word:
        for word in words:
            own += _earned_at(word, seeds, of_word)
    return _best(own * corpus.authorities(seeds), limit)


def _best(scores: FloatArray, limit: int) -> float:
    """Return the score that the best `limit` have at least."""
    return float(np.partition(scores, -limit)[-limit])


@dataclass(frozen=True, slots=True)
class _Plan:
    """Which observations are looked at, of all that match."""

    borrowed: list[WordScores]
    """Words that make an observation worth a look even if it borrows them."""
    own: list[WordScores]
    """Words that make an observation worth a look if it has them itself."""
    other: list[WordScores]
    """Words that alone do not."""


def _plan(words: Sequence[WordScores], reached: float) -> _Plan:
    """Return a plan that misses no observation which earns as much as was reached.

    The most frequent words are the ones to do without, first where they are borrowed: those are
    several times as many.
    """
    plan = _Plan([], [], [])
    left = reached  # what an observation that is not looked at may still earn, by all words
    affordable = []
    for word in reversed(words):
        if word.highest * SHARE < left:
            left -= word.highest * SHARE
            affordable.append(word)
        else:
            plan.borrowed.append(word)
    for word in affordable:
        if word.highest * (1 - SHARE) < left:
            left -= word.highest * (1 - SHARE)
            plan.other.append(word)
        else:
            plan.own.append(word)
    return plan


def _able(corpus: Corpus, plan: _Plan, reached: float) -> tuple[IntArray, FloatArray]:
    """Return the slots of all observations that may reach a score, rising, and how far each may."""
    slot_count = corpus.observations.slot_count
    seen = [word.slots for word in plan.own]
    if_borrowed = 0.0
    with corpus.scratch.zeros(slot_count) as most, corpus.scratch.zeros(slot_count) as of_word:
        for word in (*plan.own, *plan.other):
            if_borrowed += word.highest * SHARE
            most[word.slots] += np.maximum(word.scores - word.highest * SHARE, 0)
        seen += [add_spread(corpus, word, most, of_word) for word in plan.borrowed]
        slots = np.concatenate(seen)
        bounds = (most[slots] + if_borrowed) * corpus.authorities(slots)
        for slots_written in (*seen, *(word.slots for word in plan.other)):
            most[slots_written] = 0
    able = bounds >= reached  # never in slot 0, which has no authority
    slots, at = np.unique(slots[able], return_index=True)
    return slots, bounds[able][at]


def _scores(corpus: Corpus, matched: Matches, slots: IntArray) -> FloatArray:
    """Return what some observations earn, word by word as for all of them."""
    total = np.zeros(len(slots))
    around = list(corpus.places.around(slots))
    near = np.array([slots, *(there for there, _ in around)])
    shares = np.array([[share] for _, share in around])
    with corpus.scratch.zeros(corpus.observations.slot_count) as of_word:
        for word in matched.words:
            earned = _earned_at(word, near, of_word)
            borrowed = (earned[1:] * shares).max(axis=0)
            total += np.where(earned[0] > 0, earned[0], borrowed)
    for name in matched.named:
        total[np.isin(slots, list(corpus.entries[name].slots.values()))] *= NAMED
    return total


def _earned_at(word: WordScores, slots: IntArray, of_word: FloatArray) -> FloatArray:
    """Return what a word earns some slots by themselves; `of_word` holds zeros."""
    if slots.size * _LOOKED_UP < len(word.slots):
        return lookup(word.slots, word.scores, slots)
    of_word[word.slots] = word.scores
    earned: FloatArray = of_word[slots]
    of_word[word.slots] = 0
    return earned


def _count(corpus: Corpus, words: Sequence[WordScores]) -> int:
    """Return how many observations have any of the words, their own or borrowed."""
    is_matching = np.zeros(corpus.observations.slot_count, np.bool_)
    for word in words:
        is_matching[word.slots] = True
    corpus.places.spread_marks(is_matching)
    return int(np.count_nonzero(is_matching))
