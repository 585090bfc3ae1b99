"""What `mnemolog init` does to one client's config, and what it says about it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, TypeAlias

from mnemolog.clients.config_file import ConfigFile, new_config
from mnemolog.clients.known import SERVER, Client, Json
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


_PROGRAM: Final = re.compile(r"(?:.*[/\\])?mnemolog(?:\.exe)?")
_PACKAGE: Final = re.compile(r"mnemolog(?:[@=].*)?")


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
    name = client.files[0]
    try:
        config = ConfigFile.of(client, root)
        name = config.name
        present = config.servers.get(SERVER)
        if present == client.entry:
            return Outcome(client.name, name, "already registered", "already registered")
        if present is None and (other := _other_name(config)):
            idle = ", but switched off" if is_off(config.servers[other]) else ""
            message = f"already registered, as {other!r}{idle}"
            return Outcome(client.name, name, "already registered", message)
        if present is None:
            config.add()
            return Outcome(client.name, name, "registered", f"registered; {client.afterwards}")
        if not replace:
            return Outcome(client.name, name, "kept", _about(present))
        config.replace()
    except ConfigLeftAlone as problem:
        message = f"left alone: {problem}. Once that is mended call init again, or add this to it"
        return Outcome(client.name, name, "left alone", message, new_config(client))
    return Outcome(client.name, name, "replaced", f"replaced; {client.afterwards}")


def _other_name(config: ConfigFile) -> str | None:
    """Return the name under which a config starts mnemolog already."""
    return next((name for name, entry in config.servers.items() if runs_mnemolog(entry)), None)


def _about(entry: Json) -> str:
    starts = "starts mnemolog" if runs_mnemolog(entry) else "starts something else"
    idle = ", and is switched off" if is_off(entry) else ""
    return f"kept as it is: its entry {SERVER!r} {starts}, with settings of its own{idle}"


def runs_mnemolog(entry: Json) -> bool:
    """Return whether an entry starts this server."""
    command, *arguments = words_of(entry) or ("",)
    return bool(_PROGRAM.fullmatch(command)) or any(map(_PACKAGE.fullmatch, arguments))


def is_off(entry: Json) -> bool:
    """Return whether an entry says that its server is not to be started."""
    said = entry if isinstance(entry, Mapping) else {}
    return said.get("enabled") is False or said.get("disabled") is True


def words_of(entry: Json) -> tuple[str, ...]:
    """Return the command that an entry starts, word by word, in whichever way it is written."""
    if not isinstance(entry, Mapping):
        return ()
    held = (entry.get("command"), entry.get("args"))
    lists = (value if isinstance(value, list) else [value] for value in held)
    return tuple(word for words in lists for word in words if isinstance(word, str))


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
            message = f"{_about(present)}. Take it out by hand if you want that"
            return Outcome(client.name, name, "kept", message)
        is_gone = config.remove(SERVER)
    except ConfigLeftAlone as problem:
        return Outcome(client.name, name, "left alone", f"left alone: {problem}")
    message = "removed, with the file, which held nothing else" if is_gone else "removed"
    return Outcome(client.name, name, "removed", message)
