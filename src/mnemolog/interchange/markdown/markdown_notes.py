"""Markdown notes: basic-memory vaults, Claude Code's memory folders, other folders, single files.

A note is an entity, named by its title; what its text says are its observations, and its links to
other notes are relations. Dates are those of its front matter: the time of a file is when it was
last copied or checked out, and says nothing of when something was first said.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from glob import escape
from pathlib import Path
from typing import Final

from mnemolog.errors import UnreadableSource
from mnemolog.interchange.markdown import note_folders
from mnemolog.interchange.sources import Format, Item
from mnemolog.interchange.sqlite.sqlite_source import MAGIC

# Claude Code cuts a longer folder name here and adds a hash of its own.
_LONGEST_FOLDER: Final = 200
_NOT_KEPT: Final = re.compile(r"[^a-zA-Z0-9]")


def _recognises(path: Path) -> bool:
    if path.is_file():
        with path.open("rb") as file:
            return note_folders.is_note(path.name) and file.read(len(MAGIC)) != MAGIC
    # A folder of mcp-knowledge-graph, which may have a README beside its databases.
    holds_databases = any(path.glob("memory*.jsonl")) or (path / ".aim").is_dir()
    return not holds_databases and note_folders.holds_notes(path)


def _read(path: Path) -> Iterator[Item]:
    from mnemolog.interchange.markdown import notes  # noqa: PLC0415 - Markdown and YAML, only to read them

    if path.is_dir():
        yield from notes.read_folder(path)
    elif path.exists():
        yield from notes.read_file(path)
    else:
        raise UnreadableSource(path, "there is no such file or folder.")


def _usual_places(home: Path, project: Path) -> Iterable[Path]:
    folders = {_claude_folder(path) for path in (project, project.resolve())}
    yield from (home / ".claude" / "projects" / folder / "memory" for folder in sorted(folders))
    yield from dict.fromkeys((home / "basic-memory", *_basic_memory_projects(home)))


def _claude_folder(project: Path) -> str:
    """Return the name, or a pattern of it, that Claude Code gives to a project's folder."""
    # It counts in UTF-16, as JavaScript does: an emoji becomes two dashes.
    units = str(project).encode("utf-16-le", "surrogatepass")
    letters = (chr(units[at] | units[at + 1] << 8) for at in range(0, len(units), 2))
    name = _NOT_KEPT.sub("-", "".join(letters))
    return name if len(name) <= _LONGEST_FOLDER else f"{name[:_LONGEST_FOLDER]}-*"


def _basic_memory_projects(home: Path) -> Iterator[Path]:
    try:
        config = json.loads((home / ".basic-memory" / "config.json").read_bytes())
    except (OSError, ValueError, RecursionError):  # none, or one that only basic-memory can mend
        return
    projects = config.get("projects") if isinstance(config, dict) else None
    for project in projects.values() if isinstance(projects, dict) else ():
        folder = project.get("path") if isinstance(project, dict) else project
        if isinstance(folder, str) and folder.startswith("~/"):
            folder = str(home / folder[2:])
        # A cloud project has a name here.
        if isinstance(folder, str) and Path(folder).is_absolute():
            yield Path(escape(folder))


FORMAT: Final = Format(
    name="markdown",
    title="Markdown notes",
    recognises=_recognises,
    read=_read,
    usual_places=_usual_places,
)
