"""Checks of who may read and write the memory, and whether somebody keeps it locked."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mnemolog.doctor.examination import Examination
from mnemolog.doctor.finding import Finding
from mnemolog.errors import LockTimeout
from mnemolog.store.access import AccessLog
from mnemolog.store.lock import WriterLock

WIDE_MODES: Final = "wide_mode"

LOCK_PATIENCE_SECONDS: Final = 2.0
_LOCKS: Final = Path("/proc/locks")
_NAMES_SHOWN: Final = 5


def wide_modes(examination: Examination) -> Iterator[Finding]:
    """Yield the files of the memory that other users of the machine can read."""
    wide = list(wide_files(examination))
    if wide:
        modes = [(path, stat.S_IMODE(examination.folder_files[path].st_mode)) for path in wide]
        named = ", ".join(f"{path.name} ({mode:o})" for path, mode in modes[:_NAMES_SHOWN])
        more = f" and {len(wide) - _NAMES_SHOWN} more" if wide[_NAMES_SHOWN:] else ""
        yield Finding(
            "remark",
            WIDE_MODES,
            f"Other users of this machine can read the memory: {named}{more}.",
            str(examination.path.parent),
            "Keep them private with 'chmod 600', as --fix does.",
            is_fixable=True,
        )
    folder = examination.path.parent
    if os.name != "nt" and folder.is_dir() and folder.stat().st_mode & stat.S_IWOTH:
        yield Finding(
            "problem",
            "wide_folder",
            "Everybody on this machine can replace the memory: its folder is writable for all.",
            str(folder),
            "Take that right away: chmod o-w.",
        )


def wide_files(examination: Examination) -> Iterator[Path]:
    """Yield the files of the memory that other users can read, unless git tracks the memory.

    Then its checkouts are as wide as everything else.
    """
    if os.name == "nt" or examination.is_tracked:
        return
    for path, status in _own_files(examination):
        if status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            yield path


def not_writable(examination: Examination) -> Iterator[Finding]:
    """Yield why nothing can be saved, or soon not."""
    path = examination.path
    folder = next(place for place in path.parents if place.exists())
    if not os.access(folder, os.W_OK):
        yield Finding(
            "problem",
            "not_writable",
            "The folder cannot be written, so memory is only read: no lock can be taken in it.",
            str(folder),
            "Make it writable for yourself, or set MEMORY_FILE_PATH to a file elsewhere.",
        )
    if path.exists() and not os.access(path, os.W_OK):
        yield Finding(
            "problem",
            "not_writable",
            "The memory cannot be written, so it is only read.",
            str(path),
            "Make it writable for yourself: chmod u+w.",
        )


def other_owner(examination: Examination) -> Iterator[Finding]:
    """Yield the files of the memory that belong to another user."""
    if os.name == "nt":
        return
    for path, status in _own_files(examination):
        owner = status.st_uid
        if owner != os.geteuid():
            yield Finding(
                "problem" if os.geteuid() else "remark",
                "other_owner",
                f"The file belongs to another user (uid {owner}; you are {os.geteuid()}), so one "
                "of you may not be able to write it.",
                str(path),
                "Run clients and mnemolog as one user, and give the file to that one: chown.",
            )


def held_lock(examination: Examination) -> Iterator[Finding]:
    """Yield that somebody keeps the lock. Its file alone means nothing: it stays on purpose."""
    lock = WriterLock(examination.path, LOCK_PATIENCE_SECONDS)
    if not lock.path.exists() or not os.access(lock.path.parent, os.W_OK):
        return
    try:
        with lock.held():
            return
    except LockTimeout:
        holder = _holder(lock.path)
        yield Finding(
            "problem",
            "held_lock",
            f"{holder or 'Another process'} has held the lock for more than "
            f"{LOCK_PATIENCE_SECONDS:g} seconds, so nothing can be saved.",
            str(lock.path),
            "Try again in a moment, since a large import may hold it. If that process hangs, end "
            "it; deleting the file does not help.",
        )


def _holder(lock: Path) -> str | None:
    """Return which process holds it, where Linux says so."""
    try:
        inode = str(lock.stat().st_ino)
        lines = _LOCKS.read_text(encoding="ascii").splitlines() if sys.platform == "linux" else []
    except OSError:
        return None
    held = (line.split() for line in lines)
    found = (words[4] for words in held if len(words) > 5 and words[5].endswith(f":{inode}"))  # noqa: PLR2004 - pid and file, as proc_locks(5) has them
    return next((f"Process {pid}" for pid in found), None)


def _own_files(examination: Examination) -> Iterator[tuple[Path, os.stat_result]]:
    memory = examination.path
    access = AccessLog(memory).path
    for path, status in examination.folder_files.items():
        if path in {memory, access} or path.name.startswith(f"{memory.name}."):
            yield path, status
