"""Entries of server-memory in the clients' configs, and the files of its memory."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemolog.clients.entries import Entry, entries

_STARTS_IT: Final = re.compile(
    r"(?:^|/)(?:@modelcontextprotocol/server-memory|mcp-server-memory)(?:@|$)"
)
_PACKAGE: Final = "node_modules/@modelcontextprotocol/server-memory/dist"
_NPX_FOLDERS: Final = (".npm/_npx", "AppData/Local/npm-cache/_npx")
_DEFAULT_NAMES: Final = ("memory.jsonl", "memory.json")


@dataclass(frozen=True, slots=True)
class OldServer:
    """An entry that starts server-memory, and the memory files of it that exist."""

    entry: Entry
    memories: tuple[Path, ...]


def configured_servers(root: Path, home: Path) -> tuple[OldServer, ...]:
    """Return every entry for server-memory that the known clients have here or at home."""
    return tuple(
        OldServer(entry, _memories(entry, root, home))
        for entry in entries(root, home)
        if isinstance(entry, Entry) and any(map(_STARTS_IT.search, entry.words))
    )


def memories_of(servers: Iterable[OldServer]) -> tuple[Path, ...]:
    """Return the memory files behind the entries, each once."""
    return tuple(dict.fromkeys(path for server in servers for path in server.memories))


def _memories(entry: Entry, root: Path, home: Path) -> tuple[Path, ...]:
    setting = entry.memory_setting(root, home)
    names = _DEFAULT_NAMES if setting is None else (setting,)
    # server-memory looks for a relative path in its own package, whose place npx chooses.
    packages = (place for folder in _NPX_FOLDERS for place in home.glob(f"{folder}/*/{_PACKAGE}"))
    places = [home] if Path(names[0]).is_absolute() else sorted(packages)
    files = (place / name for place in places for name in names)
    return tuple(file.resolve() for file in files if file.is_file() and file.stat().st_size)
