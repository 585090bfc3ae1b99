"""Exports on the disk: each file whole or not at all, and nothing of others replaced."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from mnemolog.errors import InvalidRequest, StorageError
from mnemolog.interchange.exporting.markdown import Folder, is_ours
from mnemolog.store import files
from mnemolog.text import first_of

_FRONT_MATTER_CHARACTERS: Final = 65_536
"""The mark of a page stands within these."""

_NAMES_SHOWN: Final = 5


def write_file(path: Path, pieces: Iterable[str], *, may_replace: bool) -> None:
    """Write one file, through a temporary one beside it, readable by its owner only.

    Raises:
        InvalidRequest: Something else is there, and may not be replaced.
        StorageError: The system refused; what was there is as it was.
    """
    path = path.resolve()  # a link stays one, and leads to the new content
    if path.exists() and not path.is_file():
        raise InvalidRequest(f"{path} is no regular file, so it is left alone. Name another one.")
    if path.exists() and not may_replace:
        raise InvalidRequest(f"{path} exists, so it is left alone. --force replaces it.")
    _require_folder(path.parent)
    with _reporting(path):
        _place(path, pieces, is_synced=True)


def write_folder(path: Path, folder: Folder, *, may_replace: bool) -> tuple[str, ...]:
    """Write the pages into a folder; return the names of earlier pages that are none any more.

    A folder that is there keeps all files that are not pages of an export.

    Raises:
        InvalidRequest: Something else is there, and may not be replaced; nothing was written.
        StorageError: The system refused.
    """
    if path.exists() and not path.is_dir():
        raise InvalidRequest(f"{path} is no folder, so it is left alone. Name a new folder.")
    _require_folder(path.resolve().parent)
    with _reporting(path):
        found = {entry.name for entry in path.iterdir()} if path.exists() else set[str]()
        if found and not may_replace:
            raise InvalidRequest(
                f"The folder {path} is not empty, so it is left alone. --force writes into it, "
                "replaces the pages of an earlier export, and touches nothing else in it."
            )
        taken = [name for name in folder.names if os.path.lexists(path / name)]
        _refuse_others(path, [name for name in taken if not _is_page(path / name)])
        path.mkdir(mode=files.FOLDER_MODE, exist_ok=True)
        for page in folder.pages():
            _place(path / page.name, (page.text,), is_synced=False)
        known = {name.casefold() for name in folder.names}
        notes = (name for name in found if name.endswith(".md") and name.casefold() not in known)
        return tuple(sorted(name for name in notes if _is_page(path / name)))


def _refuse_others(path: Path, others: list[str]) -> None:
    if not others:
        return
    raise InvalidRequest(
        f"{path} has files with the names of pages that no export wrote: "
        f"{first_of(others, _NAMES_SHOWN)}. Nothing was written: move them away, or name another "
        "folder."
    )


def _is_page(path: Path) -> bool:
    """Return whether an export wrote the file; a link is never one."""
    if path.is_symlink() or not path.is_file():
        return False
    with path.open(encoding="utf-8", errors="replace", newline="\n") as page:
        return is_ours(page.read(_FRONT_MATTER_CHARACTERS))


def _place(path: Path, pieces: Iterable[str], *, is_synced: bool) -> None:
    temporary = path.with_name(f".{os.getpid()}.tmp-export")
    try:
        with files.opened(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as descriptor:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n", closefd=False) as file:
                file.writelines(pieces)
            if is_synced:
                files.sync(descriptor)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


@contextmanager
def _reporting(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StorageError(
            f"{path} cannot be written ({error.strerror}). Free space or correct the permissions, "
            "or name another place."
        ) from error


def _require_folder(folder: Path) -> None:
    if not folder.is_dir():
        raise InvalidRequest(f"There is no folder {folder}. Create it, or name another.")
