"""The calls that a worker makes of what is its own: drawn from dice, and known to the model."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from model import EFFECTS, SHARED, State, names_in, texts_of

_MOST_ENTITIES: Final = 12
_MOST_OBSERVATIONS: Final = 8
_PRIORITIES: Final = ("high", "medium", "low")
_WORDS: Final = ("granite", "lantern", "meadow", "copper", "Café", "💡", "\u2028", 'say "so"')
_LONG: Final = 600
"""How often a long text repeats its words: a call that spans many blocks of the disk."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call: how it is made, and what it does to what the caller owns."""

    name: str
    arguments: Mapping[str, Any]
    effect: str
    said: Mapping[str, Any]
    """What the effect needs to know."""
    words: tuple[str, ...] = ()
    """The command line, if it is made as a command."""

    def applied_to(self, state: State) -> State | None:
        """Return what the call makes of a state; None if it is refused."""
        return EFFECTS[self.effect](state, self.said)

    def __str__(self) -> str:
        shown = " ".join(self.words) or json.dumps(self.arguments, ensure_ascii=False)
        return f"{self.name} {shown[:300]}"


def tool(name: str, **arguments: Any) -> Call:
    """Return the call of a tool whose effect goes by its name."""
    return Call(name, arguments, name, arguments)


def command(effect: str, *words: str, **said: Any) -> Call:
    """Return a call of the command line."""
    return Call(f"mnemolog {words[0]}", {}, effect, said, words)


@dataclass
class Deviser:
    """Thinks of calls for one worker; its names and texts are nobody else's."""

    owner: str
    dice: random.Random
    sources: Path
    """Where files to import are put."""
    number: int = 0
    _types: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        self._types = tuple(f"{self.owner} kind {n}" for n in range(3))

    def next_tool(self, state: State) -> Call:
        """Return a call of a tool that writes."""
        kinds: tuple[Callable[[State], Call], ...] = (
            *(self.create, self.create, self.add, self.add, self.add, self.add_shared),
            *(self.relate, self.edit, self.edit, self.reprioritise, self.supersede),
            *(self.rename, self.merge, self.forget, self.unrelate, self.delete, self.bring),
        )
        if len(names_in(state)) > _MOST_ENTITIES:
            kinds = (self.delete, self.merge)
        return self.dice.choice(kinds)(state)

    def next_command(self, state: State) -> Call:
        """Return a command that writes."""
        kinds: tuple[Callable[[State], Call], ...] = (
            *(self.command_add, self.command_add, self.command_add, self.command_edit),
            *(self.command_supersede, self.command_rename, self.command_retype),
            self.command_delete,
        )
        if len(names_in(state)) > _MOST_ENTITIES:
            kinds = (self.command_delete,)
        return self.dice.choice(kinds)(state)

    # --- tools -------------------------------------------------------------------------------

    def create(self, _state: State) -> Call:
        entities = [self._entity() for _ in range(self.dice.randint(1, 3))]
        return tool("create_entities", entities=entities)

    def add(self, state: State) -> Call:
        chosen = self.dice.sample(names_in(state), min(2, len(names_in(state))))
        if not chosen or self.dice.random() < 0.05:
            chosen.append(self._name())  # nobody knows it: then nothing of the call is saved
        if any(len(texts_of(state, name)) > _MOST_OBSERVATIONS for name in chosen):
            return tool("delete_entities", entityNames=chosen)
        return tool("add_observations", observations=[self._addition(name) for name in chosen])

    def add_shared(self, state: State) -> Call:
        name = self.dice.choice(SHARED)
        texts = texts_of(state, name)
        if len(texts) > _MOST_OBSERVATIONS:
            gone = [{"entityName": name, "observations": texts[:5]}]
            return tool("delete_observations", deletions=gone)
        return tool("add_observations", observations=[self._addition(name)])

    def relate(self, state: State) -> Call:
        if not (names := names_in(state)):
            return self.create(state)
        source, target = self.dice.choice(names), self.dice.choice([*names, *SHARED])
        relations = [self._relation(source, target), self._relation(source, SHARED[0])]
        return tool("create_relations", relations=relations)

    def edit(self, state: State) -> Call:
        if not (fact := self._fact(state)):
            return self.create(state)
        return tool("edit_observation", entityName=fact[0], oldText=fact[1], newText=self._text())

    def reprioritise(self, state: State) -> Call:
        if not (fact := self._fact(state)):
            return self.create(state)
        worth = self.dice.choice(_PRIORITIES)
        return tool("edit_observation", entityName=fact[0], oldText=fact[1], priority=worth)

    def supersede(self, state: State) -> Call:
        if not (fact := self._fact(state)):
            return self.create(state)
        new = {"newText": self._text()} if self.dice.random() < 0.7 else {}
        return tool("supersede_observation", entityName=fact[0], oldText=fact[1], **new)

    def rename(self, state: State) -> Call:
        if not (names := names_in(state)):
            return self.create(state)
        new = self._name() if self.dice.random() < 0.9 else self.dice.choice(names)
        return tool("rename_entity", entityName=self.dice.choice(names), newName=new)

    def merge(self, state: State) -> Call:
        if not (names := names_in(state)):
            return self.create(state)
        source, target = self.dice.choice(names), self.dice.choice([*names, names[-1]])
        return tool("merge_entities", sourceName=source, targetName=target)

    def forget(self, state: State) -> Call:
        facts = [t for t in state if len(t) == 2]
        gone = self.dice.sample(facts, min(3, len(facts)))
        deletions = [{"entityName": name, "observations": [text]} for name, text in gone]
        return tool("delete_observations", deletions=deletions)

    def unrelate(self, state: State) -> Call:
        keys = [t for t in state if len(t) == 3]
        gone = self.dice.sample(keys, min(2, len(keys)))
        relations = [{"from": s, "to": t, "relationType": kind} for s, t, kind in gone]
        return tool("delete_relations", relations=relations)

    def delete(self, state: State) -> Call:
        names = names_in(state)
        return tool("delete_entities", entityNames=self.dice.sample(names, min(3, len(names))))

    def bring(self, _state: State) -> Call:
        entities = [self._entity() for _ in range(self.dice.randint(1, 4))]
        path = self.sources / f"{self.owner}.json"
        lines = [json.dumps({"type": "entity", **entity}) for entity in entities]
        path.write_text("\n".join(lines), encoding="utf-8", newline="\n")
        said = {"entities": [{**entity, "priority": None} for entity in entities]}
        return Call("import_memory", {"source_path": str(path)}, "create_entities", said)

    # --- commands ----------------------------------------------------------------------------

    def command_add(self, state: State) -> Call:
        names = [n for n in names_in(state) if len(texts_of(state, n)) <= _MOST_OBSERVATIONS]
        name = self.dice.choice([*names, self._name(), self._name()])
        kind, texts = self.dice.choice(self._types), [self._text(), self._text()]
        words = ("add", name, *texts, "--type", kind)
        return command("add_by_command", *words, name=name, type=kind, texts=texts)

    def command_edit(self, state: State) -> Call:
        if not (fact := self._fact(state)):
            return self.command_add(state)
        new = self._text()
        said = {"entityName": fact[0], "oldText": fact[1], "newText": new}
        return command("edit_observation", "edit", *fact, new, **said)

    def command_supersede(self, state: State) -> Call:
        if not (fact := self._fact(state)):
            return self.command_add(state)
        new = self._text()
        said = {"entityName": fact[0], "oldText": fact[1], "newText": new}
        return command("supersede_observation", "supersede", *fact, new, **said)

    def command_rename(self, state: State) -> Call:
        if not (names := names_in(state)):
            return self.command_add(state)
        name, new = self.dice.choice(names), self._name()
        said = {"entityName": name, "newName": new}
        return command("rename_entity", "edit", name, "--rename", new, **said)

    def command_retype(self, _state: State) -> Call:
        old, new = self.dice.sample(self._types, 2)
        return command("retype", "taxonomy", "retype", old, new, "--entities", old=old, new=new)

    def command_delete(self, state: State) -> Call:
        if not (names := names_in(state)):
            return self.command_add(state)
        name = self.dice.choice(names)
        return command("delete_by_command", "delete", name, "--yes", entityNames=[name])

    # --- pieces ------------------------------------------------------------------------------

    def _count(self) -> int:
        self.number += 1
        return self.number

    def _name(self) -> str:
        return f"{self.owner} thing {self._count()}"

    def _text(self) -> str:
        words = " ".join(self.dice.sample(_WORDS, 3))
        many = _LONG if self.dice.random() < 0.02 else 1
        return f"{self.owner} fact {self._count()} {words * many}"

    def _entity(self) -> dict[str, Any]:
        texts = [self._text() for _ in range(self.dice.randint(0, 3))]
        kind = self.dice.choice(self._types)
        return {"name": self._name(), "entityType": kind, "observations": texts}

    def _addition(self, name: str) -> dict[str, Any]:
        texts = [self._text() for _ in range(self.dice.randint(1, 3))]
        worth = {"priority": self.dice.choice(_PRIORITIES)} if self.dice.random() < 0.3 else {}
        return {"entityName": name, "contents": texts, **worth}

    def _relation(self, source: str, target: str) -> dict[str, str]:
        kind = self.dice.choice(("uses", "near", "needs"))
        return {"from": source, "to": target, "relationType": kind}

    def _fact(self, state: State) -> tuple[str, str] | None:
        own = [n for n in names_in(state) if texts_of(state, n)]
        if not own:
            return None
        name = self.dice.choice(own)
        return name, self.dice.choice(texts_of(state, name))
