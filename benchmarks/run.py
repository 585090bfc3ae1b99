"""Measure mnemolog beside its peers and beside what the system allows, in one run.

    uv run python benchmarks/run.py                       # prints the tables
    uv run python benchmarks/run.py --write docs/speed.md README.md

Every server is a real process that answers the same raw client over stdio, a few calls each in
turn, with the same facts, each in its server's own file; what is printed are medians and ratios of
medians. mnemolog has synced an addition to the disk when it answers, server-memory has not.

With --write, the tables replace those in the documents, between their marks. All figures are also
kept in a file, as they come: --from FILE prints or writes them again without measuring. What fails
is left out and named, the rest goes on. It takes about ten minutes; --quick a minute, for trying;
--million adds a million observations, where there is memory for them. The files lie in the folder
for temporary files (see TMPDIR).
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "conformance"))

from figures import Figures, Shape
from import_account import measure_imports
from machine import about_this_run, free_gibibytes
from many_writers import measure_writers
from over_mcp import Effort, Trial, measure_calls, measure_starts
from peers import PLAIN_TEXT, found_peers, minimal_server
from publish import wanted_by, write_into
from ranking_speed import measure_expansion, measure_ranking
from speed_tables import tables
from without_mcp import measure_without_mcp

MILLION: Final = 1_000_000
GIBIBYTES_FOR_A_MILLION: Final = {False: 6.0, True: 12.0}
"""By whether each has an entity of its own: all servers together, at their peak."""

LARGEST_OF_PLAIN_TEXT: Final = 100_000
"""Beyond it takes longer for a call than it is waited for."""


def main() -> None:
    chosen = _arguments()
    if chosen.from_file:
        figures = Figures.load(chosen.from_file)
    else:
        figures = Figures(chosen.keep)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # installed servers are compiled
        with tempfile.TemporaryDirectory() as folder:
            measure(figures, Path(folder), is_quick=chosen.quick, with_million=chosen.million)
        print(f"kept in {chosen.keep}", file=sys.stderr)
    made = tables(figures)
    for document in chosen.write:
        write_into(document, made)
    if not chosen.write:
        for name, table in made.items():
            print(f"## {name}\n\n{table}\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="few calls, nothing large")
    parser.add_argument("--million", action="store_true", help="also a million observations")
    parser.add_argument("--write", nargs="+", type=Path, default=[], metavar="DOCUMENT")
    parser.add_argument("--from", dest="from_file", type=Path, metavar="FILE")
    keep = Path(tempfile.gettempdir()) / "mnemolog-figures.json"
    parser.add_argument("--keep", type=Path, default=keep, metavar="FILE")
    chosen = parser.parse_args()
    if chosen.quick and chosen.write:
        parser.error("--quick is for trying: its figures are not for documents")
    known = tables(Figures())
    for document in chosen.write:
        unknown = [name for name in wanted_by(document) if name not in known]
        if unknown:
            parser.error(f"{document} wants tables that there are not: {', '.join(unknown)}")
    return chosen


def measure(figures: Figures, folder: Path, *, is_quick: bool, with_million: bool) -> None:
    """Measure everything; what fails is left out."""
    peers, minimal = found_peers(figures, folder), minimal_server()
    figures.about = about_this_run(peers, folder)
    measure_starts(figures, [*peers, minimal], folder, 3 if is_quick else 15)
    measure_imports(figures, 2 if is_quick else 9)
    with figures.attempt("many writers"):
        measure_writers(figures, folder, *((20, 1) if is_quick else (100, 3)))
    for shape in _shapes(figures, is_quick=is_quick, with_million=with_million):
        is_large = shape.observations > LARGEST_OF_PLAIN_TEXT
        asked = [peer for peer in peers if not (is_large and peer.name == PLAIN_TEXT)]
        with figures.attempt(f"calls at {shape}"), tempfile.TemporaryDirectory() as of_shape:
            effort = _effort(shape, is_quick=is_quick)
            measure_calls(Trial(figures, asked, minimal, shape, Path(of_shape), effort))
        with tempfile.TemporaryDirectory() as of_shape:
            measure_without_mcp(figures, shape, Path(of_shape), 20 if is_quick else 120)
    for facts in _ranked(is_quick=is_quick, with_million=with_million):
        with figures.attempt(f"the ranking of {facts:,}"):
            measure_ranking(figures, facts)
    if not is_quick:
        measure_expansion(figures)


def _shapes(figures: Figures, *, is_quick: bool, with_million: bool) -> Iterator[Shape]:
    sizes = (100, 1_000, *(() if is_quick else (10_000, 100_000)))
    yield from (Shape(size, one) for size in sizes for one in (False, True))
    for is_scattered, needed in GIBIBYTES_FOR_A_MILLION.items() if with_million else ():
        free, shape = free_gibibytes(), Shape(MILLION, is_scattered)
        if free is not None and free >= needed:
            yield shape
        else:
            figures.miss(str(shape), f"it takes {needed:g} GiB of free memory, there are {free}")


def _ranked(*, is_quick: bool, with_million: bool) -> Iterator[int]:
    yield 1_000
    yield 10_000
    if not is_quick:
        yield 100_000
    if with_million:
        yield MILLION


def _effort(shape: Shape, *, is_quick: bool) -> Effort:
    if is_quick:
        return Effort(launches=2, turns=3, seconds_per_row=1.0)
    if shape.observations >= MILLION:
        return Effort(launches=2, turns=20, seconds_per_row=15.0)
    if shape.observations >= 100_000:
        return Effort(launches=3, turns=20, seconds_per_row=6.0)
    return Effort(launches=7, turns=20, seconds_per_row=6.0)


if __name__ == "__main__":
    main()
