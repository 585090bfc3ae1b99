"""What git knows: the root of a repository, read from its files, and its commits, asked of git.

The root is found without starting git, so that start-up stays fast and neither a missing git nor
"dubious ownership" matters to it. Every question to git can go unanswered, and then its answer is
`None` or `UNKNOWN`: a reason to hold back, never a reason to refuse.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from enum import Enum
from pathlib import Path
from typing import Final, Literal, TypeAlias

TIMEOUT: Final = 10.0
"""How long git may take to answer, in seconds."""


class Absent(Enum):
    """Why a repository is not named by a commit."""

    NO_COMMIT = "it has no commit yet"
    UNKNOWN = "git cannot tell"


NO_COMMIT: Final = Absent.NO_COMMIT
UNKNOWN: Final = Absent.UNKNOWN
RootCommit: TypeAlias = str | Literal[Absent.NO_COMMIT, Absent.UNKNOWN]

_FULL_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?", re.ASCII)
_CORE_SETTING = re.compile(
    r"^[ \t]*(?:\[core\][ \t]*)?(bare|worktree)[ \t]*=[ \t]*(.*?)[ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)

# A hook hands its children variables that point at its own repository, so all of git's are dropped
# but those that say where settings are: a container may grant safe.directory through them alone.
_KEPT_VARIABLES: Final = (
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_KEY_",
    "GIT_CONFIG_NOSYSTEM",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_VALUE_",
    "GIT_EXEC_PATH",
)
_OUR_VARIABLES: Final = {
    "GIT_ALLOW_PROTOCOL": "none",  # for a git that does not know the next variable yet
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


def find_root(folder: Path) -> Path | None:
    """Return the root that all worktrees of the repository around `folder` share; None outside git.

    Raises:
        OSError: a folder or file on the way cannot be read.
        RuntimeError: a loop of symlinks, before Python 3.13.
    """
    folder = folder.resolve()
    for candidate in (folder, *folder.parents):
        marker = candidate / ".git"
        if not os.path.lexists(marker) or is_open_to_all(candidate):
            continue
        if marker.is_dir():
            if os.path.lexists(marker / "HEAD"):
                return candidate
        elif marker.is_file() and (git_folder := _linked_folder(marker)):
            return _shared_root(candidate, git_folder)
    return None


def is_open_to_all(folder: Path) -> bool:
    """Return whether it is a folder like /tmp, where any user of the machine may put a `.git`."""
    everybody = stat.S_ISVTX | stat.S_IWOTH
    return folder.stat().st_mode & everybody == everybody


def _linked_folder(git_file: Path) -> Path | None:
    word, _, target = _text(git_file).partition(":")
    return (git_file.parent / target.strip()).resolve() if word == "gitdir" else None


def _shared_root(worktree: Path, git_folder: Path) -> Path:
    """Return the main worktree's root; for a bare repository, the folder that stands in for it."""
    common_file = git_folder / "commondir"
    if not common_file.is_file():
        return worktree  # a submodule, or a git folder kept elsewhere: not a linked worktree
    common = (git_folder / _text(common_file).strip()).resolve()
    if common.name == ".git":
        return common.parent
    settings = _core_settings(common)
    if main_worktree := settings.get("worktree"):
        return (common / main_worktree).resolve()  # a linked worktree of a submodule
    if settings.get("bare") == "false":
        return worktree  # nothing leads from a git folder kept elsewhere to its main worktree
    return common.parent if common.name.startswith(".") else common


def _core_settings(git_folder: Path) -> dict[str, str]:
    files = (git_folder / "config", git_folder / "config.worktree")
    pairs = (
        pair for file in files if file.is_file() for pair in _CORE_SETTING.findall(_text(file))
    )
    return {key.lower(): value.strip('"') for key, value in pairs}


def _text(file: Path) -> str:
    return os.fsdecode(file.read_bytes())


def oldest_root_commit(root: Path) -> RootCommit:
    """Return the hash of the oldest commit without parents, by committer date, then by hash."""
    roots = ("rev-list", "--max-parents=0", "--timestamp")
    listing = _ask_repository(root, *roots, "HEAD", "--")
    if listing is None:  # a HEAD without a commit, as a new repository or a bare one may have
        listing = _ask_repository(root, *roots, "--branches", "--")
    if listing is None:
        return UNKNOWN
    dated = [line.split() for line in listing.splitlines()]
    if not dated:
        return NO_COMMIT
    if _is_shallow(root) is not False:
        return UNKNOWN  # where the history is cut off, any commit looks like a root
    return min((int(timestamp), commit) for timestamp, commit in dated)[1]


def contains_commit(root: Path, commit: str) -> bool | None:
    """Return whether the repository holds the commit; None if git cannot tell."""
    if not _FULL_HASH.fullmatch(commit):
        return None
    answer = _ask_repository(root, "cat-file", "--batch-check", asked=f"{commit}\n")
    if answer is None:
        return None
    if answer.startswith(f"{commit} commit "):
        return True
    return False if _is_shallow(root) is False else None


def is_tracked(path: Path, root: Path | None) -> bool | None:
    """Return whether the worktree around the file tracks it; None if git cannot tell."""
    if root is None or find_root(path.parent) is None:
        return False  # a root that stands in for a bare repository is no worktree either
    # Asked beside the file: one in a linked worktree does not lie in the shared root.
    listing = _ask(path.parent, "--literal-pathspecs", "ls-files", "--", path.name)
    return None if listing is None else bool(listing)


def is_ignored(path: Path, root: Path) -> bool | None:
    """Return whether a rule keeps git from adding the file; None if git cannot tell."""
    answer = _ask_repository(root, "check-ignore", "--", str(path), accepted=(0, 1))
    return None if answer is None else bool(answer)


def tracked_beside(folder: Path, pattern: str) -> tuple[str, ...] | None:
    """Return the tracked files in or below a folder whose names fit; None if git cannot tell."""
    listing = _ask(folder, "ls-files", "-z", "--", pattern)
    return None if listing is None else tuple(name for name in listing.split("\0") if name)


def merge_driver(path: Path) -> str | None:
    """Return how git merges the file, `unspecified` for its usual way; None if git cannot tell."""
    answer = _ask(path.parent, "check-attr", "-z", "merge", "--", path.name)
    return answer.split("\0")[2] if answer else None


def version() -> str | None:
    """Return git's version; None without a git that can be started."""
    answer = _ask(Path(Path.cwd().anchor), "--version")
    return answer.removeprefix("git version").strip() if answer else None


def _is_shallow(root: Path) -> bool | None:
    answer = _ask_repository(root, "rev-parse", "--is-shallow-repository")
    return {"true": True, "false": False}.get((answer or "").strip())


def _ask_repository(
    root: Path, *words: str, asked: str = "", accepted: tuple[int, ...] = (0,)
) -> str | None:
    """Return what git prints in a root that `find_root` found."""
    folder = root
    if not os.path.lexists(root / ".git") and not (root / "HEAD").exists():
        # The root stands in for a bare repository that lies in it, such as `.bare`.
        folder = next((head.parent for head in sorted(root.glob(".*/HEAD"))), root)
    # Where this repository is broken, git would go up and answer for the one around it.
    return _ask(folder, *words, asked=asked, accepted=accepted, ceiling=str(folder.parent))


def _ask(
    folder: Path,
    *words: str,
    asked: str = "",
    accepted: tuple[int, ...] = (0,),
    ceiling: str = "",
) -> str | None:
    """Return what git prints in that folder; None if it is missing, fails or takes too long."""
    program = find_program()
    if program is None:
        return None
    # A repository may name a program as its file watcher: an empty setting starts none.
    command = [program, "-C", str(folder), "-c", "core.fsmonitor=", *words]
    try:
        done = subprocess.run(
            command,
            input=asked.encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment() | {"GIT_CEILING_DIRECTORIES": ceiling},
            timeout=TIMEOUT,
            check=False,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return os.fsdecode(done.stdout) if done.returncode in accepted else None


def find_program() -> str | None:
    """Return the path of git; None if there is none, or only one in the current folder.

    Windows would rather find a git.exe that lies in the repository.
    """
    program = shutil.which("git")
    return program if program is not None and Path(program).is_absolute() else None


def _environment() -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith(_KEPT_VARIABLES)
    }
    return kept | _OUR_VARIABLES
