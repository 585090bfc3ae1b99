"""The figures of a run as tables in Markdown, by the name under which a document shows them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

import import_account
import many_writers
import over_mcp
import ranking_speed
import without_mcp
from figures import Figure, Figures, Shape
from goals import GOALS, Reached, times
from import_account import SEARCHING
from peers import MINIMAL, OURS, PLAIN_TEXT, THEIRS
from workload import ADD, OPEN, PING, READ_ALL, ROWS, SEARCH

SIZES: Final = (100, 1_000, 10_000, 100_000, 1_000_000)

Lines: TypeAlias = Iterator[str]

_LAUNCHED: Final = (
    (over_mcp.FIRST_ANSWER, (MINIMAL,)),
    (over_mcp.FIRST_OPEN, (OURS, THEIRS, PLAIN_TEXT)),
    (over_mcp.FIRST_SEARCH, (OURS, THEIRS, PLAIN_TEXT)),
    (over_mcp.FIRST_SEARCH_ALONE, (OURS, THEIRS, PLAIN_TEXT)),
    (over_mcp.FIRST_SEARCH_CPU, (OURS, THEIRS, PLAIN_TEXT, MINIMAL)),
)
_WITHOUT_MCP: Final = (
    (without_mcp.READ, (OURS, without_mcp.FLOOR)),
    (without_mcp.ADD, (OURS,)),
    (without_mcp.ADD_CPU, (OURS,)),
    (without_mcp.LOCKED_WRITE, (without_mcp.FLOOR,)),
    (without_mcp.WRITE, (without_mcp.FLOOR,)),
    (without_mcp.OPEN, (OURS,)),
    (without_mcp.SEARCH, (OURS,)),
    (without_mcp.COMPACTION, (OURS,)),
    (without_mcp.REWRITE, (without_mcp.FLOOR,)),
    (without_mcp.PEAK, (OURS,)),
)
_RANKED: Final = (
    (ranking_speed.QUERY, (OURS, ranking_speed.FTS5)),
    (ranking_speed.BUILD, (OURS, ranking_speed.FTS5)),
    (ranking_speed.ADDED, (OURS,)),
)
_MOST_PACKAGES: Final = 14


def tables(figures: Figures) -> dict[str, str]:
    """Return every table by its name."""
    called = [(row.what, row.of) for row in ROWS] + [(over_mcp.PEAK, (OURS, THEIRS, PLAIN_TEXT))]
    made: dict[str, Lines] = {
        "about": iter([figures.about]),
        "goals": goal_table(figures),
        "causes": causes(figures),
        "calls of five": sized(figures, called, is_scattered=False),
        "calls of one": sized(figures, called, is_scattered=True),
        "launches of five": sized(figures, _LAUNCHED, is_scattered=False),
        "launches of one": sized(figures, _LAUNCHED, is_scattered=True),
        "without MCP, of five": sized(figures, _WITHOUT_MCP, is_scattered=False),
        "without MCP, of one": sized(figures, _WITHOUT_MCP, is_scattered=True),
        "ranking": sized(figures, _RANKED, is_scattered=False),
        "writers": writer_table(figures),
        "starts": start_table(figures),
        "imports": import_table(figures),
        "gaps": gaps(figures),
        "summary": summary(figures),
    }
    return {name: "\n".join(lines) for name, lines in made.items()}


# --- by size -------------------------------------------------------------------------------------


def sized(
    figures: Figures, rows: Sequence[tuple[str, Sequence[str]]], *, is_scattered: bool
) -> Lines:
    """Yield a table with a column for each size, and what each size costs times the one before."""
    shapes = [Shape(size, is_scattered) for size in SIZES]
    shapes = [shape for shape in shapes if any(figure.shape == shape for figure in figures)]
    yield f"| | | {' | '.join(f'{shape.observations:,}' for shape in shapes)} | growth |"
    yield f"|---|---|{'---:|' * len(shapes)}---|"
    for what, servers in rows:
        for who in servers:
            found = [figures.find(what, who, shape) for shape in shapes]
            if any(found):
                cells = " | ".join(_cell(figure) for figure in found)
                yield f"| {what} | {who} | {cells} | {_growth(found)} |"


def _cell(figure: Figure | None) -> str:
    if figure is None:
        return ""
    if "memory" in figure.what:
        return f"{figure.median / 2**20:,.0f} MiB"
    shown = milliseconds(figure.median)
    return shown if figure.p99 is None else f"{shown}, {milliseconds(figure.p99)}"


def _growth(found: Sequence[Figure | None]) -> str:
    steps = [
        "" if before is None or after is None else f"{after.median / before.median:.1f}"
        for before, after in pairwise(found)
    ]
    return ", ".join(step for step in steps if step)


def milliseconds(seconds: float) -> str:
    """Return milliseconds with three digits, and the unit of what takes long."""
    if seconds >= 1:
        return f"{seconds:.3g} s" if seconds < 100 else f"{seconds:,.0f} s"
    return f"{seconds * 1000:.0f}" if seconds >= 0.1 else f"{seconds * 1000:.3g}"


# --- what was to be reached ----------------------------------------------------------------------


def goal_table(figures: Figures) -> Lines:
    yield "| in one run | | wanted | reached | |"
    yield "|---|---|---:|---:|---|"
    for goal in GOALS:
        for place, reached in enumerate(goal.compare(figures)):
            text = "" if place else goal.text
            verdict = {True: "met", False: "**missed**", None: ""}[reached.is_met]
            yield f"| {text} | {reached.where} | {reached.wanted} | {reached.reached} | {verdict} |"


def causes(figures: Figures) -> Lines:
    """Yield why each goal that is missed is missed."""
    for goal in GOALS:
        missed = [reached for reached in goal.compare(figures) if reached.is_met is False]
        if missed:
            yield f"- **{goal.text}** ({_where(missed)}): {goal.cause}"


def _where(missed: Sequence[Reached]) -> str:
    return "; ".join(reached.where for reached in missed if reached.where) or "everywhere"


# --- what has no size ----------------------------------------------------------------------------


def writer_table(figures: Figures) -> Lines:
    yield "| | median | 99th percentile | processor time | additions |"
    yield "|---|---:|---:|---:|---:|"
    for what, who in (
        (many_writers.ADDED, OURS),
        (many_writers.LOCKED, many_writers.RAW),
        (many_writers.SYNCED, many_writers.RAW),
    ):
        if figure := figures.find(what, who):
            p99 = "" if figure.p99 is None else milliseconds(figure.p99)
            cpu = figures.find(f"{what}, {import_account.CPU}", who)
            used = milliseconds(cpu.median) if cpu else ""
            cells = f"{milliseconds(figure.median)} | {p99} | {used} | {figure.count:,}"
            yield f"| {what}, {who} | {cells} |"


def start_table(figures: Figures) -> Lines:
    yield "| | time | processor time | of a minimal server's | memory |"
    yield "|---|---:|---:|---:|---:|"
    minimal = figures.find(over_mcp.LISTED, MINIMAL)
    for who in (OURS, MINIMAL, THEIRS, PLAIN_TEXT):
        if listed := figures.find(over_mcp.LISTED, who):
            ratio = f"{listed.median / minimal.median:.2f}" if minimal else ""
            cpu = figures.find(f"{over_mcp.LISTED}, {import_account.CPU}", who)
            memory = figures.find(f"{over_mcp.LISTED}, {over_mcp.PEAK}", who)
            cells = f"{milliseconds(listed.median)} | {_cell(cpu)} | {ratio} | {_cell(memory)}"
            yield f"| {over_mcp.LISTED}, {who} | {cells} |"
    for what in (import_account.INTERPRETER, import_account.EVERYTHING):
        for who in ("Python", "node", "collector paused", "collector running"):
            if figure := figures.find(what, who):
                cpu = figures.find(f"{what}, {import_account.CPU}", who)
                yield f"| {what}, {who} | {milliseconds(figure.median)} | {_cell(cpu)} | | |"


def import_table(figures: Figures) -> Lines:
    """Yield what each package takes to import, the longest first."""
    accounts = (OURS, SEARCHING, MINIMAL)
    spent: dict[str, dict[str, float]] = {who: {} for who in accounts}
    for figure in figures:
        if figure.what.startswith(import_account.IMPORTED):
            package = figure.what.removeprefix(import_account.IMPORTED).strip()
            spent[figure.who][package] = figure.median
    packages = sorted(
        {package for of_account in spent.values() for package in of_account},
        key=lambda package: -spent[SEARCHING].get(package, 0.0),
    )
    yield f"| package | {' | '.join(accounts)} |"
    yield f"|---|{'---:|' * len(accounts)}"
    for package in packages[:_MOST_PACKAGES]:
        cells = (_share(of_account.get(package)) for of_account in spent.values())
        yield f"| {package} | {' | '.join(cells)} |"
    rest = packages[_MOST_PACKAGES:]
    others = (_share(sum(s.get(package, 0.0) for package in rest)) for s in spent.values())
    yield f"| {len(rest)} others | {' | '.join(others)} |"
    yield f"| together | {' | '.join(_share(sum(s.values())) for s in spent.values())} |"


def _share(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds * 1000:.1f}"


def gaps(figures: Figures) -> Lines:
    """Yield what could not be measured, and why."""
    for gap in figures.gaps:
        yield f"- Not measured: {gap}."


# --- the README's ---------------------------------------------------------------------------------

_SUMMED_UP: Final = (
    (PING, "a ping, which asks for nothing", None),
    (ADD, "`add_observations`, synced", THEIRS),
    (OPEN, "`open_nodes`", THEIRS),
    (SEARCH, "`search_nodes`, three words", THEIRS),
    (READ_ALL, "`read_graph`, all of it", THEIRS),
    (over_mcp.FIRST_SEARCH, "launch to first search answered", THEIRS),
    (over_mcp.PEAK, "peak memory", THEIRS),
)


def summary(figures: Figures) -> Lines:
    """Yield the table of the README: ours, and how many times as fast that is as server-memory."""
    shapes = [Shape(size, one) for size in (10_000, 100_000) for one in (False, True)]
    yield f"| | {' | '.join(map(str, shapes))} |"
    yield f"|---|{'---:|' * len(shapes)}"
    for what, label, beside in _SUMMED_UP:
        cells = (_summed_up(figures, what, beside, shape) for shape in shapes)
        yield f"| {label} | {' | '.join(cells)} |"


def _summed_up(figures: Figures, what: str, beside: str | None, shape: Shape) -> str:
    ours = figures.find(what, OURS, shape)
    if ours is None:
        return ""
    is_memory = "memory" in what
    unit = "" if is_memory or ours.median >= 1 else " ms"
    shown = _cell(ours) if is_memory else f"{milliseconds(ours.median)}{unit}"
    theirs = figures.find(what, beside, shape) if beside else None
    if theirs is None:
        return shown
    if is_memory:
        return f"{shown} ({_cell(theirs)})"
    return f"{shown}, {times(theirs.median / ours.median)}"
