"""What must hold for a store of any bytes that is imported."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

import sqlite_stores
from choices import Choices
from folders import scratch_folder
from mnemolog.errors import UnreadableSource
from mnemolog.graph import Graph
from mnemolog.importing.intake import Batch, Taken
from mnemolog.importing.report import Counts
from mnemolog.importing.steps import Run
from mnemolog.interchange.formats import FORMATS, by_name
from mnemolog.interchange.sources import Format
from mnemolog.jsonl import encode, read_line

_DATABASES: Final = tuple(sorted(sqlite_stores.STORES))
_JSON: Final = tuple(f.name for f in FORMATS if f.name not in {*_DATABASES, "markdown"})
_NOTE: Final = b"\n=====\n"
"""What separates the notes of a folder in an input."""


def check_database(raw: bytes) -> None:
    """Bytes that are a database, or were one, are read by each importer of databases."""
    _import_by_each(_DATABASES, "store.db", raw)


def check_odd_rows(raw: bytes) -> None:
    """A sound database with values in it that no server would write is read."""
    choices = Choices(raw)
    name = choices.one_of(_DATABASES)
    with scratch_folder() as folder:
        path = folder / "store.db"
        path.write_bytes(sound_database(name))
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("PRAGMA writable_schema = ON")
            while choices.are_left:
                _make_odd(connection, choices)
        _import(by_name(name), path)


def check_json(raw: bytes) -> None:
    """Bytes that are JSON, or nearly, are read by each importer of JSON."""
    _import_by_each(_JSON, "memory.jsonl", raw)


def check_notes(raw: bytes) -> None:
    """A folder of any notes is read, and so is one note alone."""
    with scratch_folder() as folder:
        for number, note in enumerate(raw.split(_NOTE)[:8]):
            (folder / f"note {number}.md").write_bytes(note)
        _import(by_name("markdown"), folder)
        _import(by_name("markdown"), folder / "note 0.md")


def sound_database(name: str) -> bytes:
    """Return a database as one of the servers leaves it."""
    if name not in _BUILT:
        with scratch_folder() as folder:
            path = sqlite_stores.store(folder / "store.db", sqlite_stores.STORES[name])
            _BUILT[name] = path.read_bytes()
    return _BUILT[name]


_BUILT: Final[dict[str, bytes]] = {}


def _import_by_each(formats: Iterable[str], file_name: str, raw: bytes) -> None:
    with scratch_folder() as folder:
        path = folder / file_name
        path.write_bytes(raw)
        for name in formats:
            _import(by_name(name), path)


def _import(source: Format, path: Path) -> None:
    """Read a store as an import does; a refusal with a reason is an answer too."""
    before = path.read_bytes() if path.is_file() else b""
    with suppress(UnreadableSource, OSError):
        source.recognises(path)
        _take_in(source.read(path))
    if path.is_file():
        assert path.read_bytes() == before


def _take_in(items: Iterable[Any]) -> None:
    graph = Graph()

    def save(batch: Batch) -> Taken:
        edit = batch(graph)
        for record in edit.records:
            (found,) = read_line(line := encode(record).removesuffix(b"\n")).records
            assert encode(found).removesuffix(b"\n") == line
        graph.apply_all(edit.records)
        return edit.result

    counts = Counts()
    run = Run(save, counts, 50)
    for batch in run.batches(iter(items)):
        run.take(batch)
    run.refuse_waiting()
    counts.report("store", "any", dry_run=False)


# --- odd rows --------------------------------------------------------------------------------

_ODD: Final[tuple[Any, ...]] = (
    *(None, "", " ", 0, -1, 1 << 62, 1.5, float("inf"), -1e300, b"", b"\xff\x00", "{}", "["),
    *("not a date", "2026-11-29", "2026-11-29T25:61:00", "9999-12-31T23:59:59Z", "0001-01-01"),
    *(
        "1",
        '{"a": [1, "x", null]}',
        "[[[[",
        '["tag", 7]',
        "h1",
        "h3",
        "Fly.io",
        "a,,c",
        "\u2028",
        "\x00",
    ),
)


def _make_odd(connection: sqlite3.Connection, choices: Choices) -> None:
    """Put an odd value into a column, of one row or of all, if the database takes it."""
    tables = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
    table = choices.one_of([name for (name,) in connection.execute(tables)])
    columns = [row[1] for row in connection.execute(f'PRAGMA table_info("{table}")')]
    column, value = choices.one_of(columns), choices.one_of(_ODD)
    rows = "" if choices.chance(3) else f"WHERE rowid = {1 + choices.number(8)}"
    if choices.chance(5):
        value = choices.take(6).decode("utf-8", "replace")
    with suppress(sqlite3.Error):
        connection.execute(f'UPDATE OR REPLACE "{table}" SET "{column}" = ? {rows}', (value,))  # noqa: S608 - names that stand in the file
