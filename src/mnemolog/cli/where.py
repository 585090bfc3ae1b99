"""`mnemolog where`: which file, and why."""

from __future__ import annotations

import click

from mnemolog.cli.opening import open_memory, printable, reporting_errors
from mnemolog.cli.output import json_option, print_json
from mnemolog.declarations import declared, described


@declared
class Whereabouts:
    """Which memory file is used in a folder."""

    path: str = described("The file, resolved; it need not exist yet")
    exists: bool = described("Whether it does")
    repository: str | None = described("The root of the repository that it lies in, or null")
    is_default: bool = described("False where MEMORY_FILE_PATH names it")
    refusal: str | None = described("Why nothing may be kept there, or null")
    description: tuple[str, ...] = described("What people are told: why, whose, and how much")


@click.command("where")
@json_option
def command(*, as_json: bool) -> None:
    """Print which memory file is used here, and why.

    \b
    Examples:
      mnemolog where
      MEMORY_FILE_PATH=notes.jsonl mnemolog where
    """
    with reporting_errors():
        memory = open_memory()
        location, sentences = memory.location, memory.upkeep.describe()
    if as_json:
        repository = str(location.repository) if location.repository else None
        print_json(
            Whereabouts(
                str(location.path),
                location.path.exists(),
                repository,
                location.is_default,
                location.refusal,
                sentences,
            )
        )
        return
    click.echo(printable(str(location.path)))
    for sentence in sentences:
        click.echo(f"  {printable(sentence)}")
