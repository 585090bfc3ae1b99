"""A made-up memory of any size, with the proportions that real memory files have."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemolog.jsonl import encode
from mnemolog.records import Entity, ObservationTags, Relation

# Of 121 graphs found in public repositories: entities have 5 observations in the median, of 59
# characters in the median.
_MEDIAN_OBSERVATIONS: Final = 5
_MEDIAN_WORDS: Final = 9
_RELATIONS_PER_ENTITY: Final = 1.2
_TYPES: Final = ("service", "module", "decision", "person", "tool", "convention")
_RELATION_TYPES: Final = ("depends_on", "owns", "calls", "replaces", "documents")
_SYLLABLES: Final = ("ka", "ri", "to", "men", "sol", "ve", "dra", "pi", "lun", "es", "or", "ti")


@dataclass(frozen=True, slots=True)
class Dataset:
    """A graph, once as records of ours with tags; both files hold the same facts."""

    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all entities."""
        return tuple(entity.name for entity in self.entities)

    def write_ours(self, path: Path) -> None:
        """Write it as agents leave it: an entity with what it was created with, then the rest."""
        with path.open("wb") as file:
            for entity in self.entities:
                created_with = (len(entity.observations) + 1) // 2
                for texts in _told(entity.observations, created_with):
                    record = Entity(entity.name, entity.entity_type, texts, entity.tags)
                    file.write(encode(record))
            file.writelines(encode(relation) for relation in self.relations)

    def write_theirs(self, path: Path) -> None:
        """Write it as server-memory does: one line for each entity, no tags."""
        lines = [
            {
                "type": "entity",
                "name": e.name,
                "entityType": e.entity_type,
                "observations": e.observations,
            }
            for e in self.entities
        ]
        lines += [
            {"type": "relation", "from": r.source, "to": r.target, "relationType": r.relation_type}
            for r in self.relations
        ]
        texts = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines)
        path.write_text("\n".join(texts), encoding="utf-8", newline="\n")


def _told(texts: tuple[str, ...], at_first: int) -> Iterator[tuple[str, ...]]:
    yield texts[:at_first]
    yield from ((text,) for text in texts[at_first:])


def generate(observation_count: int, *, is_scattered: bool = False) -> Dataset:
    """Return a graph with exactly this many observations, the same one each time.

    A scattered one has an entity for each observation: many small entities instead of fewer
    larger ones.
    """
    chance = random.Random(7)  # noqa: S311 - it has to be repeatable, not secret
    entities: list[Entity] = []
    left = observation_count
    while left:
        spread = chance.lognormvariate(0, 0.8)
        size = 1 if is_scattered else min(left, max(1, round(spread * _MEDIAN_OBSERVATIONS)))
        left -= size
        entities.append(_entity(chance, len(entities), size))
    relations = {
        (chance.choice(entities).name, chance.choice(entities).name, chance.choice(_RELATION_TYPES))
        for _ in range(round(len(entities) * _RELATIONS_PER_ENTITY))
    }
    return Dataset(
        tuple(entities), tuple(Relation(*key, _tags(chance)) for key in sorted(relations))
    )


def observation(chance: random.Random) -> str:
    """Return a sentence of about 60 characters; two are hardly ever equal."""
    count = max(3, round(chance.gauss(_MEDIAN_WORDS, 3)))
    return " ".join(_word(chance) for _ in range(count))


def _entity(chance: random.Random, number: int, size: int) -> Entity:
    texts = dict.fromkeys(f"{observation(chance)} {number}.{i}" for i in range(size))
    return Entity(f"{_word(chance)}-{number}", chance.choice(_TYPES), tuple(texts), _tags(chance))


def _word(chance: random.Random) -> str:
    return "".join(chance.choices(_SYLLABLES, k=chance.choice((1, 2, 2, 3, 3, 4))))


def _tags(chance: random.Random) -> ObservationTags:
    day, hour, minute = chance.randint(1, 28), chance.randint(8, 19), chance.randint(0, 59)
    moment = f"2026-0{chance.randint(1, 9)}-{day:02}T{hour:02}:{minute:02}:00+01:00"
    return ObservationTags(moment, chance.choice(("claude-code", "codex", "cursor")))
