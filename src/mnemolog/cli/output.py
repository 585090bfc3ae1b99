"""How the commands print: the same declarations as the tools' results, as JSON or for people."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

import click

from mnemolog.declarations import to_wire

json_option: Final[Callable[[Any], Any]] = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON, for other programs."
)
"""What every command takes that prints data."""


def print_json(value: object) -> None:
    """Print a declaration, or a tuple of them, as JSON."""
    click.echo(json.dumps(to_wire(value), indent=2, ensure_ascii=False))
