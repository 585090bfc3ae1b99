"""The options by which commands choose facts: those of the tools that read."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final, get_args

import click

from mnemolog.errors import InvalidRequest
from mnemolog.filters import read_moment
from mnemolog.records import Priority

PRIORITIES: Final = get_args(Priority)


def _moment(
    context: click.Context,  # noqa: ARG001 - click's signature
    parameter: click.Parameter,
    text: str | None,
) -> datetime | None:
    try:
        return read_moment(f"--{parameter.name}", text)
    except InvalidRequest as error:
        raise click.BadParameter(str(error)) from error


since_option: Final[Callable[[Any], Any]] = click.option(
    "--since", metavar="DATE", callback=_moment, help="Only what changed then or later."
)
before_option: Final[Callable[[Any], Any]] = click.option(
    "--before", metavar="DATE", callback=_moment, help="Only what changed earlier."
)
agent_option: Final[Callable[[Any], Any]] = click.option(
    "--agent", help="Only what this agent said or changed last."
)
type_option: Final[Callable[[Any], Any]] = click.option(
    "--type", "types", multiple=True, help="Only entities of this type; can be given again."
)
min_priority_option: Final[Callable[[Any], Any]] = click.option(
    "--min-priority", type=click.Choice(PRIORITIES), help="Only facts worth this or more."
)


def fact_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options since, before, agent, types and min_priority."""
    for option in (min_priority_option, type_option, agent_option, before_option, since_option):
        command = option(command)
    return command
