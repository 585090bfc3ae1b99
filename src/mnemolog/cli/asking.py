"""Questions before something is taken away."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final, TextIO

import click

from mnemolog.cli.opening import printable

yes_option: Final[Callable[[Any], Any]] = click.option(
    "--yes", is_flag=True, help="Don't ask; needed where there is no terminal."
)


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a person sits at a standard stream; Python has None for one that is closed."""
    return stream is not None and stream.isatty()


def require_yes(question: str, *, yes: bool) -> None:
    """Return if the person agrees.

    Raises:
        ClickException: They don't, or there is nobody to ask.
    """
    if yes:
        return
    if not is_terminal(sys.stdin):
        raise click.ClickException(
            f"{printable(question)} There is no terminal to ask on, so nothing was changed: add "
            "--yes if that is what you want."
        )
    if not click.confirm(printable(question), err=True):
        raise click.ClickException("Nothing was changed.")
