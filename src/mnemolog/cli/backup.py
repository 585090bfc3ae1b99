"""`mnemolog backup`: a copy of the memory file, made while agents may be writing to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mnemolog.cli.opening import named_path, open_memory, printable, reporting_errors
from mnemolog.cli.output import json_option, print_json, remark
from mnemolog.text import counted

if TYPE_CHECKING:
    from mnemolog.store.backups import Contents


@click.command("backup")
@click.argument("path", type=click.Path(), required=False)
@json_option
def command(path: str | None, *, as_json: bool) -> None:
    """Copy the memory file to PATH, a new file or a folder, while servers go on running.

    Without PATH the copy lies beside the memory, as <file>.bak-<time>. It is the same byte for
    byte, holds no half of anybody's call, and has the same mode. Nothing is ever overwritten.

    \b
    Examples:
      mnemolog backup
      mnemolog backup ~/backups/
    """
    with reporting_errors():
        done = open_memory().upkeep.back_up(named_path(path) if path else None)
    if as_json:
        print_json(done)
    else:
        click.echo(printable(done.backup))
        click.echo(f"  {held(done.contents)}, {counted(done.bytes, 'byte')}")
    if done.contents.unreadable_lines:
        remark("Lines that cannot be read are copied as they are; 'mnemolog doctor' lists them.")


def held(contents: Contents) -> str:
    """Return how much a memory file holds, in words."""
    parts = [
        counted(contents.entities, "entity"),
        counted(contents.observations, "observation"),
        counted(contents.relations, "relation"),
    ]
    if contents.unreadable_lines:
        parts.append(f"{counted(contents.unreadable_lines, 'line')} that cannot be read")
    return ", ".join(parts)
