"""`mnemolog taxonomy`: which types a memory uses, and whether they are those agreed on."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from mnemolog.cli.opening import open_memory, person, printable, reporting_errors
from mnemolog.cli.output import json_option, print_json
from mnemolog.screening.type_variant import nearest
from mnemolog.text import counted

if TYPE_CHECKING:
    from mnemolog.records import Kind
    from mnemolog.taxonomy.consistency import Violation, Vocabulary


@click.group("taxonomy")
def command() -> None:
    """Say which types the memory uses, and keep to those that a team has agreed on."""


@command.command(
    "export", short_help="Write what the memory is made of beside it, or types to agree on."
)
@click.option("--shared", is_flag=True, help="Write the types to agree on, to be committed.")
@json_option
def export(*, shared: bool, as_json: bool) -> None:
    """Write beside the memory file what the memory is made of and how far it is used.

    With --shared: the entity and relation types alone, each with the purpose that people write
    behind it. Types that came into use are added; what stands in the file stays.

    \b
    Examples:
      mnemolog taxonomy export
      mnemolog taxonomy export --shared
    """
    with reporting_errors():
        done = open_memory().upkeep.export_taxonomy(shared=shared)
    if as_json:
        print_json(done)
        return
    state = "is written" if done.changed else "said this already"
    listed = (
        f"{counted(done.entity_types, 'entity type')} and "
        f"{counted(done.relation_types, 'relation type')}"
    )
    click.echo(printable(f"{done.path} {state}: {listed}."))
    if done.left_out:
        names = ", ".join(map(repr, done.left_out))
        click.echo(
            printable(f"Left out, being other spellings of types that it lists: {names}."), err=True
        )


@command.command("check")
@json_option
@click.pass_context
def check(context: click.Context, *, as_json: bool) -> None:
    """List the types in use that are not in the shared taxonomy.

    Where there is none, or it lists no such types, those that are another spelling of a type used
    more often. Nothing is changed. Ends with 1 if there are any, for hooks and CI.

    \b
    Examples:
      mnemolog taxonomy check
      MEMORY_FILE_PATH=.agents/memory.jsonl mnemolog taxonomy check
    """
    with reporting_errors():
        found = open_memory().upkeep.type_violations()
    if as_json:
        print_json(found)
    else:
        for violation in found:
            click.echo(printable(_line(violation)))
        if not found:
            click.echo("No type in use has to be mended.", err=True)
    context.exit(1 if found else 0)


@command.command("retype")
@click.argument("old")
@click.argument("new")
@click.option("--entities", is_flag=True, help="Only the type of entities.")
@click.option("--relations", is_flag=True, help="Only the type of relations.")
@json_option
def retype(old: str, new: str, *, entities: bool, relations: bool, as_json: bool) -> None:
    """Give the type OLD the name NEW wherever it is used, all at once.

    Entities and relations, unless an option says which. Dates, agents and history stay. A relation
    that is there with the new type already is kept once.

    \b
    Examples:
      mnemolog taxonomy retype uiComponent "UI component"
      mnemolog taxonomy retype --relations partOf part_of
    """
    chosen: dict[Kind, bool] = {"entity": entities, "relation": relations}
    kinds = [kind for kind, is_chosen in chosen.items() if is_chosen or not any(chosen.values())]
    with reporting_errors():
        done = open_memory().upkeep.retype(old, new, person(), kinds)
    if as_json:
        print_json(done)
        return
    merged = f", {done.merged_relations} of them there already" if done.merged_relations else ""
    counts = f"{counted(done.entities, 'entity')} and {counted(done.relations, 'relation')}{merged}"
    click.echo(printable(f"{old!r} is {new!r} now: {counts}."))


@command.command(
    "report", short_help="Print types in several spellings, used once, or nearly the same."
)
@json_option
def report(*, as_json: bool) -> None:
    """Print what is odd about the types in use: several spellings, used once, nearly the same.

    Nothing is changed, and types that differ are not mentioned.

    \b
    Example:
      mnemolog taxonomy report
    """
    with reporting_errors():
        found = open_memory().upkeep.types()
    if as_json:
        print_json(found)
        return
    for vocabulary in found:
        for line in _lines(vocabulary):
            click.echo(printable(line))


def _line(violation: Violation) -> str:
    name, use = violation.name, violation.use
    has = f"{violation.kind} type {name!r} ({counted(violation.count, violation.kind)})"
    why = "is not agreed on" if violation.is_listed else "is another spelling"
    if not use:
        return f"{has} {why}."
    meant = f"use {' or '.join(map(repr, use))}"
    # The only type agreed on is named too, though it may mean something else.
    is_meant = len(use) == 1 and nearest(name, use)
    mend = f": mnemolog taxonomy retype {_words(name, use[0])}" if is_meant else ""
    return f"{has} {why}; {meant}{mend}"


def _lines(vocabulary: Vocabulary) -> Iterator[str]:
    once = len(vocabulary.used_once)
    yield f"{vocabulary.kind.capitalize()} types: {vocabulary.types} in use, {once} of them once."
    for first, *others in vocabulary.families:
        spelled = ", ".join(f"{of.name!r} ({of.count})" for of in (first, *others))
        yield f"  one type in {len(others) + 1} spellings: {spelled}"
        for of in others:
            yield f"    mnemolog taxonomy retype {_words(of.name, first.name)}"
    for near in vocabulary.near:
        yield f"  {near.name!r} is used once, and near to {_listed(near.near)}"
    if vocabulary.not_agreed:
        yield f"  not in the shared taxonomy: {_listed(vocabulary.not_agreed)}"
    if vocabulary.unused:
        yield f"  in the shared taxonomy and not in use: {_listed(vocabulary.unused)}"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(map(repr, names))


def _words(*names: str) -> str:
    """Return names as words of a command line."""
    return f"{'-- ' if any(name.startswith('-') for name in names) else ''}{shlex.join(names)}"
