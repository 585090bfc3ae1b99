"""What the system takes to put bytes at the end of a file, with and without a lock."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Final

_MODE: Final = 0o600
_APPEND: Final = os.O_WRONLY | os.O_APPEND | os.O_CREAT


class LockedFile:
    """A file and its lock, both open all the time: nothing can be written with less."""

    def __init__(self, path: Path, content: bytes = b"") -> None:
        if content:
            path.write_bytes(content)
        self._file = os.open(path, _APPEND, _MODE)
        self._lock = os.open(path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT, _MODE)
        os.fsync(self._file)

    def append(self, content: bytes) -> None:
        """Write and sync."""
        os.write(self._file, content)
        os.fdatasync(self._file)

    def append_locked(self, content: bytes) -> None:
        """Write and sync, one process at a time."""
        fcntl.flock(self._lock, fcntl.LOCK_EX)
        try:
            self.append(content)
        finally:
            fcntl.flock(self._lock, fcntl.LOCK_UN)
