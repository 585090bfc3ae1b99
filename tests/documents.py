"""The project's documents, taken apart: blocks, tables, sections, and what stands in code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

PROJECT: Final = Path(__file__).resolve().parent.parent
README: Final = PROJECT / "README.md"
CONTRIBUTING: Final = PROJECT / "CONTRIBUTING.md"
FILE_FORMAT: Final = PROJECT / "docs" / "file-format.md"
CLIENTS_PAGE: Final = PROJECT / "docs" / "clients.md"
TOOLS_PAGE: Final = PROJECT / "docs" / "tools.md"
DOCUMENTS: Final = sorted((*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md")))
PAGES: Final = (README, *sorted(PROJECT.glob("docs/**/*.md")))
"""Where users look things up."""


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def name_of(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix()


def blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text_of(path), re.DOTALL | re.MULTILINE)


def example_lines(path: Path) -> list[str]:
    return [line for block in blocks(path, "jsonl") for line in block.splitlines()]


def rows(heading: str, document: Path = README) -> str:
    """Return the rows of the table whose first column has this heading."""
    return text_of(document).split(f"\n| {heading} |")[1].split("\n\n")[0]


def first_cells(heading: str, document: Path = README) -> list[str]:
    """Return what the table under this heading names in code in its first column."""
    first_columns = re.findall(r"^\|[^|]+\|", rows(heading, document), re.MULTILINE)
    return re.findall(r"`([^`]+)`", "".join(first_columns))


def code_in(text: str) -> str:
    """Return what stands in code, each block and each span on lines of its own."""
    in_blocks = re.findall(r"^```.*?\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return "\n".join([*in_blocks, *re.findall(r"`([^`\n]+)`", _without_blocks(text))])


def without_code(text: str) -> str:
    """Return the text without its blocks and spans of code."""
    return re.sub(r"`[^`\n]+`", "", _without_blocks(text))


def _without_blocks(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
