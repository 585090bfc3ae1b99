"""Taking back a call: what it touched, as it was before, as long as nobody has touched it since."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeAlias

from mnemolog.edits.edit import Edit, relation_tombstone
from mnemolog.errors import InvalidRequest
from mnemolog.graph import Graph
from mnemolog.records import (
    Entity,
    ObservationTags,
    Record,
    Relation,
    Superseded,
    Tags,
    Tombstone,
)
from mnemolog.results import Undone
from mnemolog.subjects import OBSERVATION, Subject, endangered_by, in_words, said_by

States: TypeAlias = dict[Subject, Any]
"""What each subject is: None where it is not there."""


@dataclass(frozen=True, slots=True)
class Step:
    """A call that can be taken back."""

    title: str
    before: States
    after: States


def states_of(graph: Graph, subjects: Iterable[Subject]) -> States:
    """Return what each subject is in the graph now."""
    return {subject: _state(graph, subject) for subject in subjects}


def subjects_of(records: Iterable[Record]) -> tuple[Subject, ...]:
    """Return what lines can change: entities, then observations, then relations, as they come."""
    touched = (chain(said_by(record), endangered_by(record)) for record in records)
    subjects = dict.fromkeys(chain.from_iterable(touched))
    return tuple(sorted(subjects, key=len))


def take_back(graph: Graph, step: Step, tags: Tags) -> Edit[Undone]:
    """Put everything that a call touched back as it was before.

    Raises:
        InvalidRequest: Something of it has changed since, or is needed by now.
    """
    now = states_of(graph, step.after)
    for subject, state in step.after.items():
        if now[subject] != state:
            raise InvalidRequest(
                f"{step.title} cannot be taken back: {_title(subject)} has changed since. Nothing "
                "was saved: correct it with edit_observation, supersede_observation or the "
                "delete tools instead."
            )
    _refuse_to_strand(graph, step)
    changed = {s: old for s, old in step.before.items() if old != step.after[s]}
    gone = (*_removed(changed, tags), *_without_entity(graph, changed, tags))
    records = (*_restored(changed), *gone, *_mark(changed, tags))
    return Edit(records, Undone(step.title, _summary(changed)))


def renamed_by(step: Step) -> tuple[str, str] | None:
    """Return the old and the new name, if a call gave one entity another name."""
    entities = [
        (subject[0], old, step.after[subject])
        for subject, old in step.before.items()
        if len(subject) == 1
    ]
    gone = [name for name, old, new in entities if old is not None and new is None]
    come = [name for name, old, new in entities if old is None and new is not None]
    # No other call takes one away and brings one; a merge only takes one away.
    return (gone[0], come[0]) if len(gone) == len(come) == 1 else None


def _refuse_to_strand(graph: Graph, step: Step) -> None:
    """Refuse to take an entity away from relations that were made since."""
    for subject, state in step.after.items():
        if len(subject) > 1 or state is None or step.before[subject] is not None:
            continue
        (name,) = subject
        later = sorted(key for key in graph.relations_since(name) if key not in step.after)
        said = ((name, text) for text in graph.entities[name].observations)
        # What others have said of it keeps it there.
        if later and all(fact in step.after for fact in said):
            raise InvalidRequest(
                f"{step.title} cannot be taken back: {_title(later[0])} was made since and needs "
                f"{_title(subject)}. Nothing was saved: remove it with delete_relations first, or "
                "correct the entity with rename_entity or delete_entities instead."
            )


def is_mark(record: Record) -> bool:
    """Return whether a line says that its call took another one back."""
    return isinstance(record, Tombstone) and record.of == "observation" and not record.observations


def _mark(changed: States, tags: Tags) -> Iterator[Tombstone]:
    """Yield a tombstone of nothing, by which the log can tell who took a call back, and when.

    What comes back has its own dates, and what goes looks like any deletion.
    """
    for subject in changed:
        yield Tombstone("observation", tags.added_at, tags.agent, subject[0], ())
        return


def _state(graph: Graph, subject: Subject) -> Any:  # noqa: ANN401 - see States
    match subject:
        case (name,):
            entity = graph.entities.get(name)
            # Not the rest of its first line's tags: those are its observations'.
            return entity and (entity.entity_type, Tags(entity.tags.added_at, entity.tags.agent))
        case (name, text):
            entity = graph.entities.get(name)
            current = entity.observations.get(text) if entity else None
            return current or graph.superseded.get(name, {}).get(text)
        case _:
            return graph.relations.get((subject[0], subject[1], subject[2]))


def _restored(changed: States) -> Iterator[Record]:
    for subject, old in changed.items():
        match subject, old:
            case _, None:
                continue
            case (name,), (kind, own):
                yield Entity(name, kind, (), ObservationTags(own.added_at, own.agent))
            case (name, text), Superseded():
                # Said first: a text that was removed cannot be superseded.
                yield Entity(name, None, (text,), old.tags)
                yield old
            case (name, text), ObservationTags():
                yield Entity(name, None, (text,), old)
            case _, Relation():
                yield old


def _removed(changed: States, tags: Tags) -> Iterator[Tombstone]:
    gone = [subject for subject, old in changed.items() if old is None]
    texts: dict[str, list[str]] = {}
    for name, text in (subject for subject in gone if len(subject) == OBSERVATION):
        texts.setdefault(name, []).append(text)
    for subject in gone:
        if len(subject) == 1:
            listed = tuple(texts.pop(subject[0], ()))
            yield Tombstone("entity", tags.added_at, tags.agent, subject[0], listed)
        elif len(subject) > OBSERVATION:
            yield relation_tombstone((subject[0], subject[1], subject[2]), tags)
    for name, listed_texts in texts.items():
        yield Tombstone("observation", tags.added_at, tags.agent, name, tuple(listed_texts))


def _without_entity(graph: Graph, changed: States, tags: Tags) -> Iterator[Tombstone]:
    """Yield what takes entities away again that are said only to bring back history of theirs."""
    names = dict.fromkeys(s[0] for s, old in changed.items() if isinstance(old, Superseded))
    for name in names:
        if name not in graph.entities and (name,) not in changed:
            yield Tombstone("entity", tags.added_at, tags.agent, name, ())


def _title(subject: Subject) -> str:
    match subject:
        case (name,):
            return f'the entity "{name}"'
        case (name, text):
            return f'the observation {text[:100]!r} of "{name}"'
        case _:
            return f"the relation {in_words((subject[0], subject[1], subject[2]))}"


def _summary(changed: States) -> str:
    removed = sum(old is None for old in changed.values())
    return f"Removed {removed} and brought back {len(changed) - removed} of what the call changed."
