"""The memory, everybody at it, and the model of what it must say on each branch."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from commons import Commons, CommonsWorker
from editor import OWNER as EDITOR
from editor import Editor
from gate import Gate
from journal import Journal
from merging import Side, frail_entities, loose_relations, merge_fault
from mnemolog.memory import Memory
from mnemolog.requests import (
    NewEntity,
    NewObservations,
    ObservationDeletion,
    RelationTriple,
)
from mnemolog.store.location import Settings
from model import SHARED, State, Thing
from processes import Command, Server
from repository import Repository
from seen import COMMONS, differences, read_content, read_file, states_in
from worker import Broken, CommandWorker, ServerWorker, Worker

Anybody = ServerWorker | CommandWorker | CommonsWorker

MOST_FILE_BYTES: Final = 16 << 20
MOST_RESIDENT_BYTES: Final = 320 << 20
_MOST_TIMES_ITS_ANSWER: Final = 3
_ROLES: Final = 8
_MARK: Final = f"{EDITOR} mark"


class World:
    """One memory in one repository."""

    def __init__(self, folder: Path, outside: Path, seed: int, processes: int) -> None:
        self.outside = outside
        self.path = folder / ".agents" / "memory.jsonl"
        self.seed = seed
        self.dice = random.Random(f"{seed} faults")  # noqa: S311 - a seed makes it repeatable
        self.journal = Journal()
        self.gate = Gate()
        self.commons = Commons()
        self.editor = Editor(self.path, seed)
        self.path.parent.mkdir(mode=0o700)
        self.repository = Repository(folder, outside / "git", self.path)
        self.workers = [self._worker(number) for number in range(processes)]
        self.has_compacted = False
        """Whether either branch was compacted since the last merge."""
        self._base: dict[str, State] = {}
        self._others: dict[str, Side] = {}
        self._other_strangers: list[bytes] = []
        self.begin()

    def _worker(self, number: int) -> Anybody:
        owner, log = f"w{number}", self.outside / f"w{number}.log"
        rest = (owner, self.seed, self.journal, self.gate)
        role = number % _ROLES
        if role in {5, 7}:
            common = Server(self.path, log) if role == 5 else Command(self.path, log)
            return CommonsWorker(common, *rest, self.commons)
        if role == 3:
            return CommandWorker(Command(self.path, log), *rest, self.outside)
        return ServerWorker(Server(self.path, log), *rest, self.outside)

    def begin(self) -> None:
        """Make what everybody shares; the file says nothing else that is known of."""
        shared = [NewEntity(name, "shared", ()) for name in SHARED]
        settings = Settings(str(self.path), None)
        Memory.open(settings, self.path.parent).create_entities(shared, "soak")

    def forget_everything(self) -> None:
        """Follow a fresh start: nothing that was said before is there."""
        for _, anybody in self.owners():
            anybody.side = Side({})
        self.editor.strangers = []
        self.file_was_replaced()
        self.begin()

    def write_and_remove(self) -> None:
        """Make two calls that come to nothing: what is torn, or lies around, is gone then."""
        memory = Memory.open(Settings(str(self.path), None), self.path.parent)
        memory.create_entities([NewEntity(_MARK, "mark", ())], "soak")
        memory.delete_entities([_MARK], "soak")

    # --- owners ------------------------------------------------------------------------------

    def owners(self) -> Iterator[tuple[str, Anybody | Editor]]:
        """Yield everybody that has a side."""
        yield from ((worker.owner, worker) for worker in self.workers)
        yield EDITOR, self.editor

    def own_workers(self) -> list[Worker]:
        """Return those whose own is known exactly."""
        return [worker for worker in self.workers if isinstance(worker, Worker)]

    def facts_standing(self) -> int:
        """Return how many observations the model holds."""
        return sum(len(t) == 2 for _, anybody in self.owners() for t in anybody.side.state)

    # --- looking -----------------------------------------------------------------------------

    def check(self) -> None:
        """See that the file says what it must, and settle what was pending; needs quiet."""
        states = states_in(read_file(self.path))
        for worker in self.workers:
            worker.settle(states.get(worker.owner, {}))
        self._check_editor(states)
        self.commons.check(states.get(COMMONS, {}))
        known = {owner for owner, _ in self.owners()} | {COMMONS}
        if strange := states.keys() - known:
            raise Broken(f"nobody has said anything of {sorted(strange)}")
        self.check_strangers(self.path.read_bytes(), self.editor.strangers)
        self.journal.count("whole checks")

    def _check_editor(self, states: Mapping[str, State]) -> None:
        found, state = states.get(EDITOR, {}), self.editor.side.state
        if found != state:
            raise Broken(f"{EDITOR}: {differences(found, [state])}")

    def check_strangers(self, content: bytes, strangers: list[bytes]) -> None:
        """See that every line that nobody can read is there, byte for byte."""
        lines = set(content.split(b"\n"))
        if lost := [line for line in strangers if line not in lines]:
            raise Broken(f"lines of others are lost: {lost[:5]}")

    def file_was_replaced(self) -> None:
        """Tell everybody that another file is there now."""
        self.commons.file_was_replaced()
        for worker in self.workers:
            if not isinstance(worker, CommandWorker):
                worker.file_was_replaced()

    # --- branches ----------------------------------------------------------------------------

    def remember_fork(self) -> None:
        """Take both branches for the same from now on."""
        self.has_compacted = False
        self._base = {owner: anybody.side.state for owner, anybody in self.owners()}
        self._others = {owner: Side(state) for owner, state in self._base.items()}
        self._other_strangers = [*self.editor.strangers]
        for _, anybody in self.owners():
            anybody.side = Side(anybody.side.state)

    def settle_switch(self, left: bytes) -> None:
        """Follow a checkout: `left` is what was committed of the branch that was left.

        A call that was under way is in the one or the other, or was overrun by git; or in both,
        if it was made again once its file was gone.
        """
        before = states_in(read_content(left))
        after = states_in(read_file(self.path))
        for owner, anybody in self.owners():
            stayed, came = anybody.side, self._others[owner]
            pending = None if isinstance(anybody, Editor) else anybody
            self._require(owner, pending, stayed.state, before)
            stayed.become(before.get(owner, {}))
            self._require(owner, pending, came.state, after)
            self._others[owner], anybody.side = stayed, came
            if isinstance(anybody, Worker):
                anybody.become(after.get(owner, {}))
                anybody.pending = None
        self.check_strangers(left, self.editor.strangers)
        strangers, self._other_strangers = self._other_strangers, self.editor.strangers
        self.editor.strangers = strangers
        self.file_was_replaced()

    def _require(
        self, owner: str, pending: Anybody | None, state: State, found: Mapping[str, State]
    ) -> None:
        allowed = [state, *(pending.after_pending(state) if pending else ())]
        if found.get(owner, {}) not in allowed:
            raise Broken(f"{owner}, on a branch: {differences(found.get(owner, {}), allowed)}")

    def settle_merge(self) -> None:
        """Follow a merge of the other branch."""
        states = states_in(read_file(self.path))
        is_exact = not self.has_compacted
        frail: list[str] = []
        loose: list[Thing] = []
        for owner, anybody in self.owners():
            found, other = states.get(owner, {}), self._others[owner]
            frail += frail_entities(anybody.side, other, found, exact=is_exact)
            fault = merge_fault(self._base[owner], anybody.side, other, found, exact=is_exact)
            if fault:
                raise Broken(f"{owner}, merged: {fault}")
            anybody.side = Side(found)
            loose += loose_relations(found)
        self._tidy(frail, loose)
        self.editor.strangers = [*{*self.editor.strangers, *self._other_strangers}]
        self.file_was_replaced()
        if self.has_compacted:
            self.commons.excuse(states.get(COMMONS, {}))
        self.remember_fork()

    def _tidy(self, frail: Sequence[str], loose: Sequence[Thing]) -> None:
        """Let entities stay without a fact, also those that one branch has removed.

        Relations of those that are gone, which only some reads show, are removed.
        """
        memory = Memory.open(Settings(str(self.path), None), self.path.parent)
        memory.add_observations([NewObservations(name, (_MARK,)) for name in frail], "soak")
        memory.delete_observations([ObservationDeletion(n, (_MARK,)) for n in frail], "soak")
        memory.delete_relations([RelationTriple(*key) for key in loose], "soak")
        for _, anybody in self.owners():
            kept = {t: v for t, v in anybody.side.state.items() if t not in loose}
            anybody.side = Side(kept)

    # --- sizes -------------------------------------------------------------------------------

    def check_sizes(self) -> None:
        """See that neither the file nor any process has grown beyond all measure."""
        size = self.path.stat().st_size
        resident = max(worker.process.resident_bytes for worker in self.workers)
        self.journal.measure("largest file, bytes", size)
        self.journal.measure("largest process, bytes", resident)
        if size > MOST_FILE_BYTES or resident > MOST_RESIDENT_BYTES:
            raise Broken(f"the file has {size:,} bytes, the largest process {resident:,}")

    def check_compacted(self) -> None:
        """Compact the file, and see that it is about as long then as what it says."""
        Memory.open(Settings(str(self.path), None), self.path.parent).upkeep.compact()
        size, answer = self.path.stat().st_size, len(json.dumps(read_file(self.path)))
        self.journal.count("file compacted at the end, bytes", size)
        self.journal.count("what it says as JSON, characters", answer)
        if size > _MOST_TIMES_ITS_ANSWER * answer:
            raise Broken(f"compacted, the file has {size:,} bytes, and says {answer:,} characters")

    def check_litter(self) -> None:
        """See that only what belongs there is in the folder; clear away what was set aside."""
        for found in sorted(self.path.parent.iterdir()):
            if found.name.startswith((f"{self.path.name}.torn-", f"{self.path.name}.bak-")):
                self.journal.count(f"set aside as {found.name.split('.')[2].partition('-')[0]}")
                found.unlink()
            elif found.name not in _BELONGS:
                raise Broken(f"{found.name} was left behind")

    def figures(self) -> dict[str, int]:
        """Return what was counted and measured so far."""
        return {**self.journal.counts, **self.journal.largest}


_BELONGS: Final = {
    *("memory.jsonl", "memory.jsonl.lock", "memory.access.jsonl", ".gitignore"),
    *("memory.taxonomy.jsonc", "memory.local.taxonomy.jsonc"),
}
