"""`mnemolog show`: everything that is known of one entity."""

from __future__ import annotations

from collections.abc import Iterator

import click

from mnemolog.answers.excerpts import Scope
from mnemolog.cli.choosing import entity_named, entity_names
from mnemolog.cli.opening import open_memory, printable, reporting_errors
from mnemolog.cli.output import (
    day,
    json_option,
    print_json,
    remark_on_problems,
    said,
)
from mnemolog.records import Relation, Tags
from mnemolog.results import EntityResult, GraphResult, SupersededResult
from mnemolog.subjects import in_words


@click.command("show")
@click.argument("entity", metavar="NAME", shell_complete=entity_names)
@click.option("--history", is_flag=True, help="Also what was true of it and no longer is.")
@json_option
def command(entity: str, *, history: bool, as_json: bool) -> None:
    """Print an entity: its observations with dates and agents, and its relations.

    The numbers in front of the observations are what edit, supersede and delete take in the place
    of a text. Looking at an entity here does not count as a use of it in a search.

    \b
    Examples:
      mnemolog show api
      mnemolog show --history "payment service"
    """
    with reporting_errors():
        # Not open_nodes, which notes a use: a person who corrects a fact does not vouch for it.
        graph = open_memory().read_graph(Scope(include_superseded=history, max_chars=0))
    found = entity_named(graph, entity)
    relations = tuple(r for r in graph.relations if entity in {r.source, r.target})
    if as_json:
        print_json(GraphResult((found,), relations, graph.problems))
        return
    click.secho(printable(found.name), bold=True, nl=False)
    first_said = said(Tags(found.tags.added_at, found.tags.agent))
    click.echo(printable(f" ({found.entity_type})  {first_said}"))
    for line in (*_observations(found), *_relations(relations), *_history(found)):
        click.echo(line)
    remark_on_problems(graph.problems)


def _observations(entity: EntityResult) -> Iterator[str]:
    tags = entity.observation_tags or ()
    width = len(str(len(tags)))
    for number, (text, of) in enumerate(zip(entity.observations, tags, strict=True), start=1):
        yield f"{number:>{width + 2}}. {printable(text)}  {_dim(said(of))}"
    if not entity.observations:
        yield "  No observations."


def _relations(relations: tuple[Relation, ...]) -> Iterator[str]:
    if relations:
        yield click.style("Relations", bold=True)
    for r in relations:
        yield f"  {printable(in_words(r.key))}  {_dim(said(r.tags))}"


def _history(entity: EntityResult) -> Iterator[str]:
    if entity.superseded:
        yield click.style("No longer true", bold=True)
    for old in entity.superseded or ():
        yield f"  {printable(old.text)}  {_dim(_ended(old))}"


def _ended(old: SupersededResult) -> str:
    ended = f"{said(old.tags)}; until {day(old.superseded_at)}, {old.superseded_by or 'unknown'}"
    return f"{ended}; now: {old.replaced_by}" if old.replaced_by else ended


def _dim(text: str) -> str:
    return click.style(f"({printable(text)})", dim=True)
