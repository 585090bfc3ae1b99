"""The prompts: workflows that a person starts, each a page of Markdown in `guidance`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

from mnemolog.errors import InvalidRequest
from mnemolog.halves import without_halves


@dataclass(frozen=True, slots=True)
class Argument:
    """What a person can say about a prompt; each is optional."""

    name: str
    description: str
    if_absent: str
    """What stands in the page where nothing was said."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """A workflow, by the name that clients turn into a command."""

    name: str
    title: str
    description: str
    arguments: tuple[Argument, ...] = ()

    def text(self, said: Mapping[str, str]) -> str:
        """Return the page, with what was said in it as a quoted text.

        Raises:
            InvalidRequest: There is no such argument.
        """
        known = {argument.name: argument for argument in self.arguments}
        if unknown := sorted(said.keys() - known.keys()):
            takes = f"takes only {', '.join(known)}" if known else "takes no arguments"
            raise InvalidRequest(
                f"Prompt {self.name} has no argument {_quoted(unknown[0])}: it {takes}."
            )
        page = guidance(self.name)
        for name, argument in known.items():
            words = said.get(name, "")
            shown = _quoted(words) if words.strip() else argument.if_absent
            page = page.replace(f"{{{name}}}", shown)
        return page


PROMPTS: Final = {
    prompt.name: prompt
    for prompt in (
        Prompt(
            "cleanup",
            "Clean up the memory",
            "Compare the memory with the repository, propose what to mend, then mend it",
            (Argument("scope", "Which part: words to search for", "the whole memory"),),
        ),
        Prompt(
            "reflect",
            "Reflect on the memory",
            "Derive what several facts say together, and save it with its sources",
            (Argument("topic", "What to reflect on", "whatever the memory says most about"),),
        ),
        Prompt(
            "export",
            "Write up the taxonomy",
            "Describe the entity and relation types that this memory uses, as a page",
        ),
    )
}
"""Every prompt by name, in the order in which they are listed."""


def guidance(name: str) -> str:
    """Return a page of prose that comes with the package."""
    page = files("mnemolog.server") / "guidance" / f"{name}.md"
    return page.read_text(encoding="utf-8")


def _quoted(words: str) -> str:
    """Return the words as one line in quotes: they cannot pass for a part of the page."""
    return json.dumps(" ".join(without_halves(words).split()), ensure_ascii=False)
