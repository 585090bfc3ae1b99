"""`mnemolog edit`: correct a fact, or the name of an entity."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mnemolog.cli.choosing import entity_named, entity_names, observation_chosen
from mnemolog.cli.filtering import PRIORITIES
from mnemolog.cli.opening import open_memory, person, printable, reporting_errors
from mnemolog.cli.output import json_option, print_json, remark_on_write
from mnemolog.records import Priority
from mnemolog.results import EntityResult, MergedEntities, RenamedEntity

if TYPE_CHECKING:
    from mnemolog.memory import Memory


@click.command("edit")
@click.argument("entity", shell_complete=entity_names)
@click.argument("which", required=False)
@click.argument("new_text", metavar="[NEW]", required=False)
@click.option("--priority", type=click.Choice(PRIORITIES), help="How much the fact is worth.")
@click.option("--rename", metavar="NAME", help="Give the entity another name.")
@click.option(
    "--merge-into",
    metavar="NAME",
    shell_complete=entity_names,
    help="Join the entity with another one, which keeps its name.",
)
@json_option
def command(
    *,
    entity: str,
    which: str | None,
    new_text: str | None,
    priority: Priority | None,
    rename: str | None,
    merge_into: str | None,
    as_json: bool,
) -> None:
    """Correct the fact WHICH of ENTITY to say NEW; its date and agent stay.

    WHICH is the fact's exact text, its number in 'mnemolog show', or its beginning, if no other
    fact begins so. For a fact that was true and no longer is, use supersede: it keeps the history.

    \b
    Examples:
      mnemolog edit api 3 "Runs on port 8081"
      mnemolog edit api "Runs on" "Runs on port 8081"
      mnemolog edit api 3 --priority high
      mnemolog edit api --rename gateway
      mnemolog edit "api service" --merge-into api
    """
    _refuse_mixture(which, new_text, priority, rename, merge_into)
    with reporting_errors():
        memory = open_memory()
        graph = memory.read_graph()
        found = entity_named(graph, entity)
        if merge_into is not None:
            entity_named(graph, merge_into)
        if which is not None:
            _edit(memory, found, which, new_text, priority, as_json=as_json)
        else:
            _move(memory, entity, rename, merge_into, as_json=as_json)


def _refuse_mixture(
    which: str | None,
    new_text: str | None,
    priority: Priority | None,
    rename: str | None,
    merge_into: str | None,
) -> None:
    tasks = (which is not None) + (rename is not None) + (merge_into is not None)
    if tasks != 1:
        raise click.UsageError("Say one of: which fact to edit, --rename, --merge-into.")
    if which is not None and new_text is None and priority is None:
        raise click.UsageError("Say what to change: NEW, --priority, or both.")
    if which is None and priority is not None:
        raise click.UsageError("--priority is of a fact: say WHICH.")


def _edit(
    memory: Memory,
    entity: EntityResult,
    which: str,
    new_text: str | None,
    priority: Priority | None,
    *,
    as_json: bool,
) -> None:
    old = observation_chosen(entity, which)
    result = memory.edit_observation(
        entity.name, old, person(), new_text=new_text, priority=priority
    )
    if as_json:
        print_json(result)
        return
    was = f"  (was: {old})" if result.text != old else ""
    worth = f"  ({priority} priority)" if priority else ""
    click.echo(printable(f"{result.entity_name}: {result.text}{worth}{was}"))
    remark_on_write(result)


def _move(
    memory: Memory, name: str, rename: str | None, merge_into: str | None, *, as_json: bool
) -> None:
    result: RenamedEntity | MergedEntities
    if rename is not None:
        result = memory.rename_entity(name, rename, person())
        done = f"{name} is now {rename}."
    else:
        result = memory.merge_entities(name, merge_into or "", person())
        done = f"{merge_into} has everything of {name} now."
    if as_json:
        print_json(result)
        return
    click.echo(printable(done))
    remark_on_write(result)
