"""Where server-memory is on this machine, for tests and measurements beside it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from filelock import FileLock

PACKAGE: Final = "@modelcontextprotocol/server-memory"
VERSION: Final = "2026.8.31"
FOLDER_VARIABLE: Final = "MNEMOLOG_SERVER_MEMORY"

HOW_TO_GET_IT: Final = (
    f"needs node and {PACKAGE} {VERSION}: run `npx -y {PACKAGE}@{VERSION} < {os.devnull}` once, "
    f"or name a folder in {FOLDER_VARIABLE}, where npm installs it"
)


class NotInstalled(Exception):
    """There is no node, or no server-memory, on this machine."""


@cache
def server_memory_command() -> tuple[str, ...]:
    """Return the words that start server-memory without npx, whose own start takes a second.

    Looks in the folder that MNEMOLOG_SERVER_MEMORY names, and installs it there if it is missing;
    else in what npx has fetched before.

    Raises:
        NotInstalled: It is in none of these.
    """
    node = shutil.which("node")
    if node is None:
        raise NotInstalled(HOW_TO_GET_IT)
    for folder in _folders():
        package = folder / "node_modules" / PACKAGE
        if _version_in(package) == VERSION:
            return node, str(package / "dist" / "index.js")
    raise NotInstalled(HOW_TO_GET_IT)


def fetch() -> None:
    """Let npx fetch server-memory into its cache; it ends at once, since its input is empty."""
    if (npx := shutil.which("npx")) is None:
        raise NotInstalled(HOW_TO_GET_IT)
    command = [npx, "-y", f"{PACKAGE}@{VERSION}"]
    subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=300)
    server_memory_command.cache_clear()


def _folders() -> Iterator[Path]:
    if named := os.environ.get(FOLDER_VARIABLE):
        folder = Path(named)
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / "install.lock"):  # several test processes may want it at once
            if _version_in(folder / "node_modules" / PACKAGE) != VERSION:
                _install_into(folder)
        yield folder
    cache_folder = os.environ.get("npm_config_cache")  # noqa: SIM112 - npm's own spelling
    yield from Path(cache_folder or Path.home() / ".npm").glob("_npx/*")


def _install_into(folder: Path) -> None:
    if (npm := shutil.which("npm")) is None:
        raise NotInstalled(HOW_TO_GET_IT)
    command = [npm, "install", "--prefix", str(folder), "--no-save", f"{PACKAGE}@{VERSION}"]
    subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=300)


def _version_in(package: Path) -> str | None:
    try:
        described = json.loads((package / "package.json").read_text(encoding="utf-8"))
    except OSError:
        return None
    return str(described["version"])
