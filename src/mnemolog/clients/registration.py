"""What `mnemolog init` does to one client's config, and what it says about it."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Literal, TypeAlias

from mnemolog.clients.config_file import ConfigFile, new_config, refused_by
from mnemolog.clients.entries import Entry
from mnemolog.clients.known import SERVER, Client
from mnemolog.declarations import declared, described
from mnemolog.errors import ConfigLeftAlone

Change: TypeAlias = Literal[
    "registered",
    "already registered",
    "replaced",
    "kept",
    "removed",
    "not registered",
    "left alone",
]


@declared
class Outcome:
    """What happened to one client's config."""

    client: str = described("The client's name, as --client takes it")
    file: str = described("The config, relative to the project's root")
    change: Change = described(
        "What was done. kept: there is an entry of this name with settings of its own. left "
        "alone: the config could not be changed, and the message says why"
    )
    message: str = described("The same as a sentence, with the reason and what to do next")
    snippet: str | None = described("What to put into the config by hand", default=None)


def register(client: Client, root: Path, *, replace: bool = False) -> Outcome:
    """Return how the client's config in a project came to name mnemolog.

    An entry of this name with other settings stays, unless `replace` says otherwise.
    """
    outcome = _registered(client, root, replace=replace)
    if outcome.change == "left alone":
        return outcome
    if refused := refused_by(client, ConfigFile.of(client, root).text or ""):
        message = f"{outcome.message}. But {refused}: take them out, or it starts no server"
        return dataclasses.replace(outcome, message=message)
    return outcome


def _registered(client: Client, root: Path, *, replace: bool) -> Outcome:
    name = client.files[0]
    try:
        config = ConfigFile.of(client, root)
        name = config.name
        present = config.servers.get(SERVER)
        if present == client.entry:
            return Outcome(client.name, name, "already registered", "already registered")
        if present is None and (other := _other(config)):
            idle = ", but switched off" if other.is_off else ""
            message = f"already registered, as {other.name!r}{idle}"
            return Outcome(client.name, name, "already registered", message)
        if present is None:
            config.add()
            return Outcome(client.name, name, "registered", f"registered; {client.afterwards}")
        if not replace:
            return Outcome(client.name, name, "kept", _about(config))
        config.replace()
    except ConfigLeftAlone as problem:
        message = f"left alone: {problem}. Once that is mended call init again, or add this to it"
        return Outcome(client.name, name, "left alone", message, new_config(client))
    return Outcome(client.name, name, "replaced", f"replaced; {client.afterwards}")


def _entries(config: ConfigFile) -> dict[str, Entry]:
    return {
        name: Entry(config.client, config.path, name, settings, is_in_project=True)
        for name, settings in config.servers.items()
    }


def _other(config: ConfigFile) -> Entry | None:
    """Return the entry with which a config starts mnemolog under another name."""
    return next((entry for entry in _entries(config).values() if entry.runs_mnemolog), None)


def _about(config: ConfigFile) -> str:
    entry = _entries(config)[SERVER]
    starts = "starts mnemolog" if entry.runs_mnemolog else "starts something else"
    idle = ", and is switched off" if entry.is_off else ""
    return f"kept as it is: its entry {SERVER!r} {starts}, with settings of its own{idle}"


def unregister(client: Client, root: Path) -> Outcome:
    """Return how the client's config in a project came to be as it was before `register`."""
    name = client.files[0]
    try:
        config = ConfigFile.of(client, root)
        name = config.name
        present = config.servers.get(SERVER)
        if present is None:
            return Outcome(client.name, name, "not registered", "not registered")
        if present != client.entry:
            message = f"{_about(config)}. Take it out by hand if you want that"
            return Outcome(client.name, name, "kept", message)
        is_gone = config.remove(SERVER)
    except ConfigLeftAlone as problem:
        return Outcome(client.name, name, "left alone", f"left alone: {problem}")
    message = "removed, with the file, which held nothing else" if is_gone else "removed"
    return Outcome(client.name, name, "removed", message)
