"""Checks of the memory against git: whose it is, and whether it is committed by accident."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from fnmatch import fnmatch
from typing import Final

from mnemolog.doctor.examination import Examination
from mnemolog.doctor.finding import Finding
from mnemolog.errors import OtherRepository
from mnemolog.store import git
from mnemolog.store.guard import GITIGNORE, Guard
from mnemolog.text import first_of

NOT_IGNORED: Final = "not_ignored"

_LOCAL: Final = GITIGNORE.decode().split("\n")[0]
"""The pattern of what is not meant to be committed."""

_NAMES_SHOWN: Final = 5


def missing_git(examination: Examination) -> Iterator[Finding]:
    """Yield that nobody can be asked about the repository."""
    repository = examination.location.repository
    if repository is not None and git.find_program() is None:
        yield Finding(
            "remark",
            "missing_git",
            "git is not on the PATH, so a memory of another repository is not noticed, and nobody "
            "can tell whether this one is committed by accident.",
            str(repository),
            "Install git.",
        )


def wrong_repository(examination: Examination) -> Iterator[Finding]:
    """Yield that the memory is another repository's, or that nobody can tell."""
    location = examination.location
    if location.repository is None or git.find_program() is None:
        return
    try:
        Guard(location.path, location.repository).check(examination.graph.header)
    except OtherRepository as other:
        yield Finding(
            "problem",
            "other_repository",
            f"This is the memory of {other.theirs}, but it lies in {other.ours}, so it is neither "
            "read nor written.",
            str(location.path),
            "Let an agent call initialize_memory: with mode adopt its facts stay, with mode fresh "
            "it is set aside. Or bring this repository's own back with 'mnemolog restore'.",
        )
        return
    if git.oldest_root_commit(location.repository) is git.UNKNOWN:
        yield Finding(
            "remark",
            "unknown_repository",
            "git cannot name this repository for sure, so a memory of another one would not be "
            "noticed.",
            str(location.repository),
            "In a shallow clone call 'git fetch --unshallow'. If 'git status' speaks of dubious "
            "ownership, do what it says; if it fails, mend the repository.",
        )


def tracked_by_accident(examination: Examination) -> Iterator[Finding]:
    """Yield local files that git tracks."""
    location = examination.location
    folder = location.path.parent
    if location.repository is None or not folder.is_dir():
        return
    names = git.tracked_beside(folder, _LOCAL)
    if names:
        yield Finding(
            "problem",
            "tracked_local_file",
            "git tracks what is meant to stay on this machine: "
            f"{first_of(names, _NAMES_SHOWN)}. Whoever gets the repository gets the memory.",
            str(folder),
            f"Take it out of the index: git -C {shlex.quote(str(folder))} rm --cached "
            f"{shlex.join(names[:_NAMES_SHOWN])}. Earlier commits still have it. A memory that a "
            "team shares goes to MEMORY_FILE_PATH=.agents/memory.jsonl.",
        )


def not_ignored(examination: Examination) -> Iterator[Finding]:
    """Yield that the next `git add` would take the memory along."""
    location = examination.location
    path, root = location.path, location.repository
    if (
        root is None
        or not path.exists()
        or not fnmatch(path.name, _LOCAL)
        or examination.is_tracked
    ):
        return
    backup = path.with_name(f"{path.name}.bak")
    if git.is_ignored(path, root) is not False and git.is_ignored(backup, root) is not False:
        return
    rules = path.parent / ".gitignore"
    is_free = location.is_default and (not rules.exists() or not rules.stat().st_size)
    yield Finding(
        "problem",
        NOT_IGNORED,
        "No rule keeps git from adding the memory, or what is set aside beside it, so 'git add' "
        "may commit it by accident.",
        str(path),
        f"Add a line {_LOCAL} to {rules}" + (", as --fix does." if is_free else "."),
        is_fixable=is_free,
    )


def merged_by_lines(examination: Examination) -> Iterator[Finding]:
    """Yield that branches of a shared memory would conflict."""
    if not examination.is_tracked or fnmatch(examination.path.name, _LOCAL):
        return
    if git.merge_driver(examination.path) not in {None, "union"}:
        yield Finding(
            "remark",
            "no_union_merge",
            "git tracks this memory, and two branches that both add facts would conflict.",
            str(examination.path),
            f"Add a line to .gitattributes beside it: {examination.path.name} text eol=lf "
            "merge=union",
        )
