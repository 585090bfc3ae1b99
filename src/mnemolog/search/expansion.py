"""What linked entities add to a hit: PageRank from the best hits, and the bridge path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from mnemolog.graph import Graph
from mnemolog.search.bridge import HITS, path_scores
from mnemolog.search.columns import FloatArray, IntArray
from mnemolog.search.corpus import Corpus
from mnemolog.search.pagerank import forward_push
from mnemolog.search.relevance import Relevance, open_words, score_of

NEARNESS: Final = 0.5
"""What the nearest entity adds to the relevance of its observations, as a share of it."""

_HUB: Final = 256
"""An entity with more relations than this leads everywhere, so it leads nowhere."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """What links change about the relevance of observations."""

    nearness: Mapping[str, float]
    """By entity, from 0 to 1: its PageRank, as a share of the highest."""
    bridged: Mapping[int, float]
    """By slot: what the bridge path adds."""
    via: Mapping[int, int]
    """By slot: the hit that the bridge starts from."""
    led_to: frozenset[int] = frozenset()
    """The slots that only the bridge leads to: what words of the query they have is not asked."""


def expand(corpus: Corpus, graph: Graph, relevance: Relevance, best: Sequence[int]) -> Expansion:
    """Return what the links of the best hits change; `best` are slots, best first."""
    best = best[:HITS]
    mentioned = {slot: _mentions(corpus, slot) for slot in best}
    bridged, via = _bridges(corpus, graph, relevance, mentioned)
    return Expansion(_nearness(corpus, graph, relevance, mentioned), bridged, via)


def _mentions(corpus: Corpus, slot: int) -> list[str]:
    spelling = corpus.lexicon.spelling_of(corpus.texts[slot])
    owner = corpus.owners[slot].name
    return [name for name in corpus.names.named_in(spelling) if name != owner]


def _bridges(
    corpus: Corpus, graph: Graph, relevance: Relevance, mentioned: Mapping[int, list[str]]
) -> tuple[dict[int, float], dict[int, int]]:
    bridged: dict[int, float] = {}
    via: dict[int, int] = {}
    for hit, names in mentioned.items():
        slots, fans = _far_ends(corpus, graph, hit, names)
        still_open = score_of(open_words(corpus, relevance.matched.words, hit), slots)
        earned = path_scores(float(relevance.scores[hit]), still_open, fans)
        for slot, score in zip(slots.tolist(), earned.tolist(), strict=True):
            if score > bridged.get(slot, 0.0):
                bridged[slot], via[slot] = score, hit
    return bridged, via


def _far_ends(
    corpus: Corpus, graph: Graph, hit: int, names: list[str]
) -> tuple[IntArray, FloatArray]:
    owner = corpus.owners[hit].name
    related = _related(graph, owner) if len(graph.relations_of(owner)) <= _HUB else []
    entries = (corpus.entries.get(name) for name in {*names, *related} - {owner})
    found = [list(entry.slots.values()) for entry in entries if entry]
    slots = np.array([slot for of_entity in found for slot in of_entity], np.int64)
    fans = np.array([len(of_entity) for of_entity in found], np.int64)
    return slots, np.repeat(fans, fans).astype(np.float64)


def _nearness(
    corpus: Corpus, graph: Graph, relevance: Relevance, mentioned: Mapping[int, list[str]]
) -> dict[str, float]:
    seeds: dict[str, float] = {}
    said: dict[str, set[str]] = {}
    for hit, names in mentioned.items():
        owner = corpus.owners[hit].name
        seeds[owner] = max(seeds.get(owner, 0.0), float(relevance.scores[hit]))
        said.setdefault(owner, set()).update(names)
    highest = max(seeds.values())
    seeds |= dict.fromkeys(sorted(relevance.matched.named), highest)

    def degree(name: str) -> int:
        return len(graph.relations_of(name)) + len(said.get(name, ()))

    def links(name: str) -> list[str]:
        return sorted((*_related(graph, name), *said.get(name, ())))

    p = forward_push(seeds, degree, links)
    top = max(p.values(), default=1.0)
    return {name: share / top for name, share in p.items()}


def _related(graph: Graph, name: str) -> list[str]:
    return [end if start == name else start for start, end, _ in graph.relations_of(name)]
