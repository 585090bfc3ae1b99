"""Where the clients on this machine are told to keep their memories."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from glob import escape
from pathlib import Path
from typing import Final

from mnemolog.clients.entries import configs

_CLAUDE_DESKTOP: Final = (
    ".config/Claude/claude_desktop_config.json",
    "Library/Application Support/Claude/claude_desktop_config.json",
    "AppData/Roaming/Claude/claude_desktop_config.json",
)
"""It belongs to no repository, so `init` does not know it."""

# One look for JSON with or without comments, and for TOML.
_STRING: Final = r'("(?:[^"\\\n]|\\.)+")'
_FILE: Final = re.compile(rf'\bMEMORY_FILE_PATH"?\s*[:=]\s*{_STRING}')
_FOLDER: Final = re.compile(rf'"--memory-path"\s*,\s*{_STRING}')


def memory_files(home: Path, project: Path) -> Iterator[Path]:
    """Yield the files that MEMORY_FILE_PATH names in some client's settings, as patterns."""
    return _named(_FILE, home, project)


def memory_folders(home: Path, project: Path) -> Iterator[Path]:
    """Yield what --memory-path names there; mcp-knowledge-graph takes it."""
    return _named(_FOLDER, home, project)


def _configs(home: Path, project: Path) -> Iterator[Path]:
    yield from (config for _, config, _ in configs(project, home))
    yield from (home / name for name in _CLAUDE_DESKTOP)


def _named(pattern: re.Pattern[str], home: Path, project: Path) -> Iterator[Path]:
    for file in _configs(home, project):
        try:
            text = file.read_text(encoding="utf-8", errors="replace")
        except OSError:  # most of them are not there
            continue
        for written in dict.fromkeys(found[1] for found in pattern.finditer(text)):
            try:
                named = str(json.loads(written))
            except ValueError:  # an escape that only TOML knows
                continue
            if "${" not in named:
                first, *rest = Path(named).parts or (".",)
                path = home.joinpath(*rest) if first == "~" else project / named
                yield Path(escape(str(path)))
