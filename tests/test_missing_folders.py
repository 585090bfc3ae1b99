"""Folders that are not there: the one that a command is called in, and the home folder."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from command_line import folder, invoke, run
from mnemolog.store.location import home_folder

__all__ = ["folder"]

pwd = pytest.importorskip("pwd", reason="Windows has no list of users to be missing from")

COMMANDS = (
    ("where",),
    ("list",),
    ("add", "api", "x", "--type", "service"),
    ("doctor",),
    ("init", "--client", "codex"),
    ("import",),
    ("recall",),
)


def nobody(_uid: int) -> None:
    raise KeyError


@pytest.fixture
def without_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Be a user that is entered nowhere, as in a container."""
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", nobody)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_folder_that_is_gone_is_said_in_words(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    result = invoke(*words)
    assert result.exit_code == 1
    assert result.output.startswith("Error: The folder that mnemolog is started in cannot be used")


def test_a_server_in_a_folder_that_is_gone_says_so(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    started = f'import os, runpy; os.rmdir("{gone}"); runpy.run_module("mnemolog", alter_sys=True)'
    done = subprocess.run(
        [sys.executable, "-P", "-c", started], cwd=gone, capture_output=True, check=False, input=b""
    )
    assert done.returncode == 1
    assert done.stderr.startswith(b"Error: The folder that mnemolog is started in")


@pytest.mark.usefixtures("without_home", "folder")
def test_a_user_without_a_home_has_a_memory() -> None:
    run("add", "api", "Runs on port 8080", "--type", "service")
    assert "Runs on port 8080" in run("show", "api")
    assert run("import") == "No store of another memory was found where their servers keep them.\n"
    run("init", "--client", "codex")


@pytest.mark.usefixtures("without_home")
def test_in_place_of_a_home_that_nobody_knows_there_is_the_root() -> None:
    assert home_folder() == Path("/")
