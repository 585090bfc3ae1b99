"""Entities that have no observation yet, found by their names and types."""

from __future__ import annotations

import numpy as np

from mnemolog.search.corpus import Corpus
from mnemolog.search.ranking import Search, is_admitted


def bare_entities(corpus: Corpus, search: Search) -> tuple[str, ...]:
    """Return the names of all entities without observations that match, best first."""
    if not corpus.bare.corpus_size:
        return ()
    total = np.zeros(corpus.bare.slot_count)
    for number in search.query.words:
        slots, scores = corpus.bare.score_word(number)
        total[slots] += scores
    found = np.flatnonzero(total)
    order = found[np.lexsort((corpus.bare_positions(found), -total[found]))]
    best = (corpus.bare_owners[slot] for slot in order.tolist())
    return tuple(entry.name for entry in best if is_admitted(search, entry, None))
