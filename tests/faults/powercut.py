"""Every state in which a power cut could leave a folder, rebuilt from a process's system calls.

What a disk promises, and no more: a file's content lasts from its own sync on, a name from its
folder's sync on. Before that, any beginning of what changed may be there, in order: of a file's
writes and truncations, the last write cut at any byte or followed by zeros (its length was written,
its blocks were not); of a folder's names, any first few. Files and folders know nothing of each
other's order.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Final, TypeAlias

TRACED: Final = (
    "/^(open|creat|p?write|fsync|fdatasync|f?truncate|rename|unlink|rmdir|mkdir|link|fallocate"
    "|copy_file|sendfile|close)"
)


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes that were added at a file's end: nothing here writes anywhere else."""

    content: bytes

    def on(self, before: bytes) -> bytes:
        return before + self.content

    def torn(self, before: bytes, cut: int) -> tuple[bytes, bytes]:
        start = before + self.content[:cut]
        return start, start.ljust(len(before) + len(self.content), b"\0")


@dataclass(frozen=True, slots=True)
class Truncation:
    """A file's new length."""

    size: int

    def on(self, before: bytes) -> bytes:
        return before[: self.size].ljust(self.size, b"\0")


@dataclass(eq=False, slots=True)
class File:
    """A file's content now, at its last sync, and the changes in between."""

    current: bytes = b""
    durable: bytes = b""
    pending: list[Write | Truncation] = field(default_factory=list)

    def change(self, change: Write | Truncation) -> None:
        self.current = change.on(self.current)
        self.pending.append(change)

    def sync(self) -> None:
        self.durable = self.current
        self.pending.clear()

    def torn_contents(self, dice: random.Random, cuts_per_write: int) -> Iterator[bytes]:
        """Yield what a cut could leave between the last sync and now."""
        content = self.durable
        for change in self.pending:
            if isinstance(change, Write):
                for cut in _cuts(change.content, dice, cuts_per_write):
                    yield from change.torn(content, cut)
            content = change.on(content)
            yield content


@dataclass(eq=False, slots=True)
class Folder:
    """A folder's names now, at its last sync, and the changes in between."""

    current: dict[str, Node] = field(default_factory=dict)
    durable: dict[str, Node] = field(default_factory=dict)
    pending: list[NameChange] = field(default_factory=list)

    def change(self, change: NameChange) -> None:
        self.current = change.on(self.current)
        self.pending.append(change)

    def sync(self) -> None:
        self.durable = self.current
        self.pending.clear()

    def possible_files(self) -> Iterator[dict[PurePath, File]]:
        """Yield the files that could be found under it."""
        names = self.durable
        for change in (None, *self.pending):
            names = change.on(names) if change else names
            files = {PurePath(n): node for n, node in names.items() if isinstance(node, File)}
            folders = [(n, node) for n, node in names.items() if isinstance(node, Folder)]
            for inner in itertools.product(*(node.possible_files() for _, node in folders)):
                found = dict(files)
                for (name, _), under in zip(folders, inner, strict=True):
                    found |= {name / path: file for path, file in under.items()}
                yield found


Node: TypeAlias = File | Folder


@dataclass(frozen=True, slots=True)
class NameChange:
    """A name that leads to something else now, or to nothing; a rename takes one away, too."""

    name: str
    node: Node | None
    gone: str | None = None

    def on(self, before: dict[str, Node]) -> dict[str, Node]:
        names = {n: node for n, node in before.items() if n not in {self.name, self.gone}}
        return names if self.node is None else {**names, self.name: self.node}


def folder_from(path: Path) -> Folder:
    """Return what a folder holds, as if all of it had been synced."""
    found = Folder()
    for entry in path.iterdir():
        content = b"" if entry.is_dir() else entry.read_bytes()
        found.current[entry.name] = folder_from(entry) if entry.is_dir() else File(content, content)
    found.sync()
    return found


class Disk:
    """A folder on a disk, as the lines of strace's log change it."""

    def __init__(self, root: Path) -> None:
        self.acknowledged = 0
        self._root = root
        self._top = folder_from(root)
        self._open: dict[tuple[str, str], Node] = {}

    def follow(self, line: str) -> bool:
        """Carry out one system call; False if a cut could leave nothing new after it."""
        found = re.match(r"(\d+) +(\w+)\((.*)\) += (\d+)", line)
        if found is None:  # it failed, or it is no call
            return False
        pid, call, arguments, result = found.groups()
        texts = [bytes.fromhex(text.replace("\\x", "")) for text in _TEXT.findall(arguments)]
        descriptor = (pid, arguments.partition(",")[0])
        node = self._open.get(descriptor)
        match call.removesuffix("at").removesuffix("at2"):
            case "open":
                return self._opened((pid, result), texts[0], arguments)
            case "close":
                self._open.pop(descriptor, None)
            case "write" if descriptor[1] == "1":
                self.acknowledged += texts[0].startswith(b"ack ")
            case "write" if isinstance(node, File):
                node.change(Write(texts[0][: int(result)]))
            case "ftruncate" if isinstance(node, File):
                node.change(Truncation(int(arguments.rpartition(",")[2])))
            case "fsync" | "fdatasync" if node:
                node.sync()
            case "mkdir" | "unlink":
                return self._name(texts[0], Folder() if call.startswith("mkdir") else None)
            case "rename" | "link" as way:
                return self._rename(*texts, is_link=way == "link")
            case _:
                return self._require_elsewhere(line)
        return True

    def states(self, dice: random.Random, cuts_per_write: int) -> Iterator[dict[PurePath, bytes]]:
        """Yield the files that a cut could leave right now, by their paths in the folder."""
        for files in self._top.possible_files():
            changing = {path: file for path, file in files.items() if file.pending}
            extremes = [[file.durable, file.current] for file in changing.values()]
            for contents in itertools.product(*extremes):
                left = {path: file.durable for path, file in files.items()}
                left |= dict(zip(changing, contents, strict=True))
                yield left
                for path, file in changing.items():
                    for torn in file.torn_contents(dice, cuts_per_write):
                        yield left | {path: torn}

    def _opened(self, descriptor: tuple[str, str], raw: bytes, arguments: str) -> bool:
        found = self._place(raw)
        if found is None:
            return False
        folder, name = found
        if is_new := name not in folder.current and bool(name):
            folder.change(NameChange(name, File()))
        node = folder.current[name] if name else folder
        self._open[descriptor] = node
        if "O_TRUNC" in arguments and isinstance(node, File):
            node.change(Truncation(0))
        return is_new

    def _name(self, raw: bytes, node: Node | None) -> bool:
        if found := self._place(raw):
            found[0].change(NameChange(found[1], node))
        return found is not None

    def _rename(self, raw_source: bytes, raw_target: bytes, *, is_link: bool) -> bool:
        source, target = self._place(raw_source), self._place(raw_target)
        if source is None or target is None:
            return False
        assert source[0] is target[0], "a rename from one folder to another is not modelled"
        gone = None if is_link else source[1]
        source[0].change(NameChange(target[1], source[0].current[source[1]], gone))
        return True

    def _place(self, raw: bytes) -> tuple[Folder, str] | None:
        """Return the folder that a path lies in, and its name there; the top's own name is ""."""
        path = PurePath(raw.decode())
        if not path.is_relative_to(self._root):
            return None
        folder = self._top
        *parents, name = path.relative_to(self._root).parts or ("",)
        for parent in parents:
            node = folder.current[parent]
            assert isinstance(node, Folder)
            folder = node
        found = folder.current.get(name)
        return (found, "") if isinstance(found, Folder) else (folder, name)

    def _require_elsewhere(self, line: str) -> bool:
        harmless = re.match(r"\d+ +(write|f(data)?sync|ftruncate)\(", line)
        assert harmless, f"not modelled: {line}"
        return False


def states_after_a_cut(
    disk: Disk, traced: str, dice: random.Random, cuts_per_write: int
) -> Iterator[tuple[int, dict[PurePath, bytes]]]:
    """Yield every state that a cut at any moment could leave, and how much was acknowledged."""
    seen = set()
    for line in ("", *traced.splitlines()):
        if line and not disk.follow(line):
            continue
        for left in disk.states(dice, cuts_per_write):
            key = (disk.acknowledged, frozenset(left.items()))
            if key not in seen:
                seen.add(key)
                yield disk.acknowledged, left


_TEXT: Final = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


def _cuts(content: bytes, dice: random.Random, limit: int) -> Iterable[int]:
    """Return the bytes at which to cut: the edges of lines first of all, then any."""
    if len(content) <= limit:
        return range(len(content))
    lines = [n + 1 for n, byte in enumerate(content) if byte == ord("\n")]
    edges = {0, 1, *(max(0, n - 1) for n in lines[:8]), *lines[:8], *(n - 1 for n in lines[-4:])}
    return sorted(edges | set(dice.sample(range(len(content)), min(len(content), limit))))
