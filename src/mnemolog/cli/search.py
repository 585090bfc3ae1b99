"""`mnemolog search`: what an agent would find, and why."""

from __future__ import annotations

import click

from mnemolog.cli.opening import open_memory, printable, reporting_errors
from mnemolog.excerpts import Scope
from mnemolog.results import HitResult, SearchResults


@click.command("search")
@click.argument("query")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(min=1), help="Hits.")
@click.option("--expand", is_flag=True, help="Also follow relations and mentions.")
@click.option("--explain", is_flag=True, help="Print each factor of every score in words.")
def command(query: str, limit: int, *, expand: bool, explain: bool) -> None:
    r"""Print the facts that answer QUERY, best first.

    \b
    Examples:
      mnemolog search "how are releases deployed"
      mnemolog search --explain deploy
    """
    scope = Scope(limit=limit, max_chars=0)
    with reporting_errors():
        memory = open_memory()
        if explain:
            lines = memory.explain(query, scope, expand=expand)
        else:
            lines = _lines(memory.search_nodes(query, scope, expand=expand))
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
    said = ", ".join(part for part in (hit.tags.added_at, hit.tags.agent) if part)
    return f"{hit.rank}. {hit.entity_name}: {hit.text}" + (f"  ({said})" if said else "")
