"""Where memory lives: the file that MEMORY_FILE_PATH names, or one that the worktrees share.

With `git`, which it hands on to git, this is the only reader of the environment.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemolog.declarations import declared, described, wire_fields
from mnemolog.errors import LocationRefused
from mnemolog.halves import without_halves
from mnemolog.store import files
from mnemolog.store.git import find_root, is_open_to_all

FOLDER: Final = ".agents"
FILE: Final = "memory.local.jsonl"

_UNFILLED: Final = re.compile(
    r"\$\{[^}]*\}?|(?<![^/\\])(?:\$[A-Za-z_]\w*|%[A-Za-z_]\w*%)(?![^/\\])|^file:/+"
)
"""What a client or a shell should have filled in; each would become a folder of that name."""


@declared
class Settings:
    """What the environment says; null where it says nothing, or nothing but blanks."""

    memory_file_path: str | None = described("The memory file", key="MEMORY_FILE_PATH")
    agent: str | None = described(
        "The name that is noted as the agent, in place of the client's own", key="MEMORY_AGENT"
    )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Return the settings that the variables hold; each is the key of its field."""
        path, agent = (environment.get(setting.key, "") for setting in wire_fields(Settings))
        # A path may hold any bytes, but a name ends up in a UTF-8 file.
        name = without_halves(agent.strip())
        return cls(path if path.strip() else None, name or None)


@dataclass(frozen=True, slots=True)
class Location:
    """The memory file, resolved once, and what decides what may happen to it."""

    path: Path
    reason: str
    repository: Path | None
    """The root of the repository that the file lies in, whether or not it exists yet."""
    is_default: bool
    refusal: str | None
    """Why nothing may be kept there; then reads are empty."""

    def require_allowed(self) -> None:
        """Return if something may be kept there.

        Raises:
            LocationRefused: Nothing may.
        """
        if self.refusal is not None:
            raise LocationRefused(self.refusal)


def start_folder() -> Path:
    """Return the folder that mnemolog is started in.

    Raises:
        LocationRefused: it is gone, as after a checkout or a clean-up in another window.
    """
    try:
        return Path.cwd()
    except OSError as problem:
        raise LocationRefused(
            f"The folder that mnemolog is started in cannot be used ({problem.strerror}). Change "
            "to one that exists, then try again."
        ) from problem


def home_folder() -> Path:
    """Return the user's home folder; the root where the system knows of none.

    A container can run us as a user that is entered nowhere. Those that name a home for such a
    user name the root.
    """
    try:
        return Path.home()
    except RuntimeError:
        return Path(os.sep)


def locate(settings: Settings, start: Path, home: Path) -> Location:
    """Return the memory file for a server that is started in the folder `start`.

    Raises:
        LocationRefused: no memory may be kept where the settings or the folder point.
    """
    try:
        if settings.memory_file_path is not None:
            return _chosen(settings.memory_file_path, start, home)
        return _default(start.resolve(), home.resolve())
    except (OSError, RuntimeError) as problem:  # RuntimeError: a loop of symlinks, before 3.13
        raise LocationRefused(
            f"The memory file cannot be located: {problem}. Correct the permissions or the "
            "symlink, or set MEMORY_FILE_PATH to a file that can be reached."
        ) from problem


def _chosen(setting: str, start: Path, home: Path) -> Location:
    if unfilled := _UNFILLED.search(setting):
        raise LocationRefused(
            f"MEMORY_FILE_PATH is {setting!r}: the client that started mnemolog did not turn "
            f"{unfilled[0]!r} into a path. Write the path out in the client's configuration, where "
            f"~ may stand for your home folder, or remove MEMORY_FILE_PATH to keep the memory in "
            f"{FOLDER}/{FILE} of the repository."
        )
    named = start.resolve() / _expanded(setting, home)
    path = named.resolve()
    _require_same_repository(named, path)
    mode = _mode(path)
    if mode is not None and stat.S_ISDIR(mode):
        raise LocationRefused(
            f"MEMORY_FILE_PATH names the folder {path}. Name a file in it, for example "
            f"{path / 'memory.jsonl'}."
        )
    _require_regular(path, mode)
    reason = f"MEMORY_FILE_PATH is set to {setting}."
    return Location(path, reason, find_root(path.parent), is_default=False, refusal=None)


def require_in_place(path: Path) -> None:
    """Return if the path leads where it did when it was located, and to a file, if to anything.

    A checkout can put a symlink there while the server runs, and a clone must not choose which
    file we read or write. Whoever opens a named pipe waits without end.

    Raises:
        LocationRefused: it leads somewhere else now.
    """
    real = os.path.realpath(path)
    if os.path.normcase(real) != os.path.normcase(path):
        raise LocationRefused(
            f"{path} has become a symlink to {real} since mnemolog was started, so nothing is "
            "read or written there. Remove the symlink or, if it is meant, restart the server."
        )
    _require_regular(path, _mode(path))


def require_kept(path: Path) -> None:
    """Return if what is written to the file at the path, should there be one, is kept.

    A container can mount a single file. Whoever replaces that outside, as editors, checkouts and
    compactions do, leaves the container with a file that has no name anywhere.

    Raises:
        LocationRefused: It is such a file.
    """
    # A file that is being replaced has no name either, for as long as the rename takes.
    if files.once_settled(
        lambda: _is_nameless(path), lambda nameless: not nameless, _LOOKS_AT_A_RENAME
    ):
        raise LocationRefused(
            f"{path} is mounted by itself, and the file that it was mounted from has been replaced "
            "since: what is written here would be lost. Restart the container that mounts it, and "
            "let it mount the folder instead, so that this does not happen again."
        )


_LOOKS_AT_A_RENAME: Final = 10


def _is_nameless(path: Path) -> bool:
    try:
        # Some file systems count no names at all.
        return not path.stat().st_nlink and path.parent.stat().st_nlink > 0
    except FileNotFoundError:
        return False


def _expanded(setting: str, home: Path) -> Path:
    first, *rest = Path(setting).parts or (".",)
    return home.joinpath(*rest) if first == "~" else Path(setting).expanduser()


def _default(start: Path, home: Path) -> Location:
    root = find_root(start)
    if root is not None:
        path = _contained(root)
        nearest = find_root(path.parent)
        is_nested = nearest is not None and nearest.is_relative_to(root)
        reason = f"It is shared by all worktrees of the git repository {root}."
        repository = nearest if is_nested else root
        return Location(path, reason, repository, is_default=True, refusal=None)
    reason = f"The start folder {start} lies in no git repository, so it has a memory of its own."
    if start in (Path(start.anchor), home) or is_open_to_all(start):
        path = start / FOLDER / FILE
        return Location(path, reason, None, is_default=True, refusal=_refusal(start))
    return Location(_contained(start), reason, None, is_default=True, refusal=None)


def _refusal(start: Path) -> str:
    return (
        f"mnemolog was started in {start}, which is no project, so no memory is kept there. Start "
        "it in a project's folder, or set MEMORY_FILE_PATH to the file to use."
    )


def _contained(root: Path) -> Path:
    """Return the default file under `root`, once it is sure that no symlink leads out of it."""
    folder = root / FOLDER
    _require_inside(folder, root)
    mode = _mode(folder)
    if mode is not None and not stat.S_ISDIR(mode):
        raise LocationRefused(
            f"{folder} is a file, so no memory can be kept in it. Move it away, or set "
            "MEMORY_FILE_PATH to the file to use."
        )
    path = _require_inside(folder / FILE, root)
    _require_regular(path, _mode(path))
    return path


def _require_inside(link: Path, root: Path) -> Path:
    """Return what `link` resolves to: a clone must not choose which file we write to."""
    target = link.resolve()
    if not target.is_relative_to(root):
        raise _misled(link, target, f"leads out of {root}")
    if not belongs_to(root, target):
        raise _misled(link, target, "leads into git's own files")
    return target


def belongs_to(root: Path, target: Path) -> bool:
    """Return whether a resolved path is one of a project's files: in its root, and not git's."""
    if not target.is_relative_to(root):
        return False
    return ".git" not in (part.casefold() for part in target.relative_to(root).parts)


def _misled(link: Path, target: Path, where: str) -> LocationRefused:
    if link == target:
        return LocationRefused(
            f"{link} {where}, so no memory is kept there. Set MEMORY_FILE_PATH to another file."
        )
    return LocationRefused(
        f"{link} is a symlink to {target}: it {where}, so no memory is kept there. Remove the "
        "symlink or, if that is where the memory should be, set MEMORY_FILE_PATH to the file."
    )


def _require_same_repository(named: Path, path: Path) -> None:
    """Refuse a symlink in a checkout that leads out of it: it may have come with the clone."""
    for folder in named.parents:
        if os.path.lexists(folder / ".git"):
            checkout = folder.resolve()
            is_inside = path.is_relative_to(checkout)
            _require_inside(named, checkout if is_inside else find_root(checkout) or checkout)


def _require_regular(path: Path, mode: int | None) -> None:
    if mode is not None and not stat.S_ISREG(mode):
        raise LocationRefused(
            f"{path} is not a regular file, so no memory can be kept in it. Move it away, or set "
            "MEMORY_FILE_PATH to the file to use."
        )


def _mode(path: Path) -> int | None:
    """Return the file's type and mode; None while there is none."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None
