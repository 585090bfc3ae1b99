"""What a union merge of two branches may make of what one owner had on each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from model import SUPERSEDED, State, Thing, exists


@dataclass
class Side:
    """What one owner has on one branch, and what of it was said anew since the last merge."""

    state: State
    touched: set[Thing] = field(default_factory=set)

    def become(self, state: State) -> None:
        """Take another state for true."""
        before = self.state
        changed = {t for t in {*before, *state} if before.get(t) != state.get(t)}
        self.touched |= changed | {thing[:1] for thing in changed if len(thing) == 2}
        self.state = state


def merge_fault(base: State, ours: Side, theirs: Side, found: State, *, exact: bool) -> str | None:
    """Return what is wrong with a merge, if anything is.

    `exact` says that nobody has compacted either branch. Otherwise what was removed can come back,
    also what was removed long ago; but what was there, or was added, and that nobody removed, is
    there all the same.
    """
    both = ours.touched & theirs.touched
    for thing in {*base, *ours.state, *theirs.state, *found}:
        before, one, other = base.get(thing), ours.state.get(thing), theirs.state.get(thing)
        if not exact and (one, other) != (before, before) and before is not None:
            continue
        if len(thing) == 1 and thing in both and thing in found:
            continue  # any of the types that were said meanwhile: the last line in the file has it
        if not exact and before is None and one is None and other is None:
            continue
        allowed = set(_allowed(thing, before, one, other, is_disputed=thing in both))
        if len(thing) == 1 and _has_facts(found, thing[0]):
            # A fact that one side added keeps the entity alive that the other has removed.
            allowed |= {before, one, other} - {None}
        if SUPERSEDED in allowed and not exists(found, thing[0]):
            allowed.add(None)  # the history of what is gone is shown to nobody
        if found.get(thing) not in allowed:
            values = (before, one, other)
            return f"{thing} is {found.get(thing)} after {values}, and may be {allowed}"
    return None


def frail_entities(ours: Side, theirs: Side, found: State, *, exact: bool) -> list[str]:
    """Return the entities that may stand on their facts alone, since a tombstone came last.

    They are gone with their last fact, as the file's format has it; others stay without any.
    """
    entities = (thing for thing in found if len(thing) == 1)
    disputed = ours.touched & theirs.touched
    return [
        thing[0]
        for thing in entities
        if not exact or thing in disputed or thing not in ours.state or thing not in theirs.state
    ]


def loose_relations(found: State) -> list[Thing]:
    """Return the relations that one branch has added to an entity that the other has removed."""
    relations = [thing for thing in found if len(thing) == 3]
    return [key for key in relations if not all(exists(found, end) for end in key[:2])]


def _allowed(
    thing: Thing, before: str | None, one: str | None, other: str | None, *, is_disputed: bool
) -> Iterator[str | None]:
    if one == other:
        yield one
    if one == before:
        yield other
    if other == before:
        yield one
    has_changed_twice = one != other and before not in {one, other}
    # The type of an entity comes with every line about it, so the last line decides it.
    says_more = len(thing) == 1 and None not in {one, other}
    if has_changed_twice or says_more or is_disputed:
        yield from (before, one, other)


def _has_facts(state: State, name: str) -> bool:
    return any(len(thing) == 2 and thing[0] == name for thing in state)
