"""What a call changed, in the words of the model: from what each subject was, and is after it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final, Literal, TypeAlias

from mnemolog.declarations import declared, described
from mnemolog.edits.undo import EntityStanding, State, Turns
from mnemolog.filters import DEFAULT_PRIORITY
from mnemolog.records import ObservationTags, Priority, RelationKey, Superseded
from mnemolog.requests import RelationTriple
from mnemolog.subjects import EntityKey, ObservationKey, Subject, entities_of

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


_Rest: TypeAlias = dict[Subject, tuple[State, State]]
"""The turns that no change explains yet."""


# --- entities that moved to another name ---------------------------------------------------------


def _moves(rest: _Rest) -> Iterator[Change]:
    """Yield renames and merges, and take out of `rest` what they explain."""
    gone = [s.name for s, (_, new) in rest.items() if isinstance(s, EntityKey) and new is None]
    # Where nothing arrives, all of it is gone: to look through it for each would take for ever.
    came = _arrivals(rest) if gone else {}
    for name in gone if came else ():
        target = _target(rest, came, name)
        if target is not None:
            turn = rest.get(EntityKey(target))
            is_new = turn is not None and turn[0] is None
            _take_out_move(rest, name, target)
            yield Change("renamed" if is_new else "merged", target, old=name)


_Arrival: TypeAlias = tuple[str | None, State]
"""An observation and its tags, or None and what the entity is."""


def _arrivals(rest: Turns) -> dict[_Arrival, list[str]]:
    """Return the entities where something arrived, by what it is."""
    came: dict[_Arrival, list[str]] = {}
    for subject, (old, new) in rest.items():
        if old is None and new is not None and not isinstance(subject, RelationKey):
            text = subject.text if isinstance(subject, ObservationKey) else None
            came.setdefault((text, new), []).append(subject.name)
    return came


def _target(rest: Turns, came: Mapping[_Arrival, list[str]], name: str) -> str | None:
    """Return the entity to which all that is known of a removed one went, if there is one."""
    texts = [
        (s.text, old)
        for s, (old, _) in rest.items()
        if isinstance(s, ObservationKey) and s.name == name and isinstance(old, ObservationTags)
    ]
    if not texts:
        return next(iter(came.get((None, rest[EntityKey(name)][0]), ())), None)
    return next((found for key in texts for found in came.get(key, ())), None)


def _take_out_move(rest: _Rest, name: str, target: str) -> None:
    for subject in [s for s in rest if name in entities_of(s)]:
        old, _ = rest.pop(subject)
        there = _with_name(subject, name, target)
        turn = rest.get(there)
        if turn is not None and old is not None and turn[0] is None:
            del rest[there]


def _with_name(subject: Subject, old: str, new: str) -> Subject:
    if not isinstance(subject, RelationKey):
        return subject._replace(name=new)
    source, target = (new if end == old else end for end in entities_of(subject))
    return RelationKey(source, target, subject.relation_type)


# --- observations that were reworded -------------------------------------------------------------


def _edits(rest: _Rest, restored: Collection[Subject]) -> Iterator[Change]:
    """Yield the rewordings, and take both texts of each out of `rest`."""
    gone = {
        s: old
        for s, (old, new) in rest.items()
        if isinstance(s, ObservationKey) and isinstance(old, ObservationTags) and new is None
    }
    if not gone:
        return
    came = [
        (s, new)
        for s, (old, new) in rest.items()
        if isinstance(s, ObservationKey)
        and old is None
        and isinstance(new, ObservationTags)
        and s not in restored
    ]
    for here, tags in came:
        there = next((s for s, was in gone.items() if _is_rewording(s, was, here, tags)), None)
        if there is not None:
            worth = None if gone.pop(there).priority == tags.priority else tags.priority
            del rest[there], rest[here]
            yield Change("edited", here.name, text=here.text, priority=worth, old=there.text)


def _is_rewording(
    one: ObservationKey, was: ObservationTags, other: ObservationKey, tags: ObservationTags
) -> bool:
    """Return whether a text took another's place with its date and agent, as an edit does."""
    return one.name == other.name and (was.added_at, was.agent) == (tags.added_at, tags.agent)


# --- everything else -----------------------------------------------------------------------------


def _change(subject: Subject, old: State, new: State, *, is_restored: bool) -> Change:
    match subject:
        case EntityKey(name):
            return _entity_change(name, _type_of(old), _type_of(new), is_restored=is_restored)
        case ObservationKey(name, text):
            return _observation_change(name, text, old, new, is_restored=is_restored)
        case RelationKey():
            came: ChangeKind = "restored" if is_restored else "related"
            triple = RelationTriple(*subject)
            return Change("unrelated" if new is None else came, relation=triple)


def _type_of(state: State) -> str | None:
    return state.entity_type if isinstance(state, EntityStanding) else None


def _entity_change(name: str, old: str | None, new: str | None, *, is_restored: bool) -> Change:
    if new is None:
        return Change("deleted", name, old)
    if old is None:
        return Change("restored" if is_restored else "created", name, new)
    return Change("retyped", name, new, old=old)


def _observation_change(
    name: str, text: str, old: State, new: State, *, is_restored: bool
) -> Change:
    if isinstance(new, Superseded):
        return Change("superseded", name, text=text, replaced_by=new.replaced_by)
    if not isinstance(new, ObservationTags):
        return Change("removed", name, text=text)
    if isinstance(old, Superseded):
        return Change("revived", name, text=text)
    if not isinstance(old, ObservationTags):
        kind: ChangeKind = "restored" if is_restored else "added"
        return Change(kind, name, text=text, priority=new.priority)
    worth = [tags.priority or DEFAULT_PRIORITY for tags in (new, old)]
    if worth[0] == worth[1]:
        return Change("edited", name, text=text)
    return Change("edited", name, text=text, priority=worth[0], old=worth[1])
