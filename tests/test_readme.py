"""What a newcomer reads is true: examples parse, names are the code's, links lead somewhere."""

from __future__ import annotations

import dataclasses
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from mnemolog.cli import main
from mnemolog.jsonl import encode, read_line
from mnemolog.records import RECORD_TYPES
from mnemolog.server.reads import Reading
from mnemolog.server.tools import TOOLS
from mnemolog.store.location import Settings

PROJECT = Path(__file__).resolve().parent.parent
README = PROJECT / "README.md"
CONTRIBUTING = PROJECT / "CONTRIBUTING.md"
FILE_FORMAT = PROJECT / "docs" / "file-format.md"
DOCUMENTS = sorted((*PROJECT.glob("*.md"), *PROJECT.glob("docs/**/*.md")))

CONFIGS = {
    ".mcp.json",
    ".codex/config.toml",
    ".cursor/mcp.json",
    ".vscode/mcp.json",
    ".gemini/settings.json",
    "opencode.json",
}


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text_of(path), re.DOTALL | re.MULTILINE)


def example_lines(path: Path) -> list[str]:
    return [line for block in blocks(path, "jsonl") for line in block.splitlines()]


def name_of(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix()


@pytest.mark.parametrize("text", blocks(README, "json"))
def test_every_json_snippet_parses(text: str) -> None:
    assert json.loads(text)


@pytest.mark.parametrize("text", blocks(README, "toml"))
def test_every_toml_snippet_parses(text: str) -> None:
    assert tomllib.loads(text)


def test_the_client_check_takes_every_config_from_the_readme() -> None:
    assert set(client_check()["snippets_in"](text_of(README))) == CONFIGS


def test_every_config_can_be_started_from_a_wheel() -> None:
    check = client_check()
    for snippet in check["snippets_in"](text_of(README)).values():
        started = check["with_wheel"](snippet, PROJECT / "mnemolog.whl", PROJECT)
        assert "mnemolog.whl" in started
        assert "${" not in started


def client_check() -> dict[str, Any]:
    """Return what the script defines, without running it."""
    return run_path(str(PROJECT / "scripts" / "check_clients.py"))


class NotedEnvironment(Mapping[str, str]):
    """An empty environment that notes what it is asked for."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def __getitem__(self, name: str) -> str:
        self.asked.add(name)
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def test_every_environment_variable_is_in_the_readme() -> None:
    environment = NotedEnvironment()
    Settings.from_environment(environment)
    assert environment.asked
    assert first_cells("environment variable") == environment.asked


def test_every_tool_is_in_the_readme() -> None:
    assert first_cells("tool") == set(TOOLS)


def test_every_argument_of_a_read_is_in_the_readme() -> None:
    shown = re.findall(
        r"`(\w+)`", "".join(re.findall(r"^\|[^|]+\|", rows("argument"), re.MULTILINE))
    )
    assert shown == [field.name for field in dataclasses.fields(Reading)]


def test_every_command_is_in_the_readme() -> None:
    assert first_cells("command") == {"mnemolog", *(f"mnemolog {name}" for name in main.commands)}


def test_every_option_of_a_command_is_in_the_readme() -> None:
    for name, command in main.commands.items():
        row = next(row for row in rows("command").splitlines() if f"`mnemolog {name}" in row)
        options = {name for parameter in command.params for name in parameter.opts if "-" in name}
        assert set(re.findall(r"`(--[\w-]+)`", row)) == options


def first_cells(heading: str) -> set[str]:
    """Return what the README's table under this heading names in its first column."""
    return set(re.findall(r"^\| `([^`]+?)(?: [A-Z]+)?`", rows(heading), re.MULTILINE))


def rows(heading: str, document: Path = README) -> str:
    """Return the rows of the table whose first column has this heading."""
    return text_of(document).split(f"\n| {heading} |")[1].split("\n\n")[0]


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
        assert "<!--" not in text_of(document), document.name


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_every_link_leads_to_a_file_and_a_heading(document: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", text_of(document)):
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


def test_the_file_format_shows_every_kind_of_line() -> None:
    shown = {json.loads(line)["type"] for line in example_lines(FILE_FORMAT)}
    assert shown == set(RECORD_TYPES)
