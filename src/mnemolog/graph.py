"""The graph in memory: what the lines of a log add up to, in file order.

It knows neither files nor clocks. `apply` is the only way to change it, so that what a process
holds after a write is what the next process reads.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import count, groupby
from typing import Final
from weakref import ref

from mnemolog.records import (
    GENERIC,
    UNTAGGED,
    Entity,
    Header,
    Kind,
    ObservationTags,
    Record,
    Relation,
    RelationKey,
    Superseded,
    Tags,
    Tombstone,
)
from mnemolog.results import EntityResult, Totals


class GraphWatcher:
    """Hears of every change, after it was made: a search index, say. Define what matters to it."""

    def entity_said(self, name: str) -> None:
        """Hear that an entity is new, or that its type has changed."""

    def entity_gone(self, name: str) -> None:
        """Hear that an entity is gone, after the last of its observations."""

    def observation_said(self, name: str, text: str) -> None:
        """Hear that an observation is new, or that its tags have changed."""

    def observation_gone(self, name: str, text: str) -> None:
        """Hear that an observation was removed or superseded."""

    def relation_said(self, key: RelationKey) -> None:
        """Hear that a relation is new, or that its tags have changed."""

    def relation_gone(self, key: RelationKey) -> None:
        """Hear that a relation was removed."""


class EntityState:
    """One entity as it stands."""

    __slots__ = (
        "_result",
        "_untagged_result",
        "changed",
        "entity_type",
        "is_asserted",
        "name",
        "observations",
        "position",
        "tags",
    )

    def __init__(self, name: str, tags: Tags, position: int) -> None:
        self.name = name
        self.entity_type = GENERIC
        self.tags = tags
        """The tags of the line that said it first."""
        self.observations: dict[str, ObservationTags] = {}
        """The current observations, in the order they were first said."""
        self.position = position
        """Where it stands in the file, among entities and relations."""
        self.changed = position
        """Where the last line about it stands; larger is later."""
        self.is_asserted = True
        """False once a tombstone of the entity itself has come after every line that says it."""
        self._result: EntityResult | None = None
        self._untagged_result: EntityResult | None = None

    @property
    def result(self) -> EntityResult:
        """All of it, as answers show it: one object until it changes, so that its text is kept."""
        if self._result is None:
            texts, tags = tuple(self.observations), tuple(self.observations.values())
            self._result = EntityResult(self.name, self.entity_type, texts, self.tags, tags)
        return self._result

    @property
    def untagged_result(self) -> EntityResult:
        """All of it but the tags of its observations."""
        if self._untagged_result is None:
            texts = tuple(self.observations)
            self._untagged_result = EntityResult(self.name, self.entity_type, texts, self.tags)
        return self._untagged_result

    def said_as(self, name: str) -> Iterator[Entity]:
        """Yield the fewest lines that say the entity, with all tags, under a name."""
        own = ObservationTags(self.tags.added_at, self.tags.agent)
        first = next(iter(self.observations.values()), None)
        # It has the date and agent of its first line, which may be none of its observations'.
        if first is None or (first.added_at, first.agent) != (own.added_at, own.agent):
            yield Entity(name, self.entity_type, (), own)
        for tags, run in groupby(self.observations.items(), key=lambda pair: pair[1]):
            yield Entity(name, self.entity_type, tuple(text for text, _ in run), tags)

    def said_to_stay(self, going: Collection[str]) -> Iterator[Entity]:
        """Yield the line without which the entity would go along with its last observations."""
        if not self.is_asserted and self.observations.keys() <= set(going):
            tags = ObservationTags(self.tags.added_at, self.tags.agent)
            yield Entity(self.name, self.entity_type, (), tags)

    def note_change(self) -> None:
        """Let the next answer be made anew."""
        self._result = self._untagged_result = None


class Graph:
    """Entities, relations and superseded observations, in file order."""

    def __init__(self) -> None:
        self.entities: dict[str, EntityState] = {}
        self.relations: dict[RelationKey, Relation] = {}
        self.superseded: dict[str, dict[str, Superseded]] = {}
        """By entity and text. Kept apart from the entities: history outlives a lost line."""
        self.header: Header | None = None
        self._watchers: tuple[ref[GraphWatcher], ...] = ()
        self.said_size = 0
        """What has been said so far, in characters of a log, what no longer counts included."""
        self.observation_count = 0
        self.superseded_count = 0
        self._bare_count = 0
        self._text_size = 0
        self.has_untagged_lines = False
        """Whether another tool, such as server-memory, wrote part of it."""
        self._positions = count()
        self._relation_positions: dict[RelationKey, int] = {}
        self._touching: defaultdict[str, set[RelationKey]] = defaultdict(set)
        self._removed: set[tuple[str, str]] = set()

    def apply(self, record: Record) -> None:
        """Let one more line count."""
        match record:
            case Entity():
                self._apply_entity(record)
            case Relation():
                self._apply_relation(record)
            case Superseded():
                self._apply_superseded(record)
            case Tombstone():
                self._apply_tombstone(record)
            case Header():
                self.header = record

    def apply_all(self, records: Iterable[Record]) -> None:
        """Let several lines count, in their order."""
        for record in records:
            self.apply(record)

    def watch(self, watcher: GraphWatcher) -> None:
        """Let a watcher hear of every change for as long as somebody else holds it.

        It holds the graph, so that holding it here would be a circle, which only the collector
        can free; and that no longer looks at what was loaded.
        """
        self._watchers = (*map(ref, self._watching()), ref(watcher))

    def open(self, names: Iterable[str]) -> list[EntityState]:
        """Return the entities of these names that exist, in file order, each once."""
        found = {name: self.entities[name] for name in names if name in self.entities}
        return sorted(found.values(), key=lambda entity: entity.position)

    def relations_touching(self, names: Iterable[str]) -> list[Relation]:
        """Return the relations with either end among the names, in file order."""
        keys = set[RelationKey]().union(*(self._touching.get(name, ()) for name in names))
        in_order = sorted(keys, key=self._relation_positions.__getitem__)
        return [self.relations[key] for key in in_order]

    def relations_of(self, name: str) -> Collection[RelationKey]:
        """Return the keys of the relations with this end, in no order; not to be kept."""
        return self._touching.get(name, ())

    def relations_since(self, name: str) -> list[RelationKey]:
        """Return the relations with this end that are younger than the entity, in no order.

        A merge, or another tool, may leave relations without an end; those are not made for it.
        """
        since = self.entities[name].position
        return [key for key in self.relations_of(name) if self._relation_positions[key] > since]

    def observations_ever(self, name: str) -> tuple[str, ...]:
        """Return every text that an entity's own tombstone lists: current, then superseded.

        After a merge there may be history of an entity that is gone.
        """
        entity = self.entities.get(name)
        return (*(entity.observations if entity else ()), *self.superseded.get(name, ()))

    def knows(self, name: str, text: str) -> bool:
        """Return whether it is an observation of the entity, current or superseded."""
        entity = self.entities.get(name)
        is_current = entity is not None and text in entity.observations
        return is_current or text in self.superseded.get(name, ())

    def was_removed(self, name: str, text: str) -> bool:
        """Return whether a tombstone lists the observation, and nothing has said it since."""
        return (name, text) in self._removed

    @property
    def live_size(self) -> int:
        """What is true, or kept as history, right now, in the measure of `said_size`."""
        # A line counts for its entity only where it says no observation.
        lines = self._bare_count + self.observation_count + len(self.relations)
        return (lines + self.superseded_count) * _LINE_SIZE + self._text_size

    @property
    def totals(self) -> Totals:
        """How much is true, or kept as history, right now."""
        counts = self.observation_count, self.superseded_count
        return Totals(len(self.entities), *counts, len(self.relations))

    def types_of(self, kind: Kind) -> Iterator[str]:
        """Return the type of each entity, or of each relation."""
        if kind == "entity":
            return (entity.entity_type for entity in self)
        return (relation_type for _, _, relation_type in self.relations)

    def __iter__(self) -> Iterator[EntityState]:
        return iter(self.entities.values())

    def _apply_entity(self, record: Entity) -> None:
        entity = self._entity_of(record)
        entity.changed = next(self._positions)
        entity.is_asserted = True
        entity.note_change()
        self._note(record.tags, _size_of(record.observations))
        count_before = len(entity.observations)
        for text in record.observations:
            if text not in entity.observations:
                self._text_size += len(text)
            entity.observations[text] = record.tags
        self._bring_back(record)
        self.observation_count += len(entity.observations) - count_before
        self._bare_count -= count_before == 0 < len(entity.observations)
        for watcher in self._watching():
            for text in record.observations:
                watcher.observation_said(record.name, text)

    def _bring_back(self, record: Entity) -> None:
        """Let what the line says be no longer removed or superseded."""
        if self._removed:
            self._removed.difference_update((record.name, text) for text in record.observations)
        if record.name in self.superseded:
            for text in record.observations:
                self._drop_superseded(record.name, text)

    def _entity_of(self, record: Entity) -> EntityState:
        entity = self.entities.get(record.name)
        is_new = entity is None
        if entity is None:
            entity = EntityState(record.name, record.tags, next(self._positions))
            self.entities[record.name] = entity
            self._bare_count += 1
        is_retyped = record.entity_type not in {None, entity.entity_type}
        if record.entity_type is not None:
            entity.entity_type = record.entity_type
        if is_new or is_retyped:
            for watcher in self._watching():
                watcher.entity_said(record.name)
        return entity

    def _apply_relation(self, record: Relation) -> None:
        key = record.key
        if key not in self.relations:
            self._relation_positions[key] = next(self._positions)
            self._touching[record.source].add(key)
            self._touching[record.target].add(key)
        self.relations[key] = record
        self._note(record.tags, _LINE_SIZE)
        for watcher in self._watching():
            watcher.relation_said(key)

    def _apply_superseded(self, record: Superseded) -> None:
        self.said_size += _size_of((record.observation,))
        # Another branch removed the text before this branch's line was merged in behind it:
        # without this, whether the text comes back would depend on the direction of the merge.
        if (record.entity, record.observation) in self._removed:
            return
        self._drop_superseded(record.entity, record.observation)
        self.superseded.setdefault(record.entity, {})[record.observation] = record
        self.superseded_count += 1
        self._text_size += len(record.observation)
        self._drop_observation(record.entity, record.observation)
        self._drop_if_unsupported(record.entity)

    def _apply_tombstone(self, record: Tombstone) -> None:
        if record.of == "relation":
            self.said_size += _LINE_SIZE
            self._drop_relation(record.relation_key)
            return
        name, texts = record.name or "", record.observations or ()
        self.said_size += _size_of(texts)
        for text in texts:
            self._removed.add((name, text))
            self._drop_superseded(name, text)
            self._drop_observation(name, text)
        if record.of == "entity" and name in self.entities:
            self.entities[name].is_asserted = False
        self._drop_if_unsupported(name)

    def _drop_if_unsupported(self, name: str) -> None:
        # What the entity's tombstone does not list survives it: a fact that another branch added
        # in the meantime keeps its entity alive through a merge.
        entity = self.entities.get(name)
        if entity is None or entity.is_asserted or entity.observations:
            return
        del self.entities[name]
        self._bare_count -= 1
        for watcher in self._watching():
            watcher.entity_gone(name)

    def _drop_observation(self, name: str, text: str) -> None:
        entity = self.entities.get(name)
        if entity and entity.observations.pop(text, None):
            entity.note_change()
            self.observation_count -= 1
            self._text_size -= len(text)
            self._bare_count += not entity.observations
            entity.changed = next(self._positions)
            for watcher in self._watching():
                watcher.observation_gone(name, text)

    def _drop_superseded(self, name: str, text: str) -> None:
        texts = self.superseded.get(name)
        if texts and texts.pop(text, None):
            self.superseded_count -= 1
            self._text_size -= len(text)
            if not texts:
                del self.superseded[name]

    def _drop_relation(self, key: RelationKey) -> None:
        if self.relations.pop(key, None):
            del self._relation_positions[key]
            for end in set(key[:2]):
                self._touching[end].discard(key)
                if not self._touching[end]:
                    del self._touching[end]
            for watcher in self._watching():
                watcher.relation_gone(key)

    def _watching(self) -> Sequence[GraphWatcher]:
        if not self._watchers:
            return _NOBODY
        return [one for watcher in self._watchers if (one := watcher()) is not None]

    def _note(self, tags: Tags, size: int) -> None:
        self.said_size += size
        if tags is UNTAGGED:
            self.has_untagged_lines = True


_NOBODY: Final[Sequence[GraphWatcher]] = ()

_LINE_SIZE: Final = 128
"""What a line takes beside its texts, roughly."""


def _size_of(texts: tuple[str, ...]) -> int:
    return _LINE_SIZE * max(1, len(texts)) + sum(map(len, texts))
