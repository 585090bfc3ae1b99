"""Folders that cost nothing: in memory, where the system has that."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

_IN_MEMORY = Path("/dev/shm")  # noqa: S108 - a fresh folder in it, as in any place for such


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """Give an empty folder that is gone afterwards."""
    place = _IN_MEMORY if _IN_MEMORY.is_dir() else None
    with TemporaryDirectory(dir=place) as folder:
        yield Path(folder)
