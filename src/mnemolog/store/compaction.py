"""Which lines of a log still say something: compaction keeps those, byte for byte, in their place.

Why nothing comes back, and nothing that lives goes or moves: the lines that stay are added up once
more, and where that makes something else of an entity or a relation, all lines about it stay. What
we cannot read is never ours to drop, nor are keys that are not ours while their subject lives.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from mnemolog.collector import collector_paused
from mnemolog.graph import Graph
from mnemolog.jsonl import BOM, Line, has_foreign_keys, load_values, read_line
from mnemolog.records import Entity, Header, Record, RelationKey, Superseded, Tombstone
from mnemolog.store.runs import PlacedLine, lines_in, runs_of
from mnemolog.subjects import (
    EntityKey,
    ObservationKey,
    Subject,
    Thing,
    endangered_by,
    mentioned_in,
    removed_by,
    retired_by,
    said_by,
    thing_in,
)


@dataclass(frozen=True, slots=True)
class Compacted:
    """What a log is without the lines that say nothing any more."""

    content: bytes
    dropped_lines: int


def compact(content: bytes) -> Compacted:
    """Return the log without dead lines; its last call must be whole."""
    with collector_paused():
        return _compact(content)


def _compact(content: bytes) -> Compacted:
    lines = list(lines_in(content))
    history = _History(lines)
    kept = history.lines_that_count()
    for n, placed in enumerate(lines):
        if n not in kept and (
            _is_not_ours(placed.line) or history.would_lose_keys(content, placed)
        ):
            kept.add(n)
    if b"\0" in content:
        kept |= _lines_of_holed_calls(lines)
    while missing := history.lines_missing_from(kept):
        kept |= missing
    parts = [_standing_alone(content, lines[n]) for n in sorted(kept)]
    return Compacted(b"".join(parts), len(lines) - len(kept))


def _lines_of_holed_calls(lines: Iterable[PlacedLine]) -> set[int]:
    """Return the lines of calls with holes, and the last line: behind it none of them is torn."""
    holed: set[int] = set()
    end = 0
    for run in runs_of(lines):
        start, end = end, end + len(run.lines)
        if run.has_hole:
            holed.update(range(start, end))
    return holed | {end - 1} if holed else holed


def _is_not_ours(line: Line) -> bool:
    """Return whether something on a line is not ours: it may be anything, so the line stays."""
    return not line.records or line.has_unknown or line.problem is not None


class _History:
    """Which line made each thing in the graph what it is; lines go by their place in the list."""

    def __init__(self, lines: Sequence[PlacedLine]) -> None:
        self._lines = lines
        self._graph = Graph()
        self._first: dict[Subject, int] = {}
        self._last: dict[Subject, int] = {}
        self._typed: dict[Subject, int] = {}
        self._asserted_again: dict[Subject, int] = {}
        self._superseded: dict[ObservationKey, int] = {}
        self._last_tombstone: dict[Subject, int] = {}
        self._ended: dict[Subject, set[int]] = {}
        self._header: set[int] = set()
        for n, placed in enumerate(lines):
            for record in placed.line.records:
                self._follow(record, n)

    def lines_that_count(self) -> set[int]:
        """Return the lines that first said, last said or typed what lives, and the last header.

        The first one gives a thing its place in the order, the last one its tags.
        """
        living = set(_living_subjects(self._graph))
        retired = {subject for subject in self._superseded if self._is_superseded(subject)}
        return (
            self._header
            | {self._first[subject] for subject in living}
            | {self._last[subject] for subject in living if not isinstance(subject, EntityKey)}
            | {n for entity, n in self._typed.items() if entity in living}
            | {n for entity, n in self._asserted_again.items() if entity in living}
            | {self._last_tombstone[EntityKey(e.name)] for e in self._graph if not e.is_asserted}
            | {self._superseded[subject] for subject in retired}
            # A tombstone in front of a superseded line silences it, unless the text was said
            # again in between.
            | {self._last[s] for s in retired if s in self._last_tombstone and s in self._last}
        )

    def would_lose_keys(self, content: bytes, placed: PlacedLine) -> bool:
        """Return whether a line says of something living what only another tool can read."""
        return any(
            _is_alive(self._graph, subject)
            for record in placed.line.records
            for subject in said_by(record)
        ) and any(has_foreign_keys(value) for value in _values_of(content, placed))

    def lines_missing_from(self, kept: set[int]) -> set[int]:
        """Return dropped lines without which the kept ones would add up to something else."""
        if missing := self._removals_needed_by(kept) - kept:
            return missing
        ours = _standing(self._graph, self._first)
        theirs = _standing(*_added_up(self._lines, kept))
        changed = {thing for thing in ours | theirs if ours.get(thing) != theirs.get(thing)}
        about = {(n, thing) for n, thing in self._lines_about(changed) if n not in kept}
        # Only a fact that has gone since carried an entity over its own tombstone: what came after
        # the entity was said again does not matter to that.
        return {n for n, thing in about if n <= self._settled(thing)} or {n for n, _ in about}

    def _settled(self, thing: Thing) -> int:
        return max(self._asserted_again.get(thing, -1), self._last_tombstone.get(thing, -1))

    def _removals_needed_by(self, kept: set[int]) -> set[int]:
        """Return the lines that ended what a kept line says and what is over, or began again."""
        needed: set[int] = set()
        mentioned = (
            (n, subject)
            for n in kept
            for record in self._lines[n].line.records
            for subject in mentioned_in(record)
        )
        for n, subject in mentioned:
            is_alive = _is_alive(self._graph, subject)
            if is_alive and n >= self._first[subject]:
                continue
            needed |= self._ended.get(subject, set())
            if not is_alive and subject in self._last_tombstone:
                needed.add(self._last_tombstone[subject])
        return needed

    def _lines_about(self, things: set[Thing]) -> Iterator[tuple[int, Thing]]:
        for n, placed in enumerate(self._lines):
            for thing in map(thing_in, placed.line.records):
                if thing in things:
                    yield n, thing

    def _follow(self, record: Record, n: int) -> None:
        for subject in said_by(record):
            if not _is_alive(self._graph, subject):
                self._first[subject] = n
            self._last[subject] = n
        before = self._standing_of(record)
        mortals = [s for s in endangered_by(record) if _is_alive(self._graph, s)]
        self._graph.apply(record)
        match record:
            case Entity():
                self._note_changes(record, before, n)
            case Superseded():
                self._superseded[retired_by(record)] = n
            case Tombstone():
                self._last_tombstone.update(dict.fromkeys(removed_by(record), n))
            case Header():
                self._header = {n}
        for subject in mortals:
            if not _is_alive(self._graph, subject):
                # An entity may outlive its own tombstone for a while: then it takes both.
                self._ended[subject] = {n, self._last_tombstone.get(subject, n)}

    def _note_changes(self, record: Entity, before: tuple[str | None, bool], n: int) -> None:
        kind, is_asserted = self._standing_of(record)
        if before[0] != kind:
            self._typed[EntityKey(record.name)] = n
        if before[1] != is_asserted:
            self._asserted_again[EntityKey(record.name)] = n

    def _standing_of(self, record: Record) -> tuple[str | None, bool]:
        entity = self._graph.entities.get(record.name) if isinstance(record, Entity) else None
        return (entity.entity_type, entity.is_asserted) if entity else (None, False)

    def _is_superseded(self, fact: ObservationKey) -> bool:
        return fact.text in self._graph.superseded.get(fact.name, ())


def _added_up(lines: Sequence[PlacedLine], kept: Iterable[int]) -> tuple[Graph, dict[Subject, int]]:
    """Return what lines add up to, and which of them gave each thing in it its place."""
    graph = Graph()
    first: dict[Subject, int] = {}
    for n in sorted(kept):
        for record in lines[n].line.records:
            for thing in islice(said_by(record), 1):  # not its observations
                if not _is_alive(graph, thing):
                    first[thing] = n
            graph.apply(record)
    return graph, first


def _standing(graph: Graph, first: Mapping[Subject, int]) -> dict[Thing, object]:
    """Return what can be seen of each entity and relation, and where its place comes from."""
    standing: dict[Thing, object] = {
        EntityKey(e.name): (
            first[EntityKey(e.name)],
            e.entity_type,
            e.tags,
            e.is_asserted,
            list(e.observations.items()),
        )
        for e in graph
    }
    standing |= {key: (first[key], relation) for key, relation in graph.relations.items()}
    for name, texts in graph.superseded.items():
        thing = EntityKey(name)
        standing[thing] = (standing.get(thing), list(texts.items()))
    return standing


def _living_subjects(graph: Graph) -> Iterator[Subject]:
    for entity in graph:
        yield EntityKey(entity.name)
        for text in entity.observations:
            yield ObservationKey(entity.name, text)
    yield from graph.relations


def _is_alive(graph: Graph, subject: Subject) -> bool:
    if isinstance(subject, RelationKey):
        return subject in graph.relations
    entity = graph.entities.get(subject.name)
    if isinstance(subject, EntityKey):
        return entity is not None
    return entity is not None and subject.text in entity.observations


def _values_of(content: bytes, placed: PlacedLine) -> list[object]:
    return load_values(content[placed.start : placed.end].removeprefix(BOM).decode())


_CONTINUES: Final = re.compile(rb',\s*"continues"\s*:\s*true|"continues"\s*:\s*true\s*,')
# Inside a string the quotes would be escaped, so this finds the key; but perhaps that of another.


def _standing_alone(content: bytes, placed: PlacedLine) -> bytes:
    """Return a line's bytes, no longer waiting for a next line that may have been dropped."""
    raw = content[placed.start : placed.end]
    if placed.line.continues:
        wanted = placed.line._replace(continues=False)
        shorter = (raw[: m.start()] + raw[m.end() :] for m in _CONTINUES.finditer(raw))
        raw = next((line for line in shorter if read_line(line) == wanted), raw)
    return raw + b"\n" if placed.end == len(content) and not raw.endswith(b"\n") else raw
