"""A folder as the doctor sees it, with a home of its own, for tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from mnemolog.doctor.examination import Examination
from mnemolog.doctor.finding import Finding
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity, NewObservations
from mnemolog.store.location import FILE, FOLDER, Settings

Check = Callable[[Examination], Iterator[Finding]]


def examine(start: Path, *, setting: str | None = None, mounts: Path | None = None) -> Examination:
    """Return the examination of a folder; its home is the folder `home` beside it."""
    home = start.parent / "home"
    home.mkdir(exist_ok=True)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MEMORY_")}
    if setting is not None:
        environment["MEMORY_FILE_PATH"] = setting
    settings = Settings.from_environment(environment)
    return Examination(
        settings, start, home, environment, mounts or start.parent / "there are no mounts"
    )


def found(check: Check, examination: Examination) -> list[Finding]:
    """Return what a check finds."""
    return list(check(examination))


def only(check: Check, examination: Examination) -> Finding:
    """Return the one thing that a check finds."""
    (finding,) = check(examination)
    return finding


def save(start: Path, name: str = "api", *texts: str, kind: str = "service") -> Path:
    """Save an entity with facts as a tool does, and return the memory file."""
    memory = Memory.open(Settings(None, None), start)
    memory.create_entities([NewEntity(name, kind, ())], "codex")
    if texts:
        memory.add_observations([NewObservations(name, texts)], "codex")
    return memory.location.path


def write(start: Path, lines: Iterable[bytes]) -> Path:
    """Write a memory file line by line, private as ours are, and return it."""
    path = start / FOLDER / FILE
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    path.chmod(0o600)
    return path


def line(name: str, *texts: str, kind: str = "service") -> bytes:
    """Return an entity line, as server-memory writes it."""
    observations = ",".join(f'"{text}"' for text in texts)
    return (
        f'{{"type":"entity","name":"{name}","entityType":"{kind}","observations":[{observations}]}}'
    ).encode()
