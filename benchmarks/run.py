"""Measure mnemolog beside server-memory, and print the table in Markdown.

    uv run python benchmarks/run.py [--quick]

Both are real processes that answer the same raw client over stdio, a few calls each in turn; what
is printed are medians and ratios of medians. The facts are the same, each in its server's own file.
mnemolog has synced an addition to the disk when it answers, server-memory has not. A search is for
three words that stand side by side in an observation, so that server-memory finds it too. A ping
asks for nothing: it is what the SDK and the pipes take of every other row. It takes three to eight
minutes, --quick half of that. The files lie in the folder for temporary files (see TMPDIR).
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any, Final, TypeAlias

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "conformance"))

from dataset import Dataset, generate, observation

from server_memory import PACKAGE, VERSION, NotInstalled, fetch, server_memory_command
from stdio_client import ServerProcess, StdioClient

OURS: Final = (str(Path(sys.executable).with_name("mnemolog")),)
MINIMAL: Final = (sys.executable, str(Path(__file__).with_name("minimal_server.py")))

TYPICAL: Final = 10_000
LARGE: Final = 100_000
STARTS: Final = 15
QUICK_STARTS: Final = 5
SEARCHING_STARTS: Final = 3
TURNS: Final = 6
QUICK_TURNS: Final = 2
CALLS_IN_A_TURN: Final = 5
"""Not one: a process that has slept answers late, by what the system takes to wake it."""
SECONDS_PER_ROW: Final = 12.0
OPENED: Final = 3
SEARCHED: Final = 3
PEAK: Final = "peak memory"

GATES: Final = {
    (TYPICAL, "add_observations"): 15.0,
    (TYPICAL, "open_nodes"): 30.0,
    (TYPICAL, "search_nodes"): 8.0,
    (TYPICAL, "read_graph"): 1.5,
    (LARGE, "add_observations"): 60.0,
    (LARGE, "search_nodes"): 40.0,
}
"""How many times as fast as server-memory we want to be."""

START_GATE: Final = 1.15
"""How many times the start of a minimal server ours may take."""

Request: TypeAlias = tuple[str, dict[str, Any]]
"""A method of the protocol and its parameters."""


@dataclass(frozen=True, slots=True)
class Shape:
    """How many observations there are, and how they are spread over entities."""

    observations: int
    is_scattered: bool = False

    def __str__(self) -> str:
        spread = "one to an entity" if self.is_scattered else "five to an entity"
        return f"{self.observations:,}, {spread}"


SHAPES: Final = (
    Shape(1_000),
    Shape(TYPICAL),
    Shape(TYPICAL, is_scattered=True),
    Shape(LARGE),
    Shape(LARGE, is_scattered=True),
)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: seconds, or bytes for memory."""

    shape: Shape
    what: str
    ours: float
    theirs: float


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="fewer calls, no large graph")
    is_quick = parser.parse_args().quick
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # installed servers are compiled
    turns = QUICK_TURNS if is_quick else TURNS
    shapes = [shape for shape in SHAPES if not (is_quick and shape.observations == LARGE)]
    theirs = found_server_memory()
    with tempfile.TemporaryDirectory() as folder:
        starts = measured_starts(theirs, Path(folder), QUICK_STARTS if is_quick else STARTS)
        rows = [r for shape in shapes for r in measured_calls(theirs, shape, Path(folder), turns)]
        print(about_this_run(theirs, Path(folder)), *table(rows), *start_table(starts), sep="\n")


def found_server_memory() -> tuple[str, ...]:
    try:
        return server_memory_command()
    except NotInstalled:
        fetch()
        return server_memory_command()


# --- starts ------------------------------------------------------------------------------------


def measured_starts(
    theirs: Sequence[str], folder: Path, count: int
) -> dict[str, tuple[float, int | None]]:
    """Return seconds to the list of tools, and the memory resident by then, in medians."""
    commands = {"mnemolog": OURS, "minimal MCPServer": MINIMAL, "server-memory": theirs}
    file = folder / "start.jsonl"
    for command in commands.values():
        started(command, file, listed)  # from here on, what Python imports is compiled
    taken: dict[str, list[tuple[float, int | None]]] = {name: [] for name in commands}
    for _ in range(count):
        for name, command in commands.items():
            taken[name].append(started(command, file, listed))
    tell("starts")
    return {
        name: (median(seconds for seconds, _ in some), median_of_known([m for _, m in some]))
        for name, some in taken.items()
    }


def started(
    command: Sequence[str], file: Path, ask: Callable[[StdioClient], None]
) -> tuple[float, int | None]:
    """Return the seconds from the start to the answer, and the memory resident by then."""
    start = time.perf_counter()
    server = ServerProcess(command, file)
    try:
        server.client.open()
        ask(server.client)
        return time.perf_counter() - start, server.peak_memory_bytes
    finally:
        server.end()


def listed(client: StdioClient) -> None:
    assert client.request("tools/list")["result"]["tools"]


def median_of_known(values: Sequence[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return round(median(known)) if known else None


# --- calls -------------------------------------------------------------------------------------


def measured_calls(theirs: Sequence[str], shape: Shape, folder: Path, turns: int) -> Iterator[Row]:
    """Yield the rows of one dataset, measured on two servers in turn."""
    dataset = generate(shape.observations, is_scattered=shape.is_scattered)
    files = folder / "ours.jsonl", folder / "theirs.jsonl"
    dataset.write_ours(files[0])
    dataset.write_theirs(files[1])
    calls = Calls(dataset)
    yield Row(shape, "start to a search answered", *searching_starts(theirs, files, calls))
    with ExitStack() as servers:
        both = [
            ServerProcess(command, file)
            for command, file in zip((OURS, theirs), files, strict=True)
        ]
        for server in both:
            servers.callback(server.end)
            server.client.open()
        for what, request in (("open_nodes", calls.opening), ("search_nodes", calls.searching)):
            yield Row(shape, f"the first {what}", *(timed(server, request()) for server in both))
        for what, next_request, between in (
            ("ping", lambda: ("ping", {}), None),
            ("add_observations", calls.adding, None),
            ("open_nodes", calls.opening, None),
            ("search_nodes", calls.searching, None),
            ("read_graph", calls.reading, calls.adding),
        ):
            yield Row(shape, what, *medians(both, next_request, between, turns))
            tell(f"{what} at {shape}")
        peaks = [server.peak_memory_bytes for server in both]
        if all(peaks):
            yield Row(shape, PEAK, *(float(peak or 0) for peak in peaks))


def searching_starts(theirs: Sequence[str], files: Sequence[Path], calls: Calls) -> Iterator[float]:
    """Yield the median seconds of each server from its start to the answer to a search."""

    def searched(client: StdioClient) -> None:
        client.request(*calls.searching())

    taken: list[list[float]] = [[], []]
    for _ in range(SEARCHING_STARTS):
        for command, file, seconds in zip((OURS, theirs), files, taken, strict=True):
            seconds.append(started(command, file, searched)[0])
    yield from map(median, taken)


class Calls:
    """Calls about a dataset, different each time."""

    def __init__(self, dataset: Dataset) -> None:
        self._names = dataset.names
        self._texts = [text for entity in dataset.entities for text in entity.observations]
        self._chance = random.Random(11)  # noqa: S311 - it has to be repeatable, not secret
        self._added = 0

    def adding(self) -> Request:
        """Return a call that adds one new observation."""
        self._added += 1
        name = self._chance.choice(self._names)
        contents = [f"{observation(self._chance)} {self._added}"]
        additions = [{"entityName": name, "contents": contents}]
        return tool_call("add_observations", {"observations": additions})

    def opening(self) -> Request:
        """Return a call that opens a few entities."""
        return tool_call("open_nodes", {"names": self._chance.sample(self._names, OPENED)})

    def searching(self) -> Request:
        """Return a call that searches for words that stand side by side in an observation."""
        words = self._chance.choice(self._texts).split()
        start = self._chance.randrange(len(words) - SEARCHED)  # the last is a number
        return tool_call("search_nodes", {"query": " ".join(words[start : start + SEARCHED])})

    def reading(self) -> Request:
        """Return a call that reads everything; server-memory knows no bound."""
        return tool_call("read_graph", {"max_chars": 0})


def medians(
    both: Sequence[ServerProcess],
    next_request: Callable[[], Request],
    between: Callable[[], Request] | None,
    turns: int,
) -> Iterator[float]:
    """Yield the median seconds of each server; `between` goes untimed before each call."""
    end = time.monotonic() + SECONDS_PER_ROW
    taken: list[list[float]] = [[] for _ in both]
    for turn in range(turns):
        if turn > 1 and time.monotonic() > end:
            break
        for server, seconds in zip(both, taken, strict=True):
            for _ in range(CALLS_IN_A_TURN):
                if between:
                    timed(server, between())
                seconds.append(timed(server, next_request()))
    yield from map(median, taken)


def tool_call(tool: str, arguments: dict[str, Any]) -> Request:
    return "tools/call", {"name": tool, "arguments": arguments}


def timed(server: ServerProcess, request: Request) -> float:
    seconds, answer = server.client.timed_request(*request)
    assert not answer["result"].get("isError"), answer
    return seconds


def tell(done: str) -> None:
    print(f"measured: {done}", file=sys.stderr, flush=True)


# --- the table ---------------------------------------------------------------------------------


def about_this_run(theirs: Sequence[str], folder: Path) -> str:
    node = subprocess.run([theirs[0], "--version"], capture_output=True, text=True, check=True)
    return (
        f"{datetime.now().astimezone():%Y-%m-%d}, {processor()}, {os.cpu_count()} cores, "
        f"{platform.system()} {platform.machine()}, {file_system(folder)}. "
        f"mnemolog {version('mnemolog')} on Python {platform.python_version()} with mcp "
        f"{version('mcp')}; {PACKAGE} {VERSION} on node {node.stdout.strip().removeprefix('v')}.\n"
    )


def processor() -> str:
    described = Path("/proc/cpuinfo")
    if not described.exists():
        return platform.processor() or "unknown processor"
    lines = described.read_text(encoding="utf-8").splitlines()
    models = (line.partition(": ")[2] for line in lines if line.startswith("model name"))
    return next(models, "unknown processor")


def file_system(folder: Path) -> str:
    asked = subprocess.run(
        ["stat", "-f", "-c", "%T", str(folder)], capture_output=True, text=True, check=False
    )
    return asked.stdout.strip() or "unknown file system"


def table(rows: Sequence[Row]) -> Iterator[str]:
    yield "| observations | what | mnemolog | server-memory | times faster | wanted |"
    yield "|---:|---|---:|---:|---:|---:|"
    for row in rows:
        ratio = row.theirs / row.ours
        gate = GATES.get((row.shape.observations, row.what))
        if row.what == PEAK:
            cells = (mebibytes(row.ours), mebibytes(row.theirs), "")
        else:
            cells = (milliseconds(row.ours), milliseconds(row.theirs), f"{ratio:.1f}")
        yield f"| {row.shape} | {row.what} | {' | '.join(cells)} | {wanted(gate, ratio)} |"
    yield ""


def wanted(gate: float | None, ratio: float) -> str:
    if gate is None:
        return ""
    return f"{gate:g}" if ratio >= gate else f"{gate:g}, missed"


def start_table(starts: dict[str, tuple[float, int | None]]) -> Iterator[str]:
    yield "| start to `tools/list` answered | time | of a minimal server's | memory |"
    yield "|---|---:|---:|---:|"
    minimal = starts["minimal MCPServer"][0]
    for name, (seconds, memory) in starts.items():
        ratio = seconds / minimal
        missed = ", missed" if name == "mnemolog" and ratio > START_GATE else ""
        limit = f" (wanted: at most {START_GATE:g}{missed})" if name == "mnemolog" else ""
        shown = mebibytes(memory) if memory else ""
        yield f"| {name} | {milliseconds(seconds)} | {ratio:.2f}{limit} | {shown} |"


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.3g} ms" if seconds < 1 else f"{seconds * 1000:,.0f} ms"


def mebibytes(count: float) -> str:
    return f"{count / 2**20:.0f} MiB"


if __name__ == "__main__":
    main()
