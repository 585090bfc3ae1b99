"""`mnemolog import`: bring along what another memory server left in a file."""

from __future__ import annotations

from pathlib import Path

import click

from mnemolog.cli.opening import COMMAND_LINE, open_memory, reporting_errors


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def command(file: Path) -> None:
    r"""Bring the facts of FILE into this repository's memory; FILE is only read.

    Reads JSON and JSONL files of server-memory and its relatives, logs of plain-text-memory-mcp,
    and flat rows of entityName and observation. Dates and agents come along. Running it again
    writes nothing that is there already.

    \b
    Example:
      mnemolog import ~/old/memory.json
    """
    from mnemolog.interchange import read_for_import  # noqa: PLC0415 - for this command only

    with reporting_errors():
        try:
            records = read_for_import(file.read_bytes())
        except OSError as error:
            raise click.ClickException(f"{file} cannot be read ({error.strerror}).") from error
        if not records:
            raise click.ClickException(
                f"No memory was found in {file}: it holds no entities, relations or observations."
            )
        memory = open_memory()
        done = memory.upkeep.import_records(records, COMMAND_LINE)
    click.echo(
        f"{memory.location.path}: {done.entities} entities, {done.observations} observations and "
        f"{done.relations} relations are new."
    )
