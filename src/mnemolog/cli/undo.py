"""`mnemolog undo`: take back a call, whoever made it."""

from __future__ import annotations

from collections.abc import Sequence

import click

from mnemolog.cli.asking import require_yes, yes_option
from mnemolog.cli.calls import MOST_CHANGES, change_lines
from mnemolog.cli.opening import open_memory, person, printable, reporting_errors
from mnemolog.cli.output import json_option, minute, print_json, remark
from mnemolog.collector import collector_paused
from mnemolog.history.calls import Call, not_taken_back


@click.command("undo")
@click.argument("line", type=click.IntRange(min=1), required=False)
@yes_option
@json_option
def command(line: int | None, *, yes: bool, as_json: bool) -> None:
    """Take back the last call in the log, of whichever agent: all that it changed, as it was.

    It shows the call first, and asks. Run it again for the call before: calls that were taken back
    already are passed over, and so are those that did so. With LINE, the number that the log shows,
    it takes back the call at that line, also one that took back another. What has changed since is
    never overwritten: then it refuses.

    \b
    Examples:
      mnemolog undo
      mnemolog undo 120
    """
    with reporting_errors():
        memory = open_memory()
        with collector_paused():
            calls = tuple(memory.upkeep.calls())
            call = _last(calls) if line is None else _at(calls, line)
        _refuse_remnant(call)
        _show(call)
        require_yes("Take it back?", yes=yes)
        undone = memory.upkeep.take_back(call, person())
    if as_json:
        print_json(undone)
    else:
        click.echo(f"{undone.undone} was taken back. {undone.message}")


def _last(calls: Sequence[Call]) -> Call:
    standing = not_taken_back(calls)
    if not standing:
        raise click.ClickException(
            "There is nothing to take back: the log shows no call that still stands."
        )
    last = standing[-1]
    if last is not calls[-1]:
        remark("What came after it was taken back already, or took something back.")
    before = standing[-2] if len(standing) > 1 else None
    if before is not None and last.may_continue(before):
        remark(
            f"The log does not show whether line {before.line}, of the same second, belongs to the "
            "same call. It stays; undo again for that one."
        )
    return last


def _at(calls: Sequence[Call], line: int) -> Call:
    for call in calls:
        if call.line <= line <= call.last_line:
            return call
    raise click.ClickException(
        f"No call at line {line} changed anything. 'mnemolog log' shows the calls and their lines."
    )


def _refuse_remnant(call: Call) -> None:
    if call.is_remnant:
        raise click.ClickException(
            f"Line {call.line} seems to be what a compaction has left of a call, so what was "
            "before it is not known, and it cannot be taken back. Correct it with edit, supersede "
            "or delete; 'mnemolog undo LINE' takes back another call."
        )


def _show(call: Call) -> None:
    at, agent = call.stamp
    which = f"Line {call.line}, {minute(at)}, {agent or 'unknown'}:"
    click.echo(printable(which), err=True)
    for shown in change_lines(call.changes, MOST_CHANGES):
        click.echo(shown, err=True)
