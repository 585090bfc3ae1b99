"""The answer to a search: hits, the entities that they are about, and what relates those.

A cursor goes on behind the hits that were shown. What is said, reworded or renamed meanwhile can
join the rest, but nothing is shown twice, and nothing that matched at the start is skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from mnemolog.answers.bounds import Cursors, Room
from mnemolog.answers.excerpts import Excerpt, Scope, excerpt_of
from mnemolog.graph import Graph
from mnemolog.json_text import TEXTS
from mnemolog.records import Relation
from mnemolog.results import EntityResult, GraphResult, HitResult, Omitted, SearchResults
from mnemolog.search.ordering import order_by_position

if TYPE_CHECKING:
    from mnemolog.search.index import SearchResult
    from mnemolog.search.ranking import Hit

DEFAULT_LIMIT: Final = 20
"""How many hits, and how many entities, an answer has unless the caller says otherwise."""

_AHEAD: Final = 3
"""How many pages are ranked at once."""

_MOST_MISSES: Final = 10
"""After so many relations that do not fit, hardly any does."""

Searcher: TypeAlias = "Callable[[int], SearchResult]"
"""Ranks what matches now and returns the best so many."""


@dataclass(slots=True)
class Findings:
    """What a search has found so far, in the order of its ranks."""

    scope: Scope
    search: Searcher
    found: list[Hit | str] = field(default_factory=list)
    """Hits, and the names of entities of which nothing is said."""
    known: set[tuple[str, str | None]] = field(default_factory=set)
    shown: dict[str, int] = field(default_factory=dict)
    """The place in `found` with which an entity stands, with its relations; with no other."""
    unranked: int = 0
    """How many matches the last look left out."""

    @property
    def limit(self) -> int:
        """How much there may be on a page."""
        return self.scope.limit or DEFAULT_LIMIT

    def look(self, depth: int) -> SearchResult:
        """Rank anew and keep what was not known yet."""
        result = self.search(depth)
        self.unranked = result.total - len(result.hits)
        for hit in result.hits:
            self._take((hit.entity, hit.text), hit)
        for name in result.bare_entities:
            self._take((name, None), name)
        return result

    def _take(self, key: tuple[str, str | None], item: Hit | str) -> None:
        if key not in self.known:
            self.known.add(key)
            self.found.append(item)


def first_findings(graph: Graph, findings: Findings, cursors: Cursors[Findings]) -> SearchResults:
    """Return the best hits for a query."""
    result = findings.look(findings.limit * _AHEAD)
    page, end = _page(graph, findings, 0)
    page = replace(page, did_you_mean=result.did_you_mean or None)
    return _with_rest(page, findings, end, lambda: cursors.open(findings))


def next_findings(graph: Graph, cursor: str, cursors: Cursors[Findings]) -> SearchResults:
    """Return the hits that a cursor leads to.

    Raises:
        InvalidRequest: The cursor has expired.
    """
    key, findings, start = cursors.find(cursor)
    page, end = _page(graph, findings, start)
    if end == len(findings.found):  # a match may be new, or have other words or another name now
        findings.look(2 * len(findings.found) + findings.limit)
        page, end = _page(graph, findings, start)
    return _with_rest(page, findings, end, lambda: key)


def without_hits(graph: GraphResult) -> SearchResults:
    """Return a graph, or a part of it, as the answer to a query that asks for nothing."""
    return SearchResults(
        graph.entities,
        graph.relations,
        (),
        problems=graph.problems,
        tags_omitted=graph.tags_omitted,
        omitted=graph.omitted,
        cursor=graph.cursor,
    )


def _with_rest(
    page: SearchResults, findings: Findings, end: int, key: Callable[[], str]
) -> SearchResults:
    left = len(findings.found) - end + findings.unranked
    if not left:
        return page
    bare = sum(isinstance(item, str) for item in findings.found[end:])
    relations = page.omitted.relations if page.omitted else None
    return replace(page, omitted=Omitted(bare, left - bare, relations), cursor=f"{key()}.{end}")


def _page(graph: Graph, findings: Findings, start: int) -> tuple[SearchResults, int]:
    """Return what was found from a place on and fits, with its entities, and the place behind."""
    page = _Page(graph, findings, start)
    end = start
    while end < len(findings.found) and page.take(end):
        end += 1
    return page.answer(), end


class _Page:
    """Hits and entities on their way to an answer, in the order of their ranks."""

    def __init__(self, graph: Graph, findings: Findings, start: int) -> None:
        self._graph = graph
        self._findings = findings
        self._earlier = {name for name, place in findings.shown.items() if place < start}
        self._room = Room(findings.scope.room)
        self._short = self._room.left / (2 * findings.limit)
        """How long an entity may be so that all that there can be leave half of the room."""
        self._count = 0
        self._hits: list[HitResult] = []
        self._entities: dict[str, tuple[Excerpt, EntityResult]] = {}
        """Each with its shortest form, for which room has been taken."""

    def take(self, place: int) -> bool:
        """Return whether there is room for what is there, taken then; what is gone needs none.

        What is longer than a page stands on one of its own.
        """
        item = self._findings.found[place]
        hit = None if isinstance(item, str) else _hit(self._graph, item)
        name = item if isinstance(item, str) else item.entity
        excerpt = self._excerpt(name) if hit or isinstance(item, str) else None
        least = self._least(excerpt) if excerpt else None
        needed = [part for part in (hit, least) if part]
        if not needed:
            return True
        if self._count == self._findings.limit:
            return False
        if not self._room.take(*needed):
            if self._count:
                return False
            self._room.left = 0
        self._count += 1
        if hit:
            self._hits.append(hit)
        if excerpt and least:
            self._entities[name] = excerpt, least
            self._findings.shown[name] = place
        return True

    def _excerpt(self, name: str) -> Excerpt | None:
        """Return what is found of an entity, unless it stands on this page or an earlier one."""
        if name in self._entities or name in self._earlier:
            return None
        return excerpt_of(self._graph, name, self._findings.scope)

    def _least(self, excerpt: Excerpt) -> EntityResult:
        """Return the form for which there has to be room: all of it, if that is short."""
        whole = excerpt.untagged()
        return whole if len(TEXTS.of(whole)) <= self._short else excerpt.name_only()

    def answer(self) -> SearchResults:
        """Return the entities, as fully as there is room for, and what relates them.

        Their observations go without tags: the hits have them, and they would triple the answer.
        """
        entities = tuple(self._as_room_allows())
        touching = self._findings.scope.keep_relations(
            self._graph.relations_touching(self._entities)
        )
        earlier = self._earlier
        fresh = [r for r in touching if r.source not in earlier and r.target not in earlier]
        relations = tuple(_fitting(fresh, self._room))
        left = len(fresh) - len(relations)
        return SearchResults(
            order_by_position(entities),
            relations,
            order_by_position(self._hits),
            tags_omitted=bool(entities) or None,
            omitted=Omitted(0, relations=left) if left else None,
        )

    def _as_room_allows(self) -> Iterator[EntityResult]:
        texts: dict[str, list[str]] = {}
        for hit in self._hits:
            texts.setdefault(hit.entity_name, []).append(hit.text)
        for name, (excerpt, least) in self._entities.items():
            entity = excerpt.untagged()
            if entity is not least and not self._room.exchange(least, entity):
                entity = excerpt.only(texts.get(name, ()))
                if not self._room.exchange(least, entity):
                    entity = least
            yield entity


def _hit(graph: Graph, hit: Hit) -> HitResult | None:
    """Return a hit with the tags that it has now, or None if it was removed meanwhile."""
    name, text, score = hit.entity, hit.text, round(hit.score, 4)
    entity = graph.entities.get(name)
    if entity and text in entity.observations:
        return HitResult(name, text, hit.rank, score, entity.observations[text])
    retired = graph.superseded.get(name, {}).get(text)
    if retired is None:
        return None
    at, by = retired.superseded_at, retired.superseded_by
    return HitResult(name, text, hit.rank, score, retired.tags, at, by)


def _fitting(relations: Sequence[Relation], room: Room) -> Iterator[Relation]:
    misses = 0
    for relation in relations:
        if room.take(relation):
            yield relation
        elif (misses := misses + 1) > _MOST_MISSES:
            return  # a hub has a hundred thousand more of about the same length
