"""How the commands print: the same declarations as the tools' results, as JSON or for people."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, Final

import click

from mnemolog.cli.opening import printable
from mnemolog.declarations import to_wire
from mnemolog.filters import DEFAULT_PRIORITY
from mnemolog.records import ObservationTags, Tags
from mnemolog.results import FactWarning, Problem, Resembling

json_option: Final[Callable[[Any], Any]] = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON, for other programs."
)
"""What every command takes that prints data."""


def print_json(value: object) -> None:
    """Print a declaration, or a tuple of them, as JSON; a terminal can show it safely."""
    text = json.dumps(to_wire(value), indent=2, ensure_ascii=False)
    click.echo("\n".join(map(_escaped, text.split("\n"))))


def _escaped(line: str) -> str:
    if printable(line) == line:
        return line
    # In JSON only strings can hold such characters, and there these escapes mean the same.
    return "".join(c if printable(c) == c else json.dumps(c)[1:-1] for c in line)


_MOST_REMARKS: Final = 20


def remark(text: str) -> None:
    """Print a sentence that belongs beside the answer, on stderr."""
    click.secho(printable(text), err=True, fg="yellow")


def remark_on_problems(problems: Iterable[Problem] | None) -> None:
    """Say which lines of the file are not in the answer."""
    found = tuple(problems or ())
    for problem in found[:_MOST_REMARKS]:
        remark(f"Line {problem.line} is kept, but not read: {problem.reason}.")
    if len(found) > _MOST_REMARKS:
        remark(f"{len(found) - _MOST_REMARKS:,} more lines are not read; 'mnemolog doctor' helps.")


def remark_on_write(result: Any) -> None:  # noqa: ANN401 - the result of any write
    """Say what should be looked at after a write: its warnings, and what it did beside its task."""
    warnings: tuple[FactWarning, ...] = getattr(result, "warnings", None) or ()
    retired: tuple[Resembling, ...] = getattr(result, "superseded", None) or ()
    missing: tuple[str, ...] = getattr(result, "missing_sources", None) or ()
    for warning in warnings:
        remark(f"Warning ({warning.kind}): {warning.message}")
    if isinstance(retired, tuple):
        for old in retired:
            remark(f"No longer true: {old.entity_name}: {old.text}")
    for text in missing:
        remark(f"No observation says {text!r}, which was given as a source.")
    if notice := getattr(result, "notice", None):
        remark(notice)


def minute(at: str | None) -> str:
    """Return a date of a tag for people: to the minute, as its writer's clock had it."""
    return at[:16].replace("T", " ") if at else "undated"


def day(at: str | None) -> str:
    """Return the day of a date of a tag."""
    return at[:10] if at else "undated"


def said(tags: Tags) -> str:
    """Return when a fact was said and by whom, and what it is worth if that is unusual."""
    parts = [day(tags.added_at), tags.agent or "unknown"]
    if isinstance(tags, ObservationTags):
        if tags.edited_at:
            parts.append(f"edited {day(tags.edited_at)} by {tags.edited_by or 'unknown'}")
        if tags.priority not in {None, DEFAULT_PRIORITY}:
            parts.append(f"{tags.priority} priority")
    return ", ".join(parts)
