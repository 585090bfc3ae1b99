"""JSON documents as a stream: the records of a file that is one value, or of many glued together.

    {"entities": [...], "relations": [...]}        opened up, on one line or on many
    [{"type": "entity", ...}, ...]                 opened up too
    {"type": "entity", ...} {"type": ...} ...      one after the other

Only one record is held at a time, whatever the size of the file. Where something is no JSON, the
reading goes on at the next record: that is why this is not a JSON parser's own stream, all of which
end at the first fault.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, Literal, TypeAlias

from mnemolog.jsonl import load_values
from mnemolog.records import RECORD_TYPES

Kind: TypeAlias = Literal["entities", "relations"]


@dataclass(frozen=True, slots=True)
class Scanned:
    """A value that could be a record, or the reason why something is no JSON."""

    line: int
    value: Any = None
    fault: str | None = None
    kind: Kind | None = None
    """The list of a graph object that it stands in."""


def scan(file: BinaryIO) -> Iterator[Scanned]:
    """Yield what could be records, wherever they stand."""
    return _Scanner(file).scan()


def opens_graph(text: str) -> bool:
    """Return whether a text begins with a graph object whose lists follow."""
    return _opening_of_graph(text, 0) is not None


_CHUNK_BYTES: Final = 256 * 1024
_LOOKAHEAD: Final = 4096
"""What has to be seen of an object to tell whether it is a record or holds records."""

_STRING: Final = r'"(?:[^"\\]|\\.)*+"'
_SMALL_VALUE: Final = rf"(?:{_STRING}|[-+.\w]++|\{{[^{{}}]*+\}})"
_LIST_KEY: Final = r'"(?P<kind>entities|relations)"\s*:\s*\['
_GRAPH: Final = re.compile(
    rf"(?s)\{{(?P<before>\s*(?:{_STRING}\s*:\s*{_SMALL_VALUE}\s*,\s*)*+){_LIST_KEY}"
)
_RECORD_TYPE: Final = re.compile(rf'"type"\s*:\s*"(?:{"|".join(RECORD_TYPES)})"')
_NEXT_LIST: Final = re.compile(_LIST_KEY)
_KEY: Final = re.compile(rf"(?s){_STRING}\s*:\s*")
_BLANKS: Final = re.compile(r"[\s,\ufeff]*")
# A newline looks no further than its own line: a million of them would each look through the rest.
_NEXT_RECORD: Final = re.compile(rf"(?:[\[,}}]\s*|\n[^\S\n]*)(?:(?=\{{)|{_LIST_KEY})")

# Lenient: it only has to find where a value ends. `load_values` then says whether it is sound.
_ENDS: Final = json.JSONDecoder()


def _opening_of_graph(text: str, place: int) -> re.Match[str] | None:
    found = _GRAPH.match(text, place)
    return None if found is None or _RECORD_TYPE.search(found["before"]) else found


class _Scanner:
    """A window that moves over the text of a file."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        # What is not UTF-8 costs only the record that it stands in.
        self._decode = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode
        self._text = ""
        self._place = 0
        self._line = 1
        self._counted = 0
        self._has_ended = False
        self._chunk = _CHUNK_BYTES
        self._open: list[Kind | Literal["array", "object"]] = []

    def scan(self) -> Iterator[Scanned]:
        is_whole = True
        while self._skip_blanks():
            found = self._step()
            if found is not None:
                is_whole = found.fault is None
                yield found
        if self._open and is_whole:
            yield Scanned(self._line_here(), fault="the document ends before it is closed")

    def _step(self) -> Scanned | None:
        """Go past one token or one value; return it if it could be a record."""
        sign = self._text[self._place]
        if sign in "[]}":
            self._bracket(sign)
            return None
        if sign == "{":
            self._see(_LOOKAHEAD)
            if graph := _opening_of_graph(self._text, self._place):
                self._open += ["object", _kind(graph)]
                self._place = graph.end()
                return None
        if sign == '"' and self._open[-1:] == ["object"]:
            return self._member()
        return self._value(self._kind_here())

    def _bracket(self, sign: str) -> None:
        self._place += 1
        if sign == "[":
            self._open.append(self._kind_here() or "array")
        elif self._open and (self._open[-1] == "object") == (sign == "}"):
            self._open.pop()

    def _member(self) -> Scanned | None:
        """Go past a key of a graph object, and past its value unless that is one of its lists."""
        self._see(_LOOKAHEAD)
        if found := _NEXT_LIST.match(self._text, self._place):
            self._open.append(_kind(found))
            self._place = found.end()
            return None
        key = _KEY.match(self._text, self._place)
        if key is None or not self._text[key.end() : key.end() + 1]:
            return self._fault_at(self._place, "it is not valid JSON")
        self._place = key.end()
        found_value = self._value(None)
        return found_value if found_value.fault else None

    def _value(self, kind: Kind | None) -> Scanned:
        line = self._line_here()
        end = self._end_of_value()
        if end is None:
            return self._fault_at(self._place, "it is not valid JSON")
        raw = self._text[self._place : end]
        self._place = end
        try:
            raw.encode()  # half a character here was a byte that is not UTF-8
            return Scanned(line, load_values(raw)[0], kind=kind)
        except UnicodeEncodeError:
            return Scanned(line, fault="it is not UTF-8 text")
        except ValueError as error:
            return Scanned(line, fault=str(error))

    def _end_of_value(self) -> int | None:
        while True:
            try:
                _, end = _ENDS.raw_decode(self._text, self._place)
            except json.JSONDecodeError as error:
                is_cut = error.pos > len(self._text) - _LOOKAHEAD or "nterminated" in error.msg
                if not is_cut or not self._more():
                    return None
            except (ValueError, RecursionError):  # a number that is too long, or deep nesting
                return None
            else:
                return end

    def _fault_at(self, place: int, fault: str) -> Scanned:
        """Go on at the next place where a record may begin."""
        line = self._line_here()
        self._place = place
        at = place + 1
        while (found := _NEXT_RECORD.search(self._text, at)) is None:
            self._place = max(self._place + 1, len(self._text) - _LOOKAHEAD)
            if not self._more():
                self._place = len(self._text)
                return Scanned(line, fault=fault)
            at = 0
        if found["kind"]:
            while self._open and self._open[-1] != "object":
                self._open.pop()
            self._open.append(_kind(found))
        self._place = found.end()
        return Scanned(line, fault=fault)

    # --- the window ------------------------------------------------------------------------------

    def _skip_blanks(self) -> bool:
        """Go to the next token; False at the end of the file."""
        while True:
            blanks = _BLANKS.match(self._text, self._place)
            self._place = blanks.end() if blanks else self._place
            if self._place < len(self._text):
                return True
            if not self._more():
                return False

    def _see(self, characters: int) -> None:
        while len(self._text) - self._place < characters and self._more():
            pass

    def _more(self) -> bool:
        """Read on; False at the end of the file. A value that spans many reads doubles them."""
        if self._has_ended:
            return False
        self._line_here()
        self._chunk = _CHUNK_BYTES if self._place else 2 * self._chunk
        raw = self._file.read(self._chunk)
        self._has_ended = not raw
        read = self._decode(raw, not raw)
        self._text = self._text[self._place :] + read
        self._place = self._counted = 0
        return not self._has_ended or bool(read)

    def _line_here(self) -> int:
        self._line += self._text.count("\n", self._counted, self._place)
        self._counted = max(self._counted, self._place)
        return self._line

    def _kind_here(self) -> Kind | None:
        here = self._open[-1] if self._open else None
        return None if here == "array" or here == "object" else here  # noqa: PLR1714 - mypy narrows


def _kind(found: re.Match[str]) -> Kind:
    return "entities" if found["kind"] == "entities" else "relations"
