"""The memory file: read without a lock, written under one, never losing what it holds.

An acknowledged call is in the file, synced, and the file is the one on the path. Whatever goes
wrong before that is reported and leaves the file as it was, or a torn call that counts as not
written.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final, TypeVar

from mnemolog.declarations import declared, described
from mnemolog.edits.edit import Edit
from mnemolog.errors import NotDurable, StorageError, UnreadableMemory
from mnemolog.graph import Graph
from mnemolog.jsonl import encode, encode_call
from mnemolog.records import Record
from mnemolog.results import Problem
from mnemolog.store import files
from mnemolog.store.compaction import compact
from mnemolog.store.doubt import Doubt
from mnemolog.store.files import Identity
from mnemolog.store.location import require_in_place, require_kept
from mnemolog.store.lock import LOCK_TIMEOUT_SECONDS, WriterLock
from mnemolog.store.reading import DocumentReader, Reading

ResultT = TypeVar("ResultT")

COMPACTION_SLACK_BYTES: Final = 16 * 1024
"""A log may be twice as large as what it would keep, and this much more, before it is compacted."""

_ATTEMPTS: Final = 10


class _FileWasReplaced(Exception):
    """A signal to make another attempt: there is another file on the path now."""


@declared
class Compaction:
    """What a compaction did."""

    bytes_before: int = described("The file's size before, in bytes")
    bytes_after: int = described("The file's size after, in bytes")
    dropped_lines: int = described("How many lines said nothing any more")


class Log:
    """One memory file. Not thread-safe: its owner calls one method at a time."""

    def __init__(
        self,
        path: Path,
        *,
        read_document: DocumentReader,
        may_compact: Callable[[], bool],
        lock_timeout_seconds: float = LOCK_TIMEOUT_SECONDS,
    ) -> None:
        self.path = path
        self._read_document = read_document
        self._may_compact = may_compact
        self._lock = WriterLock(path, lock_timeout_seconds)
        self._reading = Reading(read_document)
        self._compact_above = COMPACTION_SLACK_BYTES
        self._doubt = Doubt(path)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The lines that could not be read last time."""
        return self._reading.problems

    @property
    def last_read(self) -> Graph:
        """The graph as it was read, or written, last; the file is not looked at."""
        return self._reading.graph

    def read(self) -> Graph:
        """Return the graph as the file has it now; takes no lock.

        Raises:
            LocationRefused: A symlink now leads to another file.
            StorageError: The system refused to read the file.
        """
        try:
            known = self._reading.identity
            if files.identity_once_written(self.path, known) != known:
                require_in_place(self.path)
                with files.opened(self.path, os.O_RDONLY) as descriptor:
                    self._catch_up(descriptor)
        except FileNotFoundError:
            self._reading = Reading(self._read_document)
        except OSError as error:
            raise StorageError(
                f"{self.path} cannot be read ({error.strerror}). Nothing is lost: make the file "
                "readable, or set MEMORY_FILE_PATH to another one."
            ) from error
        return self._reading.graph

    def write(self, plan: Callable[[Graph], Edit[ResultT]]) -> ResultT:
        """Carry out the edit that `plan` makes of the current graph, whole or not at all.

        `plan` only looks. It is called again if the file is replaced in the meantime.

        Raises:
            UnreadableMemory: The file is not a memory.
            LockTimeout: Another process kept the lock.
            NotDurable: The lines are in the file, but perhaps not on the disk.
            StorageError: The system refused; nothing of the call was saved.
        """
        graph = self.read()
        self._refuse_foreign_file()
        edit = plan(graph)
        if not edit.records and not self._doubt.exists:
            self._vouch()
            return edit.result
        with self._writing():
            edit = self._retried(lambda: self._attempt(plan))
            self._compact_if_due()
            return edit.result

    def compact(self) -> Compaction:
        """Drop the lines that say nothing any more, however few.

        Raises:
            UnreadableMemory: The file is not a memory.
            StorageError: The system refused; the file is as it was.
        """
        self.read()
        if self._reading.identity is None:
            return Compaction(0, 0, 0)
        with self._writing():
            return self._retried(self._compact)

    def start_afresh(self, records: tuple[Record, ...]) -> Path | None:
        """Set the whole file aside and start a new one with these records.

        Returns where the old file is, or None if there was nothing to set aside.
        """
        return self.replace_by(lambda _content: encode_call(records))

    def replace_by(self, edit: Callable[[bytes], bytes]) -> Path | None:
        """Set the whole file aside and put in its place what `edit` makes of its content.

        Returns where the old file is, or None if there was nothing to set aside.
        """
        with self._writing():
            return self._retried(lambda: self._replace_by(edit))

    # --- attempts: each raises _FileWasReplaced if it has to be made again -----------------------

    def _attempt(self, plan: Callable[[Graph], Edit[ResultT]]) -> Edit[ResultT]:
        is_in_doubt = self._doubt.exists
        if is_in_doubt:
            # The system may have dropped what it could not write, and we have read.
            self._reading = Reading(self._read_document)
        graph = self.read()
        self._refuse_foreign_file()
        edit = plan(graph)
        lines = encode_call(edit.records)
        if not lines and not is_in_doubt:
            self._vouch()
            return edit
        if self._reading.document is not None:
            self._convert_document(self._reading.document, lines)
        elif is_in_doubt:
            self._rewrite_with(lines)
        else:
            self._append(lines)
        return edit

    def _vouch(self) -> None:
        """Make sure that the disk has what we answer for: its writer may not live to do so."""
        reading = self._reading
        if reading.identity in {None, reading.durable}:
            return
        with self._promising_durability(), suppress(FileNotFoundError):
            files.sync_file(self.path)
        reading.durable = reading.identity

    def _append(self, lines: bytes) -> None:
        before = self._reading.identity
        flags = os.O_RDWR | os.O_APPEND | (os.O_CREAT if before is None else 0)
        with self._opened(flags) as descriptor:
            found = Identity.of(os.fstat(descriptor))
            if found != before and (before is not None or found.size):
                raise _FileWasReplaced
            self._set_torn_call_aside(descriptor)
            written = lines if self._reading.ends_in_newline else b"\n" + lines
            self._write_or_take_back(descriptor, written)
            with self._promising_durability():
                durable = Identity.of(os.fstat(descriptor))
                files.sync(descriptor)
                if self._reading.durable is None:
                    files.sync_way_to(self.path)
                self._acknowledge(descriptor, written)
            self._reading.durable = durable

    def _acknowledge(self, descriptor: int, written: bytes) -> None:
        """Take in what we wrote, as the file has it, from the file that is on the path."""
        identity = files.identity_at(self.path)
        status = os.fstat(descriptor)
        if not Identity.of(status).is_same_file(identity):
            raise _FileWasReplaced
        if not status.st_nlink:
            require_kept(self.path)
        if written not in self._catch_up(descriptor):
            raise _FileWasReplaced  # rewritten in place, or truncated, under our hands

    def _convert_document(self, document: tuple[Record, ...], lines: bytes) -> None:
        log = b"".join(encode(record) for record in document)
        with self._set_aside("bak", self._fresh_content()):
            self._replace(log + lines)

    def _rewrite_with(self, lines: bytes) -> None:
        """Write the whole file anew: after a failed sync nobody knows what the disk has of it."""
        content = self._fresh_content()[: self._reading.size]
        newline = b"" if self._reading.ends_in_newline else b"\n"
        with self._set_aside("torn", self._reading.torn):
            self._replace(content + newline + lines)

    def _compact(
        self, is_worth_it: Callable[[int, int], bool] = lambda _before, _after: True
    ) -> Compaction:
        self.read()
        self._refuse_foreign_file()
        content = self._fresh_content()
        if self._reading.document is not None:
            return Compaction(len(content), len(content), 0)
        whole = content[: self._reading.size]
        compacted = compact(whole)
        before, after = len(content), len(compacted.content)
        if not is_worth_it(before, after):
            return Compaction(before, before, 0)
        if compacted.content != content:
            with self._set_aside("torn", self._reading.torn):
                self._replace(compacted.content)
        return Compaction(before, after, compacted.dropped_lines)

    def _replace_by(self, edit: Callable[[bytes], bytes]) -> Path | None:
        self.read()
        content = self._fresh_content()
        new = edit(content)
        with self._set_aside("bak", content) as backup:
            self._replace(new)
        return backup

    # --- the pieces of a write -------------------------------------------------------------------

    def _refuse_foreign_file(self) -> None:
        if problem := self._reading.foreign:
            raise UnreadableMemory(self.path, problem.line, problem.reason)

    def _set_torn_call_aside(self, descriptor: int) -> None:
        if not self._reading.torn:
            return
        with self._set_aside("torn", self._reading.torn):
            self._confirm_unchanged()
            os.ftruncate(descriptor, self._reading.size)

    @contextmanager
    def _set_aside(self, label: str, content: bytes) -> Iterator[Path | None]:
        """Keep the content beside the file, as long as what follows takes it out of the file."""
        before = self._reading.identity
        place = files.set_aside(self.path, label, content) if content else None
        try:
            yield place
        except BaseException:
            if place and files.identity_at(self.path) == before:
                place.unlink(missing_ok=True)
            raise

    def _write_or_take_back(self, descriptor: int, written: bytes) -> None:
        start = os.fstat(descriptor).st_size
        try:
            files.write_all(descriptor, written)
        except OSError:
            # Left in place, half a call would only be set aside later; but it costs the disk space
            # that may be missing. Only ever take back bytes that are ours.
            with suppress(OSError):
                if written.startswith(files.read_from(descriptor, start)):
                    os.ftruncate(descriptor, start)
            raise

    @contextmanager
    def _promising_durability(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            # The kernel may have dropped the pages and call the next sync a success.
            self._doubt.note()
            raise NotDurable(
                f"The facts of this call are in {self.path}, but the system could not promise that "
                f"they are on the disk ({error.strerror}). Check the disk; the next write puts the "
                "whole file on the disk again."
            ) from error

    def _replace(self, content: bytes) -> None:
        try:
            placed = files.replace(self.path, content, self._confirm_unchanged)
        except FileNotFoundError:  # another holder of the lock has tidied up
            raise _FileWasReplaced from None
        with self._promising_durability():
            # Without this a power cut may bring the old file back, and what follows is lost.
            files.sync_way_to(self.path)
        self._doubt.settle()
        self.read()
        if not placed.is_same_file(self._reading.identity):
            raise _FileWasReplaced
        self._reading.durable = placed

    def _confirm_unchanged(self) -> None:
        """Make sure, last before something irreversible, that lock and file are still ours."""
        if not self._lock.is_on_path() or files.identity_at(self.path) != self._reading.identity:
            raise _FileWasReplaced

    def _fresh_content(self) -> bytes:
        if self._reading.identity is None:
            return b""
        with self._opened(os.O_RDONLY) as descriptor:
            return files.read_from(descriptor, 0)

    @contextmanager
    def _opened(self, flags: int) -> Iterator[int]:
        """Open the file, which was there when it was read."""
        with ExitStack() as stack:
            try:
                descriptor = stack.enter_context(files.opened(self.path, flags))
            except FileNotFoundError:  # a checkout deletes a file before it writes the new one
                raise _FileWasReplaced from None
            yield descriptor

    def _compact_if_due(self) -> None:
        reading = self._reading
        size = reading.identity.size if reading.identity else 0
        kept = size * reading.graph.live_size // max(1, reading.graph.said_size)
        if size <= self._compact_above or not _is_due(size, kept):
            return
        # The call is saved already: whatever refuses the compaction, it comes again later.
        with suppress(OSError, StorageError, _FileWasReplaced):
            if self._may_compact():
                self._compact(_is_due)
            self.read()
        size = self._reading.identity.size if self._reading.identity else 0
        self._compact_above = max(COMPACTION_SLACK_BYTES, 2 * size)

    # --- reading and locking ---------------------------------------------------------------------

    def _catch_up(self, descriptor: int) -> bytes:
        """Read what has changed, and return what stands behind the bytes that counted before."""
        identity = Identity.of(os.fstat(descriptor))
        reading, counted = self._reading, self._reading.size
        if reading.can_grow_into(identity):
            sample_size = reading.sample_size
            content = files.read_from(descriptor, counted - sample_size)
            new = content[sample_size:]
            if reading.grow(content[:sample_size], new, identity):
                return new
        content = files.read_from(descriptor, 0)
        reading = Reading(self._read_document)
        reading.start(content, identity)
        self._reading = reading
        return content[counted:]

    def _retried(self, attempt: Callable[[], ResultT]) -> ResultT:
        for _ in range(_ATTEMPTS):
            self._lock.renew()
            with suppress(_FileWasReplaced):
                return attempt()
        raise StorageError(
            f"{self.path} was replaced by another program {_ATTEMPTS} times while it was written. "
            "Nothing was saved: stop that program, then try again."
        )

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            files.make_folders(self.path.parent)
            with self._lock.held():
                # Not only litter: a holder whose lock file was deleted must not rename any more.
                files.remove_temporaries(self.path)
                yield
        except OSError as error:
            raise StorageError(
                f"{self.path} cannot be written ({error.strerror}). Nothing of this call was "
                "saved, and what was saved before is untouched. Free space or fix the permissions, "
                "then try again."
            ) from error


def _is_due(size: int, kept: int) -> bool:
    return size > 2 * kept + COMPACTION_SLACK_BYTES
