"""What other renderers of Markdown act on is escaped too, not only what our parser acts on."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from mnemolog.interchange.exporting.as_written import as_written


class Trusting(MarkdownIt):
    """A parser that follows links wherever they lead, as some do."""

    def validateLink(self, url: str) -> bool:  # noqa: ARG002, N802 - the parser's own name
        return True


@pytest.mark.parametrize(
    "text",
    [
        "see [the docs](javascript:alert(1))",
        "[a](JavaScript:alert(1)) and *b*",
        "[a](data:text/html;base64,PHNjcmlwdD4=)",
        "[a](vbscript:x)",
        "open [it](file:///etc/passwd)",
        "<javascript:alert(1)>",
        "![a](data:text/html,x)",
    ],
)
def test_a_link_that_only_a_careful_parser_refuses_is_shown_as_text(text: str) -> None:
    tokens = Trusting("commonmark").parse(f"- {as_written(text)}\n")
    kinds = {token.type for token in tokens} | {
        child.type for token in tokens for child in token.children or ()
    }
    assert not kinds & {"link_open", "image"}


@pytest.mark.parametrize("text", ["[[Other page]]", "![[secret.png]]", "so [^1]", "[ ] buy milk"])
def test_brackets_that_mean_something_elsewhere_are_escaped(text: str) -> None:
    assert not re.search(r"(?<!\\)\[", as_written(text))


def test_brackets_and_angles_in_code_stay_as_they_are() -> None:
    assert as_written("call `a[0]` if a < b and `<br>`") == "call `a[0]` if a < b and `<br>`"
