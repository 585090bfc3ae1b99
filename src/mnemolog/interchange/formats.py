"""Every store that can be imported, and which one a path is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from mnemolog.errors import InvalidRequest, UnreadableSource
from mnemolog.interchange import mem0
from mnemolog.interchange.json_logs import knowledge_graph_aim
from mnemolog.interchange.json_logs.json_formats import MNEMOLOG, PLAIN_TEXT_MEMORY, SERVER_MEMORY
from mnemolog.interchange.markdown import markdown_notes
from mnemolog.interchange.sources import Format, refusal
from mnemolog.interchange.sqlite import libsql, mcp_memory, mcp_memory_graph, mcp_memory_service

FORMATS: Final = (
    mcp_memory.FORMAT,
    mcp_memory_graph.FORMAT,
    mcp_memory_service.FORMAT,
    libsql.FORMAT,
    mem0.FORMAT,
    knowledge_graph_aim.FORMAT,
    markdown_notes.FORMAT,
    PLAIN_TEXT_MEMORY,
    MNEMOLOG,
    SERVER_MEMORY,
)
"""In the order in which they are tried: the last one takes any JSON that looks like a memory."""

_FILES_LOOKED_AT: Final = 100


def format_of(path: Path, name: str | None) -> Format:
    """Return the format that is named or else the one that a file or folder has.

    Raises:
        UnreadableSource: There is nothing there, or nothing that any format knows.
        InvalidRequest: There is no such format.
    """
    _require(path)  # also where the format is named: to read a pipe or a device would never end
    return recognise(path) if name is None else by_name(name)


def recognise(path: Path) -> Format:
    """Return the format of a file or folder that is there.

    Raises:
        UnreadableSource: It is nothing that any format knows.
    """
    try:
        for known in FORMATS:
            if known.recognises(path):
                return known
        raise UnreadableSource(path, _unknown(path))
    except OSError as error:
        raise UnreadableSource(path, refusal(error)) from error


def _unknown(path: Path) -> str:
    if stores := [repr(each.name) for each in _files_in(path) if _is_any_store(each)]:
        return f"it is a folder. Name what can be imported in it: {', '.join(stores)}."
    return (
        f"No memory was found in it. The formats are {_names()}; if it is one of these, name it "
        "with --from to see what is wrong."
    )


def _files_in(folder: Path) -> list[Path]:
    """Return the first files of a folder that are not empty; none of what is no folder."""
    if not folder.is_dir():
        return []
    entries = islice(sorted(folder.iterdir()), _FILES_LOOKED_AT)
    return [each for each in entries if each.is_file() and each.stat().st_size]


def by_name(name: str) -> Format:
    """Return the format of a name.

    Raises:
        InvalidRequest: There is no such format.
    """
    for known in FORMATS:
        if known.name == name:
            return known
    raise InvalidRequest(f"There is no format {name!r}. The formats are {_names()}.")


def discover(home: Path, project: Path) -> Iterator[tuple[Format, Path]]:
    """Yield the stores that exist where their servers keep them, each once."""
    seen: set[Path] = set()
    for known in FORMATS:
        for place in known.usual_places(home, project):
            for path in _existing(place):
                if path.resolve() not in seen and _is_store(known, path):
                    seen.add(path.resolve())
                    yield known, path


def _require(path: Path) -> None:
    try:
        if not path.exists():
            raise UnreadableSource(path, "there is no such file or folder. Check the path.")
        if not path.is_file() and not path.is_dir():
            raise UnreadableSource(path, "it is neither a file nor a folder.")
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise UnreadableSource(path, f"the path cannot be used ({error}).") from error


def _existing(place: Path) -> Iterator[Path]:
    try:
        yield from sorted(Path(place.anchor).glob(str(place.relative_to(place.anchor))))
    # What cannot be looked at is not found; the last is for a path of some hundred folders.
    except (OSError, ValueError, NotImplementedError, RecursionError):
        return


def _is_any_store(path: Path) -> bool:
    return any(_is_store(known, path) for known in FORMATS)


def _is_store(known: Format, path: Path) -> bool:
    try:
        return known.recognises(path)
    except OSError:
        return False


def _names() -> str:
    return ", ".join(known.name for known in FORMATS)
