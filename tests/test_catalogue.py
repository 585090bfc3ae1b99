"""The taxonomy of this version is complete, and true of the code that it comes with."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import pytest

import mnemolog
from mnemolog.catalogue import commands, describe_command
from mnemolog.server.agents import normalise
from mnemolog.store.location import Settings
from mnemolog.taxonomy.published import FILE, published_taxonomy, published_text
from mnemolog.taxonomy.shapes import opened_up
from mnemolog.taxonomy.versions import bumped

SOURCE = Path(mnemolog.__file__).parent
PROJECT = Path(__file__).resolve().parent.parent
PUBLISHED = published_taxonomy()


def test_the_taxonomy_is_not_stale() -> None:
    build = [sys.executable, str(PROJECT / "scripts" / "build_taxonomy.py"), "--check"]
    done = subprocess.run(build, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr


def test_both_copies_are_one() -> None:
    assert (PROJECT / FILE).read_text(encoding="utf-8") == published_text()


def test_every_section_is_there_and_says_something() -> None:
    sections = (
        *("taxonomy_version", "package_version", "records", "tools", "resources", "prompts"),
        *("enums", "commands", "environment", "shapes", "changelog"),
    )
    assert tuple(PUBLISHED) == sections
    assert all(PUBLISHED.values())


def test_every_item_says_what_it_is_for() -> None:
    assert [place for place, item in items(PUBLISHED) if not purpose_of(item)] == []


def items(taxonomy: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each item of the sections, and the fields, parameters and results of them."""
    sections = {name: held for name, held in opened_up(taxonomy).items() if isinstance(held, dict)}
    for section, held in sections.items():
        for name, item in held.items():
            yield f"{section}.{name}", item
            yield from inner_items(item, f"{section}.{name}")


def inner_items(item: Mapping[str, Any], place: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for kind in ("fields", "parameters", "results"):
        for name, inner in item.get(kind, {}).items():
            yield f"{place}.{name}", inner
            yield from inner_items(inner, f"{place}.{name}")


def purpose_of(item: Mapping[str, Any]) -> object:
    # What a person types in capitals is explained by the sentence that uses it.
    return item.get("purpose") or item.get("description") or item.get("place")


def test_every_allowed_value_of_a_field_is_in_an_enum() -> None:
    listed = [tuple(said["values"]) for said in PUBLISHED["enums"].values()]
    places = {
        place: tuple(item["enum"])
        for place, item in items(PUBLISHED)
        if "enum" in item and not place.startswith("commands.")
    }
    assert {place: values for place, values in places.items() if values not in listed} == {}
    assert places


def test_any_agent_is_allowed_beside_the_known_ones() -> None:
    assert PUBLISHED["enums"]["agents"]["others_allowed"]


@pytest.mark.parametrize("protocol_name", ["codex-mcp-client", "Visual Studio Code", "", None])
def test_what_a_client_is_called_by_us_is_a_known_agent(protocol_name: str | None) -> None:
    assert normalise(protocol_name) in PUBLISHED["enums"]["agents"]["values"]


@pytest.mark.parametrize("name", PUBLISHED["enums"]["agents"]["values"])
def test_a_known_agent_goes_by_its_own_name(name: str) -> None:
    assert normalise(name) == name


def test_the_changelog_leads_up_to_the_version_step_by_step() -> None:
    *newer, first = PUBLISHED["changelog"]
    version = first["version"]
    for entry in reversed(newer):
        version = bumped(version, entry["bump"])
        assert entry["version"] == version
        assert entry["changes"]
    assert version == PUBLISHED["taxonomy_version"]


# --- commands -------------------------------------------------------------------------------------


@click.group(invoke_without_command=True)
def tree() -> None:
    """Stand."""


@tree.group()
def branch() -> None:
    """Only hold others."""


@branch.command()
@click.argument("old")
@click.argument("new", metavar="LATER", required=False)
@click.option("-f", "--force", is_flag=True, help="Do it anyway.")
@click.option("--size", type=click.IntRange(min=1), default=3, help="How large.")
@click.option("--kind", type=click.Choice(["a", "b"]), multiple=True)
@click.option("--into", type=click.Path())
@click.option("--secret", hidden=True)
def leaf() -> None:
    """Rename OLD
    to NEW.

    More about it.
    """


@tree.command(hidden=True)
def root() -> None:
    """Stay below."""


def test_commands_are_found_with_the_words_that_call_them() -> None:
    assert dict(commands(tree, "tree")) == {"tree": tree, "tree branch leaf": leaf}


def test_a_command_is_described_in_our_own_words() -> None:
    assert describe_command(leaf) == {
        "purpose": "Rename OLD to NEW.",
        "parameters": {
            "OLD": {"type": "string", "required": True, "place": 1},
            "LATER": {"type": "string", "required": False, "place": 2},
            "--force": {"type": "flag", "required": False, "description": "Do it anyway."},
            "--size": {
                "type": "integer",
                "required": False,
                "default": 3,
                "description": "How large.",
            },
            "--kind": {"type": "string", "required": False, "repeatable": True, "enum": ["a", "b"]},
            "--into": {"type": "path", "required": False},
        },
    }


# --- the environment ------------------------------------------------------------------------------


class NotedEnvironment(Mapping[str, str]):
    """An empty environment that notes what it is asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __getitem__(self, name: str) -> str:
        self.asked.append(name)
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def test_every_variable_that_is_read_is_in_the_taxonomy() -> None:
    environment = NotedEnvironment()
    Settings.from_environment(environment)
    assert environment.asked == [*PUBLISHED["environment"]]


def test_no_other_variable_is_read_by_its_name() -> None:
    """Only what is looked up in os.environ, or with getenv, is a variable of ours."""
    looked_up = {
        name
        for path in SOURCE.rglob("*.py")
        for name in variables_in(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert looked_up <= {*PUBLISHED["environment"]}


def variables_in(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and is_environment(node.value):
            yield from names_in(node.slice)
        elif isinstance(node, ast.Call) and re.search(
            r"(environ\.(get|pop)|getenvb?)$", ast.unparse(node.func)
        ):
            yield from names_in(node.args[0])


def is_environment(node: ast.expr) -> bool:
    return ast.unparse(node).endswith("environ")


def names_in(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


def test_a_variable_that_is_looked_up_would_be_found() -> None:
    code = 'os.environ["A"]; environ.get("B"); os.getenv("C"); os.environ[name]; cache.get("D")'
    assert {*variables_in(ast.parse(code))} == {"A", "B", "C"}
