"""What a newcomer reads is true: examples parse, names are the code's, links lead somewhere."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from runpy import run_path
from typing import Final

import pytest

from documents import (
    CLIENTS_PAGE,
    CONTRIBUTING,
    DOCUMENTS,
    FILE_FORMAT,
    PROJECT,
    README,
    blocks,
    example_lines,
    name_of,
    rows,
    text_of,
    without_code,
)
from mnemolog.clients.config_file import new_config
from mnemolog.clients.known import CLIENTS, Client
from mnemolog.jsonl import encode, read_line

MEASURED: Final = re.compile(r"<!-- measured: [^>]+ -->\n.*?<!-- end of measured -->", re.DOTALL)
"""What benchmarks/run.py writes into a document."""


@pytest.mark.parametrize("text", [text for page in DOCUMENTS for text in blocks(page, "json")])
def test_every_json_snippet_parses(text: str) -> None:
    assert json.loads(text)


@pytest.mark.parametrize("text", [text for page in DOCUMENTS for text in blocks(page, "toml")])
def test_every_toml_snippet_parses(text: str) -> None:
    assert tomllib.loads(text)


@pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)
def test_each_config_is_shown_as_init_writes_it(client: Client) -> None:
    language = Path(client.files[0]).suffix.removeprefix(".")
    assert new_config(client) in blocks(CLIENTS_PAGE, language)
    assert f"**{client.title}**, `{client.files[0]}`:" in text_of(CLIENTS_PAGE)


def test_the_layers_stand_in_the_order_that_a_test_holds() -> None:
    layers = run_path(str(PROJECT / "tests" / "test_layering.py"))["LEVEL"]
    first_columns = re.findall(
        r"^\|[^|]+\|", rows("where in `src/mnemolog`", CONTRIBUTING), re.MULTILINE
    )
    shown = re.findall(r"`(\w+)/?`", "".join(first_columns))
    assert shown == sorted(shown, key=layers.__getitem__)
    assert set(shown) >= {path.stem for path in (PROJECT / "src" / "mnemolog").glob("[a-z]*.py")}


def test_every_script_that_a_document_runs_is_there() -> None:
    for document in DOCUMENTS:
        for script in re.findall(r"\bpython ((?:benchmarks|scripts)/\w+\.py)", text_of(document)):
            assert (PROJECT / script).is_file(), f"{document.name}: {script}"


def test_no_figure_is_still_to_come() -> None:
    for document in DOCUMENTS:
        filled = MEASURED.sub("", text_of(document))
        assert "<!--" not in filled, document.name


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_every_link_leads_to_a_file_and_a_heading(document: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", without_code(text_of(document))):
        name, _, anchor = target.partition("#")
        path = document.parent / name if name else document
        assert path.exists(), target
        assert not anchor or anchor in anchors(path), target


def anchors(document: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", text_of(document), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("line", [*example_lines(README), *example_lines(FILE_FORMAT)])
def test_every_example_line_is_what_the_log_would_write(line: str) -> None:
    read = read_line(line.encode())
    assert [encode(r, continues=read.continues).decode() for r in read.records] == [f"{line}\n"]
