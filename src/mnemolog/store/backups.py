"""Copies of a memory file that hold whole calls only, and the way back to one of them."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from mnemolog.declarations import declared, described
from mnemolog.errors import (
    BackupRefused,
    InvalidRequest,
    OtherRepository,
    StorageError,
)
from mnemolog.records import FORMAT
from mnemolog.store import files
from mnemolog.store.access import AccessLog
from mnemolog.store.files import Identity
from mnemolog.store.guard import Guard, protect_from_commit
from mnemolog.store.location import Location
from mnemolog.store.lock import WriterLock
from mnemolog.store.log import Log
from mnemolog.store.reading import DocumentReader, Reading

_ATTEMPTS: Final = 10


@declared
class Contents:
    """How much a memory file holds."""

    entities: int = described("Entities")
    observations: int = described("Observations that are true")
    relations: int = described("Relations")
    unreadable_lines: int = described("Lines that cannot be read; they are kept as they are")


@declared
class BackedUpMemory:
    """Where a copy of the memory file is."""

    memory: str = described("The memory file")
    backup: str = described("The copy")
    bytes: int = described("The size of both")
    contents: Contents = described("What is in them", spread=True)


@declared
class RestoredMemory:
    """What became of the memory file."""

    memory: str = described("The memory file")
    backup: str = described("The file that it is a copy of now")
    changed: bool = described("False: it was the same already")
    contents: Contents = described("What is in it now", spread=True)
    set_aside: str | None = described("Where the memory is as it was before", default=None)


# --- making one ----------------------------------------------------------------------------------


def back_up(
    location: Location, target: Path | None, read_document: DocumentReader
) -> BackedUpMemory:
    """Copy the memory file byte for byte to a new file; nothing is ever overwritten.

    `target` is the new file, or a folder for it. Without one it lies beside the memory.

    Raises:
        LocationRefused: No memory may be kept here.
        InvalidRequest: There is no memory yet, or something is in the way.
        StorageError: The system refused; there is no copy.
    """
    location.require_allowed()
    memory = location.path
    if not memory.is_file() or not memory.stat().st_size:
        raise InvalidRequest(f"There is nothing in {memory} yet, so there is nothing to back up.")
    folder, name = _place_for(memory, target)
    if not folder.is_dir():
        raise InvalidRequest(f"There is no folder {folder}. Create it, or name another.")
    if target is None:
        protect_from_commit(location)
    try:
        with _without_writers(memory):
            content, mode = _snapshot(memory)
            place = _write_new(folder, name, content, mode, memory)
    except OSError as error:
        raise StorageError(
            f"{memory} cannot be copied to {folder} ({error.strerror}); there is no backup. Name "
            "another place: mnemolog backup PATH."
        ) from error
    contents = _contents(Reading.of(content, read_document))
    return BackedUpMemory(str(memory), str(place), len(content), contents)


def _place_for(memory: Path, target: Path | None) -> tuple[Path, str | None]:
    """Return a folder, and the name in it; None for one that is made up of the time."""
    if target is None:
        return memory.parent, None
    if target.is_dir():
        return target.resolve(), None
    place = target.parent.resolve() / target.name
    own = {memory.name, WriterLock(memory).path.name, AccessLog(memory).path.name}
    if place.parent == memory.parent and place.name in own:
        raise InvalidRequest(f"{place} belongs to the memory itself. Name another file.")
    return place.parent, place.name


@contextmanager
def _without_writers(memory: Path) -> Iterator[None]:
    """Keep everybody from writing meanwhile who would take the lock.

    Where no lock can be taken since the folder is only read, a snapshot is whole calls all the
    same: a file that only grows is, wherever it is cut.
    """
    if not os.access(memory.parent, os.W_OK):
        yield
        return
    with WriterLock(memory).held():
        yield


def _snapshot(memory: Path) -> tuple[bytes, int]:
    """Return the file's content at one moment, and its mode, though others may not lock."""
    for _ in range(_ATTEMPTS):
        with files.opened(memory, os.O_RDONLY) as descriptor:
            before = os.fstat(descriptor)
            content = files.read_from(descriptor, 0)
        if Identity.of(before) == files.identity_at(memory):
            return content, stat.S_IMODE(before.st_mode)
    raise StorageError(
        f"{memory} changes again and again while it is read; there is no backup. Stop the program "
        "that writes it without the lock, then try again."
    )


def _write_new(folder: Path, name: str | None, content: bytes, mode: int, memory: Path) -> Path:
    # Of the memory's name: beside the memory, the next writer removes what a kill leaves of it.
    temporary = folder / f"{memory.name}{files.TEMPORARY}{secrets.token_hex(4)}"
    try:
        with files.opened(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL) as descriptor:
            if hasattr(os, "fchmod"):
                os.fchmod(descriptor, mode)
            files.write_all(descriptor, content)
            files.sync(descriptor)
        place = _named(temporary, folder, name, memory)
    finally:
        temporary.unlink(missing_ok=True)
    files.sync_folder(folder)
    return place


def _named(temporary: Path, folder: Path, name: str | None, memory: Path) -> Path:
    """Give a whole file its name, and return where it is."""
    names = files.dated_names(memory, "bak") if name is None else iter([name])
    for chosen in names:
        place = folder / chosen
        try:
            _give_name(temporary, place)
        except FileExistsError:
            continue
        return place
    raise InvalidRequest(f"{folder / str(name)} exists, so it is left alone. Name a new file.")


def _give_name(temporary: Path, place: Path) -> None:
    try:
        os.link(temporary, place)  # a rename would take the place of what is there
    except FileExistsError:
        raise
    except OSError:  # a file system without links, such as FAT
        with files.opened(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL):
            temporary.replace(place)


# --- going back to one ---------------------------------------------------------------------------


def restore(
    location: Location, backup: Path, read_document: DocumentReader, *, dry_run: bool = False
) -> RestoredMemory:
    """Make the memory file what the backup is; what it was is set aside beside it.

    Raises:
        LocationRefused: No memory may be kept here.
        BackupRefused: The backup is no memory, or that of another repository.
        StorageError: The system refused; the memory is as it was.
    """
    location.require_allowed()
    memory = location.path
    content = _content_of(backup, memory)
    contents = _restorable(location, backup, Reading.of(content, read_document))
    is_new = not _holds(memory, content)
    place: Path | None = None
    if is_new and not dry_run:
        protect_from_commit(location)
        log = Log(memory, read_document=read_document, may_compact=lambda: False)
        place = log.replace_by(lambda _content: content)
    return RestoredMemory(
        str(memory), str(backup), is_new, contents, set_aside=str(place) if place else None
    )


def _restorable(location: Location, backup: Path, reading: Reading) -> Contents:
    """Return what a backup holds, if it can become this memory."""
    graph = reading.graph
    if not graph.said_size and graph.header is None:
        raise BackupRefused(backup, "no memory record can be read in it.")
    if graph.header and graph.header.format > FORMAT:
        raise BackupRefused(
            backup,
            f"a newer mnemolog wrote it (format {graph.header.format}; this one knows {FORMAT}). "
            "Update mnemolog first.",
        )
    try:
        Guard(location.path, location.repository).check(graph.header)
    except OtherRepository as other:
        raise BackupRefused(
            backup,
            f"it is the memory of {other.theirs}, and this one is that of {other.ours}. To bring "
            "its facts along, use 'mnemolog import'.",
        ) from None
    return _contents(reading)


def _holds(memory: Path, content: bytes) -> bool:
    try:
        return memory.read_bytes() == content
    except OSError:
        return False


def backups_of(memory: Path) -> tuple[Path, ...]:
    """Return the backups that lie beside a memory, the newest last."""
    prefix = f"{memory.name}.bak-"
    try:
        found = [place for place in memory.parent.iterdir() if place.name.startswith(prefix)]
    except OSError:
        return ()
    return tuple(sorted(found))


def _content_of(backup: Path, memory: Path) -> bytes:
    try:
        status = backup.stat()
        if not stat.S_ISREG(status.st_mode):
            raise BackupRefused(backup, "it is no regular file: name a backup.")
        if Identity.of(status).is_same_file(files.identity_at(memory)):
            raise BackupRefused(backup, "it is the memory file itself.")
        return backup.read_bytes()
    except FileNotFoundError:
        found = ", ".join(str(place) for place in backups_of(memory)[-3:]) or "none"
        raise BackupRefused(
            backup, f"there is no such file. Backups beside the memory, newest last: {found}."
        ) from None
    except OSError as error:
        raise BackupRefused(backup, f"it cannot be read ({error.strerror}).") from error


def _contents(reading: Reading) -> Contents:
    totals = reading.graph.totals
    counts = totals.entities, totals.observations, totals.relations
    return Contents(*counts, len(reading.problems))
