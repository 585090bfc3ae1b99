"""Calls over MCP: real processes that answer the same raw client over stdio, a few each in turn."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Final

from clock import cpu_of_children
from dataset import generate
from figures import FAILURES, Figures, Shape
from peers import MINIMAL, Peer
from workload import ROWS, Calls, Request, Row, tool_call

from stdio_client import ServerProcess

LISTED: Final = "start to tools/list"
FIRST_SEARCH: Final = "launch to first search"
FIRST_SEARCH_ALONE: Final = "that search alone"
FIRST_SEARCH_CPU: Final = "processor time of it, to the end"
FIRST_OPEN: Final = "launch to first open"
FIRST_ANSWER: Final = "launch to first answer"
PEAK: Final = "peak memory"

_CALLS_IN_A_TURN: Final = 6
"""Not one: a process that has slept answers late, by what the system takes to wake it."""
_SECONDS_IN_A_TURN: Final = 0.25
_SLOW_SECONDS: Final = 1.0
"""Who takes so long for a call is measured once, so that the run ends."""
_FEWEST_TURNS: Final = 3


@dataclass(frozen=True, slots=True)
class Effort:
    """How long is measured."""

    launches: int
    turns: int
    seconds_per_row: float


@dataclass(slots=True)
class Running:
    """A server that answers."""

    peer: Peer
    server: ServerProcess

    def timed(self, request: Request) -> float:
        """Return the seconds until the answer is there."""
        seconds, answer = self.server.client.timed_request(*request)
        assert "result" in answer, answer
        assert not answer["result"].get("isError"), answer
        return seconds


# --- launches ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Launch:
    """What a server's life up to one answer takes."""

    seconds: float
    """From its start to the answer."""
    asked_seconds: float
    """From the request to the answer."""
    cpu_seconds: float
    """Of the whole process, to its end."""
    peak_bytes: float | None


def launch(command: Sequence[str], file: Path, request: Request) -> Launch:
    """Start a server, make the handshake, ask once, and end it."""
    cpu, start = cpu_of_children(), time.perf_counter()
    server = ServerProcess(command, file)
    try:
        server.client.open()
        asked, answer = server.client.timed_request(*request)
        seconds = time.perf_counter() - start
        assert "result" in answer, answer
        assert not answer["result"].get("isError"), answer
        peak = server.peak_memory_bytes
    finally:
        server.end()
    return Launch(seconds, asked, cpu_of_children() - cpu, peak)


def measure_starts(figures: Figures, peers: Sequence[Peer], folder: Path, count: int) -> None:
    """Measure how long it takes from a start to the list of tools."""
    taken: dict[str, list[Launch]] = {peer.name: [] for peer in peers}
    for turn in range(count + 1):
        for peer in peers:
            with figures.attempt(f"{LISTED} of {peer.name}"):
                done = launch(peer.command, folder / "start.jsonl", ("tools/list", {}))
                if turn:  # at the first, Python compiles what it imports
                    taken[peer.name].append(done)
    for name, launches in taken.items():
        figures.note(LISTED, name, [each.seconds for each in launches])
        figures.note(f"{LISTED}, processor time", name, [each.cpu_seconds for each in launches])
        peaks = [each.peak_bytes for each in launches if each.peak_bytes]
        figures.note(f"{LISTED}, {PEAK}", name, peaks)


# --- one dataset ---------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Trial:
    """What is measured with the facts of one shape."""

    figures: Figures
    peers: Sequence[Peer]
    minimal: Peer
    shape: Shape
    folder: Path
    effort: Effort

    def file_of(self, peer: Peer) -> Path:
        """Return the file that a server reads."""
        return self.folder / f"{peer.name}.jsonl"


def measure_calls(trial: Trial) -> None:
    """Measure launches and calls of each server with the same facts."""
    dataset = generate(trial.shape.observations, is_scattered=trial.shape.is_scattered)
    for peer in trial.peers:
        peer.write(dataset, trial.file_of(peer))
    calls = Calls(dataset)
    del dataset  # of a million observations it would take the memory that the servers need
    _measure_launches(trial, calls)
    with ExitStack() as ends:
        running = list(_started(trial, ends))
        for row in ROWS:
            if row.largest is None or trial.shape.observations <= row.largest:
                _measure_row(trial, running, row, calls)
        for each in running:
            peak = each.server.peak_memory_bytes
            trial.figures.note(PEAK, each.peer.name, [peak] if peak else [], trial.shape)


def _started(trial: Trial, ends: ExitStack) -> Iterator[Running]:
    for peer in trial.peers:
        with trial.figures.attempt(f"{peer.name} at {trial.shape}"):
            server = ServerProcess(peer.command, trial.file_of(peer))
            ends.callback(server.end)
            server.client.open()
            yield Running(peer, server)


def _measure_launches(trial: Trial, calls: Calls) -> None:
    searches: dict[str, list[Launch]] = {}
    opens: dict[str, list[float]] = {}
    for _ in range(trial.effort.launches):
        for peer in (*trial.peers, trial.minimal):
            with trial.figures.attempt(f"a launch of {peer.name} at {trial.shape}"):
                file, name = trial.file_of(peer), peer.name
                is_minimal = peer is trial.minimal
                asked = tool_call("echo", {"text": "x"}) if is_minimal else calls.search_words()
                searches.setdefault(name, []).append(launch(peer.command, file, asked))
                if not is_minimal:
                    done = launch(peer.command, file, calls.open())
                    opens.setdefault(name, []).append(done.seconds)
    for name, launches in searches.items():
        what = FIRST_ANSWER if name == MINIMAL else FIRST_SEARCH
        _note_launches(trial, what, name, launches)
    for name, seconds in opens.items():
        trial.figures.note(FIRST_OPEN, name, seconds, trial.shape)


def _note_launches(trial: Trial, what: str, name: str, launches: Sequence[Launch]) -> None:
    note, shape = trial.figures.note, trial.shape
    note(what, name, [each.seconds for each in launches], shape)
    note(FIRST_SEARCH_CPU, name, [each.cpu_seconds for each in launches], shape)
    note(FIRST_SEARCH_ALONE, name, [each.asked_seconds for each in launches], shape)


def _measure_row(trial: Trial, running: list[Running], row: Row, calls: Calls) -> None:
    """Let each server answer a kind of call a few times, in turn; one that fails is left out."""
    taken: dict[str, list[float]] = {}
    for each in [each for each in running if each.peer.name in row.of]:
        try:
            _call(each, row, calls)  # the first one warms it up
            taken[each.peer.name] = [_call(each, row, calls)]
        except FAILURES as failure:
            running.remove(each)
            trial.figures.miss(f"{row.what} of {each.peer.name} at {trial.shape}", failure)
    quick = [each for each in running if taken.get(each.peer.name, [inf])[0] < _SLOW_SECONDS]
    end = time.monotonic() + trial.effort.seconds_per_row
    for turn in range(trial.effort.turns):
        if turn >= _FEWEST_TURNS and time.monotonic() > end:
            break
        for each in quick:
            with trial.figures.attempt(f"{row.what} of {each.peer.name} at {trial.shape}"):
                _take_turn(each, row, calls, taken[each.peer.name])
    for name, times in taken.items():
        trial.figures.note(row.what, name, times, trial.shape)


def _take_turn(each: Running, row: Row, calls: Calls, times: list[float]) -> None:
    end = time.monotonic() + _SECONDS_IN_A_TURN
    for _ in range(_CALLS_IN_A_TURN):
        times.append(_call(each, row, calls))
        if time.monotonic() > end:
            break


def _call(each: Running, row: Row, calls: Calls) -> float:
    if row.between:
        each.timed(row.between(calls))
    return each.timed(row.next_request(calls))
