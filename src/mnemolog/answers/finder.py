"""The search over one memory: an index that follows the graph, and searches to go on with."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Final, TypeAlias

from mnemolog.answers.bounds import Cursors
from mnemolog.answers.excerpts import Scope
from mnemolog.answers.findings import (
    DEFAULT_LIMIT,
    Findings,
    first_findings,
    next_findings,
)
from mnemolog.collector import made_to_stay
from mnemolog.filters import Filters
from mnemolog.graph import Graph
from mnemolog.results import SearchResults
from mnemolog.store.access import AccessLog

if TYPE_CHECKING:
    from mnemolog.search.index import Index, SearchResult
    from mnemolog.search.ranking import Wanted

_RESEMBLING: Final = 10
"""How many observations a new one is compared with."""

_TELLING_CHARS: Final = 2_000
"""How much of a new observation is looked for; what resembles it does so from the start."""

GraphSource: TypeAlias = Callable[[], Graph]
"""Reads the graph as it is now."""


class Finder:
    """Finds observations; numpy and the index are there from the first search on."""

    def __init__(self, read: GraphSource, access: AccessLog, clock: Callable[[], datetime]) -> None:
        self._read = read
        self._access = access
        self._clock = clock
        self._index: Index | None = None
        self._history: tuple[Graph, int, Index] | None = None
        """A graph, its size when it was looked at, and the index of all that was ever true."""
        self.cursors = Cursors[Findings]("s")
        """The searches that can be gone on with."""

    def find(self, query: str, scope: Scope, cursor: str | None, *, expand: bool) -> SearchResults:
        """Return the best hits for a query, or those that a cursor leads to.

        Raises:
            InvalidRequest: The cursor has expired.
        """
        if cursor is not None:
            return next_findings(self._read(), cursor, self.cursors)
        findings = Findings(scope, lambda depth: self._search(query, scope, depth, expand=expand))
        return first_findings(self._read(), findings, self.cursors)

    def explain(self, query: str, scope: Scope, *, expand: bool) -> tuple[str, ...]:
        """Return lines: the best hits of a query, each with the factors of its score in words."""
        from mnemolog.search.explanation import explain  # noqa: PLC0415 - numpy

        depth = scope.limit or DEFAULT_LIMIT
        hits = self._search(query, scope, depth, expand=expand, is_explained=True).hits
        return tuple(line for hit in hits for line in (f"{hit.entity}: {hit.text}", *explain(hit)))

    def _search(
        self, query: str, scope: Scope, depth: int, *, expand: bool, is_explained: bool = False
    ) -> SearchResult:
        graph = self._read()
        index = self._index_of(graph, with_superseded=scope.include_superseded)
        return index.search(
            query,
            now=self._clock(),
            expand=expand,
            explain=is_explained,
            opens=self._access.opens(),
            is_wanted=_filter(graph, scope.filters) if scope.filters != Filters() else None,
            limit=depth,
        )

    def _index_of(self, graph: Graph, *, with_superseded: bool) -> Index:
        if with_superseded and graph.superseded:
            return self._index_with_history(graph)
        if self._index is None or not self._index.is_of(graph):
            self._history = None  # it holds the graph that was there before
            with made_to_stay():
                self._index = _new_index(graph)
            graph.watch(self._index)
        return self._index

    def _index_with_history(self, graph: Graph) -> Index:
        # It follows nothing, so it is good for one state; whatever is said makes the graph larger.
        if self._history is None or self._history[:2] != (graph, graph.said_size):
            self._history = None
            self._history = graph, graph.said_size, _new_index(graph, with_superseded=True)
        return self._history[2]

    def resembling(self, graph: Graph, text: str) -> tuple[tuple[str, str], ...]:
        """Return the observations, by entity and text, that a new one may repeat or contradict."""
        index = self._index_of(graph, with_superseded=False)
        return index.alike(text[:_TELLING_CHARS], _RESEMBLING)


def _new_index(graph: Graph, *, with_superseded: bool = False) -> Index:
    from mnemolog.search.index import Index  # noqa: PLC0415 - numpy takes long to import

    return Index(graph, with_superseded=with_superseded)


def _filter(graph: Graph, filters: Filters) -> Wanted:
    def is_wanted(name: str, text: str | None) -> bool:
        entity = graph.entities.get(name)
        if entity is None:  # history outlives its entity, as after a merge; its type is not known
            if text is None or filters.entity_types is not None:
                return False
            return filters.keep_superseded(graph.superseded[name][text])
        if not filters.keep_type(entity.entity_type):
            return False
        if text is None:
            return filters.keep(entity.tags)
        if text in entity.observations:
            return filters.keep(entity.observations[text])
        return filters.keep_superseded(graph.superseded[name][text])

    return is_wanted
