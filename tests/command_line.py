"""The command in a folder of its own, outside git, for tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from mnemolog.cli import main
from mnemolog.memory import Memory
from mnemolog.store.location import Settings

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("MEMORY_FILE_PATH", "MEMORY_AGENT"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


def invoke(*words: str, said: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, words, input=said)


def run(*words: str, code: int = 0, said: str | bytes | None = None) -> str:
    """Return what a command prints, remarks included."""
    result = invoke(*words, said=said)
    assert result.exit_code == code, result.output
    return result.output


def run_json(*words: str) -> Any:
    result = invoke(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def on_a_terminal(*words: str, typed: bytes) -> tuple[bytes, int]:
    """Return what a command shows to a person who types something, and its exit code."""
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "mnemolog", *words]
    with subprocess.Popen(
        command, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        os.close(theirs)
        os.write(ours, typed)
        said, _ = process.communicate(timeout=60)
    os.close(ours)
    return said, process.returncode


def memory(at: datetime | None = None) -> Memory:
    """Return the memory of the folder; with a moment, its clock stands still."""
    settings = Settings.from_environment()
    return Memory.open(settings, Path.cwd(), lambda: at or datetime.now().astimezone())


def texts_of(name: str) -> tuple[str, ...]:
    return next(e.observations for e in memory().read_graph().entities if e.name == name)
