"""What comes along from a store of mcp-memory-libsql."""

from __future__ import annotations

from pathlib import Path

import sqlite_stores as stores
from mnemolog.interchange.sqlite.libsql import FORMAT
from mnemolog.records import Entity, ObservationTags, Relation, Tags

ADDED = ObservationTags(stores.ADDED_AT, None)


def test_entities_observations_and_relations_come_with_types_and_dates(tmp_path: Path) -> None:
    found = stores.records(FORMAT, stores.store(tmp_path / "memory.db", stores.LIBSQL))
    assert found == [
        Entity("Project Alpha", "Project", (), ADDED),
        Entity("SQLite", "Technology", (), ADDED),
        Entity("josé_núñez", "person", (), ADDED),
        Entity("Project Alpha", "Project", ("Started in March 2026",), ADDED),
        Entity("josé_núñez", "person", ("我喜欢简洁的回答",), ADDED),
        Relation("Project Alpha", "SQLite", "uses", Tags(stores.ADDED_AT, None)),
    ]


def test_only_the_rows_of_entities_count_as_entities(tmp_path: Path) -> None:
    path = stores.store(tmp_path / "memory.db", stores.LIBSQL)
    assert [found.more for found in stores.found_in(FORMAT, path)] == [
        False,
        False,
        False,
        True,
        True,
        False,
    ]


def test_an_observation_of_an_entity_without_a_row_keeps_its_name(tmp_path: Path) -> None:
    orphan = "INSERT INTO observations (entity_name, content) VALUES ('Ghost', 'Still here');"
    path = stores.store(tmp_path / "memory.db", stores.LIBSQL, orphan)
    assert Entity("Ghost", None, ("Still here",), ADDED) in stores.records(FORMAT, path)


def test_a_store_of_the_versions_with_embeddings_is_read(tmp_path: Path) -> None:
    # Their index calls a function that only libSQL has, so it is put in the schema by hand.
    embedding = """
        ALTER TABLE entities ADD COLUMN embedding F32_BLOB(4);
        UPDATE entities SET embedding = x'0000803f000000000000000000000000';
        CREATE INDEX idx_entities_embedding ON entities(embedding);
        PRAGMA writable_schema = ON;
        UPDATE sqlite_master
        SET sql = 'CREATE INDEX idx_entities_embedding ON entities(libsql_vector_idx(embedding))'
        WHERE name = 'idx_entities_embedding';
        PRAGMA writable_schema = OFF;
    """
    path = stores.store(tmp_path / "memory.db", stores.LIBSQL, embedding)
    assert FORMAT.recognises(path)
    assert stores.said(stores.records(FORMAT, path))["josé_núñez"] == ["我喜欢简洁的回答"]
    assert stores.refusals(FORMAT, path) == []


def test_the_store_is_looked_for_where_the_server_was_started(tmp_path: Path) -> None:
    places = list(FORMAT.usual_places(tmp_path / "home", tmp_path / "project"))
    assert places == [tmp_path / "project/memory-tool.db", tmp_path / "home/memory-tool.db"]
