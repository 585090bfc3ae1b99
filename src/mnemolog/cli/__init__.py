"""The mnemolog command: serve, and look after memory without an agent. One verb, one module."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Mapping
from importlib import import_module
from io import TextIOWrapper
from typing import Any, Final

import click

from mnemolog import __version__

__all__ = ["main"]

_COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "Set up": ("init", "demo", "where", "doctor"),
    "Look": ("search", "show", "list", "log", "stats", "recall"),
    "Change": ("add", "edit", "supersede", "delete", "undo"),
    "Move": ("import", "export", "taxonomy"),
    "Keep": ("compact", "backup", "restore"),
}
"""The commands, as the help lists them. Each is `command` in the module of its name."""

_MODULES: Final[Mapping[str, str]] = {
    "import": "import_command",
    "list": "list_command",
}
"""The modules of commands whose names mean something else in Python."""


class _Commands(click.Group):
    """The commands, each imported when it is called: clients wait for the server to start."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names in the order in which the help lists them."""
        return [name for names in _COMMANDS.values() for name in names]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name, imported now."""
        if cmd_name not in self.list_commands(ctx):
            return None
        module = import_module(f"mnemolog.cli.{_MODULES.get(cmd_name, cmd_name)}")
        command: click.Command = module.command
        return command

    def invoke(self, ctx: click.Context) -> Any:  # noqa: ANN401 - click's signature
        """Carry out a command; where its answer finds no room, say that in a line."""
        try:
            return super().invoke(ctx)
        except OSError as problem:
            # A pipe that nobody reads any more is no fault: click ends quietly. What could not be
            # opened has a name; what was open already is our answer.
            if problem.errno == errno.EPIPE or problem.filename is not None:
                raise
            # At exit Python would write what is left, and say that it cannot.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise click.ClickException(
                f"The answer cannot be written ({problem.strerror}). What was saved is saved."
            ) from problem

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what each command is for, a section for each kind."""
        for title, names in _COMMANDS.items():
            with formatter.section(title):
                formatter.write_dl([(name, self._purpose(ctx, name)) for name in names])

    def _purpose(self, ctx: click.Context, name: str) -> str:
        command = self.get_command(ctx, name)
        return command.get_short_help_str(limit=120) if command else ""


@click.group(cls=_Commands, invoke_without_command=True)
@click.version_option(__version__, prog_name="mnemolog")
@click.pass_context
def main(context: click.Context) -> None:
    """Serve this repository's memory over MCP on stdin and stdout; that is what clients start.

    The memory is the file .agents/memory.local.jsonl at the repository's root, unless
    MEMORY_FILE_PATH names another one. MEMORY_AGENT is the name that new facts are tagged with,
    instead of the client's own.
    """
    _let_any_character_out()
    if context.invoked_subcommand is None:
        from mnemolog.cli.serve import serve  # noqa: PLC0415 - the other commands need no server

        serve()


def _let_any_character_out() -> None:
    """Give files and pipes UTF-8, and a terminal what its encoding has, the rest escaped.

    Elsewhere than here the locale decides, and a name that it does not have ends a command.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        encoding = None if sys.stdout.isatty() else "utf-8"
        sys.stdout.reconfigure(encoding=encoding, errors="backslashreplace")
