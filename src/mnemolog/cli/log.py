"""`mnemolog log`: what changed, when, and by whom."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import datetime

import click

from mnemolog.cli.calls import MOST_CHANGES, change_lines
from mnemolog.cli.choosing import entity_names
from mnemolog.cli.filtering import before_option, since_option
from mnemolog.cli.opening import open_memory, printable, reporting_errors
from mnemolog.cli.output import json_option, minute, print_json
from mnemolog.filters import Filters
from mnemolog.history.calls import Call, History, LoggedCall, about, newest
from mnemolog.records import Tags
from mnemolog.text import counted


@click.command("log")
@since_option
@before_option
@click.option("--agent", help="Only calls of this agent.")
@click.option("--entity", shell_complete=entity_names, help="Only what is about this entity.")
@click.option(
    "--limit",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    help="How many calls; 0 is all.",
)
@click.option("--full", is_flag=True, help=f"More than {MOST_CHANGES} changes of a call, too.")
@json_option
def command(
    *,
    since: datetime | None,
    before: datetime | None,
    agent: str | None,
    entity: str | None,
    limit: int,
    full: bool,
    as_json: bool,
) -> None:
    """Print what changed, when and by whom, the last call first.

    What belongs to one call stands together. The order is that of the file; after a merge of two
    branches it need not be that of the dates.

    The log reaches as far back as the file does, and the last line says how far that is: a
    compaction drops the lines of what was replaced or removed, and takes calls apart.

    \b
    Examples:
      mnemolog log
      mnemolog log --entity api --limit 0
      mnemolog log --agent codex --since 2026-10-01
    """
    filters = Filters(since, before, agent)

    def is_wanted(call: Call) -> bool:
        return filters.keep(Tags(*call.stamp)) and (entity is None or call.is_about(entity))

    with reporting_errors():
        history = newest(open_memory().upkeep.calls(), is_wanted, min(limit, sys.maxsize) or None)
    if as_json:
        print_json(history)
        return
    for call in history.calls:
        for line in _lines(call, entity, None if full else MOST_CHANGES):
            click.echo(line)
    if not history.calls:
        click.echo("Nothing of the kind is in the log.")
    for sentence in _reach(history):
        click.secho(printable(sentence), dim=True)


def _lines(call: LoggedCall, entity: str | None, most: int | None) -> Iterator[str]:
    when = f"{minute(call.at)}  {call.agent or 'unknown'}"
    where = f"lines {call.line}-{call.last_line}"
    if call.line == call.last_line:
        where = f"line {call.line}"
    if call.is_undo:
        where += ", undo"
    yield f"{click.style(printable(when), bold=True)}  {click.style(f'({where})', dim=True)}"
    shown = call.changes if entity is None else about(call.changes, entity)
    yield from change_lines(shown, most)
    others = len(call.changes) - len(shown)
    if others:
        yield f"  ... and {counted(others, 'change')} of other entities"


def _reach(history: History) -> Iterator[str]:
    if history.earlier:
        yield f"{counted(history.earlier, 'earlier call')} not shown; --limit 0 shows all."
    if history.oldest is None:
        return
    if history.whole_from is None:
        rest = "A compaction may have dropped lines, so that not all changes since are shown."
    elif history.is_complete:
        rest = "Nothing has been dropped from it."
    else:
        rest = (
            f"From line {history.whole_from} on nothing has been dropped; of what is older, a "
            "compaction may have dropped lines."
        )
    yield f"The log reaches back to {minute(history.oldest)}. {rest}"
