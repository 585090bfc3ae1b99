"""Tables put into documents, between marks, so that nobody copies a figure by hand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

_MARKED = re.compile(r"(<!-- measured: (.+?) -->\n).*?(<!-- end of measured -->)", re.DOTALL)


def wanted_by(document: Path) -> list[str]:
    """Return the names of the tables that a document wants."""
    return [name for _, name, _ in _MARKED.findall(document.read_text(encoding="utf-8"))]


def write_into(document: Path, tables: Mapping[str, str]) -> None:
    """Put each table where the document wants it.

    Raises:
        KeyError: It wants one that there is not.
    """
    filled = _filled(document.read_text(encoding="utf-8"), tables)
    document.write_text(filled, encoding="utf-8", newline="\n")


def _filled(text: str, tables: Mapping[str, str]) -> str:
    def fill(marked: re.Match[str]) -> str:
        start, name, end = marked.groups()
        table = tables[name]
        return f"{start}\n{table}\n\n{end}" if table else f"{start}{end}"

    return _MARKED.sub(fill, text)
