"""What every importer is: a format that recognises its stores and reads them record by record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from mnemolog.records import Entity, Relation, Superseded


@dataclass(frozen=True, slots=True)
class Found:
    """A record of the source, as ours."""

    place: str
    """Where it stands, for a person: "line 12", "observations row 3", "notes/coffee.md"."""
    record: Entity | Relation | Superseded
    more: bool = False
    """Whether it only says more of an entity that came before, so that it is not counted again."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Something of the source that is no record; the import goes on after it."""

    place: str
    reason: str
    kind: Literal["error", "skipped"]
    """`error`: it cannot be parsed. `skipped`: it lacks something, or is of no known type."""


@dataclass(frozen=True, slots=True)
class Reached:
    """How much of the source has been read, for a progress bar; yielded now and then, or never."""

    part: float
    """From 0 to 1: of its bytes, its rows or its files."""


Item: TypeAlias = Found | Refused | Reached


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of store that can be imported."""

    name: str
    """What `--from` calls it: "mcp-memory"."""
    title: str
    """What a sentence calls it: "an mcp-memory database"."""
    recognises: Callable[[Path], bool]
    """Whether a file or folder that exists is such a store; cheap, looks at names and first bytes.

    Raises OSError where the system refuses to look.
    """
    read: Callable[[Path], Iterator[Item]]
    """Yields what a store holds, without holding all of it; never writes to it.

    Raises UnreadableSource where nothing of the store can be read; OSError where the system
    refuses.
    """
    usual_places: Callable[[Path, Path], Iterable[Path]]
    """Where its server keeps stores, given the home folder and the project's: they may not exist.

    The places may be shell patterns that `Path.glob` understands.
    """


def refusal(error: OSError) -> str:
    """Return why the system refused, for the end of a sentence."""
    if isinstance(error, IsADirectoryError):
        return "it is a folder. Name the file in it."
    return f"the system refused to read it ({error.strerror or error}). Check its permissions."
