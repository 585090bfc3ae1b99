"""Entries of server-memory in the clients' configs, and the files of its memory."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemolog.clients.config_file import servers_in
from mnemolog.clients.known import CLIENTS, Client, Json
from mnemolog.clients.registration import words_of
from mnemolog.errors import ConfigLeftAlone

_STARTS_IT: Final = re.compile(
    r"(?:^|/)(?:@modelcontextprotocol/server-memory|mcp-server-memory)(?:@|$)"
)
_VARIABLE: Final = re.compile(r"\$\{(?:env:)?(\w+)\}")
_PACKAGE: Final = "node_modules/@modelcontextprotocol/server-memory/dist"
_NPX_FOLDERS: Final = (".npm/_npx", "AppData/Local/npm-cache/_npx")
_DEFAULT_NAMES: Final = ("memory.jsonl", "memory.json")


@dataclass(frozen=True, slots=True)
class OldServer:
    """An entry that starts server-memory, and the memory files of it that exist."""

    client: Client
    config: Path
    name: str
    is_in_project: bool
    memories: tuple[Path, ...]


def configured_servers(root: Path, home: Path) -> tuple[OldServer, ...]:
    """Return every entry for server-memory that the known clients have here or at home."""
    return tuple(
        OldServer(client, config, name, is_here, _memories(client, entry, root, home))
        for client in CLIENTS.values()
        for config, is_here in configs_of(client, root, home)
        for name, entry in entries_in(client, config, root)
        if any(_STARTS_IT.search(word) for word in words_of(entry))
    )


def memories_of(servers: Iterable[OldServer]) -> tuple[Path, ...]:
    """Return the memory files behind the entries, each once."""
    return tuple(dict.fromkeys(path for server in servers for path in server.memories))


def configs_of(client: Client, root: Path, home: Path) -> Iterator[tuple[Path, bool]]:
    """Yield where a client may have a config, and whether that is in the project."""
    yield from ((root / name, True) for name in client.files)
    yield from ((home / name, False) for name in client.home_files)


def entries_in(client: Client, config: Path, root: Path) -> Iterator[tuple[str, Json]]:
    """Yield what a config lists; one that cannot be read lists nothing that we could offer."""
    try:
        text = config.read_bytes().decode("utf-8-sig")
        yield from servers_in(text, config.name, client.section).items()
        if config.name == ".claude.json":
            yield from _of_project(text, root)
    except (OSError, UnicodeDecodeError, ConfigLeftAlone):
        return


def _of_project(text: str, root: Path) -> Iterator[tuple[str, Json]]:
    """Yield what Claude Code keeps at home for one project alone."""
    projects = servers_in(text, ".claude.json", "projects")
    project = projects.get(str(root), {})
    servers = project.get("mcpServers", {}) if isinstance(project, Mapping) else {}
    yield from servers.items() if isinstance(servers, Mapping) else ()


def _memories(client: Client, entry: Json, root: Path, home: Path) -> tuple[Path, ...]:
    setting = memory_setting(client, entry, root, home)
    names = _DEFAULT_NAMES if setting is None else (setting,)
    # server-memory looks for a relative path in its own package, whose place npx chooses.
    packages = (place for folder in _NPX_FOLDERS for place in home.glob(f"{folder}/*/{_PACKAGE}"))
    places = [home] if Path(names[0]).is_absolute() else sorted(packages)
    files = (place / name for place in places for name in names)
    return tuple(file.resolve() for file in files if file.is_file() and file.stat().st_size)


def memory_setting(client: Client, entry: Json, root: Path, home: Path) -> str | None:
    """Return what an entry sets MEMORY_FILE_PATH to; None if it doesn't."""
    variables = entry.get(client.environment) if isinstance(entry, Mapping) else None
    setting = variables.get("MEMORY_FILE_PATH") if isinstance(variables, Mapping) else None
    if not isinstance(setting, str) or not setting.strip():
        return None
    return filled_in(setting, root, home)


def filled_in(setting: str, root: Path, home: Path) -> str:
    """Return the setting with what clients put in place of its variables, as far as we know it."""
    known = {"workspaceFolder": root, "userHome": home, "HOME": home, "USERPROFILE": home}
    return _VARIABLE.sub(lambda found: str(known.get(found[1], found[0])), setting)
