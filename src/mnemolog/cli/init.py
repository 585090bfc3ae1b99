"""`mnemolog init`: register the server with the clients that are in use, and undo that."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from textwrap import indent

import click

from mnemolog.cli.asking import is_terminal
from mnemolog.cli.opening import printable, reporting_errors
from mnemolog.cli.output import json_option, print_json
from mnemolog.clients.config_file import ConfigFile, new_config
from mnemolog.clients.evidence import clients_in_use
from mnemolog.clients.known import CLIENTS, COMMAND, Client
from mnemolog.clients.project import project_root, require_project
from mnemolog.clients.registration import Outcome, register, unregister
from mnemolog.clients.server_memory import OldServer, configured_servers, memories_of
from mnemolog.declarations import declared, described
from mnemolog.errors import ConfigLeftAlone
from mnemolog.store.location import home_folder, start_folder


@declared
class InitReport:
    """What init did, for other programs."""

    project: str = described("The folder whose configs were looked at")
    clients: tuple[Outcome, ...] = described("What happened to each client's config")
    memories: tuple[str, ...] = described("Files of server-memory that could be imported")


@click.command("init")
@click.option(
    "--client",
    "names",
    multiple=True,
    type=click.Choice([*CLIENTS]),
    help="Only this client, whether or not it is in use; can be repeated.",
)
@click.option("--print", "is_printing", is_flag=True, help="Print the configs, change nothing.")
@click.option("--remove", "is_removing", is_flag=True, help="Undo what init did.")
@json_option
def command(names: tuple[str, ...], *, is_printing: bool, is_removing: bool, as_json: bool) -> None:
    """Register mnemolog for this repository in the configs that your clients read.

    Without --client these are the clients that are in use, as files in the repository or in your
    home folder, or a command on the PATH, show. The rest of a config stays as it is, byte for
    byte. It asks before it imports a memory of server-memory that a config names, or replaces
    anything.

    Exits with 1 if a config had to be left alone, or no client was found.

    \b
    Examples:
      mnemolog init
      mnemolog init --client claude-code --client codex
      mnemolog init --remove
    """
    if is_printing and is_removing:
        raise click.UsageError("--print changes nothing, so there is nothing for --remove to do.")
    if is_printing and as_json:
        raise click.UsageError("--print shows the configs as they are written: leave --json away.")
    with reporting_errors():
        root, home = project_root(start_folder()), home_folder()
    if is_printing:
        _print_configs(_chosen(names, root, home) or tuple((c, "") for c in CLIENTS.values()))
        return
    if is_removing:
        outcomes = _remove(names, root, as_json=as_json)
    else:
        outcomes = _register(names, root, home, as_json=as_json)
    if any(outcome.change == "left alone" for outcome in outcomes):
        sys.exit(1)


def _named(names: Iterable[str]) -> tuple[Client, ...]:
    return tuple(CLIENTS[name] for name in dict.fromkeys(names or CLIENTS))


def _chosen(names: tuple[str, ...], root: Path, home: Path) -> tuple[tuple[Client, str], ...]:
    """Return the clients to register with, each with the sign that it is in use."""
    if names:
        return tuple((client, "") for client in _named(names))
    return clients_in_use(root, home)


def _print_configs(chosen: Iterable[tuple[Client, str]]) -> None:
    for client, _ in chosen:
        click.secho(f"{client.title}, {client.files[0]}:", bold=True)
        click.echo(new_config(client))


def _remove(names: tuple[str, ...], root: Path, *, as_json: bool) -> tuple[Outcome, ...]:
    outcomes = tuple(unregister(client, root) for client in _named(names))
    if as_json:
        print_json(InitReport(str(root), outcomes, ()))
        return outcomes
    changed = tuple(outcome for outcome in outcomes if outcome.change != "not registered")
    _print_outcomes(root, changed, {})
    if not changed:
        click.echo("  no config names mnemolog")
    return outcomes


def _register(
    names: tuple[str, ...], root: Path, home: Path, *, as_json: bool
) -> tuple[Outcome, ...]:
    with reporting_errors():
        require_project(root, home)
    chosen = _chosen(names, root, home)
    if not chosen:
        raise click.ClickException(
            "No client was found in use here. Name one: "
            + ", ".join(f"--client {name}" for name in CLIENTS)
        )
    outcomes = tuple(register(client, root) for client, _ in chosen)
    old = configured_servers(root, home)
    if as_json:
        found = tuple(str(path) for path in memories_of(old))
        print_json(InitReport(str(root), outcomes, found))
        return outcomes
    may_ask = is_terminal(sys.stdin) and is_terminal(sys.stdout)
    if may_ask:
        outcomes = tuple(_replaced_if_wanted(outcome, root) for outcome in outcomes)
    _print_outcomes(root, outcomes, {client.name: sign for client, sign in chosen})
    _offer_to_leave(old, root, may_ask=may_ask)
    if shutil.which(COMMAND) is None:
        click.echo(
            f"{COMMAND} is not on the PATH: install uv, https://docs.astral.sh/uv/", err=True
        )
    return outcomes


def _print_outcomes(root: Path, outcomes: Iterable[Outcome], signs: Mapping[str, str]) -> None:
    click.echo(printable(str(root)))
    for outcome in outcomes:
        sign = signs.get(outcome.client)
        because = f" ({sign})" if sign else ""
        said = f"{CLIENTS[outcome.client].title}, {outcome.file}{because}: {outcome.message}"
        click.echo(f"  {printable(said)}")
        if outcome.snippet:
            click.echo(indent(outcome.snippet, "    "))


def _replaced_if_wanted(outcome: Outcome, root: Path) -> Outcome:
    client = CLIENTS[outcome.client]
    question = f"{client.title}, {outcome.file}: {outcome.message}. Replace it?"
    if outcome.change == "kept" and click.confirm(question, default=False):
        return register(client, root, replace=True)
    return outcome


def _offer_to_leave(old: Iterable[OldServer], root: Path, *, may_ask: bool) -> None:
    """Offer to bring along what server-memory has, and to take its entries out."""
    for path in memories_of(old):
        _offer_import(path, may_ask=may_ask)
    for server in old:
        _offer_removal(server, root, may_ask=may_ask)


def _offer_import(path: Path, *, may_ask: bool) -> None:
    shown = printable(str(path))
    if may_ask and click.confirm(f"server-memory keeps {shown}. Import it?", default=True):
        from mnemolog.cli.import_command import command as import_  # noqa: PLC0415 - when wanted

        import_.main([str(path), "--yes"], standalone_mode=False)
    else:
        command = f"mnemolog import {shlex.quote(str(path))}"
        click.echo(f"  server-memory keeps a memory; to bring it along: {printable(command)}")


def _offer_removal(server: OldServer, root: Path, *, may_ask: bool) -> None:
    """Say that two servers would offer the same tools, and take the old one out if wanted."""
    entry = server.entry
    both = (
        f"{entry.client.title} also starts server-memory, as {entry}: "
        "agents would see each tool twice"
    )
    if not entry.is_in_project or not may_ask:
        click.echo(f"  {printable(both)}. Take that entry out once you need it no longer.")
    elif click.confirm(f"{printable(both)}. Take that entry out?", default=False):
        try:
            config = ConfigFile.of(entry.client, root, str(entry.config.relative_to(root)))
            config.remove(entry.name)
            click.echo(f"  {entry.name} is taken out of {printable(str(entry.config))}")
        except ConfigLeftAlone as problem:
            click.echo(f"  {printable(f'{entry.config} is left alone: {problem}')}")
