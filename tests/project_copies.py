"""A clone of this project as it lies on the disk, to change its code and commit in it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any, Final

import repositories
from repositories import Run

PROJECT: Final = Path(__file__).resolve().parent.parent
FILES: Final = ("taxonomy.json", "src/mnemolog/taxonomy.json")
PARTS: Final = ("src", "scripts", ".githooks", "pyproject.toml", "README.md", "LICENSE", FILES[0])


def copied(folder: Path) -> Path:
    """Return the folder, with what the taxonomy is made from and what makes it."""
    folder.mkdir()
    for part in PARTS:
        if (PROJECT / part).is_dir():
            unwanted = shutil.ignore_patterns("__pycache__")
            shutil.copytree(PROJECT / part, folder / part, ignore=unwanted)
        else:
            shutil.copy(PROJECT / part, folder / part)
    return folder


def cloned(folder: Path, run: Run) -> Path:
    """Return a clone whose first commit is the project as it lies here."""
    origin = repositories.new(folder / "origin", run)
    shutil.copytree(copied(folder / "copy"), origin, dirs_exist_ok=True)
    repositories.commit(origin, run)
    clone = folder / "clone"
    run(folder, "clone", "--quiet", str(origin), str(clone))
    for key, value in (("user.name", "A"), ("user.email", "a@example.org")):
        run(clone, "config", key, value)
    return clone


def replace(folder: Path, name: str, old: str, new: str) -> None:
    """Change a text in a file of the copy."""
    path = folder / name
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, (name, old)
    path.write_text(text.replace(old, new), encoding="utf-8", newline="\n")


def say_otherwise(folder: Path) -> None:
    """Change a purpose: a patch."""
    replace(folder, "src/mnemolog/records.py", "an entity exists, what it is", "it is, what it is")


def allow_more(folder: Path) -> None:
    """Allow one more mode: a minor change."""
    replace(folder, "src/mnemolog/requests.py", '["fresh", "adopt"]', '["fresh", "adopt", "join"]')


def allow_less(folder: Path) -> None:
    """Allow one mode less: a major change."""
    replace(folder, "src/mnemolog/requests.py", '["fresh", "adopt"]', '["fresh"]')


def taxonomy_in(folder: Path) -> dict[str, Any]:
    """Return the taxonomy that lies there; both copies have to be one."""
    top, packaged = ((folder / name).read_bytes() for name in FILES)
    assert top == packaged
    taxonomy: dict[str, Any] = json.loads(top)
    return taxonomy
