"""Answers that fit: whole while they do, else page by page, what changed last first.

Clients cut or divert what is too long, so an answer is bounded in characters. The tags go first,
since without them an answer is as long as server-memory's own. A cursor goes through the entities
that were there at its start, in the order that they had then: whoever writes meanwhile, nothing
comes twice and nothing is skipped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from mnemolog.answers.bounds import Cursors, Room
from mnemolog.answers.excerpts import Excerpt, Scope, asked_for, excerpt_of, excerpts
from mnemolog.graph import EntityState, Graph
from mnemolog.records import Relation, RelationKey
from mnemolog.results import GraphResult, Omitted


@dataclass(slots=True)
class Snapshot:
    """What a cursor goes through: the entities in the order that they had at its start."""

    names: tuple[str, ...]
    strays: tuple[RelationKey, ...]
    """Relations that belong to it and touch none of the entities; they come last."""
    scope: Scope


def first_answer(
    graph: Graph,
    entities: Iterable[EntityState],
    relations: Iterable[Relation],
    scope: Scope,
    cursors: Cursors[Snapshot],
) -> GraphResult:
    """Return everything asked for, in file order, if it fits, and else the first page."""
    if scope.leaves_nothing_out:
        return GraphResult(tuple(entity.result for entity in entities), tuple(relations))
    chosen = asked_for(graph, entities, scope)
    kept = _relations_asked_for(graph, relations, scope)
    if scope.limit is None or len(chosen) <= scope.limit:
        whole = _if_it_fits(graph, chosen, kept, scope)
        if whole is not None:
            return whole
    latest = sorted(chosen, key=lambda entity: entity.changed, reverse=True)
    names = tuple(entity.name for entity in latest)
    shown = set(names)
    strays = tuple(r.key for r in kept if r.source not in shown and r.target not in shown)
    key = cursors.open(Snapshot(names, strays, scope))
    return next_answer(graph, f"{key}.0", cursors)


def next_answer(graph: Graph, cursor: str, cursors: Cursors[Snapshot]) -> GraphResult:
    """Return the page that a cursor leads to.

    Raises:
        InvalidRequest: The cursor has expired.
    """
    key, snapshot, start = cursors.find(cursor)
    page, end = _page(graph, snapshot, start)
    left = len(snapshot.names) - end
    if left:
        hidden = page.omitted.relations if page.omitted else None
        return replace(page, omitted=Omitted(left, relations=hidden), cursor=f"{key}.{end}")
    return _with_strays(graph, snapshot, page, max(start, end), key)


def _with_strays(
    graph: Graph, snapshot: Snapshot, page: GraphResult, start: int, key: str
) -> GraphResult:
    """Return the last page, or one behind it, with the strays that it has room for."""
    room = Room(snapshot.scope.room)
    room.take(*page.entities, *page.relations)
    strays: list[Relation] = []
    for place, stray in enumerate(snapshot.strays[start - len(snapshot.names) :], start):
        relation = graph.relations.get(stray)
        if relation is None:
            continue  # deleted meanwhile
        if not room.take(relation) and (page.entities or strays):
            left = len(snapshot.names) + len(snapshot.strays) - place
            hidden = page.omitted.relations or 0 if page.omitted else 0
            omitted = Omitted(0, relations=left + hidden)
            page = replace(page, omitted=omitted, cursor=f"{key}.{place}")
            break
        strays.append(relation)
    return replace(page, relations=(*page.relations, *strays))


def _relations_asked_for(
    graph: Graph, relations: Iterable[Relation], scope: Scope
) -> tuple[Relation, ...]:
    """Return the relations that have an end of the types that are asked for."""
    kept, filters = scope.keep_relations(relations), scope.filters
    if filters.entity_types is None:
        return kept
    asked = {e.name for e in graph if filters.keep_type(e.entity_type)}
    return tuple(r for r in kept if r.source in asked or r.target in asked)


def _page(graph: Graph, snapshot: Snapshot, start: int) -> tuple[GraphResult, int]:
    """Return the entities from a place on that fit, and the place behind them."""
    scope = snapshot.scope
    earlier = set(snapshot.names[:start])
    room = Room(scope.room)
    chosen: list[EntityState] = []
    relations: list[Relation] = []
    end = start
    for end, name in enumerate(snapshot.names[start:], start):
        excerpt = excerpt_of(graph, name, scope)
        if excerpt is None:
            continue  # deleted meanwhile
        touching = _first_seen_here(graph, name, earlier, scope)
        if len(chosen) == scope.limit or not room.take(excerpt.least(scope), *touching):
            if chosen:
                break
            if scope.names_only:
                return GraphResult((excerpt.name_only(),), ()), end + 1
            return _too_large(excerpt, touching, scope), end + 1
        chosen.append(excerpt.entity)
        relations += touching
        earlier.add(name)
    else:
        end = len(snapshot.names)
    page = _if_it_fits(graph, chosen, tuple(relations), scope)
    return page or GraphResult((), ()), end


def _first_seen_here(
    graph: Graph, name: str, earlier: Collection[str], scope: Scope
) -> tuple[Relation, ...]:
    """Return an entity's relations, but for those that came with an earlier entity."""
    touching = scope.keep_relations(graph.relations_touching([name]))
    return tuple(r for r in touching if r.source not in earlier and r.target not in earlier)


def _if_it_fits(
    graph: Graph, chosen: Sequence[EntityState], relations: tuple[Relation, ...], scope: Scope
) -> GraphResult | None:
    """Return all of it, with tags or else without, or None if it is too long even so."""
    for show in (Excerpt.name_only,) if scope.names_only else (Excerpt.in_full, Excerpt.untagged):
        room = Room(scope.room)
        entities = []
        for entity in map(show, excerpts(graph, chosen, scope)):
            if not room.take(entity):
                break
            entities.append(entity)
        else:
            if room.take(*relations):
                is_untagged = show is Excerpt.untagged or None
                return GraphResult(tuple(entities), relations, tags_omitted=is_untagged)
    return None


def _too_large(excerpt: Excerpt, touching: Sequence[Relation], scope: Scope) -> GraphResult:
    """Return the newest observations of an entity that is longer than a page by itself."""
    room = Room(scope.room)
    entity = excerpt.newest(room.left / 2)
    room.take(entity)
    relations = tuple(takewhile(room.take, reversed(touching)))
    left = len(touching) - len(relations)
    omitted = Omitted(0, relations=left) if left else None
    return GraphResult((entity,), relations, tags_omitted=True, omitted=omitted)
