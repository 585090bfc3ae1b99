"""`mnemolog add`: save facts, a new entity, or a relation."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from mnemolog.cli.choosing import entity_names, not_found, quoted
from mnemolog.cli.filtering import PRIORITIES
from mnemolog.cli.opening import open_memory, person, printable, reporting_errors
from mnemolog.cli.output import json_option, print_json, remark, remark_on_write
from mnemolog.declarations import declared, described
from mnemolog.records import Priority
from mnemolog.requests import NewEntity, NewObservations, OnConflict, RelationTriple
from mnemolog.results import AddedObservations, CreatedEntities, CreatedRelations, GraphResult
from mnemolog.subjects import in_words

if TYPE_CHECKING:
    from mnemolog.memory import Memory


@declared
class Added:
    """What `add` did: the results of the tools that do the same."""

    created: CreatedEntities | None = described("The new entity, if it is one", default=None)
    added: AddedObservations | None = described("Facts of one that was there", default=None)
    related: CreatedRelations | None = described("Its new relations", default=None)


@click.command("add")
@click.argument("entity", shell_complete=entity_names)
@click.argument("texts", metavar="[TEXT]...", nargs=-1)
@click.option("--type", "entity_type", help="Create the entity, with this type.")
@click.option("--priority", type=click.Choice(PRIORITIES), help="How much the facts are worth.")
@click.option(
    "--source", "sources", multiple=True, help="A fact that these derive from; can be given again."
)
@click.option("--supersede", is_flag=True, help="Retire the facts that these contradict.")
@click.option(
    "--relation",
    "relations",
    metavar="TYPE TARGET",
    nargs=2,
    multiple=True,
    help="Relate the entity to another one; can be given again.",
)
@json_option
def command(
    *,
    entity: str,
    texts: tuple[str, ...],
    entity_type: str | None,
    priority: Priority | None,
    sources: tuple[str, ...],
    relations: tuple[tuple[str, str], ...],
    supersede: bool,
    as_json: bool,
) -> None:
    """Save each TEXT as a fact about ENTITY; `-` reads facts from stdin, one a line.

    An entity that does not exist is created if you say its type, so that a misspelt name does not
    become one. Facts and relations are saved as two calls, which undo takes back one by one. What
    is there already is no error, and keeps its priority and sources. Exits with 1 if anything
    cannot be saved.

    \b
    Examples:
      mnemolog add api "Runs on port 8080"
      mnemolog add api "Never deploy on Fridays" --type service --priority high
      mnemolog add api --relation depends_on database
      cat facts.txt | mnemolog add api -
    """
    said = _with_stdin(texts)
    if not said and entity_type is None and not relations:
        raise click.UsageError("There is nothing to add: give a TEXT, --type or --relation.")
    on_conflict: OnConflict = "supersede" if supersede else "warn"
    facts = NewObservations(entity, said, priority, sources or None, on_conflict)
    triples = [RelationTriple(entity, target, kind) for kind, target in relations]
    with reporting_errors():
        memory = open_memory()
        graph = memory.read_graph()
        names = {found.name for found in graph.entities}
        _refuse_unknown_ends(graph, {*names, entity}, triples)
        created = added = related = None
        if entity not in names:
            created = _create(memory, graph, facts, entity_type)
        else:
            _remark_on_type(graph, entity, entity_type)
            added = memory.add_observations([facts], person()) if said else None
            if added:
                _remark_on_priority(facts, added)
        related = memory.create_relations(triples, person()) if triples else None
    if as_json:
        print_json(Added(created, added, related))
    else:
        _print(created, added, related)


def _with_stdin(texts: Iterable[str]) -> tuple[str, ...]:
    said: list[str] = []
    for text in texts:
        if text == "-":
            if sys.stdin is None:  # closed by whoever started us
                raise click.UsageError("There is no stdin to read facts from.")
            # A byte that is not UTF-8 becomes half of a character, which the save refuses by name.
            piped = sys.stdin.buffer.read().decode("utf-8-sig", "surrogateescape")
            said += (line.strip() for line in piped.split("\n") if line.strip())
        else:
            said.append(text)
    return tuple(said)


def _refuse_unknown_ends(
    graph: GraphResult, names: set[str], triples: Iterable[RelationTriple]
) -> None:
    """Refuse before anything is saved, so that a call is not done by half."""
    for triple in triples:
        if triple.target not in names:
            reason = not_found(graph, triple.target)
            raise click.ClickException(
                printable(f"{reason} Nothing was saved: add it first, with its --type.")
            )


def _create(
    memory: Memory, graph: GraphResult, facts: NewObservations, entity_type: str | None
) -> CreatedEntities:
    name, texts = facts.entity_name, facts.contents
    if entity_type is None:
        raise click.ClickException(
            printable(f"{not_found(graph, name)} To create it, say what it is with --type.")
        )
    new = NewEntity(name, entity_type, texts, facts.priority, facts.sources, facts.on_conflict)
    return memory.create_entities([new], person())


def _remark_on_type(graph: GraphResult, name: str, entity_type: str | None) -> None:
    known = next(found.entity_type for found in graph.entities if found.name == name)
    if entity_type not in {None, known}:
        remark(f"{quoted(name)} is there already, and stays of the type {quoted(known)}.")


def _remark_on_priority(facts: NewObservations, added: AddedObservations) -> None:
    new = sum(len(addition.added_observations) for addition in added.results)
    if facts.priority is not None and new < len(set(facts.contents)):
        remark("What was there already keeps its priority: 'mnemolog edit' changes it.")


def _print(
    created: CreatedEntities | None,
    added: AddedObservations | None,
    related: CreatedRelations | None,
) -> None:
    for entity in created.entities if created else ():
        click.echo(printable(f"Created {entity.name} ({entity.entity_type})."))
        for text in entity.observations:
            click.echo(printable(f"Added to {entity.name}: {text}"))
    for addition in added.results if added else ():
        for text in addition.added_observations:
            click.echo(printable(f"Added to {addition.entity_name}: {text}"))
        if not addition.added_observations:
            click.echo(printable(f"{addition.entity_name} has these facts already."))
    for relation in related.relations if related else ():
        click.echo(printable(f"Related: {in_words(relation.key)}"))
    for left in (related.skipped or ()) if related else ():
        click.echo(printable(f"{in_words(left.relation.key)}: {left.reason}"))
    for result in (created, added, related):
        remark_on_write(result)
