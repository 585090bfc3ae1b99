"""What the commands share: the memory of the folder they are called in, and errors as one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from mnemolog.errors import MnemologError
from mnemolog.memory import Memory
from mnemolog.store.location import Settings

COMMAND_LINE = "cli"
"""The agent that facts are tagged with when a person saves them from the command line."""


@contextmanager
def reporting_errors() -> Iterator[None]:
    """Turn what mnemolog refuses into a line on stderr and the exit code 1."""
    try:
        yield
    except MnemologError as error:
        raise click.ClickException(str(error)) from error


def open_memory() -> Memory:
    """Return the memory that the environment and the current folder lead to.

    Raises:
        LocationRefused: No memory may be kept there.
    """
    return Memory.open(Settings.from_environment(), Path.cwd())
