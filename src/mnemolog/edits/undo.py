"""Taking back a call: what it touched, as it was before, as long as nobody has touched it since."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, TypeAlias

from mnemolog.edits.edit import Edit, relation_tombstone
from mnemolog.errors import InvalidRequest
from mnemolog.graph import EntityState, Graph
from mnemolog.records import (
    Entity,
    ObservationTags,
    Record,
    Relation,
    RelationKey,
    Superseded,
    Tags,
    Tombstone,
)
from mnemolog.results import Undone
from mnemolog.subjects import (
    EntityKey,
    ObservationKey,
    Subject,
    endangered_by,
    entities_of,
    in_words,
    said_by,
)


class EntityStanding(NamedTuple):
    """What an entity is, beside its observations."""

    entity_type: str
    added_at: str | None
    agent: str | None

    @classmethod
    def of(cls, entity: EntityState) -> EntityStanding:
        """Return it without the rest of its first line's tags: those are its observations'."""
        return cls(entity.entity_type, entity.tags.added_at, entity.tags.agent)


State: TypeAlias = EntityStanding | ObservationTags | Superseded | Relation | None
"""What an entity, an observation (current or not) or a relation is; None is not there."""

States: TypeAlias = Mapping[Subject, State]

Turns: TypeAlias = Mapping[Subject, tuple[State, State]]
"""What each subject that a call changed was before it, and is after it."""


@dataclass(frozen=True, slots=True)
class Step:
    """A call that can be taken back."""

    title: str
    turns: Turns


def states_of(graph: Graph, subjects: Iterable[Subject]) -> States:
    """Return what each subject is in the graph now."""
    return {subject: _state(graph, subject) for subject in subjects}


def turns_since(before: States, graph: Graph) -> Turns:
    """Return what has changed in the graph: what it was, and is now."""
    turns = ((subject, (old, _state(graph, subject))) for subject, old in before.items())
    return {subject: (old, new) for subject, (old, new) in turns if old != new}


def subjects_of(records: Iterable[Record]) -> tuple[Subject, ...]:
    """Return what lines can change: entities, then observations, then relations, as they come."""
    touched = (chain(said_by(record), endangered_by(record)) for record in records)
    subjects = dict.fromkeys(chain.from_iterable(touched))
    kinds = (EntityKey, ObservationKey, RelationKey)
    return tuple(s for kind in kinds for s in subjects if isinstance(s, kind))


def take_back(graph: Graph, step: Step, tags: Tags) -> Edit[Undone]:
    """Put everything that a call changed back as it was before.

    Raises:
        InvalidRequest: Something of it has changed since, or is needed by now.
    """
    for subject, (_, left) in step.turns.items():
        if _state(graph, subject) != left:
            raise InvalidRequest(
                f"{step.title} cannot be taken back: {_title(subject)} has changed since. Nothing "
                "was saved: correct it with edit_observation, supersede_observation or the "
                "delete tools instead."
            )
    _refuse_to_strand(graph, step)
    changed = {subject: old for subject, (old, _) in step.turns.items()}
    _refuse_without_entity(graph, step, changed)
    gone = (*_removed(changed, tags), *_without_entity(graph, changed, tags))
    records = (*_restored(changed), *gone, *_mark(changed, tags))
    return Edit(records, Undone(step.title, _summary(changed)))


def renamed_by(step: Step) -> tuple[str, str] | None:
    """Return the old and the new name, if a call gave one entity another name."""
    entities = [(s.name, *turn) for s, turn in step.turns.items() if isinstance(s, EntityKey)]
    gone = [name for name, old, new in entities if old is not None and new is None]
    come = [name for name, old, new in entities if old is None and new is not None]
    # No other call takes one away and brings one; a merge only takes one away.
    return (gone[0], come[0]) if len(gone) == len(come) == 1 else None


def _refuse_to_strand(graph: Graph, step: Step) -> None:
    """Refuse to take an entity away from relations that were made since."""
    for subject, (old, left) in step.turns.items():
        if not isinstance(subject, EntityKey) or old is not None or left is None:
            continue
        name = subject.name
        later = sorted(key for key in graph.relations_since(name) if key not in step.turns)
        said = (ObservationKey(name, text) for text in graph.entities[name].observations)
        # What others have said of it keeps it there.
        if later and all(fact in step.turns for fact in said):
            raise InvalidRequest(
                f"{step.title} cannot be taken back: {_title(later[0])} was made since and needs "
                f"{_title(subject)}. Nothing was saved: remove it with delete_relations first, or "
                "correct the entity with rename_entity or delete_entities instead."
            )


def _refuse_without_entity(graph: Graph, step: Step, changed: States) -> None:
    """Refuse to bring back what is true of an entity that was removed or renamed since."""
    for fact, old in changed.items():
        if not (isinstance(fact, ObservationKey) and isinstance(old, ObservationTags)):
            continue
        entity = EntityKey(fact.name)
        if fact.name not in graph.entities and entity not in changed:
            raise InvalidRequest(
                f"{step.title} cannot be taken back: {_title(entity)} was removed or renamed "
                f"since, and {_title(fact)} cannot stand without it. Nothing was saved: take that "
                "back first, or save the observation with add_observations where it belongs now."
            )


def is_mark(record: Record) -> bool:
    """Return whether a line says that its call took another one back."""
    return isinstance(record, Tombstone) and record.of == "observation" and not record.observations


def _mark(changed: States, tags: Tags) -> Iterator[Tombstone]:
    """Yield a tombstone of nothing, by which the log can tell who took a call back, and when.

    What comes back has its own dates, and what goes looks like any deletion.
    """
    for subject in changed:
        yield Tombstone("observation", tags.added_at, tags.agent, entities_of(subject)[0], ())
        return


def _state(graph: Graph, subject: Subject) -> State:
    if isinstance(subject, RelationKey):
        return graph.relations.get(subject)
    entity = graph.entities.get(subject.name)
    if isinstance(subject, EntityKey):
        return EntityStanding.of(entity) if entity else None
    current = entity.observations.get(subject.text) if entity else None
    return current or graph.superseded.get(subject.name, {}).get(subject.text)


def _restored(changed: States) -> Iterator[Record]:
    for subject, old in changed.items():
        match subject, old:
            case EntityKey(name), EntityStanding(entity_type, added_at, agent):
                yield Entity(name, entity_type, (), ObservationTags(added_at, agent))
            case ObservationKey(name, text), ObservationTags() as tags:
                yield Entity(name, None, (text,), tags)
            case _, Superseded() as history:
                # Said first: a text that was removed cannot be superseded.
                yield Entity(history.entity, None, (history.observation,), history.tags)
                yield history
            case _, Relation() as relation:
                yield relation


def _removed(changed: States, tags: Tags) -> Iterator[Tombstone]:
    gone = [subject for subject, old in changed.items() if old is None]
    texts: dict[str, list[str]] = {}
    for subject in gone:
        if isinstance(subject, ObservationKey):
            texts.setdefault(subject.name, []).append(subject.text)
    for subject in gone:
        match subject:
            case EntityKey(name):
                listed = tuple(texts.pop(name, ()))
                yield Tombstone("entity", tags.added_at, tags.agent, name, listed)
            case RelationKey():
                yield relation_tombstone(subject, tags)
    for name, listed_texts in texts.items():
        yield Tombstone("observation", tags.added_at, tags.agent, name, tuple(listed_texts))


def _without_entity(graph: Graph, changed: States, tags: Tags) -> Iterator[Tombstone]:
    """Yield what takes entities away again that are said only to bring back history of theirs."""
    names = dict.fromkeys(old.entity for old in changed.values() if isinstance(old, Superseded))
    for name in names:
        if name not in graph.entities and EntityKey(name) not in changed:
            yield Tombstone("entity", tags.added_at, tags.agent, name, ())


def _title(subject: Subject) -> str:
    match subject:
        case EntityKey(name):
            return f'the entity "{name}"'
        case ObservationKey(name, text):
            return f'the observation {text[:100]!r} of "{name}"'
        case RelationKey():
            return f"the relation {in_words(subject)}"


def _summary(changed: States) -> str:
    removed = sum(old is None for old in changed.values())
    return f"Removed {removed} and brought back {len(changed) - removed} of what the call changed."
