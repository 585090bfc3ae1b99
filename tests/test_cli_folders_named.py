"""Folders that people name for a backup or an export, and that are not there yet."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import folder, run

__all__ = ["folder"]


@pytest.fixture(autouse=True)
def filled(folder: Path) -> Path:
    run("add", "api", "Runs on port 8080", "--type", "service")
    return folder


def test_a_backup_to_a_folder_that_is_not_there_does_not_become_a_file(filled: Path) -> None:
    said = run("backup", f"{filled / 'backups'}/", code=1)
    assert f"There is no folder {filled / 'backups'}. Create it, or name another." in said
    assert not (filled / "backups").exists()
    (filled / "backups").mkdir()
    run("backup", f"{filled / 'backups'}/")
    run("backup", f"{filled / 'backups'}/")
    assert len(list((filled / "backups").iterdir())) == 2


def test_an_export_to_a_folder_that_is_not_there_does_not_become_a_file(filled: Path) -> None:
    said = run("export", "--to", "json", f"{filled / 'exports'}/", code=1)
    assert f"There is no folder {filled / 'exports'}. Create it, or name another." in said
    assert not (filled / "exports").exists()


@pytest.mark.parametrize("to", ["json", "markdown"])
def test_an_export_says_which_folder_is_missing(to: str, filled: Path) -> None:
    said = run("export", "--to", to, "docs/memory", code=1)
    assert f"There is no folder {filled / 'docs'}. Create it, or name another." in said
