"""Every promise of the threat model names the tests that hold it, and no such test is forgotten."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Final

import pytest

from documents import PROJECT, text_of

PAGE: Final = PROJECT / "docs" / "threat-model.md"
TESTS: Final = PROJECT / "tests"

_LINE: Final = re.compile(r"^- \*\*([A-Z]\d+)\*\* .+$\n((?:^  - `.+`$\n)*)", re.MULTILINE)
_TEST: Final = re.compile(r"^  - `([\w/]+\.py)::(\w+)`$", re.MULTILINE)


def lines() -> dict[str, list[tuple[str, str]]]:
    """Return the tests that each line names, by its number."""
    found = _LINE.findall(text_of(PAGE))
    assert len(dict(found)) == len(found), "no number stands twice"
    return {number: _TEST.findall(tests) for number, tests in found}


def named_in(path: Path) -> set[str]:
    """Return the names of the tests in a file."""
    nodes = ast.parse(text_of(path)).body
    functions = (n for n in nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    return {function.name for function in functions if function.name.startswith("test_")}


def test_every_numbered_line_is_read() -> None:
    written = re.findall(r"^- \*\*([A-Z]\d+)\*\*", text_of(PAGE), re.MULTILINE)
    assert written == list(lines())
    assert len(written) > 25
    named = re.findall(r"`[\w/]+\.py::\w+`", text_of(PAGE))
    assert len(named) == sum(map(len, lines().values())), "no test is named outside a line"


@pytest.mark.parametrize("number", lines())
def test_every_line_is_held_by_tests_that_exist(number: str) -> None:
    named = lines()[number]
    assert named
    for file, test in named:
        assert test in named_in(TESTS / file), f"{file}::{test}"


@pytest.mark.parametrize(
    "path", sorted((TESTS / "security").glob("test_*.py")), ids=lambda p: p.stem
)
def test_every_security_test_stands_behind_a_line(path: Path) -> None:
    named = {test for tests in lines().values() for file, test in tests if path == TESTS / file}
    assert named_in(path) == named


def test_the_table_of_contents_leads_to_every_section() -> None:
    text = text_of(PAGE)
    listed = re.findall(r"^- \[(.+)\]\(#(.+)\)$", text, re.MULTILINE)
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert [title for title, _ in listed] == headings
    assert all(anchor == title.lower().replace(" ", "-") for title, anchor in listed)
