"""The shared taxonomy: the types that a team has agreed on, in a file that is committed.

It is text that comes with a clone, so its names are data: what an agent reads of them is short, on
one line and in quotes. Nothing heavy is imported here, since the server's instructions name them.
"""

from __future__ import annotations

import os
import stat
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mnemolog import jsonc
from mnemolog.errors import InvalidRequest, UnreadableTaxonomy
from mnemolog.records import Kind
from mnemolog.store import files
from mnemolog.store.files import Identity
from mnemolog.store.location import Location, belongs_to

LARGEST_BYTES: Final = 256 * 1024
LONGEST_SHOWN: Final = 40
"""Characters of a type that an agent is told."""

_MOST_WORDS: Final = 5
_SECTIONS: Final[Mapping[Kind, str]] = {"entity": "entity_types", "relation": "relation_types"}
_IN_NAMES: Final = frozenset(" -._/&+#':")
_OPEN: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)


@dataclass(frozen=True, slots=True)
class SharedTaxonomy:
    """The types that may be used, each with its purpose, in the order of the file."""

    entity_types: Mapping[str, str]
    relation_types: Mapping[str, str]

    def types(self, kind: Kind) -> Mapping[str, str]:
        """Return the types of entities or of relations; none means that nothing is settled yet."""
        return self.entity_types if kind == "entity" else self.relation_types


NOTHING_AGREED: Final = SharedTaxonomy({}, {})


def usage_path(memory: Path) -> Path:
    """Return where the taxonomy with this memory's usage goes; `local` keeps it out of git."""
    return memory.with_name(f"{_stem(memory)}.local.taxonomy.jsonc")


def shared_path(memory: Path) -> Path:
    """Return where the shared taxonomy of a memory is."""
    return memory.with_name(f"{_stem(memory)}.taxonomy.jsonc")


def _stem(memory: Path) -> str:
    return memory.stem.removesuffix(".local") or memory.stem


class SharedFile:
    """The shared taxonomy beside a memory, read again only when the file is another one."""

    def __init__(self, location: Location) -> None:
        self.path = shared_path(location.path)
        self._location = location
        self._identity: Identity | None = None
        self._agreed: SharedTaxonomy | UnreadableTaxonomy = NOTHING_AGREED

    def read(self) -> SharedTaxonomy:
        """Return what is agreed on: nothing where there is no such file.

        Raises:
            UnreadableTaxonomy: It cannot be read, or is no taxonomy.
        """
        try:
            identity = files.identity_at(self.path)
        except (OSError, RuntimeError) as error:
            raise UnreadableTaxonomy(self.path, str(error)) from error
        if identity != self._identity:
            self._agreed = self._read() if identity else NOTHING_AGREED
            self._identity = identity
        if isinstance(self._agreed, UnreadableTaxonomy):
            raise self._agreed
        return self._agreed

    def _read(self) -> SharedTaxonomy | UnreadableTaxonomy:
        try:
            content = read_beside(self._location, self.path)
            return NOTHING_AGREED if content is None else read_shared(self.path, content)
        except UnreadableTaxonomy as unreadable:
            return unreadable


def read_beside(location: Location, path: Path) -> bytes | None:
    """Return what a taxonomy beside the memory holds; None while there is none.

    Raises:
        UnreadableTaxonomy: It leads out of the repository, is no file, is too large, or the system
            refused to read it.
    """
    try:
        with files.opened(resolved_beside(location, path), _OPEN) as descriptor:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise UnreadableTaxonomy(path, "it is not a regular file")
            if status.st_size > LARGEST_BYTES:
                raise UnreadableTaxonomy(path, f"it has more than {LARGEST_BYTES:,} bytes")
            return files.read_from(descriptor, 0)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnreadableTaxonomy(path, str(error.strerror)) from error


def resolved_beside(location: Location, path: Path) -> Path:
    """Return the file itself: a clone must not choose, by a symlink, what we read or write.

    Raises:
        UnreadableTaxonomy: It is a symlink that leads out of the repository.
    """
    root = location.repository or location.path.parent
    target = path.resolve()
    if target == path:
        return path
    if not belongs_to(root, target):
        raise UnreadableTaxonomy(path, f"it is a symlink that leads out of {root}")
    return target


def read_shared(path: Path, content: bytes) -> SharedTaxonomy:
    """Return the types that the content of a shared taxonomy lists.

    Raises:
        UnreadableTaxonomy: It is not JSON with comments, or not of its shape.
    """
    try:
        sections = _object(jsonc.load(content.decode()), "it")
        return SharedTaxonomy(*(_purposes(sections, name) for name in _SECTIONS.values()))
    except ValueError as problem:
        raise UnreadableTaxonomy(path, _reason(problem)) from problem


def _purposes(sections: Mapping[str, Any], section: str) -> Mapping[str, str]:
    types = _object(sections.get(section, {}), section)
    for name, purpose in types.items():
        if not isinstance(purpose, str):
            raise ValueError(_NO_TEXT.format(section, name[:LONGEST_SHOWN]))  # noqa: TRY004 - one reaction
        f"{name}{purpose}".encode()  # half of a character is a ValueError too
    return types


def _object(value: Any, what: str) -> Mapping[str, Any]:  # noqa: ANN401 - any JSON value
    if not isinstance(value, dict):
        raise ValueError(f"{what} should be an object, in braces")  # noqa: TRY004 - one reaction
    return value


_NO_TEXT: Final = "in {}, what stands behind {!r} should be a text: what the type is for"


def _reason(problem: ValueError) -> str:
    if isinstance(problem, UnicodeError):
        return "it is not UTF-8 text"
    return str(problem)


def with_types(path: Path, content: bytes | None, new: Mapping[Kind, Iterable[str]]) -> bytes:
    """Return the shared taxonomy with types that came into use; all that it holds stays as it is.

    Raises:
        UnreadableTaxonomy: It cannot be added to without a change to what people wrote.
        InvalidRequest: It would become too large to be read.
    """
    if content is None:
        content = _EMPTY.encode()
    before, text = read_shared(path, content), content.decode()
    for kind, section in _SECTIONS.items():
        missing = {name: "" for name in new[kind] if name not in before.types(kind)}
        text = jsonc.with_added(text, section, missing, in_order, opens=True)
    after = read_shared(path, text.encode())
    for kind in _SECTIONS:
        if dict(after.types(kind)) != dict.fromkeys(new[kind], "") | dict(before.types(kind)):
            raise UnreadableTaxonomy(path, "its layout leaves no place to add types")
    return _small_enough(path, text.encode())


def _small_enough(path: Path, content: bytes) -> bytes:
    if len(content) > LARGEST_BYTES:
        raise InvalidRequest(
            f"With all types in use {path} would have more than {LARGEST_BYTES:,} bytes, and could "
            "not be read any more. Nothing was written: list in it by hand what should be used, or "
            "use fewer types (see 'mnemolog taxonomy report')."
        )
    return content


def in_order(name: str) -> tuple[str, str]:
    """Return what types and agents are sorted by: the alphabet, whatever the case."""
    return name.casefold(), name


_EMPTY: Final = """\
// The words that this memory uses for kinds of things and of relations.
//
// Written by mnemolog, kept by people: commit it, and say behind each type in a sentence what it is
// for. An export adds the types that have come into use. It changes and removes nothing: purposes,
// comments and types that you write here stay. Agents are warned when they use other types.
{
  // What an entity can be.
  "entity_types": {},

  // How one entity can relate to another, in active voice.
  "relation_types": {}
}
"""


def presentable(names: Iterable[str]) -> list[str]:
    """Return those of the names that are short and plain enough to be told to an agent."""
    return [name for name in names if _is_plain(name)]


def _is_plain(name: str) -> bool:
    """Return whether a name is a few words: letters, marks, digits and what joins them."""
    return (
        0 < len(name) <= LONGEST_SHOWN
        and len(name.split(" ")) <= _MOST_WORDS
        and all(c in _IN_NAMES or unicodedata.category(c)[0] in "LMN" for c in name)
    )
