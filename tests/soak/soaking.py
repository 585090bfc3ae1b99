"""One run: everybody at work, faults among them, and the figures of it."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from seen import kept_for_later
from trouble import Faults
from world import Anybody, World

_DISK: Final = "size=96m,mode=700"
_SHOWN: Final = 40


@dataclass(frozen=True, slots=True)
class Extent:
    """How long a run lasts: a number of operations, or of seconds."""

    operations: int = 0
    seconds: float = 0.0
    operations_between_faults: tuple[int, int] = (3, 40)


class Failed(AssertionError):
    """A run found something; the message says what, and how to see it again."""


def run(
    place: Path, seed: int, extent: Extent, *, processes: int = 8, has_own_disk: bool = False
) -> dict[str, int]:
    """Return the figures of a run in a new folder, which is removed if all is well.

    Raises:
        Failed: Something was lost, or half done, or has grown too large, or lies around.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"soak-{seed}-", dir=place))
    work, outside = folder / "work", folder / "outside"
    work.mkdir()
    outside.mkdir()
    with _disk(work) if has_own_disk else _no_disk() as is_mounted:
        world = World(work, outside, seed, processes)
        error = _Run(world, Faults(world, has_own_disk=is_mounted), extent).to_its_end()
        figures = {**world.figures(), "facts standing at the end": world.facts_standing()}
        if error is not None:
            raise Failed(_report(world, folder, error)) from error
    shutil.rmtree(folder)
    return figures


def _report(world: World, folder: Path, error: BaseException) -> str:
    kept = folder / "kept"
    kept_for_later(world.path.parent, kept)
    lines = world.journal.lines()
    (folder / "journal.txt").write_text("\n".join(lines), encoding="utf-8", newline="\n")
    last = "\n".join(lines[-_SHOWN:])
    return (
        f"{type(error).__name__}: {error}\n\nThe last operations:\n{last}\n\n"
        f"The memory as it was then: {kept}\nMore operations: {folder / 'journal.txt'}\n"
        f"To run it again: uv run python scripts/soak.py --seed {world.seed}"
    )


class _Run:
    def __init__(self, world: World, faults: Faults, extent: Extent) -> None:
        self._world = world
        self._faults = faults
        self._extent = extent
        self._has_ended = threading.Event()
        self._error: BaseException | None = None

    def to_its_end(self) -> BaseException | None:
        """Return what went wrong, if anything did."""
        threads = [
            threading.Thread(target=self._watched, args=[lambda w=worker: self._work(w)])
            for worker in self._world.workers
        ]
        for thread in threads:
            thread.start()
        self._watched(self._strike)
        self._has_ended.set()
        for thread in threads:
            thread.join()
        if self._error is None:
            self._watched(self._close)
        for worker in self._world.workers:
            worker.end()
        return self._error

    def _watched(self, task: Callable[[], None]) -> None:
        try:
            task()
        except BaseException as error:  # noqa: BLE001 - whatever it is ends the run, and is reported
            self._error = self._error or error
            self._has_ended.set()

    def _work(self, worker: Anybody) -> None:
        while not self._has_ended.is_set():
            worker.step()

    def _strike(self) -> None:
        end = time.monotonic() + self._extent.seconds
        journal = self._world.journal
        journal.wait_for(self._extent.operations_between_faults[0])
        for fault in self._faults.each_once():
            if self._has_ended.is_set():
                return
            self._faults.let(fault)
            journal.wait_for(self._extent.operations_between_faults[0])
        while not self._has_ended.is_set() and (
            journal.operations < self._extent.operations or time.monotonic() < end
        ):
            self._faults.strike()
            journal.wait_for(self._world.dice.randint(*self._extent.operations_between_faults))

    def _close(self) -> None:
        """See what is left once everybody has gone."""
        self._world.check()
        for worker in self._world.workers:
            worker.end()
        self._world.check_sizes()
        self._world.check_compacted()
        self._world.write_and_remove()
        self._world.check_litter()
        self._world.check()


@contextmanager
def _no_disk() -> Iterator[bool]:
    yield False


@contextmanager
def _disk(folder: Path) -> Iterator[bool]:
    """Mount a small disk there if the system lets us, and say whether it did."""
    mount = ["mount", "-t", "tmpfs", "-o", _DISK, "none", str(folder)]
    if (
        not shutil.which("mount")
        or subprocess.run(mount, stderr=subprocess.DEVNULL, check=False).returncode
    ):
        yield False
        return
    try:
        yield True
    finally:
        subprocess.run(["umount", str(folder)], check=True)
