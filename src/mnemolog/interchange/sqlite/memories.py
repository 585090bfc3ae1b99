"""Memories that stand alone, as entities: for stores that know texts and tags, but no entities.

A memory becomes an entity of its own, so that its type, its tags and its edges stay with it. A
person finds it by its first words. Its name depends on its own text and nothing else, so the next
import finds it again however much has come since, and a memory that was stored twice is one. A
tag becomes an entity that the memories lead to by `tagged`.

A memory that was superseded keeps its entity, as history: its text is no longer true there, the
text that took its place is named, and the memory that did so leads to it by `supersedes`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from mnemolog.interchange.sources import Found
from mnemolog.records import Entity, ObservationTags, Relation, Superseded, Tags

TAG: Final = "tag"
TAGGED: Final = "tagged"
SUPERSEDES: Final = "supersedes"

_LONGEST_NAME: Final = 60
_SHORTEST_NAME: Final = 20
_HASH_LENGTH: Final = 8
_MARKUP: Final = re.compile(r"^[#>*\-\s]+")
_SENTENCE_END: Final = re.compile(r"[.!?](?=\s)|[\u3002\uff01\uff1f]")


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory of a store."""

    place: str
    """Where it stands, for a person."""
    text: str
    kind: str | None
    tags: ObservationTags

    @property
    def name(self) -> str:
        """What its entity is called."""
        return name_of(self.text)


def name_of(text: str) -> str:
    """Return the name of a memory's entity: its text, or its first words and part of its hash."""
    line = " ".join(text.split())
    if len(line) <= _LONGEST_NAME:
        return line
    digest = sha256(text.encode()).hexdigest()[:_HASH_LENGTH]
    return f"{_first_words(_MARKUP.sub('', line) or line)} ({digest})"


def _first_words(line: str) -> str:
    end = _SENTENCE_END.search(line, _SHORTEST_NAME, _LONGEST_NAME)
    if end:
        return line[: end.end()].rstrip(".")
    start = line[:_LONGEST_NAME]
    words, _, _ = start.rpartition(" ")
    return f"{words if len(words) >= _SHORTEST_NAME else start}…"


def current(memory: Memory) -> Iterator[Found]:
    """Yield a memory that holds."""
    yield Found(memory.place, Entity(memory.name, memory.kind, (memory.text,), memory.tags))


def superseded(memory: Memory, at: str | None, replaced_by: str | None) -> Iterator[Found]:
    """Yield a memory that held and no longer does."""
    tags = ObservationTags(memory.tags.added_at, memory.tags.agent)
    yield Found(memory.place, Entity(memory.name, memory.kind, (), tags))
    history = Superseded(memory.name, memory.text, memory.tags, at, None, replaced_by)
    yield Found(memory.place, history)


def tagged(memory: Memory, labels: Iterable[str], seen: set[str]) -> Iterator[Found]:
    """Yield the tags of a memory and how it leads to them; `seen` are tags that came before."""
    tags = ObservationTags(memory.tags.added_at, memory.tags.agent)
    for label in dict.fromkeys(label.strip() for label in labels):
        if label and label != memory.name:
            yield Found(memory.place, Entity(label, TAG, (), tags), more=label in seen)
            relation = Relation(memory.name, label, TAGGED, Tags(tags.added_at, tags.agent))
            yield Found(memory.place, relation)
            seen.add(label)
