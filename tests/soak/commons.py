"""What everybody does to the same entities at once: no order is known, so less can be said of it.

Each call says two facts at once, a pair. Whatever is renamed, merged and deleted meanwhile, a pair
is there whole or not at all; it has been said by somebody; and it is there if its call was
acknowledged and nothing that removes has begun, or was under way, since the call began.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from devised import Call, command
from gate import Gate
from journal import Journal
from merging import Side
from model import State
from processes import Answer, Command, Server
from seen import COMMONS, differences
from stdio_client import ServerGone
from worker import Broken

_NAMES: Final = tuple(f"{COMMONS} {number}" for number in range(5))


class Commons:
    """What is known of the entities that nobody owns."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._said: set[str] = set()
        self._promised: set[str] = set()
        self._excused: set[str] = set()
        self._removals_begun = 0
        self._removals_under_way = 0
        self._replacements = 0

    @contextmanager
    def adding(self, pair: str) -> Iterator[list[bool]]:
        """Take down a pair; whoever adds it appends True once that is acknowledged."""
        with self._lock:
            self._said.add(pair)
            seen = self._now()
        acknowledged: list[bool] = []
        yield acknowledged
        with self._lock:
            if acknowledged and seen == self._now() and not self._removals_under_way:
                self._promised.add(pair)

    @contextmanager
    def removing(self) -> Iterator[None]:
        """Let nothing be promised that may have been removed."""
        with self._lock:
            self._removals_begun += 1
            self._removals_under_way += 1
            self._promised.clear()
        try:
            yield
        finally:
            with self._lock:
                self._removals_under_way -= 1

    def file_was_replaced(self) -> None:
        """Hear that another file is there now: nothing is promised of it."""
        with self._lock:
            self._replacements += 1
            self._promised.clear()

    def excuse(self, state: State) -> None:
        """Hear that a merge, whose branches had been compacted, may have left half a pair."""
        self._excused |= _halves(state)

    def check(self, state: State) -> None:
        """Raise if the commons are not as they have to be; no call may be under way."""
        pairs = {pair for pair, _ in _texts(state)}
        if invented := pairs - self._said:
            raise Broken(f"{COMMONS}: nobody said {sorted(invented)[:9]}")
        if halves := _halves(state) - self._excused:
            raise Broken(f"{COMMONS}: half a call is there: {sorted(halves)[:9]}")
        if lost := self._promised - pairs:
            raise Broken(f"{COMMONS}: acknowledged, and lost: {sorted(lost)[:9]}")

    def _now(self) -> tuple[int, int]:
        return self._removals_begun, self._replacements


def _texts(state: State) -> Iterator[tuple[str, str]]:
    for thing in state:
        if len(thing) == 2:
            pair, _, which = thing[1].rpartition(" ")
            yield pair, which


def _halves(state: State) -> set[str]:
    found = [*_texts(state)]
    first = {pair for pair, which in found if which == "first"}
    return first ^ {pair for pair, which in found if which == "second"}


class CommonsWorker:
    """Adds to the commons, and renames, merges and deletes what others have added."""

    pending = None

    def __init__(  # noqa: PLR0917 - those of every worker
        self,
        process: Server | Command,
        owner: str,
        seed: int,
        journal: Journal,
        gate: Gate,
        commons: Commons,
    ) -> None:
        self.process = process
        self.owner = owner
        self.dice = random.Random(f"{seed} {owner}")  # noqa: S311 - a seed makes it repeatable
        self.is_in_trouble = threading.Event()
        self.side = Side({})
        self._journal = journal
        self._gate = gate
        self._commons = commons
        self._number = 0

    def step(self) -> None:
        if isinstance(self.process, Server) and self.process.pid is None:
            self._start(self.process)
            return
        choose = self.dice.random()
        if choose < 0.6:
            self._add()
        elif choose < 0.85:
            self._make(self._move())
        else:
            with self._gate.call(self.owner), self._commons.removing():
                self._call(self._removal())

    def end(self) -> None:
        """Let the process go."""
        if isinstance(self.process, Server):
            self.process.end()

    def settle(self, found: State) -> None:
        """Own nothing."""
        if found:
            raise Broken(f"{self.owner}: {differences(found, [{}])}")

    def after_pending(self, _state: State) -> list[State]:
        """Return nothing: no call is of anything of its own."""
        return []

    def file_was_replaced(self) -> None:
        """Hear what the commons hear too."""

    def _start(self, server: Server) -> None:
        try:
            with self._gate.call(self.owner):
                server.start()
        except ServerGone:
            return
        self._journal.count("servers started")

    def _add(self) -> None:
        self._number += 1
        pair = f"pair {self.owner}-{self._number}"
        texts = [f"{pair} first", f"{pair} second"]
        with self._gate.call(self.owner), self._commons.adding(pair) as acknowledged:
            name = self.dice.choice(_NAMES)
            answer = self._call(self._addition(name, texts))
            # What exists already is answered without an error, and nothing is said.
            if answer.kind == "done" and self._has_said(answer, texts):
                acknowledged.append(True)

    def _has_said(self, answer: Answer, texts: list[str]) -> bool:
        said = answer.value.decode() if isinstance(answer.value, bytes) else answer.text
        return all(text in said for text in texts)

    def _addition(self, name: str, texts: list[str]) -> Call:
        if isinstance(self.process, Command):
            return command("nothing", "add", name, *texts, "--type", "common")
        if self.dice.random() < 0.5:
            entity = {"name": name, "entityType": "common", "observations": texts}
            return _tool("create_entities", entities=[entity])
        added = {"entityName": name, "contents": texts}
        return _tool("add_observations", observations=[added])

    def _move(self) -> Call:
        old, new = self.dice.sample(_NAMES, 2)
        if isinstance(self.process, Command):
            how = self.dice.choice(("--rename", "--merge-into"))
            return command("nothing", "edit", old, how, new)
        if self.dice.random() < 0.5:
            return _tool("rename_entity", entityName=old, newName=new)
        return _tool("merge_entities", sourceName=old, targetName=new)

    def _removal(self) -> Call:
        name = self.dice.choice(_NAMES)
        if isinstance(self.process, Command):
            return command("nothing", "delete", name, "--yes")
        if self.dice.random() < 0.5:
            return _tool("undo")
        return _tool("delete_entities", entityNames=[name])

    def _make(self, call: Call) -> None:
        with self._gate.call(self.owner):
            self._call(call)

    def _call(self, call: Call) -> Answer:
        if isinstance(self.process, Command):
            answer = self.process.call(call.words)
        else:
            answer = self.process.call(call.name, call.arguments)
        self._journal.operation(call.name)
        self._journal.note(self.owner, f"{call} -> {answer.kind} {answer.text[:160]}")
        if answer.kind == "refused" and "did not foresee" in answer.text:
            raise Broken(f"{self.owner}: {answer.text}")
        return answer


def _tool(name: str, **arguments: Any) -> Call:
    return Call(name, arguments, "nothing", {})
