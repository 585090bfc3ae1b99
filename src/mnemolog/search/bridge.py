"""The bridge path: a good hit names an entity, and what is said of that entity ends the answer.

"Who founded the company that makes X?": the hit says which company makes X; the words that it
leaves open, "founded", are looked for on the company. The more is said of the company, the less
each observation of it gets: the fan effect (J. R. Anderson, "Retrieval of propositional
information from long-term memory", 1974).
"""

from __future__ import annotations

from typing import Final

from mnemolog.search.columns import FloatArray

HITS: Final = 3
"""How many of the best hits lead on."""

HIT: Final = 0.75
"""How much of the hit's own relevance comes along."""


def path_scores(hit: float, open_words: FloatArray, fan: FloatArray) -> FloatArray:
    """Return what the observations of linked entities earn.

    `hit` is the relevance of the hit, `open_words` what each observation scores for the words that
    the hit has neither itself nor by its neighbours, `fan` how many observations its entity has.
    """
    return (open_words + HIT * hit) / fan
