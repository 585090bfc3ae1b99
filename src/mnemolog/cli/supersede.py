"""`mnemolog supersede`: retire a fact that was true and no longer is."""

from __future__ import annotations

import click

from mnemolog.cli.choosing import entity_named, entity_names, observation_chosen
from mnemolog.cli.opening import open_memory, person, printable, reporting_errors
from mnemolog.cli.output import json_option, print_json, remark_on_write


@click.command("supersede")
@click.argument("entity", shell_complete=entity_names)
@click.argument("which")
@click.argument("new_text", metavar="[NEW]", required=False)
@json_option
def command(entity: str, which: str, new_text: str | None, *, as_json: bool) -> None:
    """Retire the fact WHICH of ENTITY, and say what is true instead: NEW, if anything is.

    The old fact stays as history: 'mnemolog show --history' prints it. WHICH is its exact text, its
    number in 'mnemolog show', or its beginning, if no other fact begins so.

    \b
    Examples:
      mnemolog supersede api 3 "Runs on Kubernetes"
      mnemolog supersede api "Deploys by hand"
    """
    with reporting_errors():
        memory = open_memory()
        found = entity_named(memory.read_graph(), entity)
        old = observation_chosen(found, which)
        result = memory.supersede_observation(entity, old, person(), new_text=new_text)
    if as_json:
        print_json(result)
        return
    now = f"  (now: {result.replaced_by})" if result.replaced_by is not None else ""
    click.echo(printable(f"No longer true of {entity}: {old}{now}"))
    remark_on_write(result)
