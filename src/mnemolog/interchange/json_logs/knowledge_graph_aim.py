"""Folders of mcp-knowledge-graph: `memory.jsonl`, and `memory-NAME.jsonl` for each other database.

Each file begins with a line that marks it as the server's own: `{"type":"_aim","source":...}`. The
server refuses files without it, and so does this. Behind it stand the lines of server-memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from mnemolog.errors import UnreadableSource
from mnemolog.interchange.client_settings import memory_folders
from mnemolog.interchange.json_logs.json_items import MARKER
from mnemolog.interchange.json_logs.json_stores import head_of, read_json
from mnemolog.interchange.json_logs.values import first_line, values_in
from mnemolog.interchange.sources import Format, Item, Reached, Refused, refusal

_DATABASES: Final = "*.jsonl"


def _is_marked(path: Path) -> bool:
    line, _ = first_line(head_of(path))
    values = values_in(line) or [None]
    return isinstance(values[0], dict) and values[0].get("type") == MARKER


def _recognises(path: Path) -> bool:
    if path.is_dir():
        return any(_is_marked(file) for file in path.glob(_DATABASES))
    return _is_marked(path)


def _read(path: Path) -> Iterator[Item]:
    if not path.is_dir():
        yield from read_json(path)
        return
    databases = sorted(path.glob(_DATABASES))
    if not databases:
        raise UnreadableSource(path, f"there is no {_DATABASES} in it. Check the path.")
    for count, database in enumerate(databases):
        if not _is_marked(database):
            yield Refused(database.name, "it does not begin with the _aim marker", "skipped")
            continue
        for item in _read_database(database):
            if isinstance(item, Reached):
                yield Reached((count + item.part) / len(databases))
            else:
                yield replace(item, place=f"{database.name} {item.place}")


def _read_database(database: Path) -> Iterator[Item]:
    try:
        yield from read_json(database)
    except OSError as error:
        yield Refused("as a whole", refusal(error), "error")


def _usual_places(home: Path, project: Path) -> Iterable[Path]:
    yield project / ".aim"
    yield home / ".aim"
    yield from memory_folders(home, project)


FORMAT: Final = Format(
    name="knowledge-graph-aim",
    title="a folder of mcp-knowledge-graph",
    recognises=_recognises,
    read=_read,
    usual_places=_usual_places,
)
