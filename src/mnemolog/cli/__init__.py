"""The mnemolog command: serve, and look after memory without an agent. One verb, one module."""

from __future__ import annotations

import click

from mnemolog import __version__
from mnemolog.cli.compact import compact
from mnemolog.cli.demo import demo
from mnemolog.cli.import_file import import_file
from mnemolog.cli.search import search
from mnemolog.cli.serve import serve
from mnemolog.cli.where import where

__all__ = ["main"]


@click.group(invoke_without_command=True)
@click.version_option(__version__, prog_name="mnemolog")
@click.pass_context
def main(context: click.Context) -> None:
    """Serve this repository's memory over MCP on stdin and stdout; that is what clients start.

    The memory is the file .agents/memory.local.jsonl at the repository's root, unless
    MEMORY_FILE_PATH names another one. MEMORY_AGENT is the name that new facts are tagged with,
    instead of the client's own.
    """
    if context.invoked_subcommand is None:
        serve()


for command in (where, search, compact, import_file, demo):
    main.add_command(command)
