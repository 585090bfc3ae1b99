"""Checks of what stands in the memory file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mnemolog.doctor.examination import Examination
from mnemolog.doctor.finding import Finding
from mnemolog.records import FORMAT
from mnemolog.text import first_of

CONFLICT_MARKERS: Final = "conflict_markers"

_MARKER: Final = re.compile(rb"(?:<{7}|>{7}|\|{7})(?: [^\n]*)?|={7}")
_LINES_NAMED: Final = 10


def unreadable_file(examination: Examination) -> Iterator[Finding]:
    """Yield why nothing can be read of the file, or written to it."""
    path = str(examination.path)
    if isinstance(examination.read, OSError):
        yield Finding(
            "problem",
            "unreadable_file",
            f"The memory cannot be read: {examination.read.strerror}.",
            path,
            "Make it readable for yourself (chmod u+r, or chown if another user owns it).",
        )
    elif foreign := examination.reading.foreign:
        yield Finding(
            "problem",
            "not_a_memory",
            "The file is not empty, but no memory record was found in it, so nothing is written "
            f"to it: {foreign.reason}.",
            f"{path}, line {foreign.line}",
            "Move the file away, or set MEMORY_FILE_PATH to another one; then bring its content "
            "along with 'mnemolog import FILE'. A backup can be brought back with 'mnemolog "
            "restore'.",
        )


def unreadable_lines(examination: Examination) -> Iterator[Finding]:
    """Yield the lines that cannot be read, by number."""
    reading = examination.reading
    if reading.foreign:
        return
    markers = set(_marker_lines(examination.content))
    problems = reading.problems[:-1] if reading.torn else reading.problems
    for problem in problems:
        if problem.line not in markers:
            yield Finding(
                "problem",
                "unreadable_line",
                f"A line cannot be read, so its facts are missing: {problem.reason}.",
                f"line {problem.line}",
                "Correct the line in a text editor, or delete it if it holds nothing. It is kept "
                "as it is until then.",
            )
    if reading.torn:
        yield Finding(
            "remark",
            "torn_call",
            "The last call was cut off while it was written, so it counts as not written.",
            f"line {reading.problems[-1].line}",
            "Nothing has to be done: nobody was told that it was saved, and the next write sets "
            "its bytes aside.",
        )


def conflict_markers(examination: Examination) -> Iterator[Finding]:
    """Yield what a merge has left in the file."""
    lines = list(_marker_lines(examination.content))
    if not lines:
        return
    named = first_of([*map(str, lines)], _LINES_NAMED)
    yield Finding(
        "problem",
        CONFLICT_MARKERS,
        "Git has left conflict markers in the memory. The facts of both sides count.",
        f"lines {named}" if len(lines) > 1 else f"line {named}",
        "Delete the marker lines and keep all others, as --fix does; then git add the file. With "
        "'merge=union' for it in .gitattributes git does that by itself.",
        is_fixable=True,
    )


def newer_format(examination: Examination) -> Iterator[Finding]:
    """Yield that a newer version has written the file."""
    header = examination.graph.header
    if header and header.format > FORMAT:
        yield Finding(
            "problem",
            "newer_format",
            f"A newer mnemolog wrote the memory (format {header.format}; this one knows {FORMAT}), "
            "so it is only read.",
            str(examination.path),
            "Update mnemolog.",
        )


def without_markers(content: bytes) -> bytes:
    """Return the content without the lines that a merge has left: those hold no facts."""
    return b"".join(line for line in _lines(content) if not _is_marker(line))


def _marker_lines(content: bytes) -> Iterator[int]:
    # Most files have none: a look at the whole is quicker than one at each line.
    if any(sign in content for sign in (b"<<<<<<<", b">>>>>>>", b"\n=======")):
        yield from (n for n, line in enumerate(_lines(content), start=1) if _is_marker(line))


def _lines(content: bytes) -> list[bytes]:
    return re.findall(rb"[^\n]*\n|[^\n]+", content)


def _is_marker(line: bytes) -> bool:
    return _MARKER.fullmatch(line.rstrip(b"\r\n")) is not None
