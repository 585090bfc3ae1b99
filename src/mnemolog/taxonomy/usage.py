"""How a memory uses its taxonomy: what it counts, and the two together as JSON with comments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from textwrap import wrap
from typing import Any, Final

from mnemolog.declarations import to_wire
from mnemolog.graph import Graph
from mnemolog.jsonc import quoted
from mnemolog.records import KINDS, RECORD_PURPOSES, Kind
from mnemolog.results import Totals
from mnemolog.taxonomy.render import LINE, render
from mnemolog.taxonomy.shared import in_order

NO_AGENT: Final = "(not recorded)"
"""What stands for the agent of lines without tags, as server-memory writes them."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a memory holds, by type and by agent; types and agents in the order of the alphabet."""

    totals: Totals
    types: Mapping[Kind, Mapping[str, int]]
    """How many entities, or relations, have each type."""
    agents: Mapping[str, int]
    """How many of all entries each agent said first."""


def usage_of(graph: Graph) -> Usage:
    """Return what a graph holds."""
    tags = chain(
        (entity.tags for entity in graph),
        (of for entity in graph for of in entity.observations.values()),
        (record.tags for history in graph.superseded.values() for record in history.values()),
        (relation.tags for relation in graph.relations.values()),
    )
    return Usage(
        graph.totals,
        {kind: _counted(graph.types_of(kind)) for kind in KINDS},
        _counted(of.agent or NO_AGENT for of in tags),
    )


def _counted(names: Iterable[str]) -> dict[str, int]:
    counts = Counter(names)
    return {name: counts[name] for name in sorted(counts, key=in_order)}


def render_usage(published: Mapping[str, Any], usage: Usage) -> str:
    """Return a published taxonomy with a memory's usage, explained by comments."""
    schema = {name: held for name, held in published.items() if name != "changelog"}
    version = {"taxonomy_version": schema.pop("taxonomy_version", None)}
    sections = version | {"usage": _wire(usage)} | schema
    blocks = (f"{_comment(name)}{_member(name, held)}" for name, held in sections.items())
    return f"{_HEAD}{{\n{f',{chr(10)}{chr(10)}'.join(blocks)}\n}}\n"


def _wire(usage: Usage) -> dict[str, Any]:
    types = {f"{kind}_types": counts for kind, counts in usage.types.items()}
    return {"entries": to_wire(usage.totals), **types, "agents": usage.agents}


def _member(name: str, held: Any) -> str:  # noqa: ANN401 - any JSON value
    if name in _OPENED and isinstance(held, dict):
        return f"  {quoted(name)}: {{\n{_opened(name, held)}\n  }}"
    lines = render(held).rstrip("\n").split("\n")
    return f"  {quoted(name)}: " + "\n  ".join(lines)


def _opened(section: str, held: Mapping[str, Any]) -> str:
    """Return the members of a section, each with a comment that says what it is for."""
    return ",\n".join(
        "".join(_comment_lines(_purpose_in(section, name), "    "))
        + _indented(f"{quoted(name)}: {render(value)}".rstrip("\n"), "    ")
        for name, value in held.items()
    )


def _purpose_in(section: str, name: str) -> str:
    return (_USAGE_COMMENTS if section == "usage" else RECORD_PURPOSES).get(name, "")


def _indented(text: str, indent: str) -> str:
    return "\n".join(indent + line for line in text.split("\n"))


def _comment(section: str) -> str:
    return "".join(_comment_lines(_COMMENTS.get(section, ""), "  "))


def _comment_lines(text: str, indent: str) -> Iterator[str]:
    for line in wrap(text, LINE - len(indent) - len("// ")):
        yield f"{indent}// {line}\n"


_OPENED: Final = frozenset(("usage", "records"))

_HEAD: Final = """\
// What this memory is made of, and how far it uses that. Written by mnemolog at every export, from
// the memory beside it: change nothing here. What a team agrees on is in the shared taxonomy.
"""

_COMMENTS: Final[Mapping[str, str]] = {
    "taxonomy_version": (
        "The version of everything below but usage: the first number changes when something is "
        "gone or means something else, the second when something is new, the third with the words."
    ),
    "usage": "What this memory holds.",
    "package_version": "The mnemolog that wrote this.",
    "records": "The kinds of lines in the memory file, and the keys of each.",
    "shapes": "What a value holds that names one of these as its shape.",
    "tools": "What agents can call, what each call takes and what it answers.",
    "resources": "What clients can read as a whole.",
    "prompts": "Workflows that a person starts.",
    "enums": "The values that are allowed where only some are.",
    "commands": "What people can run.",
    "environment": "The environment variables that are read.",
}
_USAGE_COMMENTS: Final[Mapping[str, str]] = {
    "entries": "How much there is of each.",
    "entity_types": "How many entities have each type.",
    "relation_types": "How many relations have each type.",
    "agents": "How many of the entries each agent said first.",
}
