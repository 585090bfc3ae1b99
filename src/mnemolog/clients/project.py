"""Which folder's configs the clients read: the root of the checkout that a command is called in."""

from __future__ import annotations

import os
from pathlib import Path

from mnemolog.errors import LocationRefused
from mnemolog.store.location import Settings, locate


def project_root(start: Path) -> Path:
    """Return the root of the checkout around `start`, or `start` itself outside git.

    Linked worktrees share a memory, but each has config files of its own.
    """
    start = start.resolve()
    return next((f for f in (start, *start.parents) if _is_checkout(f / ".git")), start)


def _is_checkout(marker: Path) -> bool:
    return marker.is_file() or os.path.lexists(marker / "HEAD")


def require_project(root: Path, home: Path) -> None:
    """Raise LocationRefused where a server could keep no memory, so that nothing leads there."""
    location = locate(Settings(memory_file_path=None, agent=None), root, home)
    if location.refusal is not None:
        raise LocationRefused(f"{root} is no project: call init in a project's folder.")
