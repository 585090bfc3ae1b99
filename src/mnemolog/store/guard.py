"""Whose memory a file holds: it is used in one repository, and not committed by accident.

The guard refuses only what it knows to be wrong. A repository that git cannot name (a shallow
clone, a missing git, "dubious ownership") is unknown, not different.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from mnemolog.errors import OtherRepository
from mnemolog.records import FORMAT, Header, Repository, Tags
from mnemolog.store.files import FOLDER_MODE, opened, write_all
from mnemolog.store.git import (
    NO_COMMIT,
    UNKNOWN,
    RootCommit,
    contains_commit,
    is_ignored,
    is_tracked,
    oldest_root_commit,
)
from mnemolog.store.location import Location

GITIGNORE: Final = b"*memory.local.*\n.gitignore\n"

_LONGEST_QUOTE: Final = 100
_HASH_SHOWN: Final = 12


class Guard:
    """Tells whether the memory in the file belongs to the repository that the file lies in."""

    def __init__(self, path: Path, repository: Path | None) -> None:
        self._path = path
        self._repository = repository
        self._settled: set[str] = set()
        self._oldest: RootCommit = NO_COMMIT

    def check(self, header: Header | None) -> None:
        """Let a memory pass that belongs here, or may; cheap from the second time on.

        Raises:
            OtherRepository: the memory is that of another repository.
        """
        if header is None or self._repository is None:
            return
        if not self._may_belong(header.repo, self._repository):
            raise OtherRepository(self._path, _title(header.repo), self._title(self._repository))

    def header_due(self, header: Header | None, tags: Tags) -> Header | None:
        """Return the header that the next write has to say: a first one, or one with a commit."""
        if header is None:
            return self.header_here(tags)
        if header.repo.commit is not None:
            return None
        due = self.header_here(tags)
        return due if due is not None and due.repo.commit is not None else None

    def header_here(self, tags: Tags) -> Header | None:
        """Return a header that names this repository, as far as it is known; None outside git."""
        if self._repository is None:
            return None
        return Header(FORMAT, self._here(self._repository), tags)

    def describe(self, header: Header | None) -> str:
        """Return a sentence that says whose memory the file holds."""
        if self._repository is None:
            return "The file lies in no repository, so any may use it."
        here = self._title(self._repository)
        if header is None:
            return f"The file belongs to no repository yet; the first write gives it to {here}."
        try:
            self.check(header)
        except OtherRepository as refusal:
            return str(refusal)
        if self._first_commit(self._repository) is UNKNOWN:
            return (
                f"The file lies in {here}, which git cannot name for sure, so nothing is refused."
            )
        return f"The file belongs to {here}."

    def _may_belong(self, theirs: Repository, repository: Path) -> bool:
        is_here = not theirs.root or _is_same(theirs.root, _utf8(repository))
        if theirs.commit is None:
            return (
                is_here
                or self._first_commit(repository) is UNKNOWN
                # Written before the first commit, then committed with it: it came by a clone.
                or is_tracked(self._path, repository) is True
            )
        if theirs.commit in self._settled:
            return True
        if contains_commit(repository, theirs.commit) is False:
            return is_here and self._first_commit(repository) is NO_COMMIT
        # "Cannot tell" is settled too: git would be asked again at every read.
        self._settled.add(theirs.commit)
        return True

    def _here(self, repository: Path) -> Repository:
        first = self._first_commit(repository)
        commit = first if isinstance(first, str) else None
        # Without a commit a root is compared; one that git cannot name must not be refused for it.
        root = None if first is UNKNOWN else _utf8(repository)
        return Repository(_utf8(Path(repository.name)), commit, root)

    def _title(self, repository: Path) -> str:
        return _title(replace(self._here(repository), root=_utf8(repository)))

    def _first_commit(self, repository: Path) -> RootCommit:
        if self._oldest is NO_COMMIT:  # a first commit may be made at any time
            self._oldest = oldest_root_commit(repository)
        return self._oldest


def protect_from_commit(location: Location) -> None:
    """Keep git from adding a memory in the default place, unless a rule does so already.

    It is a courtesy: where the file cannot be created, the write goes on.
    """
    if not location.is_default:
        return
    path, root = location.path, location.repository
    # What is set aside beside the memory carries its name, and says as much as the memory does.
    beside = path.with_name(f"{path.name}.bak")
    if root is not None and is_ignored(path, root) and is_ignored(beside, root):
        return
    with suppress(OSError):
        path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        with opened(path.parent / ".gitignore", flags, 0o666) as descriptor:
            # Empty, it is new, or left so by one of us who was killed right here.
            if os.fstat(descriptor).st_size == 0:
                write_all(descriptor, GITIGNORE)


def _title(repository: Repository) -> str:
    """Return what an error calls a repository; the words may be those of an untrusted file."""
    title = f"the repository {_quoted(repository.name)}"
    if repository.commit is not None:
        title += f" (first commit {_quoted(repository.commit[:_HASH_SHOWN])})"
    return title if repository.root is None else f"{title} in {_quoted(repository.root)}"


def _quoted(text: str) -> str:
    """Return the text as one short literal: nothing in it can pass for a line of ours."""
    quoted = repr(text[:_LONGEST_QUOTE])
    return quoted if len(quoted) <= _LONGEST_QUOTE else f"{quoted[:_LONGEST_QUOTE]}…"


def _is_same(root: str, other: str) -> bool:
    # Two spellings of one folder where case does not count. Asking the system instead would touch
    # a path that the file chose, and Windows logs in to whatever host such a path names.
    return root.casefold() == other.casefold()


def _utf8(path: Path) -> str:
    """Return the path as text that fits into the log, whatever bytes the system has in it."""
    return os.fsencode(path).decode("utf-8", "replace")
