"""The search index of one graph: built once, then changed by each change of the graph."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final

from mnemolog.graph import Graph, GraphWatcher
from mnemolog.search.alike import alike
from mnemolog.search.bare import bare_entities
from mnemolog.search.corpus import Corpus
from mnemolog.search.query import Query, known_words, understand
from mnemolog.search.ranking import Hit, Opens, Search, Wanted, rank
from mnemolog.search.spelling import near_spellings

_NEVER_OPENED: Final[Opens] = MappingProxyType({})
_MOST_CORRECTED: Final = 8
"""How many words of a query are looked for under near spellings: it takes a while for each."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found."""

    hits: tuple[Hit, ...]
    """The best observations, best first."""
    total: int
    """How many observations match."""
    bare_entities: tuple[str, ...]
    """All entities that match by name or type and have no observation, best first."""
    did_you_mean: tuple[str, ...]
    """Words of the memory that look like words of the query, when nothing was found."""


class Index(GraphWatcher):
    """Follows a graph, but for its relations, and finds the observations that answer a query."""

    def __init__(self, graph: Graph, *, with_superseded: bool = False) -> None:
        """Build the index; one with superseded observations is a snapshot and follows nothing."""
        self._graph = graph
        self._with_superseded = with_superseded
        self._corpus = Corpus(graph, with_superseded=with_superseded)

    def is_of(self, graph: Graph) -> bool:
        """Return whether this is the graph that it was built of."""
        return graph is self._graph

    # --- following the graph ---------------------------------------------------------------------

    def entity_said(self, name: str) -> None:
        """Take in an entity that is new, or whose type has changed."""
        self._corpus.enter(self._graph.entities[name])

    def entity_gone(self, name: str) -> None:
        """Forget an entity."""
        self._corpus.strike(name)

    def observation_said(self, name: str, text: str) -> None:
        """Take in an observation that is new, or whose tags have changed."""
        state = self._graph.entities[name]
        self._corpus.enter(state)
        self._corpus.add(self._corpus.entries[name], text, state.observations[text])

    def observation_gone(self, name: str, text: str) -> None:
        """Forget an observation."""
        if name in self._corpus.entries:
            self._corpus.remove(self._corpus.entries[name], text)

    # --- searching -------------------------------------------------------------------------------

    def search(
        self,
        query: str,
        *,
        now: datetime,
        expand: bool = False,
        explain: bool = False,
        opens: Opens = _NEVER_OPENED,
        is_wanted: Wanted | None = None,
        limit: int = 20,
    ) -> SearchResult:
        """Return the observations that answer the query, best first.

        With `expand`, what is linked to the best hits can join them. `is_wanted` leaves
        observations out; they still count in the statistics of the words. `limit` is at least 1.
        """
        corpus = self._current_corpus()
        asked = understand(query, corpus.lexicon)
        search = Search(asked, now, opens, is_wanted, limit, expand, explain)
        ranking = rank(corpus, self._graph, search)
        bare = bare_entities(corpus, search)
        meant = () if ranking.total or bare else _alternatives(corpus, asked)
        return SearchResult(ranking.hits, ranking.total, bare, meant)

    def alike(self, text: str, limit: int) -> tuple[tuple[str, str], ...]:
        """Return observations, by entity and text, that share the rare words of a text."""
        corpus = self._current_corpus()
        slots = alike(corpus, known_words(text, corpus.lexicon), limit)
        return tuple((corpus.owners[slot].name, corpus.texts[slot]) for slot in slots.tolist())

    def _current_corpus(self) -> Corpus:
        if self._corpus.is_worn:
            self._corpus = Corpus(self._graph, with_superseded=self._with_superseded)
        return self._corpus


def _alternatives(corpus: Corpus, query: Query) -> tuple[str, ...]:
    known = corpus.lexicon.spellings
    gone = (word for word in query.words.values() if not corpus.occurs(word))
    wrong = (*query.unknown, *gone)[:_MOST_CORRECTED]
    near = (word for one in wrong for word in near_spellings(one, known))
    return tuple(dict.fromkeys(word for word in near if corpus.occurs(word)))
