"""Standard streams that are closed or full, or that the locale writes otherwise than in UTF-8."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import folder, run, texts_of

__all__ = ["folder"]

pytestmark = pytest.mark.usefixtures("folder")

FULL = Path("/dev/full")
needs_full = pytest.mark.skipif(not FULL.exists(), reason="there is no device that is always full")


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Return what a shell says to a command line in which $m is mnemolog."""
    variables = {**os.environ, "m": f"{sys.executable} -m mnemolog", **environment}
    return subprocess.run(
        ["sh", "-c", line], env=variables, capture_output=True, check=False, encoding="utf-8"
    )


@needs_full
@pytest.mark.parametrize("words", ["list", "list --json", "export --to json", "add api 'Is in Go'"])
def test_an_answer_that_finds_no_room_is_an_error_in_one_line(words: str) -> None:
    run("add", "api", "Runs on port 8080", "--type", "service")
    done = shell(f"$m {words} > /dev/full")
    assert done.returncode == 1
    assert done.stderr == (
        "Error: The answer cannot be written (No space left on device). What was saved is saved.\n"
    )


@needs_full
def test_what_was_saved_stays_although_it_could_not_be_said() -> None:
    run("add", "api", "--type", "service")
    shell("$m add api 'Is in Go' > /dev/full")
    assert texts_of("api") == ("Is in Go",)


@pytest.mark.skipif(os.name == "nt", reason="sh closes the streams")
def test_a_stdin_that_is_closed_is_nobody_to_ask() -> None:
    run("add", "api", "Runs on port 8080", "--type", "service")
    done = shell("$m delete api <&-")
    assert done.returncode == 1
    assert "There is no terminal to ask on" in done.stderr
    done = shell("$m add api - <&-")
    assert done.returncode == 2
    assert done.stderr.endswith("Error: There is no stdin to read facts from.\n")


@pytest.mark.skipif(os.name == "nt", reason="sh closes the streams")
def test_an_import_needs_no_stderr(folder: Path) -> None:
    old = '{"type":"entity","name":"Old","entityType":"thing","observations":["was there"]}\n'
    (folder / "old.jsonl").write_text(old, encoding="utf-8", newline="\n")
    assert shell("$m import old.jsonl 2>&-").returncode == 0
    assert texts_of("Old") == ("was there",)


@pytest.mark.parametrize("words", ["show Café", "list --observations", "list --json", "log"])
def test_what_the_locale_cannot_write_is_written_as_utf8(words: str) -> None:
    run("add", "Café", "☕ 3 €", "--type", "Größe")
    done = shell(f"$m {words}", PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Café" in done.stdout
    assert done.stdout == shell(f"$m {words}", PYTHONIOENCODING="utf-8").stdout
