"""Measure imports of a server-memory file, and print the table in Markdown.

    uv run python benchmarks/import_speed.py [--large] [--mcp-memory CHECKOUT]

A record is a line of the source: an entity with one observation, or a relation; relations come
first, so that all of them have to wait. Each import is a process of its own. Its peak memory
stands beside what reading the resulting file takes: an import that held the source as well would
need more. `--large` adds a million records.

With the path of a checkout of mcp-memory (github.com/Yarlan1503/mcp-memory), its own migrate is
measured on the same file, without embeddings. It takes a Python with SQLite extensions; name one
with --their-python if this one has none. It is measured up to 10,000 records: it commits each.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from dataset import generate

RECORDS_PER_ENTITY: Final = 2.2  # with the relations that real memory files have
SIZES: Final = (10_000, 100_000)
LARGE: Final = 1_000_000
MOST_OF_THEIRS: Final = 10_000

_OURS: Final = """
import resource, sys, time
from pathlib import Path
from mnemolog.memory import Memory
from mnemolog.store.location import Settings
memory = Memory.open(Settings(sys.argv[2], None), Path.cwd())
started = time.perf_counter()
if sys.argv[1]:
    report = memory.upkeep.import_from(Path(sys.argv[1]), "benchmark")
    assert (report.errors, report.skipped) == (0, 0), report
else:
    memory.upkeep.describe()
seconds = time.perf_counter() - started
print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
_THEIRS: Final = """
import resource, sys, time
from mcp_memory.migrate import migrate_jsonl
from mcp_memory.storage import MemoryStore
store = MemoryStore(sys.argv[2])
store.init_db()
started = time.perf_counter()
done = migrate_jsonl(store, sys.argv[1])
seconds = time.perf_counter() - started
assert done["errors"] == 0, done
print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a process took."""

    seconds: float
    peak_mib: float


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--large", action="store_true")
    options.add_argument("--mcp-memory", type=Path)
    options.add_argument("--their-python", default=sys.executable)
    chosen = options.parse_args()
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {platform.machine()}\n"
    )
    print("| records | import | again | peak memory | reading the result | mcp-memory's migrate |")
    print("|--:|--:|--:|--:|--:|--:|")
    for size in (*SIZES, LARGE) if chosen.large else SIZES:
        with tempfile.TemporaryDirectory() as folder:
            print(row(size, Path(folder), chosen.mcp_memory, chosen.their_python), flush=True)


def row(size: int, folder: Path, theirs: Path | None, their_python: str) -> str:
    source = folder / "memory.jsonl"
    records = write_source(source, size)
    first, again = (ours(folder, str(source)) for _ in range(2))
    reading = ours(folder, "")
    migrated = "not measured"
    if theirs is not None and size <= MOST_OF_THEIRS:
        cost = measure([their_python, "-c", _THEIRS, str(source), "theirs.db"], folder, theirs)
        migrated = f"{records / cost.seconds:,.0f}/s"
    return (
        f"| {records:,} | {records / first.seconds:,.0f}/s | {records / again.seconds:,.0f}/s "
        f"| {first.peak_mib:,.0f} MiB | {reading.peak_mib:,.0f} MiB | {migrated} |"
    )


def write_source(path: Path, size: int) -> int:
    """Write a file of about so many records, and return how many they are."""
    generate(round(size / RECORDS_PER_ENTITY), is_scattered=True).write_theirs(path)
    lines = path.read_bytes().split(b"\n")
    lines.sort(key=lambda line: not line.startswith(b'{"type":"relation"'))
    path.write_bytes(b"\n".join(lines))
    return len(lines)


def ours(folder: Path, source: str) -> Cost:
    return measure([sys.executable, "-c", _OURS, source, str(folder / "ours.jsonl")], folder)


def measure(command: list[str], folder: Path, checkout: Path | None = None) -> Cost:
    environment = dict(os.environ)
    if checkout is not None:
        environment["PYTHONPATH"] = str(checkout.resolve() / "src")
    done = subprocess.run(
        command, cwd=folder, env=environment, check=True, capture_output=True, text=True
    )
    seconds, peak = done.stdout.split()[-2:]
    return Cost(float(seconds), int(peak) / 1024)


if __name__ == "__main__":
    main()
