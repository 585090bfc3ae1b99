"""What each note is called as an entity, and which note a link means."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import PurePosixPath
from posixpath import normpath
from typing import Final

from mnemolog.interchange.markdown.front_matter import FrontMatter
from mnemolog.interchange.markdown.note_folders import SUFFIXES
from mnemolog.interchange.markdown.note_links import Link
from mnemolog.text import fold

_GAPS: Final = re.compile(r"[\s_-]+")


@dataclass(frozen=True, slots=True)
class Note:
    """A note as links see it."""

    place: PurePosixPath
    """Its file, seen from the folder that is imported."""
    title: str
    name: str
    """The name of its entity: its title, unless a note nearer to the top has that."""

    @property
    def path(self) -> str:
        """Its file without the suffix."""
        return self.place.with_suffix("").as_posix()


class Names:
    """The notes of a folder, by everything that a link can call them."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._known_as: defaultdict[str, list[Note]] = defaultdict(list)
        self._found: dict[tuple[str, bool, PurePosixPath], Note | None] = {}

    def add(self, place: PurePosixPath, said: FrontMatter) -> Note:
        """Return the note, named. Of two with one title, the one that was added first has it."""
        self._found.clear()
        title = said.title or place.stem.strip() or place.name
        name = next(name for name in _possible_names(title, place) if name not in self._taken)
        self._taken.add(name)
        note = Note(place, title, name)
        spellings = {title, place.stem, note.path, said.permalink or title, *said.aliases}
        for key in {_key(spelling) for spelling in spellings}:
            self._known_as[key].append(note)
        return note

    def find(self, link: Link, source: Note) -> Note | None:
        """Return the note that a link means: of several the one beside its source, or the first."""
        # A vault may link a thousand times to a title that a thousand notes have.
        asked = (link.target, link.is_path, source.place.parent)
        if asked not in self._found:
            self._found[asked] = self._look_for(link, source)
        return self._found[asked]

    def _look_for(self, link: Link, source: Note) -> Note | None:
        if link.is_path:
            return self._at(_from(source, link.target), source)
        for wanted in filter(None, (link.target, _before_anchor(link.target))):
            beside = self._at(_from(source, wanted), source) if "/" in wanted else None
            if found := beside or self._called(_without_suffix(wanted), source):
                return found
        return None

    def _at(self, path: str, source: Note) -> Note | None:
        key = _key(path)
        notes = (note for note in self._known_as.get(key, ()) if _key(note.path) == key)
        return _nearest(notes, path, source)

    def _called(self, wanted: str, source: Note) -> Note | None:
        if notes := self._known_as.get(_key(wanted)):
            return _nearest(notes, wanted, source)
        # A path may begin at any folder, as in Obsidian.
        _, slash, last = wanted.rpartition("/")
        in_folders = self._known_as.get(_key(last), ()) if slash else ()
        end = f"/{_key(wanted)}"
        return _nearest((n for n in in_folders if _key(n.path).endswith(end)), wanted, source)


def called(link: Link) -> str:
    """Return the title by which a link calls its target."""
    return PurePosixPath(link.target).stem if link.is_path else _before_anchor(link.target)


def _before_anchor(target: str) -> str:
    """Return what a wiki link names without the heading or block that it leads to."""
    return target.partition("#")[0].strip()


def _possible_names(title: str, place: PurePosixPath) -> Iterator[str]:
    yield title
    if place.parent.name:
        yield f"{title} ({place.parent.as_posix()})"
    yield f"{title} ({place.as_posix()})"
    yield from (f"{title} ({place.as_posix()}, {number})" for number in count(2))


def _nearest(notes: Iterable[Note], wanted: str, source: Note) -> Note | None:
    def distance(note: Note) -> tuple[bool, bool]:
        is_called_so = wanted in {note.title, note.path}
        return not is_called_so, note.place.parent != source.place.parent

    return min(notes, key=distance, default=None)


def _from(source: Note, path: str) -> str:
    """Return a path that stands in a note as one from the top, without its suffix."""
    top = "" if path.startswith("/") else source.place.parent.as_posix()
    return _without_suffix(normpath(f"{top}/{path}").lstrip("/"))


def _without_suffix(path: str) -> str:
    suffix = next((suffix for suffix in SUFFIXES if path.lower().endswith(suffix)), "")
    return path[: len(path) - len(suffix)]


def _key(text: str) -> str:
    """Return what is the same for all spellings: `Coffee Brewing`, `coffee_brewing`."""
    return _GAPS.sub("-", fold(text)).strip("-")
