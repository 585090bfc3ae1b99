"""JSON with comments: read it, and add to it without touching what people wrote in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

# What is not closed reaches to the end, so that no file takes longer than its length to read.
_TOKEN: Final = re.compile(
    r"""(?P<blank>[\s\ufeff]+)
    | (?P<comment> //[^\n\r\u2028\u2029]* | /\*.*?(?:\*/|\Z) )
    | (?P<text> "(?:[^"\\]|\\.)*(?:"|\Z) | '(?:[^'\\]|\\.)*(?:'|\Z) )
    | (?P<mark> [{}\[\]:,] )
    | (?P<word> [^\s\ufeff{}\[\]:,"'/]+ )
    | (?P<stray> . )""",
    re.DOTALL | re.VERBOSE,
)
_REMARK: Final = re.compile(r"[ \t]*(?://[^\n\r]*|/\*[^\n\r]*?\*/[ \t]*)?(?=\r?\n)")
_INDENT: Final = re.compile(r"[ \t]*\Z")

_NO_VALUE: Final[tuple[list[str], ...]] = ([], ["{"], ["["], [","])
"""What stands before a comma that follows nothing: it is no trailing one."""

_Tokens: TypeAlias = Sequence[re.Match[str]]
_Insertion: TypeAlias = tuple[int, str]
_Order: TypeAlias = Callable[[str], tuple[str, str]]


def load(text: str) -> Any:  # noqa: ANN401 - a JSON value
    """Return the value of a text in JSONC, or in JSON5, which allows a little more.

    Raises:
        ValueError: It is neither; the message says where.
    """
    try:
        try:
            return json.loads(_plain(text))
        except ValueError:
            import json5  # noqa: PLC0415 - slow to import, and slow to read with

            return json5.loads(text.lstrip("\ufeff"))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def with_added(text: str, section: str, added: Mapping[str, str]) -> str:
    """Return the text with texts added to a section, each in front of the first larger key.

    The section is an object in the outermost one; it is made if it is not there.
    """
    if not added:
        return text
    tokens = _significant(text)
    root = _block(tokens, 0)
    places = [member.value for member in root.members if member.key == section]
    if places:
        block = _block(tokens, places[-1])
        entries = {key: f"{quoted(key)}: {quoted(value)}" for key, value in added.items()}
        return _with_insertions(text, _insertions(text, block, entries, in_order, level=2))
    newline = _newline(text)
    held = ",".join(
        f"{newline}    {quoted(key)}: {quoted(added[key])}" for key in sorted(added, key=in_order)
    )
    entry = {section: f"{quoted(section)}: {{{held}{newline}  }}"}
    return _with_insertions(text, _insertions(text, root, entry, _at_the_end, level=1))


def in_order(key: str) -> tuple[str, str]:
    """Return what keys are sorted by: the alphabet, whatever the case."""
    return key.casefold(), key


def quoted(text: str) -> str:
    """Return the text as JSON."""
    return json.dumps(text, ensure_ascii=False)


def _at_the_end(key: str) -> tuple[str, str]:  # noqa: ARG001 - an order
    return "", ""


def _plain(text: str) -> str:
    """Return the text without comments, and without commas that nothing follows."""
    kept: list[str] = []
    for token in _TOKEN.finditer(text):
        found = token[0]
        if token.lastgroup in {"comment", "blank"}:
            continue
        if found in {"}", "]"} and kept[-1:] == [","] and kept[-2:-1] not in _NO_VALUE:
            kept.pop()
        kept.append(found)
    return " ".join(kept)


@dataclass(frozen=True, slots=True)
class _Member:
    key: str
    start: int
    value: int
    """The number of its value's first token."""
    end: int
    comma_end: int | None


@dataclass(frozen=True, slots=True)
class _Block:
    start: int
    members: tuple[_Member, ...]


def _significant(text: str) -> _Tokens:
    return [t for t in _TOKEN.finditer(text) if t.lastgroup not in {"blank", "comment"}]


def _block(tokens: _Tokens, opening: int) -> _Block:
    """Return the object that opens with this token; its text has been read, so it is whole."""
    members: list[_Member] = []
    at = opening + 1
    while tokens[at][0] != "}":
        key, start, value = _key(tokens[at]), tokens[at].start(), at + 2
        last = _last_of(tokens, value)
        has_comma = tokens[last + 1][0] == ","
        comma_end = tokens[last + 1].end() if has_comma else None
        members.append(_Member(key, start, value, tokens[last].end(), comma_end))
        at = last + 1 + has_comma
    return _Block(tokens[opening].end(), tuple(members))


def _key(token: re.Match[str]) -> str:
    return str(load(token[0])) if token.lastgroup == "text" else token[0]


def _last_of(tokens: _Tokens, first: int) -> int:
    depth, at = 0, first
    while True:
        depth += (tokens[at][0] in {"{", "["}) - (tokens[at][0] in {"}", "]"})
        if depth == 0:
            return at
        at += 1


def _insertions(
    text: str, block: _Block, entries: Mapping[str, str], order: _Order, *, level: int
) -> Iterator[_Insertion]:
    gaps: dict[int, list[str]] = {}
    for key in sorted(entries, key=order):
        larger = (n for n, m in enumerate(block.members) if order(m.key) > order(key))
        gaps.setdefault(next(larger, len(block.members)), []).append(entries[key])
    newline = _newline(text)
    lead = newline + _indent_of(text, block, level)
    for gap, new in gaps.items():
        if gap < len(block.members):
            before = block.members[gap - 1].comma_end if gap else block.start
            at, is_line = _end_of_line(text, before or block.start)
            yield at, "".join(f"{lead if is_line else ' '}{entry}," for entry in new)
        elif block.members:
            yield from _appended(text, block.members[-1], new, lead)
        else:
            at, is_line = _end_of_line(text, block.start)
            outer = "" if is_line else newline + "  " * (level - 1)
            yield at, ",".join(f"{lead}{entry}" for entry in new) + outer


def _appended(text: str, last: _Member, new: Sequence[str], lead: str) -> Iterator[_Insertion]:
    if last.comma_end is None:
        yield last.end, ","
    at, is_line = _end_of_line(text, last.comma_end or last.end)
    trailing = "" if last.comma_end is None else ","
    yield at, ",".join(f"{lead if is_line else ' '}{entry}" for entry in new) + trailing


def _end_of_line(text: str, at: int) -> tuple[int, bool]:
    """Return where a line ends, if nothing but a comment stands there, and whether it does."""
    remark = _REMARK.match(text, at)
    return (remark.end(), True) if remark else (at, False)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _indent_of(text: str, block: _Block, level: int) -> str:
    for member in block.members:
        line_start = text.rfind("\n", 0, member.start) + 1
        if _INDENT.match(text[line_start : member.start]):
            return text[line_start : member.start]
    return "  " * level


def _with_insertions(text: str, insertions: Iterator[_Insertion]) -> str:
    parts: list[str] = []
    done = 0
    for at, new in sorted(insertions, key=lambda insertion: insertion[0]):
        parts += (text[done:at], new)
        done = at
    return "".join(parts) + text[done:]
