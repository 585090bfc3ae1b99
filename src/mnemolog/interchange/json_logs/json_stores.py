"""Stores that are JSON: a log line by line, or a document, whichever server wrote it.

What looks like one server's file may be another's: people rename files, convert them by hand and
point two servers at one. So each of these formats reads all of them, by what stands in the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, TypeAlias

from mnemolog import json_document
from mnemolog.graph import Graph
from mnemolog.interchange.json_logs import plain_text_memory
from mnemolog.interchange.json_logs.final_state import drained
from mnemolog.interchange.json_logs.json_items import ValueReader
from mnemolog.interchange.json_logs.json_stream import Scanned, opens_graph, scan
from mnemolog.interchange.json_logs.values import first_line, values_in
from mnemolog.interchange.sources import Found, Item, Reached, Refused
from mnemolog.jsonl import BOM, load_values, read_line
from mnemolog.records import Entity, Record, Relation, Superseded
from mnemolog.store.runs import PlacedLine, Run, parts_of, runs_of
from mnemolog.subjects import Thing, thing_in

LogKind: TypeAlias = Literal["plain", "theirs", "ours"]

HEAD_BYTES: Final = 64 * 1024
_LONGEST_FIRST_LINE: Final = 1024 * 1024
_LINES_BETWEEN_REPORTS: Final = 100

_RECORD_SIGN: Final = re.compile(
    rb'"(?:entityType|observations|relationType|entities|relations|entityName|from_entity|_aim)"'
)
_LOG_SIGN: Final = re.compile(rb'"repo_root":|\{"text":|"tombstone"|"superseded"|"added_at":')
# In a JSON string the quotes would be escaped, so no text that somebody saved holds a sign.


def head_of(path: Path) -> bytes:
    """Return the first bytes of a file, for a look at what it is; none of what is no file."""
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file.read(HEAD_BYTES)


def holds_records(path: Path) -> bool:
    """Return whether a file looks like JSON records of a memory, or is blank."""
    head = head_of(path)
    return path.is_file() and (not head.strip() or _RECORD_SIGN.search(head) is not None)


def kind_by_head(path: Path) -> LogKind:
    """Return whose log the first lines of a file are."""
    *lines, _ = head_of(path).split(b"\n")
    return _kind_of(lines)


def read_json(path: Path) -> Iterator[Item]:
    """Yield what a file of JSON says, however it is laid out."""
    with path.open("rb") as file:
        yield from items_in(file, path.stat().st_size)


def items_in(file: BinaryIO, size: int) -> Iterator[Item]:
    """Yield what an open file of so many bytes says."""
    is_document = _is_document(file.read(_LONGEST_FIRST_LINE))
    file.seek(0)
    if is_document:
        yield from _items_of_document(file, size)
        return
    kind = _kind_of(file)
    file.seek(0)
    yield from _READERS[kind](_lines(file), size)


def _is_document(head: bytes) -> bool:
    line, end = first_line(head)
    values = values_in(line)
    if values is not None:
        is_all_of_it = not head[end:].strip()
        return is_all_of_it and bool(values) and json_document.is_document(values[0])
    if not line.startswith(b"{"):
        return line.startswith(b"[")
    # A pretty-printed document goes on with a key; behind a torn first line stands a whole one.
    following, _ = first_line(head[end:])
    return opens_graph(head.decode(errors="replace").lstrip("\ufeff \t\r\n")) or (
        not following.startswith((b"{", b"["))
    )


def _kind_of(lines: Iterable[bytes]) -> LogKind:
    """Return whose log it is: one line of ours makes it ours, since such a log only adds."""
    kind: LogKind = "plain"
    for line in lines:
        values = (values_in(line) or ()) if _LOG_SIGN.search(line) else ()
        if any(plain_text_memory.is_ours(value) for value in values):
            return "ours"
        if any(plain_text_memory.is_theirs(value) for value in values):
            kind = "theirs"
        if kind == "plain" and any(plain_text_memory.is_dated_entity(value) for value in values):
            kind = "ours"
    return kind


# --- documents -------------------------------------------------------------------------------


def _items_of_document(file: BinaryIO, size: int) -> Iterator[Item]:
    values = ValueReader()
    for count, found in enumerate(scan(file), 1):
        place = f"line {found.line}"
        if found.fault is not None:
            yield Refused(place, found.fault, "error")
        else:
            yield from _items_of_scanned(values, found, place)
        if count % _LINES_BETWEEN_REPORTS == 0:
            yield Reached(file.tell() / size)


def _items_of_scanned(values: ValueReader, found: Scanned, place: str) -> Iterator[Item]:
    if found.kind is not None and isinstance(found.value, dict):
        yield from values.items(json_document.as_listed(found.value, found.kind), place)
        return
    for member in json_document.members([found.value]):
        yield from values.items(member, place)


# --- logs ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _RawLine:
    number: int
    raw: bytes
    """Without its newline."""
    end: int
    """How many bytes of the file have been read with it."""

    @property
    def place(self) -> str:
        """Where it stands, for a person."""
        return _place(self.number)


def _place(number: int) -> str:
    return f"line {number}"


def _lines(file: BinaryIO) -> Iterator[_RawLine]:
    end = 0
    for number, line in enumerate(file, 1):
        end += len(line)
        raw = line.removeprefix(BOM) if number == 1 else line
        yield _RawLine(number, raw.removesuffix(b"\n"), end)


def _values_by_line(
    lines: Iterator[_RawLine], size: int
) -> Iterator[tuple[_RawLine, Any] | Refused | Reached]:
    for line in lines:
        try:
            values = load_values(line.raw.decode())
        except UnicodeDecodeError:
            yield Refused(line.place, "it is not UTF-8 text", "error")
        except ValueError as error:
            yield Refused(line.place, str(error), "error")
        else:
            yield from ((line, member) for member in json_document.members(values))
        if line.number % _LINES_BETWEEN_REPORTS == 0:
            yield Reached(line.end / size)


def _items_of_plain_log(lines: Iterator[_RawLine], size: int) -> Iterator[Item]:
    """Yield the records of a log of server-memory's kind: every line only adds."""
    values = ValueReader()
    for found in _values_by_line(lines, size):
        if isinstance(found, tuple):
            line, value = found
            yield from values.items(value, line.place)
        else:
            yield found


def _items_of_their_log(lines: Iterator[_RawLine], size: int) -> Iterator[Item]:
    """Yield what a log of plain-text-memory-mcp ends in."""
    values = ValueReader()
    replay = plain_text_memory.Replay()
    for found in _values_by_line(lines, size):
        if not isinstance(found, tuple):
            yield found
            continue
        line, value = found
        replay.apply(value, line.place)
        if not plain_text_memory.is_tombstone(value):
            yield from (i for i in values.items(value, line.place) if isinstance(i, Refused))
    yield from _founds(replay.drained())


def _items_of_our_log(lines: Iterator[_RawLine], size: int) -> Iterator[Item]:
    """Yield what a log of ours ends in: a call counts whole or not at all."""
    graph = Graph()
    places: dict[Thing | None, str] = {}
    before = Run()
    for call in runs_of(_placed(lines)):
        yield from _applied(graph, before, places)
        before = call
        if (reached := call.lines[-1]).number % _LINES_BETWEEN_REPORTS == 0:
            yield Reached(reached.end / size)
    if before.lines and before.is_torn:
        place = _place(before.lines[0].number)
        yield Refused(place, "a call that was cut off while it was written", "error")
    else:
        yield from _applied(graph, before, places)
    records = drained(graph)
    del graph
    yield from _founds((places.get(thing_in(record), "the file"), record) for record in records)


def _placed(lines: Iterator[_RawLine]) -> Iterator[PlacedLine]:
    for raw in lines:
        line = read_line(raw.raw)
        start = raw.end - len(raw.raw) - 1
        if line.is_garbage:
            yield from parts_of(raw.raw + b"\n", line, start, raw.number)
        else:
            yield PlacedLine(raw.number, start, raw.end, line)


def _applied(graph: Graph, call: Run, places: dict[Thing | None, str]) -> Iterator[Item]:
    for placed in call.lines:
        line, place = placed.line, _place(placed.number)
        graph.apply_all(line.records)
        for record in line.records:
            if isinstance(record, Entity | Relation):
                places[thing_in(record)] = place
        if line.problem:
            yield Refused(place, line.problem, "error" if line.is_garbage else "skipped")
        elif line.has_unknown:
            yield Refused(place, "it is no record of a known type", "skipped")


def _founds(placed: Iterator[tuple[str, Record]]) -> Iterator[Item]:
    """Yield records of a log that was added up; an entity on several lines counts once."""
    name: str | None = None
    for place, record in placed:
        if isinstance(record, Entity | Relation | Superseded):
            before, name = name, record.name if isinstance(record, Entity) else None
            yield Found(place, record, more=name is not None and name == before)


_READERS: Final[dict[LogKind, Callable[[Iterator[_RawLine], int], Iterator[Item]]]] = {
    "plain": _items_of_plain_log,
    "theirs": _items_of_their_log,
    "ours": _items_of_our_log,
}
