"""TOML configs as text: an entry is a table at the end, and every other byte stays where it is."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import suppress
from typing import TYPE_CHECKING

from mnemolog.clients.known import Json
from mnemolog.errors import ConfigLeftAlone

if TYPE_CHECKING:
    import tomlkit


def parse(text: str) -> Json:
    """Return what the text says.

    Raises:
        ConfigLeftAlone: it is no TOML.
    """
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        raise ConfigLeftAlone(f"it is broken ({problem})") from problem


def created(value: Mapping[str, Json]) -> str:
    """Return a new config."""
    blocks = (
        _block(section, name, entry, "\n")
        for section, entries in value.items()
        for name, entry in entries.items()
    )
    return "\n".join(f"{block}\n" for block in blocks)


def added(text: str, section: str, name: str, entry: Mapping[str, Json]) -> str:
    """Return the text with an entry that it does not have yet.

    Raises:
        ConfigLeftAlone: the place for it cannot be found.
    """
    appended = text + _appendix(text, section, name, entry)
    with suppress(ConfigLeftAlone):
        parse(appended)
        return appended
    return _added_inside(text, section, name, entry)


def without(text: str, section: str, name: str) -> Iterator[str]:
    """Yield what the text may have been before it had the entry, what keeps most of it first."""
    entry = parse(text).get(section, {}).get(name, {})
    appendix = _appendix(text, section, name, entry)
    if appendix in text:
        yield text.replace(appendix, "", 1)
    yield from _taken_out(text, section, name)


def _appendix(text: str, section: str, name: str, entry: Mapping[str, Json]) -> str:
    newline = "\r\n" if "\r\n" in text else "\n"
    return newline + _block(section, name, entry, newline) + newline


def _block(section: str, name: str, entry: Mapping[str, Json], newline: str) -> str:
    # A string and a list of strings are written in TOML as they are in JSON.
    lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in entry.items())
    return newline.join((f"[{section}.{name}]", *lines))


def _added_inside(text: str, section: str, name: str, entry: Mapping[str, Json]) -> str:
    """Return the text with the entry in the braces that list its servers."""
    import tomlkit  # noqa: PLC0415 - for this rare shape only

    document = _kept(text)
    table = document.get(section)
    if not isinstance(table, tomlkit.items.InlineTable):
        raise ConfigLeftAlone(f"there is no place for a table [{section}.{name}] in it")
    inner = tomlkit.inline_table()
    inner.update(entry)
    table[name] = inner
    return tomlkit.dumps(document)


def _taken_out(text: str, section: str, name: str) -> Iterator[str]:
    """Yield the text without a table that somebody wrote in another way than we do."""
    import tomlkit  # noqa: PLC0415 - as above

    # First by lines: to tomlkit the remarks above the next table belong to this one, and go too.
    yield _tables_of(section, name).sub("", text)
    document = _kept(text)
    table = document.get(section)
    if isinstance(table, MutableMapping) and name in table:
        del table[name]
        yield tomlkit.dumps(document)


def _tables_of(section: str, name: str) -> re.Pattern[str]:
    """Return what finds the lines of a table and of the tables in it, up to their last value."""
    words = rf"{re.escape(section)}[ \t]*\.[ \t]*([\"']?){re.escape(name)}\1"
    header = rf"^[ \t]*\[[ \t]*{words}[ \t]*[\].][^\n]*\n?"
    remarks = r"(?:[ \t\r]*(?:#[^\n]*)?\n)*"
    values = rf"(?:{remarks}(?![ \t\r]*[\[#\n])[^\n]+\n?)*"
    return re.compile(rf"{header}{values}(?:[ \t\r]*\n)*", re.MULTILINE)


def _kept(text: str) -> tomlkit.TOMLDocument:
    """Return the text with its comments and blanks, as a document that can be changed."""
    import tomlkit  # noqa: PLC0415 - as above
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415

    try:
        return tomlkit.parse(text)
    except TOMLKitError as problem:
        raise ConfigLeftAlone(f"it cannot be kept as it is ({problem})") from problem
