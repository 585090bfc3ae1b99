"""What comes along from a store of mcp-memory."""

from __future__ import annotations

from pathlib import Path

import sqlite_stores as stores
from mnemolog.interchange.sqlite.mcp_memory import FORMAT
from mnemolog.records import Entity, ObservationTags, Relation, Superseded, Tags

ADDED = ObservationTags(stores.ADDED_AT, None)


def test_entities_observations_and_relations_come_with_types_and_dates(tmp_path: Path) -> None:
    found = stores.records(FORMAT, stores.store(tmp_path / "memory.db", stores.MCP_MEMORY))
    assert Entity("Project Alpha", "Project", (), ADDED) in found
    assert Entity("Project Alpha", "Project", ("Started in March 2026",), ADDED) in found
    assert Entity("josé_núñez", "Persona", ("我喜欢简洁的回答",), ADDED) in found
    assert Relation("Project Alpha", "SQLite", "uses", Tags(stores.ADDED_AT, None)) in found
    assert stores.types(found)["acme_api"] == {"Proyecto"}


def test_only_the_rows_of_entities_count_as_entities(tmp_path: Path) -> None:
    path = stores.store(tmp_path / "memory.db", stores.MCP_MEMORY)
    counted = [found.record for found in stores.found_in(FORMAT, path) if not found.more]
    names = [record.name for record in counted if isinstance(record, Entity)]
    assert names == ["Project Alpha", "SQLite", "acme_api", "josé_núñez"]


def test_a_superseded_observation_is_history_with_what_took_its_place(tmp_path: Path) -> None:
    found = stores.records(FORMAT, stores.store(tmp_path / "memory.db", stores.MCP_MEMORY))
    at = "2026-11-30T08:00:00+00:00"
    retired = Superseded("acme_api", "Deploys to Fly.io", ADDED, at, None, "Deploys to Render")
    assert stores.history(found) == [retired]
    assert "Deploys to Fly.io" not in stores.said(found)["acme_api"]
    assert "Deploys to Render" in stores.said(found)["acme_api"]


def test_an_ended_relation_is_reported_and_not_imported(tmp_path: Path) -> None:
    path = stores.store(tmp_path / "memory.db", stores.MCP_MEMORY)
    assert ("Project Alpha", "SQLite", "stores_in") not in stores.relations(
        stores.records(FORMAT, path)
    )
    reason = "it ended 2026-11-30T09:00:00+00:00"
    assert ("relations row 2", "skipped", reason) in stores.refusals(FORMAT, path)


def test_the_context_of_a_relation_becomes_an_observation(tmp_path: Path) -> None:
    found = stores.records(FORMAT, stores.store(tmp_path / "memory.db", stores.MCP_MEMORY))
    assert stores.said(found)["josé_núñez"] == [
        "我喜欢简洁的回答",
        "contribuye_a acme_api: since 2025",
    ]
    assert stores.said(found)["SQLite"] == []  # the server itself wrote that context


def test_a_reflection_on_an_entity_is_its_authors_observation(tmp_path: Path) -> None:
    path = stores.store(tmp_path / "memory.db", stores.MCP_MEMORY)
    tags = ObservationTags(stores.ADDED_AT, "nolan")
    reflection = Entity("acme_api", "Proyecto", ("Too many deploys",), tags)
    assert reflection in stores.records(FORMAT, path)
    reason = "it reflects on no entity (global)"
    assert ("reflections row 1", "skipped", reason) in stores.refusals(FORMAT, path)


def test_a_store_of_the_first_release_is_read(tmp_path: Path) -> None:
    path = stores.store(tmp_path / "memory.db", stores.MCP_MEMORY_FIRST)
    found = stores.records(FORMAT, path)
    assert stores.said(found)["acme_api"] == ["Deploys to Fly.io"]
    assert stores.relations(found) == [("Project Alpha", "SQLite", "uses")]
    assert stores.refusals(FORMAT, path) == []


def test_a_row_that_belongs_to_nothing_is_skipped_with_the_reason(tmp_path: Path) -> None:
    broken = """
        INSERT INTO observations (id, entity_id, content) VALUES (20, 99, 'Of nobody');
        INSERT INTO relations (id, from_entity, to_entity, relation_type)
        VALUES (20, 1, 99, 'uses');
    """
    path = stores.store(tmp_path / "memory.db", stores.MCP_MEMORY_FIRST, broken)
    assert stores.refusals(FORMAT, path) == [
        ("observations row 20", "skipped", "its entity is missing"),
        ("relations row 20", "skipped", "its second entity is missing"),
    ]


def test_the_store_is_looked_for_where_the_server_keeps_it(tmp_path: Path) -> None:
    places = FORMAT.usual_places(tmp_path, tmp_path / "project")
    assert tmp_path / ".config/opencode/mcp-memory/memory.db" in places
