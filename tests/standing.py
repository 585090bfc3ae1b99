"""What must be true after a history: a yardstick that shares no code with the graph it judges.

It looks back through all lines for the last word on each thing, as the grammar has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mnemolog.declarations import to_wire
from mnemolog.graph import Graph
from mnemolog.records import (
    Entity,
    Header,
    ObservationTags,
    Record,
    Relation,
    RelationKey,
    Superseded,
    Tags,
    Tombstone,
)


@dataclass(frozen=True)
class Standing:
    """What a graph says, as plain values in the order that readers see."""

    entities: list[dict[str, Any]]
    relations: list[dict[str, Any]]
    superseded: dict[str, list[dict[str, Any]]]
    header: dict[str, Any] | None


def standing_of(graph: Graph) -> Standing:
    """Return what the graph under test says."""
    entities = [
        _standing_entity(e.name, e.entity_type, e.tags, list(e.observations.items())) for e in graph
    ]
    superseded = {
        name: [to_wire(line) for line in texts.values()] for name, texts in graph.superseded.items()
    }
    header = None if graph.header is None else to_wire(graph.header)
    return Standing(entities, [to_wire(r) for r in graph.relations.values()], superseded, header)


def expected_standing(records: Sequence[Record]) -> Standing:
    """Return what must be true after these records."""
    past = Past(records)
    headers = [to_wire(record) for record in records if isinstance(record, Header)]
    return Standing(
        list(past.entities()),
        list(past.relations()),
        past.superseded(),
        headers[-1] if headers else None,
    )


def _standing_entity(
    name: str, kind: str, tags: Tags, observations: list[tuple[str, ObservationTags]]
) -> dict[str, Any]:
    return {
        "name": name,
        "entityType": kind,
        "added_at": tags.added_at,
        "agent": tags.agent,
        "observations": [(text, to_wire(tags)) for text, tags in observations],
    }


class Past:
    """The records of a history, asked for the last word on each thing."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = tuple(records)
        self.now = len(self.records)

    def entities(self) -> Iterator[dict[str, Any]]:
        names = dict.fromkeys(r.name for r in self.records if isinstance(r, Entity))
        births = {name: self.birth_of_entity(name) for name in names if self.exists(name, self.now)}
        for name in sorted(births, key=births.__getitem__):
            lines = [r for r in self._entity_lines(name) if r[0] >= births[name]]
            kinds = [line.entity_type for _, line in lines if line.entity_type is not None]
            kind = kinds[-1] if kinds else "Generic"
            yield _standing_entity(name, kind, lines[0][1].tags, self._true_observations(name))

    def relations(self) -> Iterator[dict[str, Any]]:
        keys = {r.key for r in self.records if isinstance(r, Relation)}
        births = {key: self._since(key) for key in keys if self._is_related(key, self.now)}
        for key in sorted(births, key=births.__getitem__):
            yield [to_wire(r) for r in self.records if isinstance(r, Relation) and r.key == key][-1]

    def superseded(self) -> dict[str, list[dict[str, Any]]]:
        found: dict[str, list[tuple[int, dict[str, Any]]]] = {}
        for name, text in {
            (r.entity, r.observation) for r in self.records if isinstance(r, Superseded)
        }:
            if (place := self._place_in_history(name, text)) is not None:
                found.setdefault(name, []).append((place, to_wire(self.records[place])))
        return {
            name: [line for _, line in sorted(places, key=lambda pair: pair[0])]
            for name, places in found.items()
        }

    def exists(self, name: str, count: int) -> bool:
        """Whether an entity was there after the first `count` records."""
        word = None
        for record in self.records[:count]:
            if isinstance(record, Entity) and record.name == name:
                word = record
            if isinstance(record, Tombstone) and (record.of, record.name) == ("entity", name):
                word = None
        return word is not None or any(self.is_true(name, t, count) for t in self._texts(name))

    def is_true(self, name: str, text: str, count: int) -> bool:
        """Whether the last word on a text, after the first `count` records, is that it is true."""
        words = (_word_on(record, name, text) for record in reversed(self.records[:count]))
        return next((word for word in words if word is not None), None) == "said"

    def birth_of_entity(self, name: str) -> int:
        """The place of the record since which the entity has been there."""
        place = self.now - 1
        while self.exists(name, place):
            place -= 1
        return place

    def _true_observations(self, name: str) -> list[tuple[str, ObservationTags]]:
        born: dict[str, int] = {}
        for text in self._texts(name):
            if self.is_true(name, text, self.now):
                place = self.now - 1
                while self.is_true(name, text, place):
                    place -= 1
                born[text] = place
        tags = {
            text: line.tags for _, line in self._entity_lines(name) for text in line.observations
        }
        within = {text: self._place_in_line(born[text], text) for text in born}
        return [(t, tags[t]) for t in sorted(born, key=lambda text: (born[text], within[text]))]

    def _place_in_line(self, place: int, text: str) -> int:
        record = self.records[place]
        assert isinstance(record, Entity)
        return record.observations.index(text)

    def _place_in_history(self, name: str, text: str) -> int | None:
        words = [
            (place, word)
            for place, record in enumerate(self.records)
            if (word := _word_on(record, name, text)) is not None
        ]
        if words[-1][1] != "superseded":
            return None
        others = [word for _, word in words if word != "superseded"]
        # A text that was removed before it was retired stays removed.
        return None if others and others[-1] == "removed" else words[-1][0]

    def _is_related(self, key: RelationKey, count: int) -> bool:
        is_there = False
        for record in self.records[:count]:
            if isinstance(record, Relation) and record.key == key:
                is_there = True
            if isinstance(record, Tombstone) and record.of == "relation":
                is_there = is_there and record.relation_key != key
        return is_there

    def _since(self, key: RelationKey) -> int:
        place = self.now - 1
        while self._is_related(key, place):
            place -= 1
        return place

    def _texts(self, name: str) -> set[str]:
        return {text for _, line in self._entity_lines(name) for text in line.observations}

    def _entity_lines(self, name: str) -> list[tuple[int, Entity]]:
        places = enumerate(self.records)
        return [(n, r) for n, r in places if isinstance(r, Entity) and r.name == name]


def _word_on(record: Record, name: str, text: str) -> str | None:
    if isinstance(record, Entity) and record.name == name and text in record.observations:
        return "said"
    if isinstance(record, Superseded) and (record.entity, record.observation) == (name, text):
        return "superseded"
    if isinstance(record, Tombstone) and record.of != "relation" and record.name == name:
        return "removed" if text in (record.observations or ()) else None
    return None
