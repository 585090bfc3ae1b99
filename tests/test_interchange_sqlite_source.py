"""What holds for every SQLite store: it is only read, and read whatever state it is in."""

# ruff: noqa: S608 - the queries are put together from what stands here

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import pytest

import sqlite_stores as stores
from mnemolog.errors import UnreadableSource
from mnemolog.interchange.sources import Format, Found, Refused
from mnemolog.interchange.sqlite import libsql, mcp_memory, mcp_memory_graph, mcp_memory_service

FORMATS: Final = (
    mcp_memory.FORMAT,
    mcp_memory_graph.FORMAT,
    mcp_memory_service.FORMAT,
    libsql.FORMAT,
)
every_format = pytest.mark.parametrize("source", FORMATS, ids=lambda source: source.name)


def new_store(source: Format, folder: Path) -> Path:
    return stores.store(folder / "store.db", stores.STORES[source.name])


# --- recognising -----------------------------------------------------------------------------


@every_format
def test_a_store_is_recognised_as_what_it_is(tmp_path: Path, source: Format) -> None:
    path = new_store(source, tmp_path)
    assert [known.name for known in FORMATS if known.recognises(path)] == [source.name]


@every_format
def test_a_store_whose_tables_are_only_in_its_log_is_recognised(
    tmp_path: Path, source: Format
) -> None:
    path = tmp_path / "store.db"
    with stores.in_use(path, stores.STORES[source.name]):
        assert [known.name for known in FORMATS if known.recognises(path)] == [source.name]


@every_format
@pytest.mark.parametrize("content", [b"", b"# Notes\n", b"SQLite format 3\0", b"\x00" * 4096])
def test_another_file_is_not_recognised(tmp_path: Path, source: Format, content: bytes) -> None:
    path = tmp_path / "store.db"
    path.write_bytes(content)
    assert not source.recognises(path)


@every_format
def test_a_folder_or_another_database_is_not_recognised(tmp_path: Path, source: Format) -> None:
    assert not source.recognises(tmp_path)
    assert not source.recognises(stores.store(tmp_path / "x.db", "CREATE TABLE memories (x);"))


def test_a_view_is_not_taken_for_a_table(tmp_path: Path) -> None:
    endless = """
        CREATE TABLE entities (name TEXT);
        CREATE VIEW observations AS WITH RECURSIVE n(entity_name) AS (
            SELECT 1 UNION ALL SELECT entity_name + 1 FROM n
        ) SELECT entity_name, entity_name AS content FROM n;
    """
    assert not libsql.FORMAT.recognises(stores.store(tmp_path / "x.db", endless))


# --- only read -------------------------------------------------------------------------------


@every_format
def test_the_folder_of_a_store_is_left_as_it_was(tmp_path: Path, source: Format) -> None:
    path = new_store(source, tmp_path)
    before = stores.contents(tmp_path)
    assert source.recognises(path)
    assert stores.records(source, path)
    assert stores.contents(tmp_path) == before


@every_format
def test_the_folder_of_a_store_in_use_is_left_as_it_was(tmp_path: Path, source: Format) -> None:
    path = tmp_path / "store.db"
    with stores.in_use(path, stores.STORES[source.name]):
        before = stores.contents(tmp_path)
        assert {"store.db", "store.db-wal"} <= set(before)
        assert source.recognises(path)
        assert stores.records(source, path)
        assert stores.contents(tmp_path) == before


@every_format
def test_a_log_that_a_crash_left_is_read_and_left(tmp_path: Path, source: Format) -> None:
    crashed = tmp_path / "crashed"
    with stores.in_use(tmp_path / "store.db", stores.STORES[source.name]):
        crashed.mkdir()
        for name in ("store.db", "store.db-wal"):
            shutil.copyfile(tmp_path / name, crashed / name)
    before = stores.contents(crashed)
    assert source.recognises(crashed / "store.db")
    assert stores.records(source, crashed / "store.db")
    assert stores.contents(crashed) == before


@every_format
def test_nothing_stays_in_the_temporary_folder(
    tmp_path: Path, source: Format, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    path = new_store(source, tmp_path)
    begun = iter(source.read(path))
    next(begun)
    assert list(temporary.iterdir())
    begun.close()  # type: ignore[attr-defined]  # a generator, as anything that yields
    stores.records(source, path)
    assert list(temporary.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="folders have no such mode there")
@every_format
def test_a_store_in_a_folder_that_cannot_be_written_is_read(tmp_path: Path, source: Format) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with stores.in_use(folder / "store.db", stores.STORES[source.name]):
        folder.chmod(0o555)
        try:
            assert source.recognises(folder / "store.db")
            assert stores.records(source, folder / "store.db")
        finally:
            folder.chmod(0o755)


# --- one state, whoever else uses it ---------------------------------------------------------


@every_format
def test_a_log_that_was_not_checkpointed_counts(tmp_path: Path, source: Format) -> None:
    expected = stores.records(source, new_store(source, tmp_path))
    path = tmp_path / "live.db"
    with stores.in_use(path, stores.STORES[source.name]):
        assert path.stat().st_size <= 4096  # nothing of it is in the file itself
        assert stores.records(source, path) == expected


def test_a_link_to_a_store_finds_the_log_of_the_store(tmp_path: Path) -> None:
    with stores.in_use(tmp_path / "live.db", stores.LIBSQL):
        link = tmp_path / "elsewhere" / "link.db"
        link.parent.mkdir()
        link.symlink_to(tmp_path / "live.db")
        assert libsql.FORMAT.recognises(link)
        assert stores.records(libsql.FORMAT, link)


@contextmanager
def unfinished(path: Path) -> Iterator[None]:
    """Hold a transaction that has already changed the file, and its lock."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 5")
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("UPDATE observations SET content = 'Unfinished: ' || content")
        rows = [("Project Alpha", f"Unfinished {n} {'x' * 500}") for n in range(500)]
        connection.executemany(
            "INSERT INTO observations (entity_name, content) VALUES (?, ?)", rows
        )
        yield
        connection.execute("ROLLBACK")


def test_a_locked_store_is_read_as_it_was_before_the_unfinished_change(tmp_path: Path) -> None:
    path = new_store(libsql.FORMAT, tmp_path)
    expected, size = stores.records(libsql.FORMAT, path), path.stat().st_size
    with unfinished(path):
        assert path.stat().st_size > size  # it is half written, and only the journal undoes that
        before = stores.contents(tmp_path)
        assert libsql.FORMAT.recognises(path)
        assert stores.records(libsql.FORMAT, path) == expected
        assert stores.contents(tmp_path) == before


def test_what_a_crash_left_half_written_is_undone_in_the_copy(tmp_path: Path) -> None:
    path = new_store(libsql.FORMAT, tmp_path)
    expected = stores.records(libsql.FORMAT, path)
    with unfinished(path):
        crashed = shutil.copytree(tmp_path, tmp_path.with_name("crashed"))
    before = stores.contents(crashed)
    assert stores.records(libsql.FORMAT, crashed / "store.db") == expected
    assert stores.contents(crashed) == before


WRITER: Final = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=30)
connection.execute("PRAGMA journal_mode = " + sys.argv[2])
connection.execute("PRAGMA wal_autocheckpoint = 8")
connection.execute("PRAGMA synchronous = OFF")
print("ready", flush=True)
number = 0
while True:
    number += 1
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE entities SET entity_type = ?", (f"type {number}",))
    connection.execute("UPDATE observations SET content = ? || filling", (f"{number} ",))
    connection.execute("COMMIT")
"""


@pytest.mark.parametrize("mode", ["WAL", "DELETE", "TRUNCATE", "PERSIST"])
def test_a_copy_is_one_state_while_a_server_writes(tmp_path: Path, mode: str) -> None:
    filling = f"""
        ALTER TABLE observations ADD COLUMN filling TEXT DEFAULT '{"x" * 3000}';
        INSERT INTO observations (entity_name, content)
        WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 40)
        SELECT 'SQLite', n FROM n;
    """
    path = stores.store(tmp_path / "store.db", stores.LIBSQL, filling)
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), mode], stdout=subprocess.PIPE
    ) as writer:
        try:
            assert writer.stdout is not None
            writer.stdout.readline()
            states = [one_state(path) for _ in range(12)]
        finally:
            writer.kill()
    assert all(len(state) <= 1 for state in states)


def one_state(path: Path) -> set[str]:
    """Return the numbers of the writes that a copy shows; none if it could not be had."""
    try:
        items = list(libsql.FORMAT.read(path))
    except UnreadableSource:  # it was being written all the while
        return set()
    assert [item for item in items if isinstance(item, Refused)] == []
    found = [item.record for item in items if isinstance(item, Found)]
    kinds = {kind or "" for types in stores.types(found).values() for kind in types}
    if "Project" in kinds:  # nothing has been written yet
        return set()
    texts = {text.split(" ")[0] for texts in stores.said(found).values() for text in texts}
    return texts | {kind.removeprefix("type ") for kind in kinds}


class Meddler:
    """Does something to a file each time that Python opens it, as long as it is switched on."""

    def __init__(self, path: Path, act: Callable[[], None], times: int) -> None:
        self._path = str(path)
        self._act = act
        self._left = times
        sys.addaudithook(self._hear)  # cannot be taken off again

    def _hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if self._left > 0 and event == "open" and str(arguments[0]) == self._path:
            left, self._left = self._left - 1, 0
            self._act()
            self._left = left


def test_a_store_that_never_rests_is_refused_with_a_way_out(tmp_path: Path) -> None:
    path = new_store(libsql.FORMAT, tmp_path)

    def write() -> None:
        with path.open("ab") as file:
            file.write(b"more")

    meddler = Meddler(path, write, times=1_000)
    with pytest.raises(UnreadableSource, match="Stop its server, then import again"):
        list(libsql.FORMAT.read(path))
    meddler._left = 0  # noqa: SLF001 - switched off


def test_a_log_that_moves_into_the_file_during_the_copy_is_copied_again(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with stores.in_use(path, stores.LIBSQL) as connection:

        def checkpoint_and_begin_a_new_log() -> None:
            connection.execute("UPDATE entities SET entity_type = 'before'")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("UPDATE entities SET entity_type = 'after' WHERE name = 'SQLite'")

        # The file has been copied by then: empty as it was, it does not go with the new log.
        Meddler(path.with_name("store.db-wal"), checkpoint_and_begin_a_new_log, times=1)
        kinds = stores.types(stores.records(libsql.FORMAT, path))
    assert kinds == {"Project Alpha": {"before"}, "SQLite": {"after"}, "josé_núñez": {"before"}}


# --- damage ----------------------------------------------------------------------------------


@every_format
def test_what_is_no_database_is_refused_with_a_way_out(tmp_path: Path, source: Format) -> None:
    path = tmp_path / "notes.md"
    path.write_text("# Notes\n", encoding="utf-8")
    with pytest.raises(UnreadableSource, match=r"no SQLite database.*Choose the file"):
        list(source.read(path))


@every_format
def test_a_missing_file_is_refused_with_a_way_out(tmp_path: Path, source: Format) -> None:
    with pytest.raises(UnreadableSource, match="Check its permissions"):
        list(source.read(tmp_path / "nowhere.db"))


@every_format
def test_a_store_of_another_server_is_refused_with_a_way_out(
    tmp_path: Path, source: Format
) -> None:
    path = stores.store(tmp_path / "x.db", "CREATE TABLE notes (text);")
    with pytest.raises(UnreadableSource, match=r"not a store of mcp-memory.*Leave --from away"):
        list(source.read(path))


@every_format
def test_an_unknown_layout_is_refused_by_the_column_that_is_missing(
    tmp_path: Path, source: Format
) -> None:
    table = "memories" if "memories" in stores.STORES[source.name] else "observations"
    newer = f"ALTER TABLE {table} RENAME COLUMN content TO body;"
    path = stores.store(tmp_path / "x.db", stores.STORES[source.name], newer)
    with pytest.raises(UnreadableSource, match=rf"no column {table}\.content.*update mnemolog"):
        list(source.read(path))


@every_format
def test_a_file_cut_to_its_first_bytes_is_refused_with_a_way_out(
    tmp_path: Path, source: Format
) -> None:
    path = new_store(source, tmp_path)
    path.write_bytes(path.read_bytes()[:100])
    assert not source.recognises(path)
    with pytest.raises(UnreadableSource, match=r"damaged.*sqlite3 FILE \.recover"):
        list(source.read(path))


def with_many_rows(source: Format, folder: Path) -> Path:
    table = "observations"
    columns = {"mcp-memory": "entity_id, content", "libsql": "entity_name, content"}
    values = {"mcp-memory": "2, 'Many ' || n", "libsql": "'SQLite', 'Many ' || n"}
    if source.name not in columns:
        table = "memories"
        key = "id" if source.name == "mcp-memory-graph" else "content_hash"
        columns[source.name], values[source.name] = f"{key}, content", "'key ' || n, 'Many ' || n"
    many = f"""
        INSERT INTO {table} ({columns[source.name]})
        WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 2000)
        SELECT {values[source.name]} FROM n;
    """
    return stores.store(folder / "many.db", stores.STORES[source.name], many)


@every_format
def test_of_a_truncated_store_everything_that_can_be_read_is_read(
    tmp_path: Path, source: Format
) -> None:
    path = with_many_rows(source, tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    assert source.recognises(path)
    items = list(source.read(path))
    damage = [item for item in items if isinstance(item, Refused) and item.kind == "error"]
    assert any("the file is damaged" in item.reason for item in damage)
    assert sum(isinstance(item, Found) for item in items) > 500


@every_format
def test_two_readings_of_a_store_are_the_same(tmp_path: Path, source: Format) -> None:
    path = new_store(source, tmp_path)
    assert list(source.read(path)) == list(source.read(path))
