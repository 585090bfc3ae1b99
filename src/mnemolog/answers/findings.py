"""The answer to a search: hits, the entities that they are about, and what relates those.

A cursor goes on behind the hits that were shown. What is said, reworded or renamed meanwhile can
join the rest, but nothing is shown twice, and nothing that matched at the start is skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from mnemolog.answers.bounds import Cursors, Room
from mnemolog.answers.excerpts import Excerpt, Scope, excerpts
from mnemolog.graph import Graph
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
    entities = bare + (page.omitted.entities if page.omitted else 0)
    return replace(page, omitted=Omitted(entities, left - bare), cursor=f"{key()}.{end}")


def _page(graph: Graph, findings: Findings, start: int) -> tuple[SearchResults, int]:
    """Return what was found from a place on and fits, with its entities, and the place behind."""
    room = Room(findings.scope.max_chars)
    shown: list[HitResult] = []
    bare: list[str] = []
    end = len(findings.found)
    for place, item in enumerate(findings.found[start:], start):
        result = item if isinstance(item, str) else _hit(graph, item)
        if result is None:
            continue
        if len(shown) + len(bare) == findings.limit:
            end = place
            break
        if isinstance(result, str):
            bare.append(result)
        elif room.take(result) or not shown:
            shown.append(result)
        else:
            end = place
            break
    earlier = {_name(item) for item in findings.found[:start]}
    names = dict.fromkeys([*(hit.entity_name for hit in shown), *bare])
    fresh = [name for name in names if name not in earlier]
    page = _with_entities(graph, fresh, shown, findings.scope, room)
    return replace(page, hits=order_by_position(shown)), end


def _name(item: Hit | str) -> str:
    return item if isinstance(item, str) else item.entity


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


def _with_entities(
    graph: Graph, names: Sequence[str], shown: Sequence[HitResult], scope: Scope, room: Room
) -> SearchResults:
    """Return the entities, best first, as fully as there is room for, and their relations.

    Their observations go without tags: the hits have them, and they would triple the answer.
    """
    there = (graph.entities[name] for name in names if name in graph.entities)
    found = list(excerpts(graph, there, scope))
    relations = scope.keep_relations(graph.relations_touching(names))
    entities = tuple(_as_room_allows(found, shown, room))
    kept = tuple(_fitting(relations, room))
    omitted = Omitted(len(found) - len(entities)) if len(entities) < len(found) else None
    return SearchResults(
        order_by_position(entities), kept, (), tags_omitted=bool(entities) or None, omitted=omitted
    )


def _fitting(relations: Sequence[Relation], room: Room) -> Iterator[Relation]:
    misses = 0
    for relation in relations:
        if room.take(relation):
            yield relation
        elif (misses := misses + 1) > _MOST_MISSES:
            return  # a hub has a hundred thousand more of about the same length


def _as_room_allows(
    found: Sequence[Excerpt], shown: Sequence[HitResult], room: Room
) -> Iterator[EntityResult]:
    for excerpt in found:
        entity = excerpt.untagged()
        if not room.take(entity):
            entity = excerpt.only(h.text for h in shown if h.entity_name == excerpt.entity.name)
            if not room.take(entity):
                continue
        yield entity
