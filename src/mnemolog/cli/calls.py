"""Calls of the log, as lines for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

import click

from mnemolog.cli.opening import printable
from mnemolog.history.changes import Change, ChangeKind
from mnemolog.subjects import in_words
from mnemolog.text import counted

MOST_CHANGES: Final = 20
"""How many changes of a call are printed unasked."""

_COLOURS: Final = {"+": "green", "~": "yellow", "-": "red"}


def change_lines(changes: Sequence[Change], most: int | None) -> Iterator[str]:
    """Yield a line for each change, indented, up to the most that are wanted."""
    for change in changes[:most]:
        sign, describe = _SHAPES[change.kind]
        yield f"  {click.style(sign, fg=_COLOURS[sign])} {printable(describe(change))}"
    if most is not None and len(changes) > most:
        yield f"  ... and {counted(len(changes) - most, 'more change')}"


def _entity(change: Change) -> str:
    return f"{change.entity_name} ({change.entity_type})"


def _observation(change: Change) -> str:
    return f"{change.entity_name}: {change.text}"


def _added(change: Change) -> str:
    worth = f"  ({change.priority} priority)" if change.priority else ""
    return _observation(change) + worth


def _edited(change: Change) -> str:
    if change.old is None:
        return f"{_observation(change)}  (said again)"
    worth = f"{change.priority} priority, " if change.priority else ""
    return f"{_observation(change)}  ({worth}was: {change.old})"


def _superseded(change: Change) -> str:
    now = f"now: {change.replaced_by}" if change.replaced_by else "no longer true"
    return f"{_observation(change)}  ({now})"


def _relation(change: Change) -> str:
    return in_words(change.relation.key) if change.relation else ""


def _restored(change: Change) -> str:
    if change.relation is not None:
        what = _relation(change)
    else:
        what = _entity(change) if change.text is None else _observation(change)
    return f"{what}  (brought back)"


_SHAPES: Final[Mapping[ChangeKind, tuple[str, Callable[[Change], str]]]] = {
    "created": ("+", _entity),
    "added": ("+", _added),
    "related": ("+", _relation),
    "restored": ("+", _restored),
    "revived": ("+", lambda change: f"{_observation(change)}  (true again)"),
    "retyped": ("~", lambda change: f"{_entity(change)}  (was: {change.old})"),
    "renamed": ("~", lambda change: f"{change.entity_name}  (renamed; was: {change.old})"),
    "merged": ("~", lambda change: f"{change.entity_name}  (took in: {change.old})"),
    "edited": ("~", _edited),
    "superseded": ("-", _superseded),
    "removed": ("-", lambda change: f"{_observation(change)}  (deleted)"),
    "unrelated": ("-", lambda change: f"{_relation(change)}  (deleted)"),
    "deleted": ("-", lambda change: f"{_entity(change)}  (deleted)"),
}
"""The sign and the words for each kind of change."""
