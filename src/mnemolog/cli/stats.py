"""`mnemolog stats`: how much of everything."""

from __future__ import annotations

from collections.abc import Iterator

import click

from mnemolog.cli.opening import open_memory, printable, reporting_errors
from mnemolog.cli.output import json_option, print_json, remark_on_problems
from mnemolog.history.census import Census, Tally
from mnemolog.text import counted


@click.command("stats")
@click.option(
    "--most",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="How many types, agents and months to print of each.",
)
@json_option
def command(most: int, *, as_json: bool) -> None:
    """Count what the memory holds, by type, agent, priority and month.

    It also says how many lines of the file a compaction would drop.

    \b
    Examples:
      mnemolog stats
      mnemolog stats --json
    """
    with reporting_errors():
        census = open_memory().upkeep.census()
    if as_json:
        print_json(census)
        return
    for line in _lines(census, most):
        click.echo(line)
    remark_on_problems(census.problems)


def _lines(census: Census, most: int) -> Iterator[str]:
    totals = census.totals
    yield (
        f"{counted(totals.entities, 'entity')}, {counted(totals.observations, 'observation')}, "
        f"{counted(totals.relations, 'relation')}; "
        f"{counted(totals.superseded, 'observation')} no longer true"
    )
    saved = census.file_bytes - census.live_bytes
    yield (
        f"{counted(census.file_bytes, 'byte')} in {counted(census.lines, 'line')}; a compaction "
        f"would drop {counted(census.dead_lines, 'line')} and save {counted(saved, 'byte')}"
    )
    yield from _table("Types of entities", census.entity_types, most)
    yield from _table("Types of relations", census.relation_types, most)
    yield from _table("Agents", census.agents, most)
    yield from _table("Priorities", census.priorities, most)
    yield from _table("Months", census.months[::-1], most)


def _table(title: str, tallies: tuple[Tally, ...], most: int) -> Iterator[str]:
    if not tallies:
        return
    yield click.style(title, bold=True)
    width = max(len(f"{tally.count:,}") for tally in tallies)
    for tally in tallies[:most]:
        yield f"  {tally.count:>{width},}  {printable(tally.name or 'unknown')}"
    if len(tallies) > most:
        yield f"  ... and {len(tallies) - most:,} more"
