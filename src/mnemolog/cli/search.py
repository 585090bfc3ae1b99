"""`mnemolog search`: what an agent would find, and why."""

from __future__ import annotations

from datetime import datetime

import click

from mnemolog.answers.excerpts import Scope
from mnemolog.cli.filtering import fact_options
from mnemolog.cli.opening import open_memory, printable, reporting_errors
from mnemolog.cli.output import json_option, print_json, remark_on_problems
from mnemolog.filters import Filters
from mnemolog.records import Priority
from mnemolog.results import HitResult, SearchResults


@click.command("search")
@click.argument("query")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(min=1), help="Hits.")
@click.option("--expand", is_flag=True, help="Also follow relations and mentions.")
@click.option("--superseded", is_flag=True, help="Also what is no longer true.")
@click.option("--explain", is_flag=True, help="Print each factor of every score in words.")
@fact_options
@json_option
def command(
    *,
    query: str,
    limit: int,
    since: datetime | None,
    before: datetime | None,
    agent: str | None,
    types: tuple[str, ...],
    min_priority: Priority | None,
    expand: bool,
    superseded: bool,
    explain: bool,
    as_json: bool,
) -> None:
    """Print the facts that answer QUERY, best first.

    Dates are ISO dates, such as 2026-10-01, or timestamps.

    \b
    Examples:
      mnemolog search "how are releases deployed"
      mnemolog search --type service --since 2026-10-01 deploy
      mnemolog search --explain deploy
    """
    if explain and as_json:
        raise click.UsageError("--explain is for people: it cannot be combined with --json.")
    filters = Filters(since, before, agent, types or None, min_priority)
    scope = Scope(filters, include_superseded=superseded, limit=limit, max_chars=0)
    with reporting_errors():
        memory = open_memory()
        if explain and (lines := memory.explain(query, scope, expand=expand)):
            _print(lines)
            return
        found = memory.search_nodes(query, scope, expand=expand)
    if as_json:
        print_json(found)
    else:
        _print(_lines(found))
        remark_on_problems(found.problems)


def _print(lines: tuple[str, ...]) -> None:
    for line in lines:
        click.echo(printable(line))


def _lines(found: SearchResults) -> tuple[str, ...]:
    hits = sorted(found.hits, key=lambda hit: hit.rank)
    with_hits = {hit.entity_name for hit in hits}
    others = [e for e in found.entities if e.name not in with_hits]
    if not hits and not others:
        meant = ", ".join(found.did_you_mean or ())
        return ("Nothing was found." + (f" Did you mean: {meant}?" if meant else ""),)
    entities = tuple(f"{entity.name} ({entity.entity_type})" for entity in others)
    return (*(_line(hit) for hit in hits), *entities)


def _line(hit: HitResult) -> str:
    told = [part for part in (hit.tags.added_at, hit.tags.agent) if part]
    if hit.superseded_at:
        told.append(f"no longer true since {hit.superseded_at}")
    return f"{hit.rank}. {hit.entity_name}: {hit.text}" + (f"  ({', '.join(told)})" if told else "")
