"""The servers that are measured, each with the file that it reads; and how to get them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dataset import Dataset
from figures import FAILURES, Figures

from server_memory import NotInstalled, fetch, server_memory_command

OURS: Final = "mnemolog"
THEIRS: Final = "server-memory"
PLAIN_TEXT: Final = "plain-text-memory-mcp"
MINIMAL: Final = "minimal server"

PLAIN_TEXT_VERSION: Final = "0.3.0"
PLAIN_TEXT_VARIABLE: Final = "MNEMOLOG_PLAIN_TEXT_MEMORY"
"""Names its command; without it, it is installed for the run."""

_OLDEST_PYTHON: Final = (3, 12)


@dataclass(frozen=True, slots=True)
class Peer:
    """A server."""

    name: str
    command: tuple[str, ...]
    write: Callable[[Dataset, Path], None]
    """Writes a dataset into its file."""


def found_peers(figures: Figures, folder: Path) -> list[Peer]:
    """Return the servers that there are; of the others, the figures say why they are not."""
    ours = (str(Path(sys.executable).with_name("mnemolog")),)
    peers = [Peer(OURS, ours, Dataset.write_ours)]
    try:
        peers.append(Peer(THEIRS, _server_memory(), Dataset.write_theirs))
    except (NotInstalled, *FAILURES) as reason:
        figures.miss(THEIRS, reason)
    try:
        peers.append(Peer(PLAIN_TEXT, _plain_text_memory(folder), Dataset.write_theirs))
    except (NotInstalled, *FAILURES) as reason:
        figures.miss(f"{PLAIN_TEXT} {PLAIN_TEXT_VERSION}", reason)
    return peers


def minimal_server() -> Peer:
    """Return the least that a server on our SDK can be."""
    command = (sys.executable, str(Path(__file__).with_name("minimal_server.py")))
    return Peer(MINIMAL, command, Dataset.write_ours)


def _server_memory() -> tuple[str, ...]:
    try:
        return server_memory_command()
    except NotInstalled:
        fetch()
        return server_memory_command()


def _plain_text_memory(folder: Path) -> tuple[str, ...]:
    if named := os.environ.get(PLAIN_TEXT_VARIABLE):
        return (named,)
    uv = shutil.which("uv")
    python = next((p for p in _pythons() if _is_new_enough(p)), None)
    if uv is None or python is None:
        raise NotInstalled("needs uv and Python 3.12 or newer, and there is none here")
    home = folder / PLAIN_TEXT
    bin_folder = home / ("Scripts" if os.name == "nt" else "bin")
    wanted = f"{PLAIN_TEXT}=={PLAIN_TEXT_VERSION}"
    for command in (
        [uv, "venv", "--python", python, str(home)],
        [uv, "pip", "install", "--compile-bytecode", "--python", str(home), wanted],
    ):
        subprocess.run(command, capture_output=True, check=True, timeout=300)
    return (str(bin_folder / PLAIN_TEXT),)


def _pythons() -> Iterator[str]:
    yield from map(str, sorted(Path.home().glob(".pyenv/versions/3.*/bin/python"), reverse=True))
    for name in ("python3.14", "python3.13", "python3.12", "python3"):
        if found := shutil.which(name):
            yield found


def _is_new_enough(python: str) -> bool:
    asked = [python, "-c", f"import sys; sys.exit(sys.version_info < {_OLDEST_PYTHON})"]
    return subprocess.run(asked, capture_output=True, check=False).returncode == 0
