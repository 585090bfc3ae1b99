"""`mnemolog restore`: make the memory what a backup is."""

from __future__ import annotations

from pathlib import Path

import click

from mnemolog.cli.asking import require_yes, yes_option
from mnemolog.cli.backup import held
from mnemolog.cli.opening import open_memory, printable, reporting_errors
from mnemolog.cli.output import json_option, print_json


@click.command("restore")
@click.argument("backup", type=click.Path(path_type=Path, readable=False))
@yes_option
@json_option
def command(backup: Path, *, yes: bool, as_json: bool) -> None:
    """Make the memory file what BACKUP is, while servers go on running.

    What the memory is now is set aside beside it, as <file>.bak-<time>, and nothing is destroyed.
    BACKUP has to be a memory, and not that of another repository. To add what a file holds to this
    memory instead, use import.

    \b
    Example:
      mnemolog restore .agents/memory.local.jsonl.bak-20260302T120000Z
    """
    backup = backup.expanduser()
    with reporting_errors():
        upkeep = open_memory().upkeep
        done = upkeep.restore(backup, dry_run=True)
        if done.changed:
            require_yes(
                f"Make {done.memory} what {backup} is ({held(done.contents)})? What it is now is "
                "set aside beside it.",
                yes=yes,
            )
            done = upkeep.restore(backup)
    if as_json:
        print_json(done)
        return
    state = "is what the backup is now" if done.changed else "was the same already"
    click.echo(printable(f"{done.memory} {state}: {held(done.contents)}."))
    if done.set_aside:
        click.echo(printable(f"  as it was before: {done.set_aside}"))
