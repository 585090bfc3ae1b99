"""Which lines of a log still say something: compaction keeps those, byte for byte, in their place.

Why nothing comes back. A line is dropped only if the graph is the same without it. A tombstone may
go once no kept line in front of it says what it removes, since then there is nothing left to bring
back; it stays while one does. What we cannot read, or what carries keys that are not ours, is never
ours to drop while its subject lives.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from mnemolog.graph import Graph
from mnemolog.jsonl import BOM, Line, has_foreign_keys, load_values
from mnemolog.records import Entity, Header, Record, Relation, Superseded, Tombstone
from mnemolog.store.runs import PlacedLine, lines_in

Subject: TypeAlias = tuple[str, ...]
"""An entity (name), one of its observations (name, text) or a relation (from, to, type)."""


@dataclass(frozen=True, slots=True)
class Compacted:
    """What a log is without the lines that say nothing any more."""

    content: bytes
    dropped_lines: int


def compact(content: bytes) -> Compacted:
    """Return the log without dead lines; its last call must be whole."""
    lines = list(lines_in(content))
    history = _History(lines)
    kept = history.lines_that_count()
    for n, placed in enumerate(lines):
        if n not in kept and (
            _is_not_ours(placed.line) or history.would_lose_keys(content, placed)
        ):
            kept.add(n)
    kept |= history.tombstones_needed_by(kept)
    parts = [_standing_alone(content, placed) for n, placed in enumerate(lines) if n in kept]
    return Compacted(b"".join(parts), len(lines) - len(kept))


def _is_not_ours(line: Line) -> bool:
    """Return whether nothing of a line is ours: it may be anything, so it stays."""
    return not line.records


class _History:
    """Which line made each thing in the graph what it is; lines go by their place in the list."""

    def __init__(self, lines: Sequence[PlacedLine]) -> None:
        self._lines = lines
        self._graph = Graph()
        self._first: dict[Subject, int] = {}
        self._last: dict[Subject, int] = {}
        self._typed: dict[str, int] = {}
        self._asserted_again: dict[str, int] = {}
        self._superseded: dict[Subject, int] = {}
        self._removed: set[Subject] = set()
        self._header: set[int] = set()
        for n, placed in enumerate(lines):
            for record in placed.line.records:
                self._follow(record, n)

    def lines_that_count(self) -> set[int]:
        """Return the lines that first said, last said or typed what lives, and the last header.

        The first one gives a thing its place in the order, the last one its tags.
        """
        living = set(_living_subjects(self._graph))
        return (
            self._header
            | {self._first[subject] for subject in living}
            | {self._last[subject] for subject in living if len(subject) > 1}
            | {n for name, n in self._typed.items() if (name,) in living}
            | {n for name, n in self._asserted_again.items() if (name,) in living}
            | {n for subject, n in self._superseded.items() if self._is_superseded(subject)}
            # A tombstone in front of a superseded line silences it, unless the text was said
            # again in between.
            | {
                self._last[subject]
                for subject in self._superseded
                if subject in self._removed and subject in self._last
            }
        )

    def would_lose_keys(self, content: bytes, placed: PlacedLine) -> bool:
        """Return whether a line says of something living what only another tool can read."""
        return any(
            _is_alive(self._graph, subject)
            for record in placed.line.records
            for subject in _subjects_said(record)
        ) and any(has_foreign_keys(value) for value in _values_of(content, placed))

    def tombstones_needed_by(self, kept: set[int]) -> set[int]:
        """Return the tombstones in front of which a kept line says what they remove."""
        said_at: dict[Subject, int] = {}
        for n in sorted(kept):
            for record in self._lines[n].line.records:
                for subject in _subjects_said(record):
                    said_at.setdefault(subject, n)
                if isinstance(record, Superseded) and not self._is_superseded(_text_of(record)):
                    said_at[_text_of(record)] = -1  # silenced from wherever the tombstone stands
        return {
            n
            for n, placed in enumerate(self._lines)
            for record in placed.line.records
            if isinstance(record, Tombstone)
            and any(said_at.get(subject, n) < n for subject in _subjects_removed(record))
        }

    def _follow(self, record: Record, n: int) -> None:
        for subject in _subjects_said(record):
            if not _is_alive(self._graph, subject):
                self._first[subject] = n
            self._last[subject] = n
        before = self._standing_of(record)
        self._graph.apply(record)
        after = self._standing_of(record)
        match record:
            case Entity():
                if before[0] != after[0]:
                    self._typed[record.name] = n
                if before[1] != after[1]:
                    self._asserted_again[record.name] = n
            case Superseded():
                self._superseded[_text_of(record)] = n
            case Tombstone():
                self._removed.update(_subjects_removed(record))
            case Header():
                self._header = {n}

    def _standing_of(self, record: Record) -> tuple[str | None, bool]:
        entity = self._graph.entities.get(record.name) if isinstance(record, Entity) else None
        return (entity.entity_type, entity.is_asserted) if entity else (None, False)

    def _is_superseded(self, subject: Subject) -> bool:
        name, text = subject
        return text in self._graph.superseded.get(name, ())


def _living_subjects(graph: Graph) -> Iterator[Subject]:
    for entity in graph:
        yield (entity.name,)
        yield from ((entity.name, text) for text in entity.observations)
    yield from graph.relations


def _is_alive(graph: Graph, subject: Subject) -> bool:
    match subject:
        case (name,):
            return name in graph.entities
        case (name, text):
            return name in graph.entities and text in graph.entities[name].observations
        case _:
            return subject in graph.relations


def _subjects_said(record: Record) -> Iterator[Subject]:
    if isinstance(record, Entity):
        yield (record.name,)
        yield from ((record.name, text) for text in record.observations)
    elif isinstance(record, Relation):
        yield record.key


def _subjects_removed(record: Tombstone) -> Iterator[Subject]:
    if record.of == "relation":
        yield record.relation_key
        return
    name = record.name or ""
    if record.of == "entity":
        yield (name,)
    yield from ((name, text) for text in record.observations or ())


def _text_of(record: Superseded) -> Subject:
    return record.entity, record.observation


def _values_of(content: bytes, placed: PlacedLine) -> list[object]:
    return load_values(content[placed.start : placed.end].removeprefix(BOM).decode())


_CONTINUES: Final = re.compile(rb',\s*"continues"\s*:\s*true|"continues"\s*:\s*true\s*,')
# Inside a string the quotes would be escaped, so this finds the key and nothing else.


def _standing_alone(content: bytes, placed: PlacedLine) -> bytes:
    """Return a line's bytes, no longer waiting for a next line that may have been dropped."""
    raw = content[placed.start : placed.end]
    if placed.line.continues:
        raw = _CONTINUES.sub(b"", raw)
    return raw if raw.endswith(b"\n") else raw + b"\n"
