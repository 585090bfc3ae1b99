"""A file as far as it has been read, and the graph that it adds up to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from mnemolog.collector import made_to_stay
from mnemolog.graph import Graph
from mnemolog.plain_lines import read_plain
from mnemolog.records import Record
from mnemolog.results import Problem
from mnemolog.store.files import Identity
from mnemolog.store.runs import Run, is_torn_first_write, runs_in

DocumentReader: TypeAlias = Callable[[bytes], "tuple[Record, ...] | None"]
"""Reads a file that is not a log of ours; None means that it is one."""

_SAMPLE_BYTES: Final = 4096


class Reading:
    """What has been read of a file; grows with it, and is replaced when the file is."""

    def __init__(self, read_document: DocumentReader) -> None:
        self.graph = Graph()
        self.identity: Identity | None = None
        """The file's state when it was read last; None while there is no file, or half of it."""
        self.durable: Identity | None = None
        """A state of it that this process put on the disk, with the file's name."""
        self.size = 0
        """How many bytes count: up to the end, or up to a torn last call."""
        self.torn = b""
        """The bytes of the torn last call."""
        self.document: tuple[Record, ...] | None = None
        """What another server's document says; its first write makes it a log."""
        self._read_document = read_document
        self._problems: list[Problem] = []
        self._torn_problem: Problem | None = None
        self._torn_garbage: Problem | None = None
        self._unknown_line: Problem | None = None
        self._next_line = 1
        self._sample = b""
        self._has_records = False

    @classmethod
    def of(cls, content: bytes, read_document: DocumentReader) -> Reading:
        """Return the reading of bytes that need not be in a file."""
        reading = cls(read_document)
        reading.start(content, Identity(0, 0, len(content), 0))
        return reading

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The lines that could not be read, or why all of it is no memory."""
        if not self._problems and (foreign := self.foreign):
            return (foreign,)
        torn = [self._torn_problem] if self._torn_problem else []
        return (*self._problems, *torn)

    @property
    def ends_in_newline(self) -> bool:
        """Whether the next line can follow as it is."""
        return not self._sample or self._sample.endswith(b"\n")

    @property
    def foreign(self) -> Problem | None:
        """Why a file that is not empty, and holds no record, must not be written to."""
        if self._has_records or self.document is not None:
            return None
        first = next(iter(self._problems), self._unknown_line)
        if first is None and self.torn and not is_torn_first_write(self.torn):
            return self._torn_garbage
        return first

    def start(self, content: bytes, identity: Identity) -> None:
        """Take in a file from its beginning."""
        with made_to_stay():
            self.document = self._read_document(content)
            if self.document is None:
                self._absorb(content)
            else:
                self.graph.apply_all(self.document)
                self.size = len(content)
        self.identity = identity

    def can_grow_into(self, identity: Identity) -> bool:
        """Return whether the file only became longer, so that only its new part has to be read."""
        return (
            self._has_records
            and self.document is None
            and identity.is_same_file(self.identity)
            and self.identity is not None
            # What is torn has not been taken in, so it may also have been set aside meanwhile.
            and identity.size > (self.size if self.torn else self.identity.size)
        )

    def grow(self, sample: bytes, content: bytes, identity: Identity) -> bool:
        """Take in what follows the bytes that count; False if those lines have changed.

        `sample` is what now stands in front of it, `sample_size` bytes.
        """
        is_longer_line = not self.ends_in_newline and not content.startswith(b"\n")
        if sample != self._sample or is_longer_line:
            return False
        # Should memory run out on the way, the file must count as not read, not as read to its end.
        self.identity = None
        self._absorb(content)
        self.identity = identity
        return True

    @property
    def sample_size(self) -> int:
        """How many bytes `grow` wants to see again of those that count."""
        return len(self._sample)

    def _absorb(self, content: bytes) -> None:
        self.torn, self._torn_problem = b"", None
        counted = self._count_plain(content, 0)
        while run := next(runs_in(content, counted, self._next_line), None):
            if run.is_torn and run.lines[-1].end == len(content):
                self._set_torn(content[counted:], run)
                break
            counted = self._count_plain(content, self._count(run, content))
        self.size += counted
        self._sample = (self._sample + content[:counted])[-_SAMPLE_BYTES:]

    def _count_plain(self, content: bytes, start: int) -> int:
        """Let plain lines count, as far as each is a call by itself, and return where they end.

        Nearly every line of a large file is one.
        """
        apply = self.graph.apply
        while (newline := content.find(b"\n", start)) >= 0:
            plain = read_plain(content[start:newline])
            if plain is None or plain[1]:
                break
            apply(plain[0])
            self._has_records = True
            self._next_line += 1
            start = newline + 1
        return start

    def _count(self, run: Run, content: bytes) -> int:
        """Let a run count, and return where it ends."""
        for placed in run.lines:
            line = placed.line
            self.graph.apply_all(line.records)
            self._has_records = self._has_records or bool(line.records)
            if line.problem:
                self._problems.append(Problem(placed.number, line.problem))
            elif not line.records and not line.is_blank and self._unknown_line is None:
                self._unknown_line = Problem(placed.number, "it is no record of a known type")
        last = run.lines[-1]
        # Where its line end is missing, what comes next begins with that.
        self._next_line = last.number + content.endswith(b"\n", 0, last.end)
        return last.end

    def _set_torn(self, torn: bytes, run: Run) -> None:
        self.torn = torn
        self._has_records = self._has_records or any(True for _ in run.records)
        self._torn_problem = Problem(
            run.lines[0].number,
            "a call that was cut off while it was written; it counts as not written, and the next "
            "write sets its bytes aside",
        )
        garbage = ((p.number, p.line.problem) for p in run.lines)
        self._torn_garbage = next((Problem(n, reason) for n, reason in garbage if reason), None)
