"""What a memory must say, and what each call makes of that: a second implementation, on one dict.

A state has a key for each thing that stands, as the project's subjects have: an entity (name), an
observation (name, text) or a relation (from, to, type). What cannot be seen is not in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

Thing: TypeAlias = tuple[str, ...]
State: TypeAlias = Mapping[Thing, str]
"""An entity's type, an observation's worth or SUPERSEDED, or RELATED."""

Effect: TypeAlias = Callable[[State, Mapping[str, Any]], "State | None"]
"""What a call makes of a state; None if it is refused."""

SUPERSEDED: Final = "superseded"
RELATED: Final = "related"
PLAIN: Final = "true"

SHARED: Final = ("Shared 0", "Shared 1")
"""Entities that nobody removes; each fact of theirs belongs to the worker whose name it starts."""


def names_in(state: State) -> list[str]:
    """Return the entities that stand, oldest first."""
    return [thing[0] for thing in state if len(thing) == 1]


def exists(state: State, name: str) -> bool:
    """Return whether there is such an entity."""
    return (name,) in state or name in SHARED


def is_true(state: State, name: str, text: str) -> bool:
    """Return whether an observation holds now."""
    return state.get((name, text), SUPERSEDED) != SUPERSEDED


def texts_of(state: State, name: str) -> list[str]:
    """Return the current observations of an entity."""
    return [t[1] for t in state if len(t) == 2 and t[0] == name and is_true(state, *t)]


def _everything_of(state: State, name: str) -> Iterator[Thing]:
    for thing in state:
        is_relation = len(thing) == 3
        if name in thing[:2] if is_relation else thing[0] == name:
            yield thing


# --- effects ---------------------------------------------------------------------------------


def create_entities(state: State, said: Mapping[str, Any]) -> State | None:
    new = dict(state)
    for entity in said["entities"]:
        if not exists(new, entity["name"]):
            new[entity["name"],] = entity["entityType"]
            _say(new, entity["name"], entity["observations"], entity.get("priority"))
    return new


def add_observations(state: State, said: Mapping[str, Any]) -> State | None:
    new = dict(state)
    for added in said["observations"]:
        if not exists(state, added["entityName"]):
            return None
        _say(new, added["entityName"], added["contents"], added.get("priority"))
    return new


def _say(new: dict[Thing, str], name: str, texts: list[str], priority: str | None) -> None:
    for text in texts:
        if not is_true(new, name, text):
            new[name, text] = priority or PLAIN


def create_relations(state: State, said: Mapping[str, Any]) -> State | None:
    new = dict(state)
    for relation in said["relations"]:
        if exists(state, relation["from"]) and exists(state, relation["to"]):
            new[_key(relation)] = RELATED
    return new


def edit_observation(state: State, said: Mapping[str, Any]) -> State | None:
    name, old = said["entityName"], said["oldText"]
    text, priority = said.get("newText", old), said.get("priority")
    if not exists(state, name) or not is_true(state, name, old):
        return None
    if text != old and is_true(state, name, text):
        return None
    if text == old and priority in {None, state[name, old]}:
        return None
    new = dict(state)
    worth = priority or new.pop((name, old))
    new.pop((name, old), None)
    new[name, text] = worth
    return new


def supersede_observation(state: State, said: Mapping[str, Any]) -> State | None:
    name, old, text = said["entityName"], said["oldText"], said.get("newText")
    if not exists(state, name) or not is_true(state, name, old) or text == old:
        return None
    new = {**state, (name, old): SUPERSEDED}
    if text is not None:
        _say(new, name, [text], None)
    return new


def rename_entity(state: State, said: Mapping[str, Any]) -> State | None:
    old, name = said["entityName"], said["newName"]
    if not exists(state, old) or exists(state, name):
        return None
    return {_moved(thing, old, name): value for thing, value in state.items()}


def merge_entities(state: State, said: Mapping[str, Any]) -> State | None:
    source, target = said["sourceName"], said["targetName"]
    if not exists(state, source) or not exists(state, target) or source == target:
        return None
    new = dict(state)
    moving = [*_everything_of(state, source)]
    for thing in moving:
        del new[thing]
    for thing in moving:
        there = _moved(thing, source, target)
        if len(thing) == 2 and new.get(there, SUPERSEDED) == SUPERSEDED:
            # What the target has as history is not overwritten by history.
            new[there] = state[thing] if is_true(state, *thing) else SUPERSEDED
        elif len(thing) == 3 and there[0] != there[1]:
            new[there] = RELATED
    return new


def delete_entities(state: State, said: Mapping[str, Any]) -> State | None:
    gone = {t for name in said["entityNames"] for t in _everything_of(state, name)}
    return {thing: value for thing, value in state.items() if thing not in gone}


def delete_observations(state: State, said: Mapping[str, Any]) -> State | None:
    gone = {(d["entityName"], text) for d in said["deletions"] for text in d["observations"]}
    return {thing: value for thing, value in state.items() if thing not in gone}


def delete_relations(state: State, said: Mapping[str, Any]) -> State | None:
    gone = {_key(relation) for relation in said["relations"]}
    return {thing: value for thing, value in state.items() if thing not in gone}


def retype(state: State, said: Mapping[str, Any]) -> State | None:
    retyped = [t for t, value in state.items() if len(t) == 1 and value == said["old"]]
    return {**state, **dict.fromkeys(retyped, said["new"])} if retyped else None


def add_by_command(state: State, said: Mapping[str, Any]) -> State | None:
    """`mnemolog add` with a type: a new entity, or more about one that is there."""
    name, texts = said["name"], said["texts"]
    if exists(state, name):
        return add_observations(state, {"observations": [{"entityName": name, "contents": texts}]})
    entity = {"name": name, "entityType": said["type"], "observations": texts}
    return create_entities(state, {"entities": [entity]})


def delete_by_command(state: State, said: Mapping[str, Any]) -> State | None:
    """`mnemolog delete`: refused where there is nothing to delete."""
    known = all(exists(state, name) for name in said["entityNames"])
    return delete_entities(state, said) if known else None


def take_back(state: State, said: Mapping[str, Any]) -> State | None:
    """What `undo` makes of it: what the call changed as it was, unless it has changed since."""
    before, after = said["before"], said["after"]
    touched = {t for t in {*before, *after} if before.get(t) != after.get(t)}
    if any(state.get(thing) != after.get(thing) for thing in touched):
        return None
    new = {thing: value for thing, value in state.items() if thing not in touched}
    return new | {thing: before[thing] for thing in touched if thing in before}


def nothing(state: State, _said: Mapping[str, Any]) -> State | None:
    return state


def _key(relation: Mapping[str, str]) -> Thing:
    return relation["from"], relation["to"], relation["relationType"]


def _moved(thing: Thing, old: str, new: str) -> Thing:
    ends = 2 if len(thing) == 3 else 1
    return (*(new if part == old else part for part in thing[:ends]), *thing[ends:])


EFFECTS: Final[Mapping[str, Effect]] = {
    effect.__name__: effect
    for effect in (
        *(create_entities, add_observations, create_relations, edit_observation),
        *(supersede_observation, rename_entity, merge_entities, delete_entities),
        *(delete_observations, delete_relations, retype, add_by_command, delete_by_command),
        *(take_back, nothing),
    )
}
