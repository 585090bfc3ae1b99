"""The servers that keep JSON in one file: server-memory, plain-text-memory-mcp and mnemolog."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from mnemolog.errors import UnreadableSource
from mnemolog.interchange.client_settings import memory_files
from mnemolog.interchange.json_logs.json_stores import holds_records, kind_by_head, read_json
from mnemolog.interchange.sources import Format, Item

_PACKAGE: Final = "node_modules/@modelcontextprotocol/server-memory/dist/memory.json*"
_NODE_FOLDERS: Final = (
    ".npm/_npx/*",
    "AppData/Local/npm-cache/_npx/*",
    ".nvm/versions/node/*/lib",
    ".npm-global/lib",
    "AppData/Roaming/npm",
)


_FILES: Final = ("memory.jsonl", "memory.json")
"""What server-memory has called its file, newest first."""


def _files_of(path: Path) -> list[Path]:
    """Return the files that a path stands for: itself, or what server-memory left in a folder."""
    return [path / name for name in _FILES if (path / name).exists()] if path.is_dir() else [path]


def _is_server_memory(path: Path) -> bool:
    return any(holds_records(file) for file in _files_of(path))


def _read_server_memory(path: Path) -> Iterator[Item]:
    files = _files_of(path)
    if not files:
        raise UnreadableSource(path, f"there is no {' or '.join(_FILES)} in it. Check the path.")
    for file in files:
        yield from read_json(file)


def _places_of_server_memory(home: Path, project: Path) -> Iterable[Path]:
    # Without a setting it writes beside its own code, wherever npm has put that.
    yield from memory_files(home, project)
    yield from (home / folder / _PACKAGE for folder in _NODE_FOLDERS)
    yield project / _PACKAGE


def _places_in_project(_home: Path, project: Path) -> Iterable[Path]:
    yield project / ".agents" / "memory*.jsonl"


SERVER_MEMORY: Final = Format(
    name="server-memory",
    title="a file of server-memory, or JSON like it",
    recognises=_is_server_memory,
    read=_read_server_memory,
    usual_places=_places_of_server_memory,
)
PLAIN_TEXT_MEMORY: Final = Format(
    name="plain-text-memory",
    title="a log of plain-text-memory-mcp",
    recognises=lambda path: kind_by_head(path) == "theirs",
    read=read_json,
    usual_places=_places_in_project,
)
MNEMOLOG: Final = Format(
    name="mnemolog",
    title="a memory of mnemolog",
    recognises=lambda path: kind_by_head(path) == "ours",
    read=read_json,
    usual_places=_places_in_project,
)
