"""Real git repositories for tests, whatever the user's own settings of git are."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

Run: TypeAlias = Callable[..., str]

DAY_SECONDS = 86_400

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return what runs git in a folder; `on` is the day of a commit, so that hashes are fixed."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")

    def run(folder: Path, *words: str, on: int = 1) -> str:
        date = f"{1_700_000_000 + on * DAY_SECONDS} +0000"
        identity = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        for role in ("AUTHOR", "COMMITTER"):
            identity |= {f"GIT_{role}_NAME": "A", f"GIT_{role}_EMAIL": "a@example.org"}
        command = ["git", "-C", str(folder), "-c", "protocol.file.allow=always", *words]
        done = subprocess.run(
            command, env=os.environ | identity, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    return run


def new(folder: Path, run: Run, *words: str) -> Path:
    """Return the folder, made a repository without a commit."""
    folder.mkdir(parents=True, exist_ok=True)
    run(folder, "init", "--quiet", "--initial-branch=main", *words)
    return folder


def commit(folder: Path, run: Run, message: str = "First", on: int = 1) -> str:
    """Return the hash of a commit of all that is in the folder, be it nothing."""
    run(folder, "add", "--all")
    run(folder, "commit", "--quiet", "--allow-empty", "--message", message, on=on)
    return run(folder, "rev-parse", "HEAD")
