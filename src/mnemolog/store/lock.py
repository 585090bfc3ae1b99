"""One writer at a time, across processes."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mnemolog.errors import LockTimeout, StorageError
from mnemolog.store.files import FILE_MODE

if TYPE_CHECKING:
    from filelock import FileLock

LOCK_TIMEOUT_SECONDS: Final = 10.0
_POLL_SECONDS: Final = 0.001


class WriterLock:
    """The lock beside a memory file; its file stays when it is released."""

    def __init__(self, path: Path, timeout_seconds: float = LOCK_TIMEOUT_SECONDS) -> None:
        self.path = path.with_name(f"{path.name}.lock")
        self._timeout_seconds = timeout_seconds
        self._held_inode: tuple[int, int] | None = None

    @cached_property
    def _lock(self) -> FileLock:
        from filelock import FileLock  # noqa: PLC0415 - whoever only reads needs no lock

        return FileLock(
            self.path,
            mode=FILE_MODE,
            thread_local=False,
            poll_interval=_POLL_SECONDS,
            # A lock file that is deleted on release lets two holders in (Windows), and so does
            # a marker file where the system has no locks.
            preserve_lock_file=True,
            fallback_to_soft=False,
            on_acquired=self._note_inode,
        )

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock.

        Raises:
            LockTimeout: Another process kept it.
            StorageError: There are no locks here.
        """
        self._acquire()
        try:
            yield
        finally:
            self._lock.release()

    def renew(self) -> None:
        """Hold the lock that others would take: whoever deletes its file lets them take another."""
        if not self.is_on_path():
            self._lock.release()
            self._acquire()

    def is_on_path(self) -> bool:
        """Return whether the file that we lock is still the one that others would lock."""
        try:
            status = self.path.stat()
        except OSError:
            return False
        return (status.st_dev, status.st_ino) == self._held_inode

    def _acquire(self) -> None:
        deadline = time.monotonic() + self._timeout_seconds
        self._acquire_until(deadline)
        # Whoever deletes the lock file (git clean) while we wait lets the next one lock a new file.
        while not self.is_on_path():
            self._lock.release()
            if time.monotonic() > deadline:
                raise StorageError(
                    f"{self.path} is deleted again and again, so it locks nothing. Nothing was "
                    "saved: stop the program that deletes it, then try again."
                )
            self._acquire_until(deadline)

    def _acquire_until(self, deadline: float) -> None:
        from filelock import Timeout  # noqa: PLC0415 - as above

        try:
            self._lock.acquire(timeout=max(0.0, deadline - time.monotonic()))
        except Timeout:
            raise LockTimeout(
                f"Another process has held {self.path} for {self._timeout_seconds:g} seconds. "
                "Nothing was saved: try again, or end that process if it hangs."
            ) from None
        except OSError as error:
            raise StorageError(
                f"{self.path} cannot be locked ({error.strerror}), and without a lock two agents "
                "could overwrite each other. Nothing was saved: keep the memory on a local disk "
                "that you may write to, or set MEMORY_FILE_PATH to one."
            ) from error

    def _note_inode(self, descriptor: int) -> None:
        status = os.fstat(descriptor)
        self._held_inode = (status.st_dev, status.st_ino)
