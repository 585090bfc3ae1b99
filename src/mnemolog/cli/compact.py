"""`mnemolog compact`: drop the lines that say nothing any more."""

from __future__ import annotations

import click

from mnemolog.cli.opening import open_memory, reporting_errors


@click.command("compact")
def command() -> None:
    r"""Drop the lines of the memory file that say nothing any more.

    Facts, their dates and agents stay as they are. What was removed goes from the file too, unless
    its line also says something that is still true. Writes do this by themselves when it is worth
    it, but never to a file that git tracks.

    \b
    Example:
      mnemolog compact
    """
    with reporting_errors():
        memory = open_memory()
        done = memory.upkeep.compact()
    click.echo(
        f"{memory.location.path}: {done.bytes_before:,} bytes before, {done.bytes_after:,} after; "
        f"{done.dropped_lines:,} lines dropped."
    )
    if done.dropped_lines and memory.upkeep.is_tracked():
        click.echo(
            "git tracks this file: a removed fact can come back when a branch is merged that does "
            "not know of the removal. Merge open branches first, or remove it again afterwards.",
            err=True,
        )
