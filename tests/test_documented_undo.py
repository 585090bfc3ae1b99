"""What the documents say of `undo` and of a team's memory is what happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import repositories
from command_line import folder, run
from repositories import Run, needs_git, new

__all__ = ["folder"]

run_git = repositories.run
DOCUMENTS = Path(__file__).parents[1] / "docs"
FACT = '{"type":"entity","name":"Old","entityType":"thing","observations":["was there"]}\n'


def test_an_import_is_taken_back_by_the_command_as_its_page_says(folder: Path) -> None:
    page = (DOCUMENTS / "importing.md").read_text(encoding="utf-8")
    assert "The tool `undo` does not take an import back; `mnemolog undo` does" in page
    (folder / "old.jsonl").write_text(FACT, encoding="utf-8", newline="\n")
    run("import", "old.jsonl")
    run("undo", "--yes")
    assert "Nothing is listed" in run("list")


@needs_git
@pytest.mark.skipif(sys.platform == "win32", reason="the page has a line for sh")
def test_the_line_for_a_shell_names_the_teams_memory_from_a_subfolder(
    tmp_path: Path, run_git: Run
) -> None:
    page = (DOCUMENTS / "team.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^export MEMORY_FILE_PATH=.*$", page, re.MULTILINE)
    repository = new(tmp_path / "app", run_git)
    (repository / "src").mkdir()
    command = f'{line}; {sys.executable} -m mnemolog add api "Is in Go" --type service'
    subprocess.run(["sh", "-c", command], cwd=repository / "src", check=True, capture_output=True)
    assert "Is in Go" in (repository / ".agents" / "memory.jsonl").read_text(encoding="utf-8")
