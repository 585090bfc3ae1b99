"""`mnemolog list`: which entities there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final

import click

from mnemolog.answers.excerpts import Scope
from mnemolog.cli.filtering import fact_options
from mnemolog.cli.opening import open_memory, printable, reporting_errors
from mnemolog.cli.output import day, json_option, print_json, remark_on_problems
from mnemolog.filters import Filters, last_change, moment_of
from mnemolog.records import Priority
from mnemolog.results import EntityResult
from mnemolog.text import counted, fold


@click.command("list")
@fact_options
@click.option(
    "--status",
    type=click.Choice(["current", "superseded"]),
    default="current",
    show_default=True,
    help="Facts that are true, or that no longer are.",
)
@click.option(
    "--sort",
    type=click.Choice(["name", "type", "changed", "observations", "file"]),
    default="name",
    show_default=True,
    help="The order; changed and observations put the latest and the most first.",
)
@click.option("--observations", "with_texts", is_flag=True, help="Also print the facts.")
@click.option("--limit", type=click.IntRange(min=1), help="How many entities at most.")
@json_option
def command(
    *,
    since: datetime | None,
    before: datetime | None,
    agent: str | None,
    types: tuple[str, ...],
    min_priority: Priority | None,
    status: str,
    sort: str,
    limit: int | None,
    with_texts: bool,
    as_json: bool,
) -> None:
    """List the entities that have facts of the kind that is asked for, and how many.

    \b
    Examples:
      mnemolog list
      mnemolog list --type service --sort changed
      mnemolog list --agent codex --since 2026-10-01 --observations
      mnemolog list --status superseded
    """
    filters = Filters(since, before, agent, types or None, min_priority)
    wants_superseded = status == "superseded"
    with reporting_errors():
        scope = Scope(filters, include_superseded=wants_superseded, max_chars=0)
        graph = open_memory().read_graph(scope)
    entities = [e for e in graph.entities if not wants_superseded or e.superseded]
    if not wants_superseded and filters.are_about_facts:
        entities = [e for e in entities if e.observations or filters.keep(e.tags)]
    found = tuple(sorted(entities, key=_ORDERS[sort])[:limit])
    if as_json:
        print_json(found)
        return
    for entity in found:
        for line in _lines(entity, with_texts=with_texts):
            click.echo(line)
    if len(entities) > len(found):
        click.echo(f"... and {len(entities) - len(found):,} more.")
    if not entities:
        click.echo("Nothing is listed: the memory has no such facts.")
    remark_on_problems(graph.problems)


def _lines(entity: EntityResult, *, with_texts: bool) -> Iterator[str]:
    name = click.style(printable(entity.name), bold=True)
    texts = _texts(entity)
    kind = "superseded observation" if entity.superseded else "observation"
    at, agent = _last_change(entity)
    changed = f"{counted(len(texts), kind)}, last {day(at)} by {agent or 'unknown'}"
    yield f"{name} ({printable(entity.entity_type)})  {printable(changed)}"
    if with_texts:
        yield from (f"  {printable(text)}" for text in texts)


def _texts(entity: EntityResult) -> tuple[str, ...]:
    """Return the facts that were asked for: those that are true, or those that no longer are."""
    if entity.superseded:
        return tuple(old.text for old in entity.superseded)
    return entity.observations


def _last_change(entity: EntityResult) -> tuple[str | None, str | None]:
    if entity.superseded:
        changes = [(old.superseded_at, old.superseded_by) for old in entity.superseded]
    else:
        changes = [last_change(tags) for tags in entity.observation_tags or (entity.tags,)]
    return max(changes, key=lambda change: _seconds(change[0]))


def _seconds(at: str | None) -> float:
    moment = moment_of(at)
    return moment.timestamp() if moment else float("-inf")


_ORDERS: Final[Mapping[str, Callable[[EntityResult], Any]]] = {
    "name": lambda entity: fold(entity.name),
    "type": lambda entity: (fold(entity.entity_type), fold(entity.name)),
    "changed": lambda entity: -_seconds(_last_change(entity)[0]),
    "observations": lambda entity: -len(_texts(entity)),
    "file": lambda _entity: 0,
}
