"""Whether the disk may lack what the memory shows, said to every process by a file beside it.

After a failed sync the system may have dropped what it could not write, and call the next sync a
success, also that of another process. A restart of the machine settles it: then the file shows
what the disk has.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from mnemolog.store.files import opened


class Doubt:
    """The mark beside a memory file; where there can be none, this process alone knows."""

    def __init__(self, path: Path) -> None:
        self._mark = path.with_name(f"{path.name}.unsynced")
        self._is_known_here = False

    @property
    def exists(self) -> bool:
        """Whether a sync has failed, here or elsewhere, that nothing has made up for."""
        return self._is_known_here or os.path.lexists(self._mark)

    def note(self) -> None:
        """Note that a sync has failed."""
        self._is_known_here = True
        with suppress(OSError), opened(self._mark, os.O_WRONLY | os.O_CREAT):
            pass

    def settle(self) -> None:
        """Note that the whole file was written anew and synced; only for the holder of the lock."""
        self._is_known_here = False
        with suppress(OSError):
            self._mark.unlink()
