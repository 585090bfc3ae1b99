"""Which entity and which observation a person means: exact, and never a guess between two."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

import click

from mnemolog.answers.excerpts import Scope
from mnemolog.cli.opening import open_memory, printable
from mnemolog.errors import MnemologError
from mnemolog.results import EntityResult, GraphResult
from mnemolog.text import fold

_MOST: Final = 5
"""How many names, or observations, are offered."""
_SHOWN: Final = 100
"""How much of an observation is shown when several are offered."""


def entity_named(graph: GraphResult, name: str) -> EntityResult:
    """Return the entity of exactly this name.

    Raises:
        ClickException: There is none; it names those that are near.
    """
    for entity in graph.entities:
        if entity.name == name:
            return entity
    raise click.ClickException(printable(not_found(graph, name)))


def not_found(graph: GraphResult, name: str) -> str:
    """Return a sentence that says that there is no such entity, and which ones are near."""
    near = near_names([entity.name for entity in graph.entities], name)
    meant = f" Did you mean {' or '.join(map(quoted, near))}?" if near else ""
    return f"No entity is named {quoted(name)}.{meant}"


def near_names(names: Sequence[str], wanted: str) -> list[str]:
    """Return the names that a person may have meant, best first."""
    by_fold: dict[str, str] = {}
    for name in names:
        by_fold.setdefault(fold(name), name)
    asked = fold(wanted.strip())
    alike = get_close_matches(asked, by_fold, _MOST)
    within = [name for name in by_fold if asked and (asked in name or name in asked)]
    found = dict.fromkeys((*alike, *sorted(within, key=len)))
    return [by_fold[name] for name in found][:_MOST]


def observation_chosen(entity: EntityResult, which: str) -> str:
    """Return the observation that is meant by its text, its number in `show`, or how it begins.

    What the entity shows as superseded can be meant too, but has no number.

    Raises:
        ClickException: None is meant, or several.
    """
    current = entity.observations
    texts = (*current, *(old.text for old in entity.superseded or ()))
    if which in texts:
        return which
    # Python reads no number of thousands of digits, which a text may well be.
    is_number = which.isdecimal() and len(which) <= len(str(len(current)))
    if is_number and 1 <= int(which) <= len(current):
        return current[int(which) - 1]
    start = fold(which)
    begin = [text for text in texts if start and fold(text).startswith(start)]
    if len(begin) == 1:
        return begin[0]
    raise click.ClickException(_unclear(entity, which, begin))


def _unclear(entity: EntityResult, which: str, begin: Sequence[str]) -> str:
    name = printable(quoted(entity.name))
    if not begin:
        numbers = f"1 to {len(entity.observations)}" if entity.observations else "none"
        return (
            f"{name} has no observation that is or begins with {printable(quoted(which))}, and its "
            f"numbers are {numbers}. 'mnemolog show' lists them."
        )
    listed = "".join(f"\n  {printable(_numbered(entity, text))}" for text in begin[:_MOST])
    more = f"\n  and {len(begin) - _MOST} more" if len(begin) > _MOST else ""
    return (
        f"{len(begin)} observations of {name} begin with {printable(quoted(which))}; give more of "
        f"the text, or the number:{listed}{more}"
    )


def _numbered(entity: EntityResult, text: str) -> str:
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    if text in entity.observations:
        return f"{entity.observations.index(text) + 1}. {shown}"
    return f"(superseded) {shown}"


def quoted(text: str) -> str:
    """Return the text in quotation marks."""
    return f'"{text}"'


def entity_names(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001 - click's signature
    """Return the names that a shell can complete a word to; none if anything is wrong."""
    try:
        entities = open_memory().read_graph(Scope(names_only=True, max_chars=0)).entities
    except (MnemologError, OSError):
        return []
    names = (entity.name for entity in entities)
    return sorted(n for n in names if n.startswith(incomplete) and printable(n) == n)
