"""JSON configs as text: an entry goes in or out, and every other byte stays where it is.

Comments and trailing commas are read, as most clients do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mnemolog import jsonc
from mnemolog.clients.known import Json
from mnemolog.errors import ConfigLeftAlone


def parse(text: str) -> Json:
    """Return what the text says; comments and trailing commas do not matter.

    Raises:
        ConfigLeftAlone: it is no JSON.
    """
    try:
        return jsonc.load(text)
    except jsonc.NotJsonc as problem:
        where = f"line {problem.line}, column {problem.column}"
        raise ConfigLeftAlone(f"it is broken at {where} ({problem.reason})") from problem


def created(value: Mapping[str, Json]) -> str:
    """Return a new config."""
    return f"{jsonc.pretty(value)}\n"


def added(text: str, section: str, name: str, entry: Mapping[str, Json]) -> str:
    """Return the text with an entry that it does not have yet, at the end of its section.

    Raises:
        ConfigLeftAlone: it is JSON5, which no client reads.
    """
    _require_jsonc(text)
    return jsonc.with_added(text, section, {name: entry})


def without(text: str, section: str, name: str) -> Iterator[str]:
    """Yield what the text may have been before it had the entry, what keeps most of it first.

    What is yielded has to be read before it is believed.

    Raises:
        ConfigLeftAlone: it is JSON5, which no client reads.
    """
    _require_jsonc(text)
    return jsonc.without(text, section, name)


def _require_jsonc(text: str) -> None:
    if jsonc.is_json5(text):
        raise ConfigLeftAlone("it is written in a way that cannot be kept (JSON5)")
