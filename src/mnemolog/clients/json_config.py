"""JSON configs as text: an entry goes in or out, and every other byte stays where it is.

Comments and trailing commas are read, as most clients do. An object on one line stays on one line,
so that taking an entry out again leaves what was there before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from mnemolog.clients.known import Json
from mnemolog.errors import ConfigLeftAlone

_BLANKS: Final = " \t\r\n"
_BLANK: Final = re.compile(r"(?:[ \t\r\n]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_SCALAR: Final = re.compile(r'[^\s,:\[\]{}"/]+')


def parse(text: str) -> Json:
    """Return what the text says; comments and trailing commas do not matter.

    Raises:
        ConfigLeftAlone: it is no JSON.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as problem:
        return _parse_loosely(text, problem)
    except RecursionError as problem:
        raise ConfigLeftAlone("it is nested too deeply to be read") from problem


def _parse_loosely(text: str, problem: json.JSONDecodeError) -> Json:
    import json5  # noqa: PLC0415 - most configs do without comments

    try:
        return json5.loads(text)
    except (ValueError, RecursionError):
        where = f"line {problem.lineno}, column {problem.colno}"
        raise ConfigLeftAlone(f"it is broken at {where} ({problem.msg})") from problem


def created(value: Mapping[str, Json]) -> str:
    """Return a new config."""
    return f"{_pretty(value, _Style())}\n"


def added(text: str, section: str, name: str, entry: Mapping[str, Json]) -> str:
    """Return the text with an entry that it does not have yet, at the end of its section.

    Raises:
        ConfigLeftAlone: the place for it cannot be found.
    """
    root = _scan(text)
    style = _style_of(text, root)
    holder = _named(root, section)
    if holder is None:
        return _with_member(text, root, section, {name: entry}, style)
    return _with_member(text, holder.value, name, entry, style)


def without(text: str, section: str, name: str) -> Iterator[str]:
    """Yield what the text may have been before it had the entry, what keeps most of it first.

    What is yielded has to be read before it is believed.
    """
    root = _scan(text)
    holder = _named(root, section)
    member = holder and _named(holder.value, name)
    if not holder or not member:
        return
    yield from _cuts(text, holder.value, member)
    if holder.value.members == (member,):
        yield from _cuts(text, root, holder)
        if root.members == (holder,):
            yield f"{text[: root.start]}{{}}{text[root.end :]}"


# --- where things stand ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Span:
    """A value in the text; `members` are null unless it is an object."""

    start: int
    end: int
    members: tuple[_Member, ...] | None


@dataclass(frozen=True, slots=True)
class _Member:
    """One member of an object, and where the comma after it stands, if there is one."""

    name: str
    start: int
    value: _Span
    comma: int | None


def _scan(text: str) -> _Span:
    try:
        return _Scanner(text).document()
    except (ValueError, RecursionError) as problem:
        raise ConfigLeftAlone("it is written in a way that cannot be kept (JSON5)") from problem


class _Scanner:
    """Reads JSON with comments and trailing commas, for its places."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def document(self) -> _Span:
        self._take(_BLANK)
        value = self._value()
        self._take(_BLANK)
        if self._at != len(self._text):
            raise ValueError(self._at)
        return value

    def _take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._at)
        if found is None:
            raise ValueError(self._at)
        self._at = found.end()
        return found[0]

    def _takes(self, sign: str) -> bool:
        is_there = self._text.startswith(sign, self._at)
        self._at += is_there
        return is_there

    def _value(self) -> _Span:
        start, members = self._at, None
        if self._takes("{"):
            members = tuple(self._members())
        elif self._takes("["):
            self._elements()
        else:
            self._take(_STRING if self._text.startswith('"', start) else _SCALAR)
        return _Span(start, self._at, members)

    def _members(self) -> Iterator[_Member]:
        comma: int | None = self._at
        while True:
            self._take(_BLANK)
            if self._takes("}"):
                return
            self._require(comma is not None)
            start, name = self._at, json.loads(self._take(_STRING))
            self._take(_BLANK)
            self._require(self._takes(":"))
            self._take(_BLANK)
            value = self._value()
            comma = self._comma()
            yield _Member(name, start, value, comma)

    def _elements(self) -> None:
        comma: int | None = self._at
        while True:
            self._take(_BLANK)
            if self._takes("]"):
                return
            self._require(comma is not None)
            self._value()
            comma = self._comma()

    def _comma(self) -> int | None:
        self._take(_BLANK)
        return self._at - 1 if self._takes(",") else None

    def _require(self, is_met: bool) -> None:  # noqa: FBT001 - it reads like assert
        if not is_met:
            raise ValueError(self._at)


def _named(holder: _Span, name: str) -> _Member | None:
    """Return the member of this name; of several the last one, which is the one that counts."""
    if holder.members is None:
        raise ConfigLeftAlone("what should list its servers is no object")
    return next((m for m in reversed(holder.members) if m.name == name), None)


# --- how it is written -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Style:
    newline: str = "\n"
    unit: str = "  "
    comma: str = ", "
    colon: str = ": "


def _style_of(text: str, root: _Span) -> _Style:
    newline = "\r\n" if "\r\n" in text else "\n"
    unit = (_indent_of(text, root.members[0].start) if root.members else "") or _Style().unit
    if re.search(r'":[^\s]', text) and not re.search(r'":\s', text):
        return _Style(newline, unit, ",", ":")
    return _Style(newline, unit)


def _indent_of(text: str, at: int) -> str:
    """Return the blanks that the line around `at` begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _pretty(value: Json, style: _Style, indent: str = "") -> str:
    if not isinstance(value, Mapping):
        return json.dumps(value, ensure_ascii=False)
    deeper = indent + style.unit
    members = (
        f"{deeper}{json.dumps(name)}: {_pretty(inner, style, deeper)}"
        for name, inner in value.items()
    )
    return style.newline.join(("{", f",{style.newline}".join(members), f"{indent}}}"))


def _on_one_line(value: Json, style: _Style) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(style.comma, style.colon))


# --- in and out --------------------------------------------------------------------------------


def _with_member(text: str, holder: _Span, name: str, value: Json, style: _Style) -> str:
    if holder.members is None:
        raise ConfigLeftAlone("what should list its servers is no object")
    if text[: holder.end].strip(_BLANKS) == "{}":
        return text[: holder.start] + _pretty({name: value}, style) + text[holder.end :]
    first = holder.members[0].start if holder.members else holder.end
    if "\n" in text[holder.start : first]:
        return _with_line(text, holder, name, value, style)
    return _with_words(text, holder, name, value, style)


def _with_words(text: str, holder: _Span, name: str, value: Json, style: _Style) -> str:
    """Return the text with one more member on the line of the others."""
    written = _on_one_line({name: value}, style)[1:-1]
    last = holder.members[-1] if holder.members else None
    if last is None:
        at = holder.start + 1
    elif last.comma is None:
        at, written = last.value.end, style.comma + written
    else:
        at, written = last.comma + 1, f"{style.comma[1:]}{written},"
    return text[:at] + written + text[at:]


def _with_line(text: str, holder: _Span, name: str, value: Json, style: _Style) -> str:
    """Return the text with one more member below the others, behind their comments."""
    last = holder.members[-1] if holder.members else None
    indent = _indent_of(text, holder.start) + style.unit
    if holder.members:
        indent = _indent_of(text, holder.members[0].start)
    written = f"{style.newline}{indent}{json.dumps(name)}: {_pretty(value, style, indent)}"
    end = len(text[: holder.end - 1].rstrip(_BLANKS))
    before, after = text[:end], text[end:]
    if last is not None and last.comma is None:
        before = text[: last.value.end] + "," + text[last.value.end : end]
    elif last is not None:
        written += ","
    return before + written + after


def _cuts(text: str, holder: _Span, member: _Member) -> Iterator[str]:
    """Yield the text without a member, and without the comma that only it needed."""
    blanks_start = len(text[: member.start].rstrip(_BLANKS))
    # The line break before it may be the end of somebody's remark: then it has to stay.
    for start in (blanks_start, member.start):
        yield _cut(text, holder, member, start)


def _cut(text: str, holder: _Span, member: _Member, start: int) -> str:
    members = holder.members or ()
    index = members.index(member)
    if member.comma is not None:
        return text[:start] + text[member.comma + 1 :]
    comma = members[index - 1].comma if index else None
    if comma is None:
        return text[:start] + text[member.value.end :]
    return text[:comma] + text[comma + 1 : start] + text[member.value.end :]
