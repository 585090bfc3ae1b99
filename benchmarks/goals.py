"""What was to be reached, what was, and the cause where it was not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

import many_writers
import ranking_speed
import without_mcp
from figures import Figures, Shape
from over_mcp import FIRST_ANSWER, FIRST_SEARCH, LISTED
from peers import MINIMAL, OURS, THEIRS
from ranking_speed import FTS5
from workload import ADD, OPEN, READ_ALL, SEARCH

SMALL: Final = 1_000
TYPICAL: Final = 10_000
LARGE: Final = 100_000
HUGE: Final = 1_000_000

TIMES: Final = "\N{MULTIPLICATION SIGN}"

FLAT: Final = 1.5
"""How many times as long something may take with more facts and still count as flat."""

MOST_ABOVE_SYNC_SECONDS: Final = 0.005


@dataclass(frozen=True, slots=True)
class Reached:
    """One comparison of a run."""

    where: str
    wanted: str
    reached: str
    is_met: bool | None
    """None where nothing was wanted in figures."""


Comparison: TypeAlias = Callable[[Figures], Iterator[Reached]]


@dataclass(frozen=True, slots=True)
class Goal:
    """What was to be reached."""

    text: str
    compare: Comparison
    cause: str
    """Why it is missed, if it is."""


BoundT = TypeVar("BoundT", float, float | None)

_Key: TypeAlias = tuple[str, str]
"""What was measured, and of whom."""


def times_as_fast(ours: _Key, theirs: _Key, wanted: Mapping[int, float]) -> Comparison:
    """Compare at each size: they take at least so many times as long."""

    def compare(figures: Figures) -> Iterator[Reached]:
        for shape, least in _shapes(wanted):
            ratio = _ratio(figures, theirs, ours, shape)
            if ratio is not None:
                yield Reached(str(shape), f"≥ {least:g} {TIMES}", times(ratio), ratio >= least)

    return compare


def times_as_long(ours: _Key, floor: _Key, wanted: Mapping[int, float | None]) -> Comparison:
    """Compare at each size: ours takes at most so many times as long."""

    def compare(figures: Figures) -> Iterator[Reached]:
        for shape, most in _shapes(wanted):
            ratio = _ratio(figures, ours, floor, shape)
            if ratio is not None:
                told = "" if most is None else f"≤ {most:g} {TIMES}"
                is_met = None if most is None else ratio <= most
                yield Reached(str(shape) if shape.observations else "", told, times(ratio), is_met)

    return compare


def flat(what: str) -> Comparison:
    """Compare the largest size with a thousand observations."""

    def compare(figures: Figures) -> Iterator[Reached]:
        for is_scattered in (False, True):
            small = figures.find(what, OURS, Shape(SMALL, is_scattered))
            sizes = (Shape(size, is_scattered) for size in (HUGE, LARGE, TYPICAL))
            found = (figures.find(what, OURS, shape) for shape in sizes)
            large = next((figure for figure in found if figure), None)
            if small and large:
                ratio = large.median / small.median
                where = f"{large.shape}, against {SMALL:,}"
                yield Reached(where, f"flat: ≤ {FLAT:g} {TIMES}", times(ratio), ratio <= FLAT)

    return compare


def above_the_sync(figures: Figures) -> Iterator[Reached]:
    ours = figures.find(many_writers.ADDED, OURS)
    for what in (many_writers.SYNCED, many_writers.LOCKED):
        sync = figures.find(what, many_writers.RAW)
        if ours and sync and ours.p99 is not None and sync.p99 is not None:
            above = ours.p99 - sync.p99
            is_wanted = what == many_writers.SYNCED
            yield Reached(
                f"above {what}",
                f"≤ {MOST_ABOVE_SYNC_SECONDS * 1000:g} ms" if is_wanted else "",
                f"{above * 1000:.1f} ms",
                above <= MOST_ABOVE_SYNC_SECONDS if is_wanted else None,
            )


def index_growth(figures: Figures) -> Iterator[Reached]:
    small, large = (figures.find(ranking_speed.ADDED, OURS, Shape(size)) for size in (SMALL, LARGE))
    if small and large:
        ratio = large.median / small.median
        yield Reached(f"{LARGE:,}, against {SMALL:,}", f"≤ 2 {TIMES}", times(ratio), ratio <= 2)


def expansion(figures: Figures) -> Iterator[Reached]:
    ratio = _ratio(
        figures,
        (ranking_speed.EXPANDED, OURS),
        (ranking_speed.PLAIN, OURS),
        ranking_speed.RELATED,
    )
    if ratio is not None:
        yield Reached(
            "100,000 entities, 300,000 relations", f"≤ 5 {TIMES}", times(ratio), ratio <= 5
        )


def _shapes(wanted: Mapping[int, BoundT]) -> Iterator[tuple[Shape, BoundT]]:
    for size, bound in wanted.items():
        for is_scattered in (False, True) if size else (False,):
            yield Shape(size, is_scattered), bound


def _ratio(figures: Figures, above: _Key, below: _Key, shape: Shape) -> float | None:
    ours, theirs = figures.find(*above, shape), figures.find(*below, shape)
    return ours.median / theirs.median if ours and theirs else None


def times(ratio: float) -> str:
    """Return a ratio as documents show it."""
    return f"{ratio:.0f} {TIMES}" if ratio >= 20 else f"{ratio:.3g} {TIMES}"


_SMALL_FILES: Final = (
    "A call over MCP that does nothing costs as much as a ping, and a small file is read whole in "
    "a few of those: between the two there is no room for the factor."
)
_GROWTH: Final = "What does not fit into the processor's cache is fetched from memory."

GOALS: Final = (
    Goal(
        "`search_nodes` over MCP, server-memory's time against ours",
        times_as_fast((SEARCH, OURS), (SEARCH, THEIRS), {TYPICAL: 8, LARGE: 40, HUGE: 60}),
        "It ranks whatever has any of the words and writes out 20 hits with their entities and "
        "relations, where server-memory answers with the one or two entities that have the whole "
        f"query. {_SMALL_FILES}",
    ),
    Goal(
        "a ranked query without MCP, the time of FTS5 with its bm25 against ours",
        times_as_fast(
            (ranking_speed.QUERY, OURS),
            (ranking_speed.QUERY, FTS5),
            {TYPICAL: 1, LARGE: 2, HUGE: 5},
        ),
        "Every posting of the query's words is read, and what they reach is counted.",
    ),
    Goal(
        "launch to the first search answered, against the first call answered by a minimal server",
        times_as_long(
            (FIRST_SEARCH, OURS), (FIRST_ANSWER, MINIMAL), {SMALL: 1.4, TYPICAL: 1.5, LARGE: 3}
        ),
        "A start reads the log, imports numpy and takes the words of every observation for the "
        "index; nothing of it is kept from one start to the next. Entities cost more than their "
        "observations to read, so one to an entity is the harder shape.",
    ),
    Goal(
        "an addition without MCP, against lock + write + fdatasync of the same bytes",
        times_as_long(
            (without_mcp.ADD, OURS),
            (without_mcp.LOCKED_WRITE, without_mcp.FLOOR),
            dict.fromkeys((SMALL, TYPICAL, LARGE, HUGE), 2.0),
        ),
        "Each new fact is compared with those that resemble it before it is saved, and the file is "
        "looked at before and after the write, so that nobody else's change is overwritten. On a "
        "disk that syncs in less than a millisecond this is most of the time.",
    ),
    Goal(
        "the same over MCP, for information",
        times_as_long(
            (ADD, OURS),
            (without_mcp.LOCKED_WRITE, without_mcp.FLOOR),
            dict.fromkeys((SMALL, TYPICAL, LARGE, HUGE)),
        ),
        "",
    ),
    Goal(
        "8 writers with a pause of 20 ms, 99th percentile",
        above_the_sync,
        "Whoever waits for the lock asks for it every millisecond, and eight processes share the "
        "processors.",
    ),
    Goal("growth of `add_observations`, over MCP", flat(ADD), _GROWTH),
    Goal("growth of `open_nodes`, over MCP", flat(OPEN), _GROWTH),
    Goal(
        "start to `tools/list`, against server-memory",
        times_as_long((LISTED, OURS), (LISTED, THEIRS), {0: None}),
        "",
    ),
    Goal(
        "start to `tools/list`, against a minimal server on the same SDK",
        times_as_long((LISTED, OURS), (LISTED, MINIMAL), {0: 1.15}),
        "The table of imports says what is imported beside the SDK.",
    ),
    Goal(
        "`add_observations` over MCP, server-memory's time against ours",
        times_as_fast((ADD, OURS), (ADD, THEIRS), {TYPICAL: 15, LARGE: 60}),
        "An addition is screened and synced; server-memory does neither. " + _SMALL_FILES,
    ),
    Goal(
        "`open_nodes` over MCP, server-memory's time against ours",
        times_as_fast((OPEN, OURS), (OPEN, THEIRS), {TYPICAL: 30}),
        _SMALL_FILES,
    ),
    Goal(
        "`read_graph` over MCP, all of it, server-memory's time against ours",
        times_as_fast((READ_ALL, OURS), (READ_ALL, THEIRS), {TYPICAL: 1.5}),
        "The answer holds the tags of every observation, so it is several times as long.",
    ),
    Goal("one observation added to the index", index_growth, _GROWTH),
    Goal("a query with `expand`, against the same without", expansion, "Links are many."),
)
