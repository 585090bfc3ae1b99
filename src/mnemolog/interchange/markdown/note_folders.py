"""Which files of a folder are notes: Markdown, not hidden, not behind a link."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Final

from mnemolog.errors import UnreadableSource
from mnemolog.halves import without_halves
from mnemolog.interchange.sources import Refused, refusal

SUFFIXES: Final = (".md", ".markdown")

# Documentation of other people's packages, by the thousand.
_LEFT_OUT: Final = frozenset({"node_modules", "__pycache__"})
# A look must stay cheap even if somebody names a home folder.
_MOST_LOOKED_AT: Final = 5_000


def is_note(name: str) -> bool:
    """Return whether a file of this name is a note."""
    return name.lower().endswith(SUFFIXES) and not name.startswith(".")


def holds_notes(folder: Path) -> bool:
    """Return whether a note is found among the first few thousand entries, the nearest first."""
    waiting = deque([folder])
    for entry in islice(_nearest_first(waiting), _MOST_LOOKED_AT):
        if is_note(entry.name) and entry.is_file(follow_symlinks=False):
            return True
        if _is_entered(entry):
            waiting.append(Path(entry.path))
    return False


def notes_in(folder: Path) -> Iterator[Path | Refused]:
    """Yield the notes of a folder and of those in it, by path; what cannot be read is refused.

    Links are not followed: they can lead in circles, or out of the folder to files that were never
    meant as notes.

    Raises:
        UnreadableSource: The folder itself cannot be listed.
    """
    try:
        waiting = [iter(_entries(folder))]
    except OSError as error:
        raise UnreadableSource(folder, refusal(error)) from error
    while waiting:
        entry = next(waiting[-1], None)
        if entry is None:
            waiting.pop()
        elif entry.is_symlink():
            if is_note(entry.name) or (_is_seen(entry.name) and Path(entry.path).is_dir()):
                yield Refused(place_of(Path(entry.path), folder), _LINK, "skipped")
        elif _is_entered(entry):
            try:
                waiting.append(iter(_entries(Path(entry.path))))
            except OSError as error:
                yield Refused(place_of(Path(entry.path), folder), refusal(error), "error")
        elif is_note(entry.name) and entry.is_file():
            yield Path(entry.path)


_LINK: Final = "it is a symbolic link, and links are not followed; import what it points to"


def place_of(path: Path, folder: Path) -> str:
    """Return a path as a person reads it, seen from the folder that is imported."""
    return without_halves(path.relative_to(folder).as_posix())


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)


def _nearest_first(waiting: deque[Path]) -> Iterator[os.DirEntry[str]]:
    yield from _entries(waiting.popleft())
    while waiting:
        with suppress(OSError):  # a folder in it that is closed to us says nothing about the rest
            yield from _entries(waiting.popleft())


def _is_entered(entry: os.DirEntry[str]) -> bool:
    return _is_seen(entry.name) and entry.is_dir(follow_symlinks=False)


def _is_seen(name: str) -> bool:
    return not name.startswith(".") and name not in _LEFT_OUT
