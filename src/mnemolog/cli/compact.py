"""`mnemolog compact`: drop the lines that say nothing any more."""

from __future__ import annotations

import click

from mnemolog.cli.opening import open_memory, printable, reporting_errors
from mnemolog.cli.output import json_option, print_json, remark
from mnemolog.text import counted


@click.command("compact")
@json_option
def command(*, as_json: bool) -> None:
    """Drop the lines of the memory file that say nothing any more.

    Facts, their dates and agents stay as they are. What was removed goes from the file too, unless
    its line also says something that is still true. Then 'mnemolog log' no longer shows it, and
    'mnemolog undo' cannot bring it back. Writes do this by themselves when it is worth it, but
    never to a file that git tracks.

    \b
    Example:
      mnemolog compact
    """
    with reporting_errors():
        memory = open_memory()
        done = memory.upkeep.compact()
    if as_json:
        print_json(done)
    else:
        click.echo(
            f"{printable(str(memory.location.path))}: {done.bytes_before:,} bytes before, "
            f"{done.bytes_after:,} after; {counted(done.dropped_lines, 'line')} dropped."
        )
    if done.dropped_lines and memory.upkeep.is_tracked():
        remark(
            "git tracks this file: a removed fact can come back when a branch is merged that does "
            "not know of the removal. Merge open branches first, or remove it again afterwards."
        )
