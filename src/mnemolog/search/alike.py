"""The observations that share a text's rare words: candidates for what it rewords or contradicts.

Whatever says nearly the same shares nearly all words, the rare ones too, and those have short
postings. So this takes no longer in a large memory, where ranking by all words would.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import accumulate
from typing import Final

import numpy as np

from mnemolog.search.bm25 import Postings
from mnemolog.search.columns import IntArray
from mnemolog.search.corpus import Corpus
from mnemolog.search.ranking import best_first

FEWEST_WORDS: Final = 3
"""How many words are looked for however common they are."""

MOST_POSTINGS: Final = 4_000
"""How many postings are read for further words."""


def alike(corpus: Corpus, words: Iterable[int], limit: int) -> IntArray:
    """Return the slots of the observations that share the rarest of the words, best first."""
    postings = {word: corpus.observations.postings(word) for word in words}
    having = {word: len(slots) for word, (slots, _) in postings.items() if len(slots)}
    rarest = sorted(having, key=having.__getitem__)
    read = accumulate(having[word] for word in rarest)
    chosen: dict[Hashable, Postings] = {
        word: postings[word]
        for place, (word, so_far) in enumerate(zip(rarest, read, strict=True))
        if place < FEWEST_WORDS or so_far <= MOST_POSTINGS
    }
    if not chosen:
        return np.zeros(0, np.int64)
    slots, earned = corpus.observations.score_words(chosen)
    by_slot = slots.argsort(kind="stable")
    slots, earned = slots[by_slot], earned[by_slot]
    firsts = np.flatnonzero(np.concatenate(([True], slots[1:] != slots[:-1])))
    slots, scores = slots[firsts], np.add.reduceat(earned, firsts)
    best: IntArray = slots[best_first(corpus, slots, scores, limit)]
    return best
