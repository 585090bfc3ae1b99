"""No argument: serve on stdio."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from mnemolog.errors import LocationRefused
from mnemolog.server import run
from mnemolog.store.location import Settings, locate


def serve() -> None:
    """Serve one client on stdin and stdout, until it closes them."""
    settings, start = Settings.from_environment(), Path.cwd()
    if sys.stdin.isatty():
        click.echo(_for_a_person(settings, start), err=True)
    run(settings, start)


def _for_a_person(settings: Settings, start: Path) -> str:
    try:
        served = f"serving {locate(settings, start, Path.home()).path}"
    except LocationRefused as refusal:
        served = str(refusal)
    return (
        f"mnemolog: {served}\n"
        "It waits for an MCP client on stdin; press Ctrl-D or Ctrl-C to stop. "
        "'mnemolog --help' lists the commands for people."
    )
