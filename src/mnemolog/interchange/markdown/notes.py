"""Markdown files as records, one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from mnemolog.errors import UnreadableSource
from mnemolog.interchange.exporting.markdown import is_ours
from mnemolog.interchange.markdown import front_matter
from mnemolog.interchange.markdown.front_matter import FrontMatter
from mnemolog.interchange.markdown.note_folders import notes_in, place_of
from mnemolog.interchange.markdown.note_links import Link
from mnemolog.interchange.markdown.note_names import Names, Note, called
from mnemolog.interchange.markdown.note_text import NoteText, read_text
from mnemolog.interchange.sources import Found, Item, Reached, Refused, refusal
from mnemolog.records import Entity, Relation, Tags
from mnemolog.text import pieces

# A parser has to hold a whole file, at some hundred times its size.
_LARGEST: Final = 4 * 1024 * 1024


def read_folder(folder: Path) -> Iterator[Item]:
    """Yield what the notes of a folder say.

    Raises:
        UnreadableSource: The folder cannot be listed, or no note is in it.
    """
    found = list(notes_in(folder))
    if not found:
        raise UnreadableSource(
            folder, "no Markdown file (.md, .markdown) is in it, hidden folders left aside."
        )
    yield from (item for item in found if isinstance(item, Refused))
    paths = [item for item in found if isinstance(item, Path)]
    names = Names()
    # Names first: a link can lead to a note that comes later.
    notes = list(_named(sorted(paths, key=_depth_then_path), folder, names))
    for number, (path, note) in enumerate(notes, 1):
        try:
            yield from _records(_text_of(path), note, names)
        except UnreadableSource as error:
            yield Refused(str(note.place), error.reason, "error")
        yield Reached(number / len(notes))


def read_file(path: Path) -> Iterator[Item]:
    """Yield what a single note says.

    Raises:
        UnreadableSource: It cannot be read.
    """
    text = _text_of(path)
    names = Names()
    place = PurePosixPath(place_of(path, path.parent))
    yield from _records(text, names.add(place, front_matter.split(text)[0]), names)


def _depth_then_path(path: Path) -> tuple[int, Path]:
    return len(path.parts), path


def _named(paths: list[Path], folder: Path, names: Names) -> Iterator[tuple[Path, Note]]:
    for path in paths:
        try:
            said = front_matter.split(_text_of(path))[0]
        except UnreadableSource:  # reported when its turn comes
            said = FrontMatter()
        yield path, names.add(PurePosixPath(place_of(path, folder)), said)


def _text_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
    except OSError as error:
        raise UnreadableSource(path, refusal(error)) from error
    if len(content) > _LARGEST:
        raise UnreadableSource(path, "it is larger than 4 MiB. Split it into several notes.")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableSource(
            path, f"it is not UTF-8 text (at byte {error.start + 1}). Save it as UTF-8."
        ) from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if is_ours(text):  # it says each relation twice, and its days have lost their hours
        raise UnreadableSource(
            path, "mnemolog exported it for people to read. To move a memory, export it as JSON."
        )
    return text


def _records(text: str, note: Note, names: Names) -> Iterator[Item]:
    said, body, lines_before = front_matter.split(text)
    if said.problem:
        yield Refused(str(note.place), said.problem, "error")
    content = read_text(body, lines_before)
    observations = dict.fromkeys(
        (*said.observations, *_title(content, note), *content.observations)
    )
    yield Found(str(note.place), Entity(note.name, said.kind, tuple(observations), said.tags))
    tags = Tags(said.tags.added_at, said.tags.agent)
    for link in content.links:
        target = _target(link, note, names)
        if target not in {None, "", note.name}:
            place = f"{note.place} line {link.line}"
            yield Found(place, Relation(note.name, target, link.relation_type, tags))


def _title(content: NoteText, note: Note) -> Iterator[str]:
    """Yield the note's own heading if it says more than its name, as in a daily note."""
    if not set(pieces(content.title).split()) <= set(pieces(note.name).split()):
        yield content.title


def _target(link: Link, note: Note, names: Names) -> str | None:
    """Return the entity that a link leads to; a note that is missing may be one in the memory."""
    if found := names.find(link, note):
        return found.name
    return None if link.is_embedded else called(link)
