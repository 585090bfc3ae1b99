"""The lines of one call, read back as one: a call counts whole or not at all.

All lines of a call but the last say that they continue. Only the last call of a file can be torn:
whoever writes next sets a torn one aside first. If somebody else (an editor, a merge) has written
behind a torn call before that, what is readable of it counts: additions come before removals, so
nothing is removed whose replacement is missing.

A power cut can leave a file longer than what the disk got of a write: any blocks of that write read
as zeros then. No line of ours holds a zero, so where the zeros are is where the write was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from mnemolog.jsonl import BOM, Line, read_line
from mnemolog.records import RECORD_TYPES, Record


class PlacedLine(NamedTuple):
    """A line and where it stands: its number from 1, its bytes from `start` to `end`."""

    number: int
    start: int
    end: int
    line: Line
    garbage: bytes = b""
    """Its bytes, if they cannot be read."""


@dataclass(slots=True)
class Run:
    """The lines of one call, or a single line."""

    lines: list[PlacedLine] = field(default_factory=list)
    is_finished: bool = False
    has_hole: bool = False

    @property
    def is_torn(self) -> bool:
        """Whether the call counts as not written, should it be the last one."""
        return not self.is_finished or self.has_hole

    @property
    def records(self) -> Iterator[Record]:
        """What can be read of it."""
        return (record for placed in self.lines for record in placed.line.records)


def lines_in(content: bytes, start: int = 0, number: int = 1) -> Iterator[PlacedLine]:
    """Yield the lines from a byte offset on; the first has the given number.

    Only the byte 0x0A ends a line: texts contain other line separators.
    """
    while start < len(content):
        newline = content.find(b"\n", start)
        end = len(content) if newline < 0 else newline + 1
        line = read_line(content[start : newline if newline >= 0 else end])
        if line.is_garbage:
            yield from parts_of(content[start:end], line, start, number)
        else:
            yield PlacedLine(number, start, end, line)
        start, number = end, number + 1


def parts_of(garbage: bytes, line: Line, start: int, number: int) -> Iterator[PlacedLine]:
    """Yield a line that cannot be read, given with its newline.

    A record in front of zeros is a line by itself, of the same number: there a write began whose
    line end came first.
    """
    end = start + len(garbage)
    zeros = garbage.find(b"\0")
    if zeros > 0 and (whole := read_line(garbage[:zeros])).records:
        yield PlacedLine(number, start, start + zeros, whole)
        start, garbage = start + zeros, garbage[zeros:]
        line = read_line(garbage.removesuffix(b"\n"))
    yield PlacedLine(number, start, end, line, garbage)


def runs_in(content: bytes, start: int = 0, number: int = 1) -> Iterator[Run]:
    """Yield the runs from a byte offset on; only the last one may be torn and not count."""
    return runs_of(lines_in(content, start, number))


def runs_of(lines: Iterable[PlacedLine]) -> Iterator[Run]:
    """Yield the runs that lines are; only the last one may be torn and not count."""
    run = Run()
    for placed in lines:
        run.lines.append(placed)
        line, garbage = placed.line, placed.garbage
        if line.continues or (line.is_blank and len(run.lines) > 1):
            continue
        if b"\0" in garbage and (len(run.lines) > 1 or _continues(garbage)):
            # Not a cut but a hole: what follows may be the rest of the same call.
            run.has_hole = True
            continue
        run.is_finished = not garbage or (len(run.lines) == 1 and garbage.endswith(b"\n"))
        yield run
        run = Run()
    if run.lines:
        yield run


def _continues(holed: bytes) -> bool:
    """Return whether what follows the zeros in a line shows that its call went on."""
    rest = holed[holed.rfind(b"\0") + 1 :][-len(_CONTINUES) :]
    return len(rest) > len(b"}\n") and _CONTINUES.endswith(rest)


_CONTINUES: Final = b'"continues":true}\n'


def is_torn_first_write(content: bytes) -> bool:
    """Return whether a file without a record is the start of our first write, and nothing else."""
    start = content.rstrip(b"\0").removeprefix(BOM)
    return b"\n" not in start and any(
        start[: len(opening)] == opening[: len(start)] for opening in _OPENINGS
    )


_OPENINGS = tuple(f'{{"type":"{name}",'.encode() for name in RECORD_TYPES)
