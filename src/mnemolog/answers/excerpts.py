"""What a read asks for, and what that shows of an entity."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mnemolog.filters import Filters
from mnemolog.graph import EntityState, Graph
from mnemolog.json_text import json_text
from mnemolog.records import ObservationTags, Relation
from mnemolog.results import EntityResult, Problem, SupersededResult

MAX_CHARS: Final = 48_000
"""How long an answer may be, in characters, unless the caller says otherwise."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which part of a graph is asked for, and how much of it at a time."""

    filters: Filters = Filters()
    include_superseded: bool = False
    names_only: bool = False
    limit: int | None = None
    """How many entities, or hits, there may be in one answer."""
    max_chars: int = MAX_CHARS
    """How long one answer may be; 0 is no bound."""
    reserved: int = 0
    """How many of these characters are for what stands beside the graph."""

    @property
    def room(self) -> int:
        """How many characters there are for the graph; 0 is no bound."""
        return self.max_chars and max(1, self.max_chars - self.reserved)

    @property
    def leaves_nothing_out(self) -> bool:
        """Whether it is all that is true now, tags included, however long."""
        is_whole = self.limit is None and not self.max_chars and not self.names_only
        return is_whole and not self.include_superseded and self.filters == Filters()

    def leaving_room_for(self, problems: tuple[Problem, ...] | None) -> Scope:
        """Return the same for what an answer has room for beside its problems."""
        return replace(self, reserved=len(json_text(problems)) if problems else 0)

    def going_on(self, asked: Scope) -> Scope:
        """Return the same for the next page, of the size that the call for it names, if any."""
        names_none = asked.max_chars == MAX_CHARS
        max_chars = self.max_chars if names_none else asked.max_chars
        return replace(self, limit=asked.limit or self.limit, max_chars=max_chars)

    def keep_relations(self, relations: Iterable[Relation]) -> tuple[Relation, ...]:
        """Return the relations that are asked for."""
        if self.names_only:
            return ()
        if not self.filters.are_about_facts:
            return tuple(relations)
        return tuple(relation for relation in relations if self.filters.keep(relation.tags))


EVERYTHING: Final = Scope(max_chars=0)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """An entity, and those of its facts that are asked for."""

    entity: EntityState
    observations: Mapping[str, ObservationTags]
    superseded: tuple[SupersededResult, ...] | None

    def in_full(self) -> EntityResult:
        """Return all of it."""
        if self.observations is self.entity.observations and self.superseded is None:
            return self.entity.result
        return replace(self.untagged(), observation_tags=tuple(self.observations.values()))

    def untagged(self) -> EntityResult:
        """Return it without the tags of its observations, which take more room than the texts."""
        if self.observations is self.entity.observations and self.superseded is None:
            return self.entity.untagged_result
        return EntityResult(
            self.entity.name,
            self.entity.entity_type,
            tuple(self.observations),
            self.entity.tags,
            superseded=self.superseded,
        )

    def least(self, scope: Scope) -> EntityResult:
        """Return the shortest form in which it still is what was asked for."""
        return self.name_only() if scope.names_only else self.untagged()

    def name_only(self) -> EntityResult:
        """Return its name, its type, and how much there is to it."""
        return self._counted(())

    def only(self, texts: Iterable[str]) -> EntityResult:
        """Return it with no observations but these, and how many it has."""
        return self._counted(tuple(text for text in texts if text in self.observations))

    def newest(self, room: float) -> EntityResult:
        """Return its newest observation, and what else there is room for, its history last."""
        texts: list[str] = []
        for text in reversed(tuple(self.observations)):
            room -= len(text) + _QUOTES
            if room < 0 and texts:
                break
            texts.append(text)
        history: list[SupersededResult] = []
        for retired in reversed(self.superseded or ()):
            room -= len(json_text(retired))
            if room < 0:
                break
            history.append(retired)
        shown = self._counted(tuple(reversed(texts)))
        return replace(shown, superseded=tuple(reversed(history)) or None)

    def _counted(self, texts: tuple[str, ...]) -> EntityResult:
        return EntityResult(
            self.entity.name,
            self.entity.entity_type,
            texts,
            self.entity.tags,
            observation_count=len(self.observations),
            superseded_count=len(self.superseded) if self.superseded else None,
        )


_QUOTES: Final = len('"",')


def asked_for(graph: Graph, entities: Iterable[EntityState], scope: Scope) -> Sequence[EntityState]:
    """Return the entities of which something is asked for."""
    if scope.filters == Filters():
        return tuple(entities)
    return tuple(excerpt.entity for excerpt in excerpts(graph, entities, scope))


def excerpts(graph: Graph, entities: Iterable[EntityState], scope: Scope) -> Iterator[Excerpt]:
    """Yield what is asked for of each entity; those of which nothing is are left out."""
    for entity in entities:
        excerpt = _excerpt(graph, entity, scope)
        if excerpt is not None:
            yield excerpt


def excerpt_of(graph: Graph, name: str, scope: Scope) -> Excerpt | None:
    """Return what is asked for of an entity, if there is such a one and anything is."""
    entity = graph.entities.get(name)
    return _excerpt(graph, entity, scope) if entity else None


def _excerpt(graph: Graph, entity: EntityState, scope: Scope) -> Excerpt | None:
    filters = scope.filters
    if not filters.keep_type(entity.entity_type):
        return None
    superseded = _superseded(graph, entity, filters) if scope.include_superseded else None
    if not filters.are_about_facts:
        return Excerpt(entity, entity.observations, superseded)
    kept = {text: tags for text, tags in entity.observations.items() if filters.keep(tags)}
    # An entity about which nothing is said is a fact of its own.
    is_bare_fact = not entity.observations and filters.keep(entity.tags)
    return Excerpt(entity, kept, superseded) if kept or superseded or is_bare_fact else None


def _superseded(
    graph: Graph, entity: EntityState, filters: Filters
) -> tuple[SupersededResult, ...] | None:
    records = graph.superseded.get(entity.name, {}).values()
    return (
        tuple(
            SupersededResult(r.observation, r.tags, r.superseded_at, r.superseded_by, r.replaced_by)
            for r in records
            if filters.keep_superseded(r)
        )
        or None
    )
