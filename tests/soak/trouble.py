"""What goes wrong while everybody works: one at a time, so that it is known what may come of it."""

from __future__ import annotations

import resource
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from threading import Event, Thread
from typing import Final

from editor import OWNER as EDITOR
from processes import Command
from worker import Broken, ServerWorker
from world import Anybody, World

_FILLER: Final = ".filler"
_LEAST_ROOM_BYTES: Final = 64 << 10
_LONGEST_STOP_SECONDS: Final = 1.5
_BEYOND_PATIENCE_SECONDS: Final = 11.0


class Faults:
    """Everything that can happen to the world."""

    def __init__(self, world: World, *, has_own_disk: bool) -> None:
        self._world = world
        self._dice = world.dice
        self._journal = world.journal
        self._has_own_disk = has_own_disk
        self._is_tracked = False
        self._compacter = Command(world.path, world.outside / "compact.log")

    def strike(self) -> None:
        """Let something happen, as the dice fall."""
        chosen, weights = zip(*self._possible(), strict=True)
        (fault,) = self._dice.choices(chosen, weights)
        self.let(fault)

    def let(self, fault: Callable[[], None]) -> None:
        """Let a fault happen."""
        self._journal.note("FAULT", fault.__name__)
        self._journal.count(f"fault: {fault.__name__.replace('_', ' ')}")
        fault()

    def each_once(self) -> Iterator[Callable[[], None]]:
        """Yield every fault, in an order in which each can happen."""
        yield from (self.kill, self.edit_in_company, self.start_afresh, self.edit_in_quiet)
        yield from (self.limit_file_size, self.take_back_by_command, self.track, self.switch)
        yield from (self.kill, self.switch_in_quiet, self.stop, self.merge, self.compact)
        yield from (self.switch, self.untrack, self.look)

    def _possible(self) -> list[tuple[Callable[[], None], int]]:
        faults: list[tuple[Callable[[], None], int]] = [
            (self.kill, 30),
            (self.stop, 12),
            (self.edit_in_quiet, 6),
            (self.edit_in_company, 8),
            (self.compact, 2 if self._is_tracked else 6),
            (self.limit_file_size, 4),
            (self.take_back_by_command, 2),
            (self.look, 8),
        ]
        if self._has_own_disk:
            faults.append((self.fill_disk, 5))
        if self._is_tracked:
            faults += [(self.switch, 14), (self.switch_in_quiet, 4), (self.merge, 6)]
            faults.append((self.untrack, 1))
        else:
            faults += [(self.track, 3), (self.start_afresh, 1)]
        return faults

    # --- processes ---------------------------------------------------------------------------

    def kill(self) -> None:
        """Kill a process, at any moment of its call."""
        victim = self._victim()
        time.sleep(self._dice.uniform(0.0, 0.03))
        if victim.process.send(signal.SIGKILL):
            self._journal.count("processes killed")

    def stop(self) -> None:
        """Stop a process, perhaps one that holds the lock, and let it go on later."""
        seconds = self._dice.uniform(0.05, _LONGEST_STOP_SECONDS)
        if self._dice.random() < 0.02:
            seconds = _BEYOND_PATIENCE_SECONDS  # longer than others wait for the lock
        with self._stopped(self._victim()):
            time.sleep(seconds)

    def _victim(self) -> Anybody:
        return self._dice.choice(self._world.workers)

    @contextmanager
    def _stopped(self, victim: Anybody) -> Iterator[None]:
        is_stopped = victim.process.send(signal.SIGSTOP)
        pid = victim.process.pid
        self._journal.note("FAULT", f"stopped {victim.owner} {pid}")
        try:
            yield
        finally:
            if is_stopped:
                victim.process.send(signal.SIGCONT)

    # --- the file ----------------------------------------------------------------------------

    def edit_in_quiet(self) -> None:
        """Save the file in an editor while nobody writes: nothing may be lost."""
        editor = self._world.editor
        ways = (editor.save_by_renaming, editor.append_in_place, editor.save_in_place)
        with self._world.gate.quiet():
            self._world.check()
            edit = editor.compose()
            self._dice.choice(ways)(edit.lines)
            editor.take_in(edit)
            self._world.file_was_replaced()
            self._world.check()

    def edit_in_company(self) -> None:
        """Save the file in an editor while others write: of each call under way, all or nothing."""
        editor = self._world.editor
        ways = (editor.save_by_renaming, editor.append_in_place)
        self._mend()
        with self._world.gate.company() as wait_for_all:
            edit = editor.compose()
            with self._stopped(self._victim()):
                self._dice.choice(ways)(edit.lines)
            wait_for_all()
            # Who compacts looks at the file last right before the rename, and no later than that.
            if edit.stranger in self._world.path.read_bytes().split(b"\n"):
                editor.take_in(edit)
            else:
                self._journal.count("edits overrun by a compaction")
            self._world.file_was_replaced()
            self._world.check()

    def compact(self) -> None:
        """Compact the file beside everybody's calls, and perhaps be killed over it."""
        self._world.has_compacted = True
        is_over = Event()
        if self._dice.random() < 0.5:
            is_over.set()
        killer = Thread(target=self._kill_compacter, args=[is_over])
        killer.start()
        answer = self._compacter.call(("compact",))
        is_over.set()
        killer.join()
        self._journal.count(f"compactions {answer.kind}")

    def _kill_compacter(self, is_over: Event) -> None:
        """Kill it as soon as there is a file that is to take the other's place."""
        while not is_over.wait(0.0005):
            if any(self._world.path.parent.glob(f"{self._world.path.name}.tmp-*")):
                self._compacter.send(signal.SIGKILL)
                return

    def take_back_by_command(self) -> None:
        """Add by command and take that back by command: all is as it was."""
        with self._world.gate.quiet():
            self._world.check()
            name = f"{EDITOR} mistake"
            for words in (("add", name, "oops", "--type", "notes"), ("undo", "--yes")):
                answer = self._compacter.call(words)
                if answer.kind != "done":
                    raise Broken(answer.text)
            self._world.check()

    def start_afresh(self) -> None:
        """Set the whole file aside by initialize_memory: it is kept, and the memory is empty."""
        servers = [w for w in self._world.workers if isinstance(w, ServerWorker)]
        with self._world.gate.quiet():
            self._world.check()
            content = self._world.path.read_bytes()
            chosen = next((server for server in servers if server.process.pid), None)
            if chosen is None:
                return
            answer = chosen.process.call("initialize_memory", {"mode": "fresh"})
            if answer.kind != "done" or Path(answer.value["backup"]).read_bytes() != content:
                raise Broken(f"the memory was not set aside whole: {answer.text}")
            self._world.forget_everything()
            chosen.file_starts_afresh()
            self._world.check()

    def look(self) -> None:
        """See that all is well, and that nothing lies around."""
        with self._world.gate.quiet():
            self._world.check()
            self._world.check_sizes()
            self._world.write_and_remove()
            self._world.check_litter()
            self._world.check()

    def _mend(self) -> None:
        """Let a torn call be set aside before anything follows it, then let some calls begin."""
        with self._world.gate.quiet():
            self._world.check()
            self._world.write_and_remove()
        time.sleep(self._dice.uniform(0.0, 0.02))

    # --- branches ----------------------------------------------------------------------------

    def track(self) -> None:
        """Commit the memory from now on: only then branches have their own."""
        with self._world.gate.quiet():
            self._world.check()
            self._world.repository.track()
            self._world.remember_fork()
        self._is_tracked = True

    def untrack(self) -> None:
        """Bring the branches together, and let git know nothing of the memory again."""
        self.merge()
        with self._world.gate.quiet():
            self._world.repository.untrack()
            self._world.check()
        self._is_tracked = False

    def switch(self) -> None:
        """Check the other branch out while others write."""
        self._mend()
        with self._world.gate.company() as wait_for_all:
            with self._stopped(self._victim()) if self._dice.random() < 0.6 else nullcontext():
                self._switch()
            wait_for_all()
            self._follow_switch()

    def switch_in_quiet(self) -> None:
        """Check the other branch out while nobody writes: everything is as it was left."""
        with self._world.gate.quiet():
            self._world.check()
            self._switch()
            self._follow_switch()

    def merge(self) -> None:
        """Merge the other branch: what either added is there."""
        with self._world.gate.quiet():
            self._world.check()
            self._world.write_and_remove()
            self._world.repository.merge_other()
            self._world.settle_merge()
            self._world.repository.align_other()
            self._world.check()

    def _switch(self) -> None:
        repository, branch = self._world.repository, self._world.repository.branch
        repository.switch()
        self._journal.note("FAULT", f"{branch} -> {repository.branch}")

    def _follow_switch(self) -> None:
        repository = self._world.repository
        self._world.settle_switch(repository.content_of(repository.other))
        self._world.check()

    # --- the disk ----------------------------------------------------------------------------

    def fill_disk(self) -> None:
        """Leave a few bytes on the disk for a while."""
        filler = self._world.path.parent.parent / _FILLER
        with self._trouble():
            room = shutil.disk_usage(filler.parent).free - self._dice.randint(0, _LEAST_ROOM_BYTES)
            with suppress(OSError), filler.open("wb", buffering=0) as file:
                file.write(bytes(max(0, room)))
            self._world.journal.wait_for(self._dice.randint(10, 60))
            filler.unlink()

    def limit_file_size(self) -> None:
        """Let a process write no file that is much larger than the memory is now."""
        victim = self._victim()
        limit = self._world.path.stat().st_size + self._dice.randint(0, 4000)
        with self._trouble():
            pid = victim.process.pid
            self._limit(pid, limit)
            self._world.journal.wait_for(self._dice.randint(10, 60))
            self._limit(pid, resource.RLIM_INFINITY)

    def _limit(self, pid: int | None, soft: int) -> None:
        if pid is not None:
            with suppress(ProcessLookupError):
                hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]
                resource.prlimit(pid, resource.RLIMIT_FSIZE, (soft, hard))

    @contextmanager
    def _trouble(self) -> Iterator[None]:
        """Let the system be a good reason for a refusal, until no call is under way."""
        for worker in self._world.workers:
            worker.is_in_trouble.set()
        try:
            yield
        finally:
            with self._world.gate.quiet():
                for worker in self._world.workers:
                    worker.is_in_trouble.clear()
                self._world.check()
