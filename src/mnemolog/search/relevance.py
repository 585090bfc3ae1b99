"""How well each observation fits a query: BM25 on its own words and on those that it borrows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from mnemolog.search.bm25 import Postings
from mnemolog.search.columns import FloatArray, IntArray
from mnemolog.search.corpus import Corpus
from mnemolog.search.neighbours import lookup
from mnemolog.search.query import Query

NAMED: Final = 1.2
"""What the relevance is multiplied with if the query says the entity's whole name."""

MOST_WORDS: Final = 64
"""How many words of a query count, the rarest: a longer query is a whole document."""

_SPARSE: Final = 32
"""With more than one slot in so many touched, going through all slots beats picking those."""


@dataclass(frozen=True, slots=True)
class WordScores:
    """What one word of the query earns the observations that have it."""

    word: str
    slots: IntArray
    scores: FloatArray

    @property
    def highest(self) -> float:
        """The most that it earns any of them."""
        return float(self.scores.max())


@dataclass(frozen=True, slots=True)
class Matches:
    """What of a query the memory has."""

    words: tuple[WordScores, ...]
    named: frozenset[str]
    """The entities whose whole names the query says."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """What each observation earns by the words of a query."""

    matched: Matches
    scores: FloatArray
    """By slot."""
    slots: IntArray
    """The slots that earn anything, rising."""


def matches(corpus: Corpus, query: Query) -> Matches:
    """Return what of a query the memory has."""
    words = (
        WordScores(query.words[number], *corpus.observations.score_word(number, postings))
        for number, postings in _rarest(corpus, query)
    )
    return Matches(tuple(words), frozenset(corpus.names.named_in(query.spelling)))


def relevance(corpus: Corpus, matched: Matches) -> Relevance:
    """Return what each observation earns by the words of a query."""
    slot_count = corpus.observations.slot_count
    total = np.zeros(slot_count)
    touched = [np.zeros(0, np.int64)]
    with corpus.scratch.zeros(slot_count) as of_word:
        touched += [add_spread(corpus, word, total, of_word) for word in matched.words]
    for name in matched.named:
        total[list(corpus.entries[name].slots.values())] *= NAMED
    return Relevance(matched, total, _distinct(np.concatenate(touched), total))


def add_spread(
    corpus: Corpus, word: WordScores, total: FloatArray, of_word: FloatArray
) -> IntArray:
    """Add what a word earns, its own places and those that borrow it, and return their slots.

    `of_word` holds zeros before and after; a slot may be returned more than once.
    """
    written = corpus.places.spread(word.slots, word.scores, of_word)
    if _are_many(written, total):
        total += of_word
        of_word.fill(0)
    else:
        total[written] += of_word[written]  # a slot written twice is added once
        of_word[written] = 0
    return written


def _rarest(corpus: Corpus, query: Query) -> list[tuple[int, Postings]]:
    """Return the words of a query that occur, each with its postings; the rarest of many."""
    found = [
        (word, postings)
        for word in query.words
        if len((postings := corpus.observations.postings(word))[0])
    ]
    if len(found) <= MOST_WORDS:
        return found
    return sorted(found, key=lambda having: len(having[1][0]))[:MOST_WORDS]


def open_words(corpus: Corpus, words: tuple[WordScores, ...], slot: int) -> list[WordScores]:
    """Return the words that an observation has neither itself nor by its neighbours."""
    near = np.array([there for there, _ in corpus.places.within_reach(slot)])
    return [word for word in words if not lookup(word.slots, word.scores, near).any()]


def score_of(words: list[WordScores], slots: IntArray) -> FloatArray:
    """Return what the words earn each slot by itself."""
    total = np.zeros(len(slots))
    for word in words:
        total += lookup(word.slots, word.scores, slots)
    return total


def word_shares(
    corpus: Corpus, words: tuple[WordScores, ...], slot: int
) -> dict[str, tuple[float, bool]]:
    """Return what each word earns one observation, and whether that is borrowed."""
    reach = corpus.places.within_reach(slot)
    near = np.array([there for there, _ in reach])
    shares = np.array([share for _, share in reach])
    earned: dict[str, tuple[float, bool]] = {}
    for word in words:
        at_each = lookup(word.slots, word.scores, near)
        own, borrowed = float(at_each[0]), float((at_each * shares).max())
        if borrowed:
            earned[word.word] = (own or borrowed, not own)
    return earned


def _distinct(touched: IntArray, total: FloatArray) -> IntArray:
    if _are_many(touched, total):
        return np.flatnonzero(total > 0)  # five times as fast as of the numbers themselves
    distinct = np.unique(touched)
    return distinct[total[distinct] > 0]


def _are_many(touched: IntArray, total: FloatArray) -> bool:
    return len(touched) * _SPARSE > len(total)
