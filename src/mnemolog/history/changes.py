"""What a call changed, in the words of the model: from what each subject was, and is after it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias

from mnemolog.declarations import declared, described
from mnemolog.filters import DEFAULT_PRIORITY
from mnemolog.records import ObservationTags, Priority, Superseded
from mnemolog.requests import RelationTriple
from mnemolog.subjects import OBSERVATION, Subject, entities_of

ChangeKind: TypeAlias = Literal[
    "created",
    "retyped",
    "renamed",
    "merged",
    "deleted",
    "added",
    "edited",
    "superseded",
    "revived",
    "removed",
    "related",
    "unrelated",
    "restored",
]

Turns: TypeAlias = Mapping[Subject, tuple[Any, Any]]
"""What each subject that a call changed was before it, and is after it; None is not there."""


@declared
class Change:
    """One thing that a call changed."""

    kind: ChangeKind = described("What happened; restored: it is there again as it was")
    entity_name: str | None = described("The entity's name", key="entityName", default=None)
    entity_type: str | None = described("Its type", key="entityType", default=None)
    text: str | None = described("The observation", default=None)
    priority: Priority | None = described("How much it is worth now", default=None)
    old: str | None = described("The text, name, type or priority before", default=None)
    replaced_by: str | None = described("The text that took its place", default=None)
    relation: RelationTriple | None = described("The relation", default=None)

    @property
    def names(self) -> tuple[str | None, ...]:
        """The entities that it is about."""
        if self.relation is not None:
            return self.relation.source, self.relation.target
        return (self.entity_name, self.old) if self.kind in _MOVES else (self.entity_name,)


_MOVES: Final = frozenset({"renamed", "merged"})


def changes_of(turns: Turns, restored: Collection[Subject]) -> tuple[Change, ...]:
    """Return what a call changed: moves, then edits, then the rest as it stands in `turns`."""
    rest = dict(turns)
    moved = list(_moves(rest))
    edited = list(_edits(rest, restored))
    single = (_change(s, *turn, is_restored=s in restored) for s, turn in rest.items())
    return (*moved, *edited, *single)


# --- entities that moved to another name ---------------------------------------------------------


def _moves(rest: dict[Subject, tuple[Any, Any]]) -> Iterator[Change]:
    """Yield renames and merges, and take out of `rest` what they explain."""
    gone = [s[0] for s, (_, new) in rest.items() if len(s) == 1 and new is None]
    # Where nothing arrives, all of it is gone: to look through it for each would take for ever.
    came = _arrivals(rest) if gone else {}
    for name in gone if came else ():
        target = _target(rest, came, name)
        if target is not None:
            is_new = rest.get((target,), (True, True))[0] is None
            _take_out_move(rest, name, target)
            yield Change("renamed" if is_new else "merged", target, old=name)


def _arrivals(rest: Turns) -> dict[Any, list[str]]:
    """Return the entities where something arrived: by observation and tags, or by entity."""
    came: dict[Any, list[str]] = {}
    for subject, (old, new) in rest.items():
        if old is None and new is not None and len(subject) <= OBSERVATION:
            came.setdefault((*subject[1:], new), []).append(subject[0])
    return came


def _target(rest: Turns, came: Mapping[Any, list[str]], name: str) -> str | None:
    """Return the entity to which all that is known of a removed one went, if there is one."""
    texts = [
        (s[1], old)
        for s, (old, _) in rest.items()
        if s[0] == name and len(s) == OBSERVATION and isinstance(old, ObservationTags)
    ]
    if not texts:
        return next(iter(came.get((rest[name,][0],), ())), None)
    return next((found for key in texts for found in came.get(key, ())), None)


def _take_out_move(rest: dict[Subject, tuple[Any, Any]], name: str, target: str) -> None:
    for subject in [s for s in rest if name in entities_of(s)]:
        old, _ = rest.pop(subject)
        there = tuple(target if part == name else part for part in entities_of(subject))
        moved = rest.get((*there, *subject[len(there) :]))
        if moved is not None and old is not None and moved[0] is None:
            del rest[(*there, *subject[len(there) :])]


# --- observations that were reworded -------------------------------------------------------------


def _edits(rest: dict[Subject, tuple[Any, Any]], restored: Collection[Subject]) -> Iterator[Change]:
    """Yield the rewordings, and take both texts of each out of `rest`."""
    gone = {s: old for s, (old, new) in rest.items() if _is_observation(s, old) and new is None}
    if not gone:
        return
    came = [
        (s, new)
        for s, (old, new) in rest.items()
        if old is None and _is_observation(s, new) and s not in restored
    ]
    for subject, new in came:
        old = next((s for s, was in gone.items() if _is_rewording(s, was, subject, new)), None)
        if old is not None:
            worth = None if gone.pop(old).priority == new.priority else new.priority
            del rest[old], rest[subject]
            yield Change("edited", subject[0], text=subject[1], priority=worth, old=old[1])


def _is_observation(subject: Subject, state: object) -> bool:
    return len(subject) == OBSERVATION and isinstance(state, ObservationTags)


def _is_rewording(one: Subject, was: ObservationTags, other: Subject, tags: Any) -> bool:  # noqa: ANN401 - see Turns
    """Return whether a text took another's place with its date and agent, as an edit does."""
    return one[0] == other[0] and (was.added_at, was.agent) == (tags.added_at, tags.agent)


# --- everything else -----------------------------------------------------------------------------


def _change(subject: Subject, old: Any, new: Any, *, is_restored: bool) -> Change:  # noqa: ANN401 - see Turns
    match subject, new:
        case (name,), None:
            return Change("deleted", name, old[0])
        case (name,), _ if old is None:
            return Change("restored" if is_restored else "created", name, new[0])
        case (name,), _:
            return Change("retyped", name, new[0], old=old[0])
        case (name, text), _:
            return _observation_change(name, text, old, new, is_restored=is_restored)
    triple = RelationTriple(subject[0], subject[1], subject[2])
    if new is None:
        return Change("unrelated", relation=triple)
    return Change("restored" if is_restored else "related", relation=triple)


def _observation_change(name: str, text: str, old: Any, new: Any, *, is_restored: bool) -> Change:  # noqa: ANN401 - see Turns
    if new is None:
        return Change("removed", name, text=text)
    if isinstance(new, Superseded):
        return Change("superseded", name, text=text, replaced_by=new.replaced_by)
    if isinstance(old, Superseded):
        return Change("revived", name, text=text)
    if old is None:
        kind: ChangeKind = "restored" if is_restored else "added"
        return Change(kind, name, text=text, priority=new.priority)
    worth = [tags.priority or DEFAULT_PRIORITY for tags in (new, old)]
    if worth[0] == worth[1]:
        return Change("edited", name, text=text)
    return Change("edited", name, text=text, priority=worth[0], old=worth[1])
