"""What holds for the rows of every SQLite store: each counts by itself."""

# ruff: noqa: S608 - the queries are put together from what stands here

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Final

import pytest

import sqlite_stores as stores
from mnemolog.interchange.sources import Found
from mnemolog.interchange.sqlite import libsql


@pytest.mark.parametrize(
    ("value", "kind", "reason"),
    [
        ("NULL", "skipped", "its content is missing"),
        ("'  '", "skipped", "its content is missing"),
        ("x'00ff'", "error", "its content is not a text"),
        ("12", "error", "its content is not a text"),
        ("CAST(x'63616ee9' AS TEXT)", "error", "its content is not UTF-8 text"),
    ],
)
def test_a_bad_row_is_named_and_its_neighbours_are_read(
    tmp_path: Path, value: str, kind: str, reason: str
) -> None:
    looser = f"""
        CREATE TABLE loose (id INTEGER PRIMARY KEY, entity_name, content, created_at);
        INSERT INTO loose VALUES (1, 'SQLite', {value}, NULL), (2, 'SQLite', 'Good', NULL);
        DROP TABLE observations;
        ALTER TABLE loose RENAME TO observations;
    """
    path = stores.store(tmp_path / "x.db", stores.LIBSQL, looser)
    assert stores.refusals(libsql.FORMAT, path) == [("observations row 1", kind, reason)]
    assert stores.said(stores.records(libsql.FORMAT, path))["SQLite"] == ["Good"]


def test_a_date_that_cannot_be_read_is_no_reason_to_lose_the_row(tmp_path: Path) -> None:
    undated = "UPDATE observations SET created_at = 'last Tuesday';"
    path = stores.store(tmp_path / "x.db", stores.LIBSQL, undated)
    told = [record for record in stores.records(libsql.FORMAT, path) if stores.said([record])]
    dates = {record.tags.added_at for record in told if record.observations}
    assert dates == {None}


def test_a_store_in_utf_16_is_read(tmp_path: Path) -> None:
    path = stores.store(tmp_path / "x.db", "PRAGMA encoding = 'UTF-16le';", stores.LIBSQL)
    assert stores.said(stores.records(libsql.FORMAT, path))["josé_núñez"] == ["我喜欢简洁的回答"]


MANY: Final = 100_000


def test_a_hundred_thousand_rows_come_as_a_stream(tmp_path: Path) -> None:
    many = f"""
        INSERT INTO observations (entity_name, content)
        WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {MANY})
        SELECT 'SQLite', 'Row ' || n || ' of a store that is larger than what is held of it' FROM n;
    """
    path = stores.store(tmp_path / "x.db", stores.LIBSQL, many)
    assert path.stat().st_size > 8_000_000
    tracemalloc.start()
    try:
        found = sum(isinstance(item, Found) for item in libsql.FORMAT.read(path))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found == MANY + 6
    assert peak < 3_000_000


def test_the_progress_of_a_reading_rises_to_the_end(tmp_path: Path) -> None:
    many = """
        INSERT INTO observations (entity_name, content)
        WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 5000)
        SELECT 'SQLite', 'Row ' || n FROM n;
    """
    path = stores.store(tmp_path / "x.db", stores.LIBSQL, many)
    parts = stores.progress(libsql.FORMAT, path)
    assert parts == sorted(parts)
    assert len(parts) == 5
    assert 0.9 < parts[-1] <= 1
