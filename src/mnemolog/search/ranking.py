"""The ranking: relevance · authority · (1 + W · boost), with everything that went into it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from mnemolog.graph import Graph
from mnemolog.search.activation import W, boost, strength
from mnemolog.search.bridge import HITS
from mnemolog.search.columns import BoolArray, FloatArray, IntArray
from mnemolog.search.corpus import Corpus, Entry
from mnemolog.search.expansion import NEARNESS, Expansion, expand
from mnemolog.search.maxscore import Contenders, best_by_words
from mnemolog.search.query import Query
from mnemolog.search.relevance import NAMED, Matches, Relevance, matches, relevance, word_shares
from mnemolog.text import has_phrase, longest_piece

Wanted: TypeAlias = Callable[[str, str | None], bool]
"""Whether an observation may be found, by its entity and text; None for an entity by its name."""

Opens: TypeAlias = Mapping[str, Sequence[float]]
"""By entity: when it was opened, in seconds since 1970."""

_NO_EXPANSION: Final = Expansion({}, {}, {})


@dataclass(frozen=True, slots=True)
class Search:
    """What is searched for, and how."""

    query: Query
    now: datetime
    opens: Opens
    is_wanted: Wanted | None
    limit: int
    is_expanded: bool
    is_explained: bool

    @property
    def is_of_words_only(self) -> bool:
        """Whether the words of the query say alone which observations are found."""
        return not self.is_expanded and self.is_wanted is None and not self.query.phrases


@dataclass(frozen=True, slots=True)
class Factors:
    """What a score is made of: `(words · named · nearness + bridge) · authority · activation`."""

    words: Mapping[str, tuple[float, bool]]
    """What each word of the query earns, and whether it is borrowed from a neighbour."""
    named: float
    nearness: float
    bridge: float
    bridge_from: str | None
    """The observation that the bridge starts from."""
    authority: float
    activation: float


class Hit(NamedTuple):
    """One observation that was found."""

    entity: str
    text: str
    rank: int
    """From 1 on."""
    score: float
    factors: Factors | None
    """Only if asked for."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best hits, and how many there were."""

    hits: tuple[Hit, ...]
    total: int


def rank(corpus: Corpus, graph: Graph, search: Search) -> Ranking:
    """Return the best hits for a query; ties are in file order."""
    matched = matches(corpus, search.query)
    expansion = _NO_EXPANSION
    if search.is_of_words_only:
        contenders = best_by_words(corpus, matched, search.limit, 1 + W)
    else:
        contenders, expansion = _all_admitted(corpus, graph, search, matched)
    scores = contenders.scores * corpus.authorities(contenders.slots)
    contends = _at_least_as_good(scores, search.limit, 1 + W)
    chosen = _activated(corpus, search, contenders.slots[contends], scores[contends])
    hits = (
        Hit(
            corpus.owners[slot].name,
            corpus.texts[slot],
            at,
            score,
            _factors(corpus, matched, expansion, slot, boosted) if search.is_explained else None,
        )
        for at, (slot, score, boosted) in enumerate(chosen, start=1)
    )
    return Ranking(tuple(hits), contenders.total)


def _all_admitted(
    corpus: Corpus, graph: Graph, search: Search, matched: Matches
) -> tuple[Contenders, Expansion]:
    """Return all that may be found, scored by words and links, and what the links changed."""
    found = relevance(corpus, matched)
    slots = _admitted(corpus, search, found.slots)
    expansion = _NO_EXPANSION
    if search.is_expanded and len(slots):
        best = best_first(corpus, slots, found.scores[slots], HITS)
        expansion = expand(corpus, graph, found, slots[best].tolist())
        led_to = np.setdiff1d(_joining(corpus, search, expansion), slots)
        found.scores[led_to] = 0  # a fact without the phrase may have words of the query
        expansion = replace(expansion, led_to=frozenset(led_to.tolist()))
        slots = np.union1d(slots, led_to)
    return Contenders(slots, _expanded(corpus, found, expansion, slots), len(slots)), expansion


def _activated(
    corpus: Corpus, search: Search, slots: IntArray, scores: FloatArray
) -> Iterable[tuple[int, float, float]]:
    """Return the slots of the best hits, best first, with their scores and what boosted them."""
    boosted = 1 + W * boost(_strengths(corpus, slots, search))
    scores = scores * boosted
    best = best_first(corpus, slots, scores, search.limit)
    return zip(slots[best].tolist(), scores[best].tolist(), boosted[best].tolist(), strict=True)


def best_first(corpus: Corpus, slots: IntArray, scores: FloatArray, limit: int) -> IntArray:
    """Return where the best `limit` are, best first; equals in file order."""
    at = np.flatnonzero(_at_least_as_good(scores, limit))
    order = np.lexsort((slots[at], corpus.positions(slots[at]), -scores[at]))
    return at[order[:limit]]


def _admitted(corpus: Corpus, search: Search, slots: IntArray) -> IntArray:
    """Return the slots that may be found: those wanted, with every phrase of the query."""
    if not search.query.phrases and search.is_wanted is None:
        return slots
    for phrase in search.query.phrases:
        number = corpus.lexicon.find(longest_piece(phrase))
        slots = np.intersect1d(slots, corpus.observations.postings(number)[0])
    found = [
        slot
        for slot in slots.tolist()
        if is_admitted(search, corpus.owners[slot], corpus.texts[slot])
    ]
    return np.array(found, np.int64)


def _joining(corpus: Corpus, search: Search, expansion: Expansion) -> IntArray:
    # Not asked for the phrases: the hit that leads to them has those.
    is_wanted = search.is_wanted
    joining = [
        slot
        for slot in expansion.bridged
        if is_wanted is None or is_wanted(corpus.owners[slot].name, corpus.texts[slot])
    ]
    return np.array(joining, np.int64)


def is_admitted(search: Search, owner: Entry, text: str | None) -> bool:
    """Return whether an observation may be found, or an entity by its name."""
    if search.is_wanted is not None and not search.is_wanted(owner.name, text):
        return False
    fields = (owner.name, owner.entity_type, text or "")
    return all(
        any(has_phrase(field, phrase) for field in fields) for phrase in search.query.phrases
    )


def _at_least_as_good(scores: FloatArray, limit: int, if_multiplied: float = 1.0) -> BoolArray:
    """Return which scores, multiplied, are not below the best `limit` of them as they are."""
    if len(scores) <= limit:
        return np.ones(len(scores), np.bool_)
    good_enough: BoolArray = scores * if_multiplied >= np.partition(scores, -limit)[-limit]
    return good_enough


def _expanded(
    corpus: Corpus, found: Relevance, expansion: Expansion, slots: IntArray
) -> FloatArray:
    scores = found.scores
    for name, nearness in expansion.nearness.items():
        entry = corpus.entries.get(name)
        if entry is not None and entry.slots:
            scores[list(entry.slots.values())] *= 1 + NEARNESS * nearness
    if expansion.bridged:
        scores[list(expansion.bridged)] += list(expansion.bridged.values())
    expanded: FloatArray = scores[slots]
    return expanded


def _strengths(corpus: Corpus, slots: IntArray, search: Search) -> FloatArray:
    now = search.now.timestamp()
    added, edited = corpus.times(slots)
    total = strength(added, now) + strength(edited, now)
    if search.opens:
        names = [corpus.owners[slot].name for slot in slots.tolist()]
        opened = {
            name: float(strength(np.array(search.opens[name]), now).sum())
            for name in search.opens.keys() & set(names)
        }
        total += [opened.get(name, 0.0) for name in names]
    return total


def _factors(
    corpus: Corpus, matched: Matches, expansion: Expansion, slot: int, boosted: float
) -> Factors:
    owner = corpus.owners[slot].name
    hit = expansion.via.get(slot)
    return Factors(
        words={} if slot in expansion.led_to else word_shares(corpus, matched.words, slot),
        named=NAMED if owner in matched.named else 1.0,
        nearness=1 + NEARNESS * expansion.nearness.get(owner, 0.0),
        bridge=expansion.bridged.get(slot, 0.0),
        bridge_from=None if hit is None else corpus.texts[hit],
        authority=float(corpus.authorities(np.array([slot]))[0]),
        activation=boosted,
    )
