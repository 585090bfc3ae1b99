"""What a run was measured on, in one sentence, and whether there is memory for a large one."""

from __future__ import annotations

import os
import platform
import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from datetime import datetime
from importlib.metadata import version
from pathlib import Path

from peers import PLAIN_TEXT, PLAIN_TEXT_VERSION, THEIRS, Peer

from server_memory import PACKAGE, VERSION


def about_this_run(peers: Sequence[Peer], folder: Path) -> str:
    """Return the day, the machine and the versions."""
    names = {peer.name for peer in peers}
    ours = f"mnemolog {version('mnemolog')} on Python {platform.python_version()}"
    versions = [f"{ours} with mcp {version('mcp')}"]
    if THEIRS in names:
        versions.append(f"{PACKAGE} {VERSION} on node {_said_by('node', '--version').strip('v')}")
    if PLAIN_TEXT in names:
        versions.append(f"{PLAIN_TEXT} {PLAIN_TEXT_VERSION}")
    versions.append(f"SQLite {sqlite3.sqlite_version}")
    return (
        f"{datetime.now().astimezone():%Y-%m-%d}, {_processor()}, {os.cpu_count()} cores, "
        f"{platform.system()} {platform.machine()}, {_file_system(folder)}. "
        f"{'; '.join(versions)}."
    )


def free_gibibytes() -> float | None:
    """Return how much memory is free; None where the system does not say."""
    told = Path("/proc/meminfo")
    if not told.exists():
        return None
    lines = dict(line.split(":", 1) for line in told.read_text(encoding="utf-8").splitlines())
    return int(lines["MemAvailable"].split()[0]) / 2**20


def _processor() -> str:
    described = Path("/proc/cpuinfo")
    if not described.exists():
        return platform.processor() or "unknown processor"
    lines = described.read_text(encoding="utf-8").splitlines()
    models = (line.partition(": ")[2] for line in lines if line.startswith("model name"))
    return next(models, "unknown processor")


def _file_system(folder: Path) -> str:
    return _said_by("stat", "-f", "-c", "%T", str(folder)) or "unknown file system"


def _said_by(*command: str) -> str:
    if shutil.which(command[0]) is None:
        return ""
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
