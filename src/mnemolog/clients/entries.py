"""What the configs of all clients list: every entry that starts a server, here and at home."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemolog.clients import json_config
from mnemolog.clients.config_file import decoded, refused_by, servers_in
from mnemolog.clients.known import CLIENTS, Client, Json
from mnemolog.errors import ConfigLeftAlone

_PROGRAM: Final = re.compile(r"(?:.*[/\\])?mnemolog(?:\.exe)?")
_PACKAGE: Final = re.compile(r"mnemolog(?:[@=].*)?")
_VARIABLE: Final = re.compile(r"\$\{(?:env:)?(\w+)\}")


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a client's config, which says how a server is started."""

    client: Client
    config: Path
    name: str
    settings: Json
    is_in_project: bool
    """Whether the config is the project's, and not the home folder's."""

    @property
    def words(self) -> tuple[str, ...]:
        """The command that it starts, word by word, in whichever way it is written."""
        held = (self._setting("command"), self._setting("args"))
        lists = (value if isinstance(value, list) else [value] for value in held)
        return tuple(word for words in lists for word in words if isinstance(word, str))

    @property
    def runs_mnemolog(self) -> bool:
        """Whether it starts this server."""
        command, *arguments = self.words or ("",)
        return bool(_PROGRAM.fullmatch(command)) or any(map(_PACKAGE.fullmatch, arguments))

    @property
    def is_off(self) -> bool:
        """Whether it says that its server is not to be started."""
        return self._setting("enabled") is False or self._setting("disabled") is True

    def folder(self, root: Path, home: Path) -> Path:
        """Return the folder that it starts its server in."""
        words, named = self.words, self._setting("cwd")
        if "--directory" in words[:-1]:  # an option of uvx
            named = words[words.index("--directory") + 1]
        return root / _filled_in(named, root, home) if isinstance(named, str) else root

    def memory_setting(self, root: Path, home: Path) -> str | None:
        """Return what it sets MEMORY_FILE_PATH to; None if it doesn't."""
        variables = self._setting(self.client.environment)
        setting = variables.get("MEMORY_FILE_PATH") if isinstance(variables, Mapping) else None
        if not isinstance(setting, str) or not setting.strip():
            return None
        return _filled_in(setting, root, home)

    def _setting(self, key: str) -> Json:
        return self.settings.get(key) if isinstance(self.settings, Mapping) else None

    def __str__(self) -> str:
        return f"{self.name!r} in {self.config}"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A config that its client cannot read."""

    client: Client
    config: Path
    reason: str


def configs(root: Path, home: Path) -> Iterator[tuple[Client, Path, bool]]:
    """Yield where each client may have a config, and whether that is in the project."""
    for client in CLIENTS.values():
        yield from ((client, root / name, True) for name in client.files)
        yield from ((client, home / name, False) for name in client.home_files)


def entries(root: Path, home: Path) -> Iterator[Entry | Unreadable]:
    """Yield all that the known clients' configs list, and those that their clients cannot read."""
    for client, config, is_in_project in configs(root, home):
        try:
            for name, settings in _listed(client, config, root):
                yield Entry(client, config, name, settings, is_in_project)
        except ConfigLeftAlone as problem:
            yield Unreadable(client, config, str(problem))


def _listed(client: Client, config: Path, root: Path) -> Iterator[tuple[str, Json]]:
    try:
        text = decoded(config.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as problem:
        raise ConfigLeftAlone(problem.strerror) from problem
    if text is None:
        return
    yield from servers_in(text, config.name, client.section).items()
    if config.name == ".claude.json":
        yield from _of_project(text, root)
    if refused := refused_by(client, text):
        raise ConfigLeftAlone(refused)


def _of_project(text: str, root: Path) -> Iterator[tuple[str, Json]]:
    """Yield what Claude Code keeps at home for one project alone."""
    found = json_config.parse(text)
    for key in ("projects", str(root), "mcpServers"):
        found = found.get(key, {}) if isinstance(found, Mapping) else {}
    yield from found.items() if isinstance(found, Mapping) else ()


def _filled_in(setting: str, root: Path, home: Path) -> str:
    """Return the setting with what clients put in place of its variables, as far as we know it."""
    known = {"workspaceFolder": root, "userHome": home, "HOME": home, "USERPROFILE": home}
    return _VARIABLE.sub(lambda found: str(known.get(found[1], found[0])), setting)
