"""`mnemolog where`: which file, and why."""

from __future__ import annotations

import click

from mnemolog.cli.opening import open_memory, printable, reporting_errors


@click.command("where")
def command() -> None:
    r"""Print which memory file is used here, and why.

    \b
    Example:
      mnemolog where
      MEMORY_FILE_PATH=notes.jsonl mnemolog where
    """
    with reporting_errors():
        memory = open_memory()
        click.echo(printable(str(memory.location.path)))
        for sentence in memory.upkeep.describe():
            click.echo(f"  {printable(sentence)}")
