"""When entities were opened: a log beside the memory that only ever helps the ranking.

Losing it, or part of it, resets activation and nothing else, so nothing here waits, syncs or fails:
what cannot be written or read is left out.
"""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from msgspec.json import Encoder

from mnemolog.store import files
from mnemolog.store.files import Identity

_encode: Final = Encoder().encode

LARGEST_BYTES: Final = 1 << 20
"""Beyond this the newer half of the log replaces it."""


class AccessLog:
    """The openings of one memory's entities, by all processes that share the file."""

    def __init__(self, memory: Path) -> None:
        self.path = memory.with_name(f"{memory.stem}.access{memory.suffix}")
        self._identity: Identity | None = None
        self._read_to = 0
        self._opens: dict[str, list[float]] = defaultdict(list)

    def note(self, names: Iterable[str], at: datetime) -> None:
        """Write down that these entities were opened."""
        stamp = at.isoformat(timespec="seconds")
        self._append(*({"type": "access", "at": stamp, "entity": name} for name in names))

    def _append(self, *entries: dict[str, str]) -> None:
        lines = b"".join(_encode(entry) + b"\n" for entry in entries)
        if not lines:
            return
        with suppress(OSError), files.opened(self.path, _APPEND) as descriptor:
            os.write(descriptor, lines)
            if os.fstat(descriptor).st_size > LARGEST_BYTES:
                self._halve()

    def move(self, old: str, new: str, at: datetime) -> None:
        """Let what is known of one entity's openings count for another."""
        self._append(
            {"type": "moved", "at": at.isoformat(timespec="seconds"), "entity": old, "to": new}
        )

    def opens(self) -> Mapping[str, Sequence[float]]:
        """Return when each entity was opened, in seconds since 1970, as far as is known."""
        with suppress(OSError):
            identity = files.identity_at(self.path)
            if identity != self._identity:
                self._catch_up(identity)
        return self._opens

    def _catch_up(self, identity: Identity | None) -> None:
        has_grown = (
            identity is not None
            and identity.is_same_file(self._identity)
            and identity.size >= self._read_to
        )
        if not has_grown:
            self._opens.clear()
            self._read_to = 0
        self._identity = identity
        if identity is None:
            return
        with files.opened(self.path, os.O_RDONLY | _WITHOUT_WAITING) as descriptor:
            content = files.read_from(descriptor, self._read_to)
        whole = content[: content.rfind(b"\n") + 1]
        self._read_to += len(whole)
        for line in whole.splitlines():
            with suppress(ValueError, KeyError, TypeError, RecursionError):
                self._take(line)

    def _take(self, line: bytes) -> None:
        value = json.loads(line)
        at = datetime.fromisoformat(value["at"]).timestamp()
        name = str(value["entity"])
        if "to" in value:
            self._opens[str(value["to"])] += self._opens.pop(name, [])
        else:
            self._opens[name].append(at)

    def _halve(self) -> None:
        """Keep the newer half. An opening that another process notes meanwhile may be lost."""
        files.remove_temporaries(self.path)  # of a process that was killed right here
        content = self.path.read_bytes()
        newer = content[content.find(b"\n", len(content) // 2) + 1 :]
        files.replace(self.path, newer, lambda: None)


# Whoever opens a named pipe waits for somebody at its other end.
_WITHOUT_WAITING: Final = getattr(os, "O_NONBLOCK", 0)
_APPEND: Final = os.O_WRONLY | os.O_APPEND | os.O_CREAT | _WITHOUT_WAITING
