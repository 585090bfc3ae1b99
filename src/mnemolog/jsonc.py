"""JSON with comments: read it, and edit it so that all that people wrote stays, to the byte.

An object on one line stays on one line, so that taking a member out again leaves what was there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

# What is not closed reaches to the end, so that no file takes longer than its length to read.
_TOKEN: Final = re.compile(
    r"""(?P<blank>[\s\ufeff]+)
    | (?P<comment> //[^\n\r\u2028\u2029]* | /\*.*?\*/ )
    | (?P<unclosed> /\*.* )
    | (?P<text> "(?:[^"\\]|\\.)*(?:"|\Z) | '(?:[^'\\]|\\.)*(?:'|\Z) )
    | (?P<mark> [{}\[\]:,] )
    | (?P<word> [^\s\ufeff{}\[\]:,"'/]+ )
    | (?P<stray> . )""",
    re.DOTALL | re.VERBOSE,
)
_PLACE: Final = re.compile(r"<string>:(\d+) (.*) at column (\d+)", re.DOTALL)
"""How json5 says where something is wrong."""
_BLANKS: Final = " \t\r\n"
_REMARK: Final = re.compile(r"[ \t]*(?://[^\n\r]*|/\*[^\n\r]*?\*/[ \t]*)?(?=\r?\n)")
_NO_VALUE: Final[tuple[list[str], ...]] = ([], ["{"], ["["], [","])
"""What stands before a comma that follows nothing: it is no trailing one."""

COMMENTS: Final = "comments"
TRAILING_COMMAS: Final = "trailing commas"

Order: TypeAlias = Callable[[str], tuple[str, ...]]
_Tokens: TypeAlias = Sequence[re.Match[str]]
_Insertion: TypeAlias = tuple[int, str]


class NotJsonc(ValueError):
    """A text is neither JSONC nor JSON5; what has no place of its own is wrong from the start."""

    def __init__(self, reason: str, line: int = 1, column: int = 1) -> None:
        super().__init__(f"line {line}: {reason} (column {column})")
        self.reason = reason
        self.line = line
        self.column = column


def load(text: str) -> Any:  # noqa: ANN401 - a JSON value
    """Return the value of a text in JSONC, or in JSON5, which allows a little more.

    Raises:
        NotJsonc: It is neither.
    """
    try:
        with suppress(ValueError):
            return json.loads(text)
        with suppress(ValueError):
            return json.loads(_plain(text))
        import json5  # noqa: PLC0415 - slow to import, and slow to read with

        return json5.loads(text.lstrip("\ufeff"))
    except RecursionError:
        raise NotJsonc("it is nested too deeply") from None
    except ValueError as problem:
        place = _PLACE.fullmatch(str(problem))
        if place is None:
            raise NotJsonc(str(problem)) from problem
        raise NotJsonc(place[2], int(place[1]), int(place[3])) from problem


def is_json5(text: str) -> bool:
    """Return whether a text that can be read is written as JSON5 allows and JSONC does not."""
    try:
        json.loads(_plain(text))
    except ValueError:
        return True
    return False


def beyond_json(text: str) -> Iterator[tuple[str, int]]:
    """Yield the comments and trailing commas of a text, by these names, each with a line."""
    # Most texts are JSON, and some clients keep megabytes of their own in a config at home.
    with suppress(ValueError, RecursionError):
        json.loads(text)
        return
    before, line = "", 1
    for token in _TOKEN.finditer(text):
        if token.lastgroup == "comment":
            yield COMMENTS, line
        elif token.lastgroup != "blank":
            if before == "," and token[0] in {"}", "]"}:
                yield TRAILING_COMMAS, line
            before = token[0]
        line += token[0].count("\n")


def _plain(text: str) -> str:
    """Return the text without comments, and without commas that nothing follows."""
    kept: list[str] = []
    for token in _significant(text):
        if token[0] in {"}", "]"} and kept[-1:] == [","] and kept[-2:-1] not in _NO_VALUE:
            kept.pop()
        kept.append(token[0])
    return " ".join(kept)


# --- in and out --------------------------------------------------------------------------------


def with_added(
    text: str,
    section: str,
    added: Mapping[str, Any],
    order: Order = lambda _: (),
    *,
    opens: bool = False,
) -> str:
    """Return the text with members added to a section, each in front of the first larger name.

    The section is an object in the outermost one; it is made if it is not there. Both have been
    read, so they are whole. `opens` gives lines to a section that is written as `{}`.
    """
    if not added:
        return text
    tokens = _significant(text)
    root = _object(tokens, 0)
    style = _Style.of(text, root, opens=opens)
    held = root.named(section)
    if held is None:
        value = {name: added[name] for name in sorted(added, key=order)}
        return _with_insertions(text, _appended(text, root, {section: value}, style))
    holder = _object(tokens, held.value)
    return _with_insertions(text, _insertions(text, holder, added, order, style))


def without(text: str, section: str, name: str) -> Iterator[str]:
    """Yield what the text may have been before a member was added, what keeps most of it first.

    What is yielded has to be read before it is believed.
    """
    tokens = _significant(text)
    root = _object(tokens, 0)
    held = root.named(section)
    holder = held and _object(tokens, held.value)
    member = holder and holder.named(name)
    if not (held and holder and member):
        return
    for outer, inner in ((holder, member), (root, held)):
        yield from _cuts(text, outer, inner)
        if outer.members != (inner,):
            return
        yield f"{text[: outer.start]}{{}}{text[outer.end :]}"


def quoted(value: Any) -> str:  # noqa: ANN401 - a JSON value
    """Return a value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def pretty(value: Any) -> str:  # noqa: ANN401 - a JSON value
    """Return a value as JSON, with a line for each member of an object."""
    return _Style().pretty(value)


# --- where things stand ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Member:
    name: str
    start: int
    value: int
    """The number of its value's first token."""
    end: int
    comma_end: int | None


@dataclass(frozen=True, slots=True)
class _Object:
    start: int
    end: int
    members: tuple[_Member, ...]

    def named(self, name: str) -> _Member | None:
        """Return the member of this name; of several the last one, which is the one that counts."""
        return next((member for member in reversed(self.members) if member.name == name), None)


def _significant(text: str) -> _Tokens:
    return [t for t in _TOKEN.finditer(text) if t.lastgroup not in {"blank", "comment"}]


def _object(tokens: _Tokens, opening: int) -> _Object:
    """Return the object that opens with this token."""
    members: list[_Member] = []
    at = opening + 1
    while tokens[at][0] != "}":
        name, start, value = _name(tokens[at]), tokens[at].start(), at + 2
        last = _last_of(tokens, value)
        has_comma = tokens[last + 1][0] == ","
        comma_end = tokens[last + 1].end() if has_comma else None
        members.append(_Member(name, start, value, tokens[last].end(), comma_end))
        at = last + 1 + has_comma
    return _Object(tokens[opening].start(), tokens[at].end(), tuple(members))


def _name(token: re.Match[str]) -> str:
    return str(load(token[0])) if token.lastgroup == "text" else token[0]


def _last_of(tokens: _Tokens, first: int) -> int:
    depth, at = 0, first
    while True:
        depth += (tokens[at][0] in {"{", "["}) - (tokens[at][0] in {"}", "]"})
        if depth == 0:
            return at
        at += 1


# --- how it is written -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Style:
    newline: str = "\n"
    unit: str = "  "
    gap: str = " "
    opens: bool = False

    @classmethod
    def of(cls, text: str, root: _Object, *, opens: bool) -> _Style:
        """Return how the text is written."""
        newline = "\r\n" if "\r\n" in text else "\n"
        unit = (_indent_of(text, root.members[0].start) if root.members else "") or cls().unit
        gap = "" if '":' in text and '": ' not in text else " "
        return cls(newline, unit, gap, opens or not root.members)

    def lines(self, members: Mapping[str, Any], indent: str) -> Iterator[str]:
        """Yield each member on a line of its own."""
        for name, value in members.items():
            yield f"{self.newline}{indent}{quoted(name)}: {self.pretty(value, indent)}"

    def words(self, members: Mapping[str, Any]) -> Iterator[str]:
        """Yield each member as it stands on a line with others."""
        separators = f",{self.gap}", f":{self.gap}"
        for name, value in members.items():
            written = json.dumps({name: value}, ensure_ascii=False, separators=separators)
            yield self.gap + written[1:-1]

    def pretty(self, value: Any, indent: str = "") -> str:  # noqa: ANN401 - a JSON value
        """Return a value that may take several lines."""
        if not isinstance(value, Mapping) or not value:
            return quoted(value)
        held = ",".join(self.lines(value, indent + self.unit))
        return f"{{{held}{self.newline}{indent}}}"


def _indent_of(text: str, at: int) -> str:
    """Return the blanks that the line around `at` begins with."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _indent_in(text: str, holder: _Object, style: _Style) -> str:
    """Return the blanks before the members of an object that begin a line."""
    for member in holder.members:
        indent = _indent_of(text, member.start)
        if text.endswith("\n" + indent, 0, member.start):
            return indent
    return _indent_of(text, holder.start) + style.unit


# --- what goes in, and where -------------------------------------------------------------------


def _insertions(
    text: str, holder: _Object, added: Mapping[str, Any], order: Order, style: _Style
) -> Iterator[_Insertion]:
    gaps: dict[int, dict[str, Any]] = {}
    for name in sorted(added, key=order):
        larger = (n for n, m in enumerate(holder.members) if order(m.name) > order(name))
        gaps.setdefault(next(larger, len(holder.members)), {})[name] = added[name]
    for gap, new in gaps.items():
        if gap == len(holder.members):
            yield from _appended(text, holder, new, style)
            continue
        before = holder.members[gap - 1].comma_end if gap else None
        at, members = before or holder.start + 1, style.words(new)
        if rest := _REMARK.match(text, at):
            at, members = rest.end(), style.lines(new, _indent_in(text, holder, style))
        yield at, "".join(f"{member}," for member in members)


def _appended(
    text: str, holder: _Object, new: Mapping[str, Any], style: _Style
) -> Iterator[_Insertion]:
    """Yield what goes in below the last member and the comments behind it, or beside it."""
    last = holder.members[-1] if holder.members else None
    if last and last.comma_end is None:
        yield last.end, ","
    trailing = "," if last and last.comma_end else ""
    inside = text[holder.start + 1 : holder.end - 1]
    at = holder.start + 1 + len(inside.rstrip(_BLANKS))
    if "\n" in text[at : holder.end - 1] or (style.opens and not inside):
        written = ",".join(style.lines(new, _indent_in(text, holder, style)))
        outer = "" if inside else style.newline + _indent_of(text, holder.start)
        yield at, written + trailing + outer
    elif last:
        yield last.comma_end or last.end, ",".join(style.words(new)) + trailing
    else:
        yield holder.start + 1, ",".join(style.words(new)).lstrip()


def _with_insertions(text: str, insertions: Iterable[_Insertion]) -> str:
    parts: list[str] = []
    done = 0
    for at, new in sorted(insertions, key=lambda insertion: insertion[0]):
        parts += (text[done:at], new)
        done = at
    return "".join(parts) + text[done:]


# --- what goes out -----------------------------------------------------------------------------


def _cuts(text: str, holder: _Object, member: _Member) -> Iterator[str]:
    """Yield the text without a member, and without the comma that only it needed."""
    blanks_start = len(text[: member.start].rstrip(_BLANKS))
    index = holder.members.index(member)
    comma_end = holder.members[index - 1].comma_end if index else None
    # The line break before it may be the end of somebody's remark: then it has to stay.
    for start in (blanks_start, member.start):
        if member.comma_end is not None:
            yield text[:start] + text[member.comma_end :]
        elif comma_end is not None:
            yield text[: comma_end - 1] + text[comma_end:start] + text[member.end :]
        else:
            yield text[:start] + text[member.end :]
