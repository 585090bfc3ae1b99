"""`mnemolog delete`: remove what should never have been saved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from mnemolog.answers.excerpts import Scope
from mnemolog.cli.asking import require_yes, yes_option
from mnemolog.cli.choosing import entity_named, entity_names, observation_chosen
from mnemolog.cli.opening import open_memory, person, printable, reporting_errors
from mnemolog.cli.output import json_option, print_json, remark_on_write
from mnemolog.requests import ObservationDeletion, RelationTriple
from mnemolog.results import (
    DeletedEntities,
    DeletedObservations,
    DeletedRelations,
    EntityObservations,
    GraphResult,
)
from mnemolog.subjects import in_words
from mnemolog.text import counted

if TYPE_CHECKING:
    from mnemolog.memory import Memory


@click.command("delete")
@click.argument("entity", shell_complete=entity_names)
@click.argument("which", nargs=-1)
@click.option(
    "--relation",
    "relations",
    metavar="TYPE TARGET",
    nargs=2,
    multiple=True,
    help="Delete only this relation of the entity; can be given again.",
)
@yes_option
@json_option
def command(
    entity: str,
    which: tuple[str, ...],
    relations: tuple[tuple[str, str], ...],
    *,
    yes: bool,
    as_json: bool,
) -> None:
    """Delete the facts WHICH of ENTITY; without any, the entity with all facts and relations.

    It asks first. Each WHICH is a fact's exact text, its number in 'mnemolog show', or its
    beginning, if no other fact begins so; a superseded one goes by its text. What was true and no
    longer is should be superseded instead, which keeps the history. The text stays readable in the
    file until 'mnemolog compact', and until then 'mnemolog undo' brings it back.

    \b
    Examples:
      mnemolog delete api 3
      mnemolog delete api
      mnemolog delete api --relation depends_on database
    """
    if which and relations:
        raise click.UsageError("Delete facts or relations, one after the other.")
    with reporting_errors():
        memory = open_memory()
        graph = memory.read_graph(Scope(include_superseded=True, max_chars=0))
        result: DeletedEntities | DeletedObservations | DeletedRelations
        if relations:
            result = _delete_relations(memory, graph, entity, relations, yes=yes)
        elif which:
            result = _delete_observations(memory, graph, entity, which, yes=yes)
        else:
            result = _delete_entity(memory, graph, entity, yes=yes)
    if as_json:
        print_json(result)
        return
    for line in _lines(result):
        click.echo(printable(line))
    remark_on_write(result)


def _lines(result: DeletedEntities | DeletedObservations | DeletedRelations) -> Iterator[str]:
    for gone in result.deleted:
        match gone:
            case EntityObservations():
                yield from (f"Deleted of {gone.entity_name}: {text}" for text in gone.observations)
            case RelationTriple():
                yield f"Deleted: {in_words(gone.key)}"
            case _:
                yield f"Deleted: {gone}"
    yield f"{result.message.rstrip('.')}."


def _delete_entity(memory: Memory, graph: GraphResult, name: str, *, yes: bool) -> DeletedEntities:
    entity = entity_named(graph, name)
    touching = sum(name in {r.source, r.target} for r in graph.relations)
    require_yes(
        f"Delete {name} ({entity.entity_type}), its "
        f"{counted(len(entity.observations) + len(entity.superseded or ()), 'observation')} and "
        f"{counted(touching, 'relation')}?",
        yes=yes,
    )
    return memory.delete_entities([name], person())


def _delete_observations(
    memory: Memory, graph: GraphResult, name: str, which: Sequence[str], *, yes: bool
) -> DeletedObservations:
    if set(which) <= set(memory.upkeep.texts_ever(name)):
        texts = tuple(dict.fromkeys(which))
    else:
        entity = entity_named(graph, name)
        texts = tuple(dict.fromkeys(observation_chosen(entity, word) for word in which))
    listed = " and ".join(f'"{text}"' for text in texts)
    require_yes(f"Delete of {name}: {listed}?", yes=yes)
    return memory.delete_observations([ObservationDeletion(name, texts)], person())


def _delete_relations(
    memory: Memory,
    graph: GraphResult,
    name: str,
    relations: Sequence[tuple[str, str]],
    *,
    yes: bool,
) -> DeletedRelations:
    triples = [RelationTriple(name, target, kind) for kind, target in relations]
    known = {relation.key for relation in graph.relations}
    for triple in triples:
        if triple.key not in known:
            raise click.ClickException(
                printable(
                    f"There is no relation {in_words(triple.key)}. 'mnemolog show' lists the "
                    "relations of an entity."
                )
            )
    require_yes(f"Delete {' and '.join(in_words(t.key) for t in triples)}?", yes=yes)
    return memory.delete_relations(triples, person())
