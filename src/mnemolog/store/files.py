"""Files that survive a power cut: who a file is, and how it is synced, replaced and set aside."""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import count, takewhile
from pathlib import Path
from string import hexdigits
from typing import Final, NamedTuple, TypeVar

StateT = TypeVar("StateT")

FILE_MODE: Final = 0o600
FOLDER_MODE: Final = 0o700

_CLOSE_ON_EXEC: Final = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NO_FOLLOW: Final = getattr(os, "O_NOFOLLOW", 0)
TEMPORARY: Final = ".tmp-"
"""What stands between a file's name and the rest of that of its temporary ones."""


class Identity(NamedTuple):
    """Which file it is, and in which state: all that a cheap look can tell."""

    device: int
    inode: int
    size: int
    mtime_ns: int

    @classmethod
    def of(cls, status: os.stat_result) -> Identity:
        """Return the identity in what `os.stat` says."""
        return cls(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)

    def is_same_file(self, other: Identity | None) -> bool:
        """Return whether both are states of one file."""
        return other is not None and self[:2] == other[:2]


def identity_at(path: Path) -> Identity | None:
    """Return the identity of the file at the path, or None if there is none."""
    try:
        return Identity.of(path.stat())
    except FileNotFoundError:
        return None


def identity_once_written(path: Path, before: Identity | None) -> Identity | None:
    """Return the identity of the file at the path; where one held something, once it does again.

    A checkout deletes a file, creates it anew and only then writes it, and an editor may empty it
    first: what we write in between would be overwritten, or in the way.
    """
    held_something = before is not None and before.size > 0
    return once_settled(
        lambda: identity_at(path),
        lambda now: not held_something or (now is not None and now.size > 0),
        _LOOKS_AT_A_CHECKOUT,
    )


_LOOKS_AT_A_CHECKOUT: Final = 40
_BETWEEN_LOOKS_SECONDS: Final = 0.005


def once_settled(
    look: Callable[[], StateT], is_settled: Callable[[StateT], bool], looks: int
) -> StateT:
    """Return what a look finds once others are done, or what it finds after so many looks."""
    for _ in range(looks):
        if is_settled(state := look()):
            return state
        time.sleep(_BETWEEN_LOOKS_SECONDS)
    return look()


@contextmanager
def opened(path: Path, flags: int, mode: int = FILE_MODE) -> Iterator[int]:
    """Open a file for the length of a `with` and give its descriptor.

    A symlink is refused: whoever means what it leads to resolves it first. One that a clone brings
    along could lead to any file of the user.
    """
    if not _NO_FOLLOW and path.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    descriptor = os.open(path, flags | _CLOSE_ON_EXEC | _NO_FOLLOW, mode)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def read_from(descriptor: int, offset: int) -> bytes:
    """Return everything from the offset, in bytes, to the end of the file."""
    os.lseek(descriptor, offset, os.SEEK_SET)
    parts = []
    while part := os.read(descriptor, 1 << 24):
        parts.append(part)
    return b"".join(parts)


def write_all(descriptor: int, content: bytes) -> None:
    """Write all of it, in one `write` unless the system takes less."""
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]


def sync(descriptor: int) -> None:
    """Return once the file's content is on the disk, not merely in the disk's cache."""
    if sys.platform == "darwin":
        import fcntl  # noqa: PLC0415 - there is none on Windows

        with suppress(OSError):  # some file systems know only fsync
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    getattr(os, "fdatasync", os.fsync)(descriptor)


def sync_folder(folder: Path) -> None:
    """Return once the folder's names are on the disk: without it a new file may be gone again."""
    if os.name == "nt":
        return  # Windows opens no folders, and keeps its names in a journal
    with opened(folder, os.O_RDONLY) as descriptor:
        try:
            os.fsync(descriptor)
        except OSError as error:
            if error.errno not in _NO_FOLDER_SYNC:
                raise


_NO_FOLDER_SYNC: Final = {errno.EINVAL, errno.ENOTSUP}
"""What file systems answer that know no sync of a folder, such as some network shares."""


def sync_way_to(path: Path) -> None:
    """Return once the names that lead to a file are on the disk, whoever made them.

    Another process may have made them and been killed before it could sync them.
    """
    sync_folder(path.parent)
    with suppress(PermissionError):  # we made no folder where we may not look
        sync_folder(path.parent.parent)


def sync_file(path: Path) -> None:
    """Return once what any process has written to the file is on the disk, with its name."""
    with opened(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY) as descriptor:
        sync(descriptor)
    sync_way_to(path)


def make_folders(folder: Path) -> None:
    """Create the folder and its parents, private to the user, and sync what holds them."""
    missing = takewhile(lambda part: not part.exists(), (folder, *folder.parents))
    for part in reversed(list(missing)):
        with suppress(FileExistsError):
            part.mkdir(mode=FOLDER_MODE)
        sync_way_to(part)


def dated_names(path: Path, label: str) -> Iterator[str]:
    """Yield `<name>.<label>-<time>`, and then with a counter, for where that is taken."""
    stem = f"{path.name}.{label}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    yield stem
    yield from (f"{stem}-{number}" for number in count(2))


def set_aside(path: Path, label: str, content: bytes) -> Path:
    """Write the content to a new file `<path>.<label>-<time>`, synced, and return its path."""
    names = dated_names(path, label)
    while True:
        place = path.with_name(next(names))
        with suppress(FileExistsError), opened(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL):
            break
    try:
        with opened(place, os.O_WRONLY) as descriptor:
            write_all(descriptor, content)
            sync(descriptor)
        sync_folder(path.parent)
    except BaseException:
        place.unlink(missing_ok=True)
        raise
    return place


def replace(
    path: Path, content: bytes, confirm: Callable[[], None], *, mode: int = FILE_MODE
) -> Identity:
    """Put the content in the place of the file at the path, all of it or nothing; say which it is.

    Of a memory only for the holder of its lock, who syncs the folder next. `confirm` is called
    last before the rename and raises if it must not happen. A file that is new gets the mode, less
    the umask.
    """
    temporary = path.with_name(f"{path.name}{TEMPORARY}{os.getpid()}")
    try:
        with opened(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode) as descriptor:
            _keep_mode(path, descriptor)
            write_all(descriptor, content)
            sync(descriptor)
            placed = Identity.of(os.fstat(descriptor))
        confirm()
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return placed


def remove_temporaries(path: Path) -> None:
    """Remove what a killed `replace` left behind; only for the holder of the lock."""
    names: list[str] = []
    with suppress(OSError):  # a folder that may not be listed
        names = os.listdir(path.parent)  # noqa: PTH208 - at every write: without a path for each
    for name in names:
        if is_temporary_of(path, name):
            with suppress(OSError):
                path.with_name(name).unlink()


def is_temporary_of(path: Path, name: str) -> bool:
    """Return whether a name is one that we give; a copy that somebody made may begin like it."""
    own = f"{path.name}{TEMPORARY}"
    return name.startswith(own) and set(name.removeprefix(own)) <= set(hexdigits)


def _keep_mode(path: Path, descriptor: int) -> None:
    with suppress(OSError):  # no file yet, or no modes here
        status = path.stat()
        if hasattr(os, "fchmod"):
            os.fchmod(descriptor, stat.S_IMODE(status.st_mode))
            if (status.st_uid, status.st_gid) != (os.geteuid(), os.getegid()):
                os.fchown(descriptor, status.st_uid, status.st_gid)
