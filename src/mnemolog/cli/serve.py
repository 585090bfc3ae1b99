"""No argument: serve on stdio."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from mnemolog.cli.asking import is_terminal
from mnemolog.cli.opening import reporting_errors
from mnemolog.errors import LocationRefused
from mnemolog.server import run
from mnemolog.store.location import Settings, home_folder, locate, start_folder


def serve() -> None:
    """Serve one client on stdin and stdout, until it closes them."""
    settings = Settings.from_environment()
    with reporting_errors():
        start = start_folder()
    if is_terminal(sys.stdin):
        click.echo(_for_a_person(settings, start), err=True)
    run(settings, start)


def _for_a_person(settings: Settings, start: Path) -> str:
    try:
        served = f"serving {locate(settings, start, home_folder()).path}"
    except LocationRefused as refusal:
        served = str(refusal)
    return (
        f"mnemolog: {served}\n"
        "It waits for an MCP client on stdin; press Ctrl-D or Ctrl-C to stop. "
        "'mnemolog --help' lists the commands for people."
    )
