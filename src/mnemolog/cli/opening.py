"""What the commands share: the memory of the folder they are called in, and errors as one line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from mnemolog.errors import InvalidRequest, MnemologError, OtherRepository
from mnemolog.store.location import Settings, start_folder
from mnemolog.text import UNSEEN

if TYPE_CHECKING:
    from mnemolog.memory import Memory

_BY_HAND: Final = (
    "Without an agent: move the file away, and the memory starts empty; then 'mnemolog import "
    "FILE' brings its facts along."
)

COMMAND_LINE: Final = "cli"
"""The agent that facts are tagged with when a person saves them from the command line."""


@contextmanager
def reporting_errors() -> Iterator[None]:
    """Turn what mnemolog refuses into a line on stderr and the exit code 1."""
    try:
        yield
    except OtherRepository as error:
        raise click.ClickException(printable(f"{error} {_BY_HAND}")) from error
    except MnemologError as error:
        raise click.ClickException(printable(str(error))) from error


def printable(text: str) -> str:
    """Return the text with whatever could steer a terminal, or hide in it, shown escaped."""
    return UNSEEN.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def person() -> str:
    """Return the agent that a person's facts are tagged with: MEMORY_AGENT, or `cli`."""
    return Settings.from_environment().agent or COMMAND_LINE


def open_memory() -> Memory:
    """Return the memory that the environment and the current folder lead to.

    Raises:
        LocationRefused: No memory may be kept there, or the folder is gone.
    """
    from mnemolog.memory import Memory  # noqa: PLC0415 - the server lists its tools without it

    return Memory.open(Settings.from_environment(), start_folder())


def named_path(path: str) -> Path:
    """Return the file, or the folder that is there, that a person names to write to.

    Raises:
        InvalidRequest: It ends with a slash, and no such folder is there.
    """
    named = Path(path).expanduser()
    # A path drops the slash at its end, by which people say that they mean a folder.
    if path.endswith(("/", os.sep)) and not named.is_dir():
        raise InvalidRequest(f"There is no folder {named}. Create it, or name another.")
    return named
