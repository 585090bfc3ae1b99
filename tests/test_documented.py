"""Whatever the taxonomy lists is documented, and no document speaks of what is not there.

A thing is documented where the README or a page in docs/ names it in code. Tools, commands,
variables and kinds of warning each have a table in the README, which lists them all. An option of
a command is documented by its help, as a test of the taxonomy holds; where a document names one,
it is there.
"""

from __future__ import annotations

import dataclasses
import json
import re

import pytest

from documents import (
    FILE_FORMAT,
    PAGES,
    TOOLS_PAGE,
    code_in,
    example_lines,
    first_cells,
    text_of,
)
from mnemolog.server.reads import Choosing
from mnemolog.taxonomy.published import published_taxonomy

TAXONOMY = published_taxonomy()
COMMANDS = TAXONOMY["commands"]
CODE = code_in("\n".join(text_of(page) for page in PAGES))


def names(word: str, code: str = CODE) -> bool:
    """Return whether the code has this word, not as a part of another one."""
    return bool(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", code))


def test_the_readme_lists_every_tool() -> None:
    assert sorted(first_cells("tool")) == sorted(TAXONOMY["tools"])


def test_the_readme_lists_every_environment_variable() -> None:
    assert first_cells("environment variable") == [*TAXONOMY["environment"]]


def test_the_readme_lists_every_kind_of_warning() -> None:
    assert first_cells("kind") == TAXONOMY["enums"]["warning_kinds"]["values"]


def test_the_page_of_tools_lists_every_argument_of_a_read() -> None:
    taken = [field.name for field in dataclasses.fields(Choosing)]
    assert first_cells("argument", TOOLS_PAGE) == taken


@pytest.mark.parametrize("uri", TAXONOMY["resources"])
def test_every_resource_is_documented(uri: str) -> None:
    assert names(uri)


@pytest.mark.parametrize("name", TAXONOMY["prompts"])
def test_every_prompt_is_documented(name: str) -> None:
    assert names(name)


@pytest.mark.parametrize("name", TAXONOMY["records"])
def test_every_record_type_is_documented_with_an_example(name: str) -> None:
    assert name in {json.loads(line)["type"] for line in example_lines(FILE_FORMAT)}
    assert names(name, code_in(text_of(FILE_FORMAT)))


def test_the_readme_lists_every_command() -> None:
    listed = [re.sub(r" [A-Z[-].*", "", command) for command in first_cells("command")]
    assert sorted(listed) == sorted(COMMANDS)


def test_no_document_speaks_of_a_command_that_is_not_there() -> None:
    verbs = {name.split()[1] for name in COMMANDS if " " in name}
    assert {*re.findall(r"(?<![\w/.-])mnemolog ([a-z][\w-]*)", CODE)} <= verbs


@pytest.mark.parametrize("line", [line for line in CODE.splitlines() if "mnemolog " in line])
def test_no_document_gives_a_command_an_option_that_it_has_not(line: str) -> None:
    _, *words = line[line.index("mnemolog ") :].split(" #", maxsplit=1)[0].split()
    known = {"--help"}.union(
        *(said["parameters"] for name, said in COMMANDS.items() if name.split()[1:2] == words[:1]),
        COMMANDS["mnemolog"]["parameters"],
    )
    assert {word for word in words if word.startswith("--")} <= known


def test_no_document_speaks_of_a_memory_variable_that_is_not_there() -> None:
    assert {*re.findall(r"\bMEMORY_[A-Z_]+", CODE)} <= {*TAXONOMY["environment"]}


def test_code_is_told_from_prose() -> None:
    text = "say `one two` or\n```sh\nthree # four\n```\nfive `six`"
    assert code_in(text) == "three # four\n\none two\nsix"
    assert names("one", "one two")
    assert not names("one", "one-two")
