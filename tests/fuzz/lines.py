"""What must hold for any line, and for any file of lines."""

from __future__ import annotations

from mnemolog.interchange import records_of_document
from mnemolog.jsonl import Line, encode, read_any, read_line
from mnemolog.plain_lines import read_plain
from mnemolog.store.compaction import compact
from mnemolog.store.files import Identity
from mnemolog.store.reading import Reading
from mnemolog.store.runs import lines_in
from standing import Standing, standing_of

_INODE = 1


def check_line(raw: bytes) -> None:
    """The short cut agrees with the tolerant reader, and what is read can be written and read."""
    for part in raw.split(b"\n"):
        said = read_any(part)
        if (plain := read_plain(part)) is not None:
            assert said == Line((plain[0],), continues=plain[1])
        assert read_line(part) == said
        assert not said.is_garbage or not said.records
        for record in said.records:
            assert read_line(encode(record).removesuffix(b"\n")) == Line((record,))


def check_file(raw: bytes) -> None:
    """A file is read whole, whatever it holds, and the same in two steps; compaction keeps it."""
    place, content = int.from_bytes(raw[:2]), raw[2:]
    placed = [*lines_in(content)]
    assert b"".join(content[line.start : line.end] for line in placed) == content
    reading = _read(content)
    if reading.document is not None:
        return
    assert content[reading.size :] == reading.torn
    _check_growth(content, place % (len(content) + 1), reading)
    _check_compaction(content[: reading.size], reading)


def _check_growth(content: bytes, place: int, at_once: Reading) -> None:
    grown = _read(content[:place])
    whole = _identity(content)
    if grown.document is not None or not grown.can_grow_into(whole):
        return
    start = grown.size - grown.sample_size
    sample, rest = content[start : grown.size], content[grown.size :]
    if grown.grow(sample, rest, whole):
        assert _seen(grown) == _seen(at_once)


def _check_compaction(whole: bytes, before: Reading) -> None:
    # Not read again: what was torn, and counted since more came behind it, may be the end now.
    compacted = compact(whole).content
    after = _read(compacted)
    if after.document is not None:
        return
    assert not after.torn
    assert _standing(after) == _standing(before)
    assert _strangers(compacted) >= _strangers(whole)
    assert _standing(_read(compact(compacted).content)) == _standing(before)


def _strangers(content: bytes) -> set[bytes]:
    """Return the lines that nobody of us can read, or not all of.

    One that continues is a line of ours too, and says so no longer once it is compacted.
    """
    return {
        content[placed.start : placed.end].removesuffix(b"\n")
        for placed in lines_in(content)
        if (placed.line.has_unknown or placed.line.problem) and not placed.line.continues
    }


def _seen(reading: Reading) -> tuple[object, ...]:
    return (
        _standing(reading),
        reading.size,
        reading.torn,
        reading.problems,
        reading.foreign,
        reading.ends_in_newline,
    )


def _standing(reading: Reading) -> Standing:
    return standing_of(reading.graph)


def _read(content: bytes) -> Reading:
    reading = Reading(records_of_document)
    reading.start(content, _identity(content))
    return reading


def _identity(content: bytes) -> Identity:
    return Identity(device=1, inode=_INODE, size=len(content), mtime_ns=len(content))
