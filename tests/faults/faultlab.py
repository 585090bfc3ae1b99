"""Runs calls in a process of their own, under strace, and tells what it acknowledged."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest

from driver import open_memory, perform
from mnemolog.memory import Memory

Call: TypeAlias = tuple[str, Any]
Snapshot: TypeAlias = tuple[tuple[tuple[str, str, tuple[str, ...]], ...], tuple[Any, ...]]

IS_SOAK: Final = os.environ.get("MNEMOLOG_SOAK", "") not in {"", "0"}
"""Whether to try every case instead of a sample, and random ones for longer."""

_DRIVER: Final = Path(__file__).with_name("driver.py")

needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace")
needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's system calls")
needs_root = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="needs to be root"
)


@dataclass(slots=True)
class Outcome:
    """What a job's child said, and how it ended."""

    acknowledged: list[int] = field(default_factory=list)
    errors: dict[int, str] = field(default_factory=dict)
    status: int = 0

    @property
    def was_killed(self) -> bool:
        return os.WIFSIGNALED(self.status) and os.WTERMSIG(self.status) == signal.SIGKILL


class Lab:
    """A driver process that does one job at a time."""

    def __init__(self) -> None:
        self._driver = subprocess.Popen(
            [sys.executable, str(_DRIVER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def start(
        self,
        path: Path,
        calls: Sequence[Call],
        *,
        has_read: bool = False,
        without: Sequence[str] = (),
        killed_after: float | None = None,
    ) -> int:
        """Return the child that will make the calls once `let_go` is called.

        `without` names functions of `os` that do nothing there.
        """
        how = {"has_read": has_read, "without": without, "killed_after": killed_after}
        self._tell(json.dumps({"path": str(path), "calls": calls, **how}))
        word, pid = self._next_word()
        assert word == "pid"
        return int(pid)

    def let_go(self) -> None:
        self._tell("go")

    def outcome(self) -> Outcome:
        """Return what the child says until it ends."""
        outcome = Outcome()
        while True:
            word, rest = self._next_word()
            match word:
                case "ack":
                    outcome.acknowledged.append(int(rest))
                case "error":
                    number, message = rest.split(" ", 1)
                    outcome.errors[int(number)] = message
                case _:
                    outcome.status = int(rest)
                    return outcome

    def run(self, path: Path, calls: Sequence[Call], *strace: str, **how: Any) -> Outcome:
        """Make the calls, under strace with these arguments if there are any."""
        pid = self.start(path, calls, **how)
        if not strace:
            self.let_go()
            return self.outcome()
        with _traced(pid, strace):
            self.let_go()
            return self.outcome()

    def trace(self, path: Path, calls: Sequence[Call], log: Path, what: str, **how: Any) -> str:
        """Make the calls and return what strace says of them, with every byte as hex."""
        arguments = ("-o", str(log), "-xx", "-s", str(1 << 24), "-e", f"trace={what}")
        outcome = self.run(path, calls, *arguments, **how)
        assert not outcome.errors
        return log.read_text(encoding="ascii")

    def close(self) -> None:
        assert self._driver.stdin
        assert self._driver.stdout
        self._driver.stdin.close()
        self._driver.wait()
        self._driver.stdout.close()

    def _tell(self, line: str) -> None:
        assert self._driver.stdin
        self._driver.stdin.write(f"{line}\n")
        self._driver.stdin.flush()

    def _next_word(self) -> tuple[str, str]:
        assert self._driver.stdout
        line = self._driver.stdout.readline()
        assert line, "the driver died"
        word, _, rest = line.rstrip("\n").partition(" ")
        return word, rest


@contextmanager
def _traced(pid: int, arguments: Iterable[str]) -> Iterator[None]:
    command = ["strace", "-f", "-p", str(pid)]
    if "-o" not in arguments:
        command += ["-o", os.devnull]
    with subprocess.Popen(
        [*command, *arguments], stderr=subprocess.PIPE, encoding="utf-8"
    ) as strace:
        assert strace.stderr
        line = strace.stderr.readline()
        if "attached" not in line:
            os.kill(pid, signal.SIGKILL)
            pytest.skip(f"strace cannot attach here: {line}")
        yield


def snapshot(memory: Memory) -> Snapshot:
    """Return the graph without its tags."""
    graph = memory.read_graph()
    return (
        tuple((e.name, e.entity_type, e.observations) for e in graph.entities),
        tuple(relation.key for relation in graph.relations),
    )


def snapshot_of(path: Path) -> Snapshot:
    """Return the graph as a process that just started reads it."""
    return snapshot(open_memory(path))


def snapshots_after_each(path: Path, calls: Iterable[Call]) -> list[Snapshot]:
    """Make the calls here, without a fault; return the graph before them and after each."""
    memory = open_memory(path)
    found = [snapshot(memory)]
    for operation, argument in calls:
        perform(memory, operation, argument)
        found.append(snapshot(memory))
    return found


def make(path: Path, calls: Iterable[Call]) -> None:
    """Make the calls here, without a fault."""
    memory = open_memory(path)
    for operation, argument in calls:
        perform(memory, operation, argument)


def set_aside_beside(path: Path) -> list[bytes]:
    """Return what was set aside, the oldest first."""
    found = [*path.parent.glob(f"{path.name}.torn-*"), *path.parent.glob(f"{path.name}.bak-*")]
    return [place.read_bytes() for place in sorted(found)]


def litter_beside(path: Path) -> list[str]:
    """Return the names of what is neither the memory nor was set aside for a reason."""
    legitimate = (f"{path.name}.torn-", f"{path.name}.bak-")
    return sorted(
        found.name
        for found in path.parent.iterdir()
        if found.name not in {path.name, f"{path.name}.lock"}
        and not found.name.startswith(legitimate)
    )


@pytest.fixture(scope="module")
def lab() -> Iterator[Lab]:
    """Give a lab, and tidy up after it."""
    lab = Lab()
    yield lab
    lab.close()
