"""A worker: one process at a time, and exactly known what of its own the memory must hold."""

from __future__ import annotations

import random
import threading
from abc import ABC, abstractmethod
from collections import deque
from pathlib import Path
from typing import Any, Final

from devised import Call, Deviser
from gate import Gate
from journal import Journal
from merging import Side
from model import SHARED, State, names_in, texts_of
from processes import Answer, Command, Server
from seen import differences, read_export, states_in
from stdio_client import ServerGone

_STEPS_KEPT: Final = 100

_TROUBLE: Final = (
    *("cannot be written (", "cannot be read (", "cannot be locked (", "was replaced by another"),
    *("Another process has held", "changes again and again"),
)
"""How a refusal says that the system, or another program, was in the way: nothing is saved."""

_IN_DOUBT: Final = "could not promise"


_HARMLESS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("export_taxonomy", {"shared": False}),
    ("export_taxonomy", {"shared": True}),
    ("initialize_memory", {"mode": "adopt"}),
    ("check_observations", {"observations": []}),
)


class Broken(AssertionError):
    """The memory is not what it has to be."""


class Worker(ABC):
    """Makes calls until it is told to stop; one that did not end well is pending until settled."""

    process: Server | Command

    def __init__(self, owner: str, seed: int, journal: Journal, gate: Gate, sources: Path) -> None:
        self.owner = owner
        self.dice = random.Random(f"{seed} {owner}")  # noqa: S311 - a seed makes it repeatable
        self.deviser = Deviser(owner, self.dice, sources)
        self.journal = journal
        self.gate = gate
        self.side = Side({})
        self.before: State = {}
        self.after: State = {}
        """What the memory said of its own before the last call that ended well, and after it."""
        self.pending: Call | None = None
        self.is_in_trouble = threading.Event()
        """Set while the disk is full or the like: then a call may be refused for that."""

    @property
    def state(self) -> State:
        """What of its own the memory says, but for a pending call."""
        return self.side.state

    def become(self, state: State) -> None:
        """Take another state for true."""
        self.side.become(state)

    @abstractmethod
    def step(self) -> None:
        """Make one call, and more if that is needed to know what came of it."""

    def end(self) -> None:
        """Let the process go."""
        if isinstance(self.process, Server):
            self.process.end()

    def settle(self, found: State) -> None:
        """Take what the memory says for true, if it may be so."""
        allowed = [self.state, *self.after_pending(self.state)]
        if found not in allowed:
            raise Broken(f"{self.owner}: {differences(found, allowed)}")
        if self.pending is not None:
            fate = "absent" if found == self.state else "whole"
            self.journal.count(f"calls without a known end, found {fate}")
        self.become(found)
        self.pending = None

    def after_pending(self, state: State) -> list[State]:
        """Return what a pending call makes of a state, if it can."""
        after = None if self.pending is None else self.pending.applied_to(state)
        return [] if after is None else [after]

    def _carry_out(self, call: Call) -> Answer | None:
        """Make a call; without an answer it is pending, or whoever overran it has settled it."""
        with self.gate.call(self.owner):
            self.pending, self.before = call, self.state
            was_in_trouble = self.is_in_trouble.is_set()
            answer = self._make(call)
            self.journal.operation(call.name)
            self.journal.note(self.owner, f"{call} -> {answer.kind} {_shown(answer)}")
            with self.gate.lock:
                if self.owner in self.gate.overrun:
                    return None
                may_be_trouble = was_in_trouble or self.is_in_trouble.is_set()
                return answer if self._take(call, answer, may_be_trouble) else None

    @abstractmethod
    def _make(self, call: Call) -> Answer:
        """Let the process make the call."""

    def _take(self, call: Call, answer: Answer, may_be_trouble: bool) -> bool:  # noqa: FBT001 - said once
        """Take in the outcome, and return whether it is certain."""
        after = call.applied_to(self.state)
        if answer.kind == "gone" or _IN_DOUBT in answer.text:
            return False
        if answer.kind == "refused":
            self._require_reason(after, answer, may_be_trouble)
        elif after is None:
            raise Broken(f"{self.owner}: {call} was carried out, and should be refused")
        else:
            self.become(after)
            self.after = after
        self.pending = None
        return True

    def _require_reason(self, after: State | None, answer: Answer, may_be_trouble: bool) -> None:  # noqa: FBT001
        if "did not foresee" in answer.text:
            raise Broken(f"{self.owner}: {answer.text}")
        if any(words in answer.text for words in _TROUBLE):
            self.journal.count("refused by the system")
            # A stopped process may hold the lock for long at any time.
            if may_be_trouble or "Another process has held" in answer.text:
                return
        if after is not None:
            raise Broken(f"{self.owner}: refused for no reason: {answer.text}")
        self.journal.count("refused as they should be")


class ServerWorker(Worker):
    """A client of a server: every tool that reads or writes."""

    process: Server

    def __init__(self, process: Server, *rest: Any) -> None:
        super().__init__(*rest)
        self.process = process
        self._is_up = False
        self._are_steps_known = True
        self._steps: deque[tuple[State, State]] = deque(maxlen=_STEPS_KEPT)
        self._others_wrote = False

    def step(self) -> None:
        if not self._is_up or self.pending is not None:
            self._recover()
            return
        choose = self.dice.random()
        if choose < 0.72:
            self._write()
        elif choose < 0.80 and self._are_steps_known:
            self._undo()
        elif choose < 0.84:
            self._do_no_harm()
        else:
            self._read()

    def file_was_replaced(self) -> None:
        """Hear that what was saved may be in another file: taking it back may be refused."""
        self._others_wrote = True

    def file_starts_afresh(self) -> None:
        """Hear that this server has started a new file, so there is nothing to take back."""
        self._steps.clear()

    def _recover(self) -> None:
        """Start a new server if need be, and find out what became of the last call."""
        if self.process.pid is None or not self._is_up:
            self._is_up = False
            self._steps.clear()
            self._others_wrote, self._are_steps_known = False, True
            try:
                with self.gate.call(self.owner):
                    self.process.start()
            except ServerGone:
                return
            self._is_up = True
            self.journal.count("servers started")
        self._verify()

    def _write(self) -> None:
        call = self.deviser.next_tool(self.state)
        answer = self._carry_out(call)
        if answer is None:
            self._are_steps_known = False
        elif answer.kind == "done" and self.before != self.after:
            self._steps.append((self.before, self.after))
            if call.name == "import_memory":
                self._steps.clear()

    def _undo(self) -> None:
        before, after = self._steps[-1] if self._steps else ({}, {})
        said = {"before": before, "after": after}
        call = Call("undo", {}, "take_back" if self._steps else "nothing", said)
        answer = self._carry_out(call)
        if answer is None:
            self._are_steps_known = False
        elif answer.kind == "done" and self._steps:
            self._steps.pop()

    def _require_reason(self, after: State | None, answer: Answer, may_be_trouble: bool) -> None:  # noqa: FBT001
        is_about_steps = "cannot be taken back" in answer.text and self._others_wrote
        if is_about_steps or ("nothing to take back" in answer.text and not self._steps):
            return
        super()._require_reason(after, answer, may_be_trouble)

    def _do_no_harm(self) -> None:
        """Make a call that may write to the disk, and changes nothing of ours."""
        name, arguments = self.dice.choice(_HARMLESS)
        answer = self._carry_out(Call(name, arguments, "nothing", {}))
        if name == "initialize_memory":
            self._are_steps_known = self._are_steps_known and answer is not None
            self._steps.clear()

    # --- reading -----------------------------------------------------------------------------

    def _read(self) -> None:
        look = self.dice.choice((self._verify, self._verify, self._search, self._page, self._dry))
        look()

    def _verify(self) -> None:
        """See that this server shows exactly what it must."""
        with self.gate.call(self.owner):
            states = [self.state, *self.after_pending(self.state)]
            names = [*SHARED, *(name for state in states for name in names_in(state))]
            whole = {"names": names, "include_superseded": True, "max_chars": 0}
            answer = self._ask("open_nodes", whole)
            with self.gate.lock:
                if answer.kind == "done" and self.owner not in self.gate.overrun:
                    self.settle(states_in(answer.value).get(self.owner, {}))

    def _search(self) -> None:
        """See that a search for the words of something true finds it."""
        with self.gate.call(self.owner):
            facts = [(n, t) for n in names_in(self.state) for t in texts_of(self.state, n)]
            if not facts:
                return
            fact = self.dice.choice(facts)
            phrase = " ".join(fact[1].split()[:3])
            asked = {"query": f'"{phrase}"', "limit": 1000, "max_chars": 0}
            asked["expand"] = self.dice.random() < 0.3
            answer = self._ask("search_nodes", asked)
            with self.gate.lock:
                is_certain = answer.kind == "done" and self.owner not in self.gate.overrun
        if is_certain and fact not in {(h["entityName"], h["text"]) for h in answer.value["hits"]}:
            raise Broken(f"{self.owner}: a search for {phrase!r} does not find it")

    def _page(self) -> None:
        cursor: dict[str, str] = {}
        for _ in range(5):
            with self.gate.call(self.owner):
                answer = self._ask("read_graph", {"max_chars": 6000, **cursor})
            if answer.kind != "done" or "cursor" not in answer.value:
                return
            cursor = {"cursor": answer.value["cursor"]}

    def _dry(self) -> None:
        with self.gate.call(self.owner):
            self._ask("import_memory", {"source_path": str(self.process.memory), "dry_run": True})

    def _ask(self, tool: str, arguments: dict[str, Any]) -> Answer:
        answer = self.process.call(tool, arguments)
        self.journal.operation(tool)
        self.journal.note(self.owner, f"{tool} -> {answer.kind} {_shown(answer)}")
        if "did not foresee" in answer.text and answer.kind == "refused":
            raise Broken(f"{self.owner}: {answer.text}")
        return answer

    def _make(self, call: Call) -> Answer:
        return self.process.call(call.name, call.arguments)


class CommandWorker(Worker):
    """A person at a terminal: every call is a process of its own."""

    process: Command

    def __init__(self, process: Command, *rest: Any) -> None:
        super().__init__(*rest)
        self.process = process

    def step(self) -> None:
        if self.pending is not None:
            self._settle_by_reading()
        elif self.dice.random() < 0.7:
            self._carry_out(self.deviser.next_command(self.state))
        else:
            self._read()

    def _read(self) -> None:
        words = self.dice.choice(
            (
                ("export", "--to", "json", "--include-superseded"),
                ("search", f"{self.owner} fact"),
                ("list", "--json"),
                ("log", "--json"),
                ("stats", "--json"),
                ("taxonomy", "report", "--json"),
                ("recall",),
                ("where",),
            )
        )
        with self.gate.call(self.owner):
            answer = self.process.call(words)
        self.journal.operation(f"mnemolog {words[0]}")
        self.journal.note(self.owner, f"{' '.join(words)} -> {answer.kind} {answer.text[:200]}")

    def _settle_by_reading(self) -> None:
        with self.gate.call(self.owner):
            answer = self.process.call(("export", "--to", "json", "--include-superseded"))
            with self.gate.lock:
                if answer.kind == "done" and self.owner not in self.gate.overrun:
                    self.settle(states_in(read_export(answer.value)).get(self.owner, {}))

    def _make(self, call: Call) -> Answer:
        return self.process.call(call.words)


def _shown(answer: Answer) -> str:
    return answer.text[:160] if answer.kind == "refused" else ""
