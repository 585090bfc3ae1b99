"""Files that are written beside the memory for people to read: whole, or not at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from mnemolog.errors import StorageError
from mnemolog.store import files
from mnemolog.store.guard import protect_from_commit
from mnemolog.store.location import Location
from mnemolog.store.lock import WriterLock

_ATTEMPTS: Final = 10


class _FileHasChanged(Exception):
    """A signal to make another attempt: somebody has saved the file meanwhile."""


def rewrite(location: Location, path: Path, edit: Callable[[bytes | None], bytes]) -> bool:
    """Put what `edit` makes of the file in its place, and return whether that changed it.

    `edit` is given the content, or None while there is no file, and raises before a byte is
    written. It is called again if the file changes meanwhile.

    Raises:
        LocationRefused: Nothing may be kept there.
        StorageError: The system refused; the file is as it was.
    """
    location.require_allowed()
    try:
        if (content := _content(path)) == edit(content):
            return False
        files.make_folders(path.parent)
        protect_from_commit(location)
        with WriterLock(location.path).held():
            return _retried(path, edit)
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written ({error.strerror}); it is as it was. Make its folder "
            "writable, then try again."
        ) from error


def _retried(path: Path, edit: Callable[[bytes | None], bytes]) -> bool:
    for _ in range(_ATTEMPTS):
        try:
            return _attempt(path, edit)
        except _FileHasChanged:
            continue
    raise StorageError(
        f"{path} changes again and again while it is written; it is as others left it. Stop the "
        "program that saves it, then try again."
    )


def _attempt(path: Path, edit: Callable[[bytes | None], bytes]) -> bool:
    before = files.identity_at(path)
    content = _content(path)
    new = edit(content)
    if new == content:
        return False

    def confirm() -> None:
        if files.identity_at(path) != before:
            raise _FileHasChanged

    files.remove_temporaries(path)
    files.replace(path, new, confirm)
    files.sync_folder(path.parent)
    return True


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
