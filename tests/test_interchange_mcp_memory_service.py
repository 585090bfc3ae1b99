"""What comes along from a store of mcp-memory-service."""

# ruff: noqa: S608 - the queries are put together from what stands here

from __future__ import annotations

from pathlib import Path

import pytest

import sqlite_stores as stores
from mnemolog.interchange.sqlite.mcp_memory_service import FORMAT
from mnemolog.records import Entity, ObservationTags, Relation, Superseded, Tags

FLY = "Deploys to Fly.io"
RENDER = "Deploys to Render"
FRANKFURT = "Deploys to Render, in Frankfurt"
TABS = "User prefers tabs"


def test_a_memory_becomes_an_entity_with_type_date_and_agent(tmp_path: Path) -> None:
    found = stores.records(FORMAT, stores.store(tmp_path / "s.db", stores.MCP_MEMORY_SERVICE))
    assert Entity(FLY, "decision", (FLY,), ObservationTags(stores.ADDED_AT, "codex")) in found
    assert Entity(TABS, None, (TABS,), ObservationTags(stores.ADDED_AT, None)) in found


def test_tags_are_entities_that_the_memories_lead_to(tmp_path: Path) -> None:
    found = stores.records(FORMAT, stores.store(tmp_path / "s.db", stores.MCP_MEMORY_SERVICE))
    assert Relation(FLY, "deploy", "tagged", Tags(stores.ADDED_AT, "codex")) in found
    assert stores.types(found)["acme"] == {"tag"}
    assert "untagged" not in stores.said(found)


def test_a_superseded_memory_is_history_with_the_version_that_followed(tmp_path: Path) -> None:
    found = stores.records(FORMAT, stores.store(tmp_path / "s.db", stores.MCP_MEMORY_SERVICE))
    tags = ObservationTags("2026-11-29T19:55:16+00:00", None, priority="high")
    at = "2026-11-29T19:56:16+00:00"
    assert stores.history(found)[0] == Superseded(RENDER, RENDER, tags, at, None, FRANKFURT)
    assert Relation(FRANKFURT, RENDER, "supersedes", Tags(at, None)) in found
    assert stores.said(found)[RENDER] == []


def test_what_lost_to_a_memory_that_is_gone_is_history_without_a_successor(tmp_path: Path) -> None:
    found = stores.records(FORMAT, stores.store(tmp_path / "s.db", stores.MCP_MEMORY_SERVICE))
    lost = stores.history(found)[1]
    assert (lost.entity, lost.superseded_at, lost.replaced_by) == (
        "Lost to a memory that is gone",
        None,
        None,
    )


def test_a_memory_that_superseded_itself_is_history_without_a_successor(tmp_path: Path) -> None:
    itself = "UPDATE memories SET superseded_by = content_hash WHERE content_hash = 'h3';"
    path = stores.store(tmp_path / "s.db", stores.MCP_MEMORY_SERVICE, itself)
    assert stores.history(stores.records(FORMAT, path))[0].replaced_by is None


def test_a_symmetric_edge_is_one_relation(tmp_path: Path) -> None:
    found = stores.records(FORMAT, stores.store(tmp_path / "s.db", stores.MCP_MEMORY_SERVICE))
    assert [key for key in stores.relations(found) if key[2] == "related"] == [
        (FLY, TABS, "related")
    ]


def test_an_edge_keeps_its_type_and_direction(tmp_path: Path) -> None:
    found = stores.records(FORMAT, stores.store(tmp_path / "s.db", stores.MCP_MEMORY_SERVICE))
    assert Relation(FRANKFURT, FLY, "causes", Tags(stores.ADDED_AT, None)) in found


def test_an_entity_found_in_a_memory_is_an_entity(tmp_path: Path) -> None:
    found = stores.records(FORMAT, stores.store(tmp_path / "s.db", stores.MCP_MEMORY_SERVICE))
    assert stores.types(found)["Fly.io"] == {"service"}
    assert (FLY, "Fly.io", "has_entity") in stores.relations(found)


def test_what_was_deleted_there_and_its_edges_do_not_come_back(tmp_path: Path) -> None:
    path = stores.store(tmp_path / "s.db", stores.MCP_MEMORY_SERVICE)
    assert "A secret that was removed" not in stores.said(stores.records(FORMAT, path))
    # Its edge is not even reported, the one that leads nowhere is.
    reason = "its second memory is missing"
    assert stores.refusals(FORMAT, path) == [("memory_graph row 5", "skipped", reason)]


@pytest.mark.parametrize(
    ("tags", "metadata", "priority"),
    [
        ("urgent", "{}", "high"),
        ("Temporary,go", "{}", "low"),
        ("go", "{}", None),
        ("go", '{"importance_score": 1.5}', "high"),
        ("critical", '{"importance_score": 0.2}', "low"),
        ("critical", '{"importance_score": "very"}', "high"),
        ("critical", "not JSON", "high"),
    ],
)
def test_importance_becomes_priority(
    tmp_path: Path, tags: str, metadata: str, priority: str | None
) -> None:
    weighed = f"UPDATE memories SET tags = '{tags}', metadata = '{metadata}' WHERE id = 1;"
    path = stores.store(tmp_path / "s.db", stores.MCP_MEMORY_SERVICE_FIRST, weighed)
    assert stores.records(FORMAT, path)[0].tags.priority == priority


def test_a_date_that_is_only_there_as_text_is_kept(tmp_path: Path) -> None:
    textual = "UPDATE memories SET created_at = NULL, created_at_iso = '2025-01-02T03:04:05.5Z';"
    path = stores.store(tmp_path / "s.db", stores.MCP_MEMORY_SERVICE_FIRST, textual)
    assert stores.records(FORMAT, path)[0].tags.added_at == "2025-01-02T03:04:05+00:00"


def test_a_store_of_the_first_release_is_read(tmp_path: Path) -> None:
    path = stores.store(tmp_path / "s.db", stores.MCP_MEMORY_SERVICE_FIRST)
    assert stores.said(stores.records(FORMAT, path))[FLY] == [FLY]
    assert stores.refusals(FORMAT, path) == []


def test_a_graph_without_types_of_edges_is_read(tmp_path: Path) -> None:
    older = "ALTER TABLE memory_graph DROP COLUMN relationship_type;"
    path = stores.store(tmp_path / "s.db", stores.MCP_MEMORY_SERVICE, older)
    assert (FLY, TABS, "related") in stores.relations(stores.records(FORMAT, path))


def test_a_newer_schema_is_read_as_far_as_it_is_known_and_says_so(tmp_path: Path) -> None:
    newer = "UPDATE metadata SET value = '23' WHERE key = 'schema_version';"
    path = stores.store(tmp_path / "s.db", stores.MCP_MEMORY_SERVICE, newer)
    place, kind, reason = stores.refusals(FORMAT, path)[0]
    assert (place, kind) == ("metadata schema_version", "skipped")
    assert "schema 23 is newer" in reason
    assert "Update mnemolog" in reason
    assert stores.said(stores.records(FORMAT, path))[FLY] == [FLY]


def test_the_store_is_looked_for_where_each_system_keeps_it(tmp_path: Path) -> None:
    places = FORMAT.usual_places(tmp_path, tmp_path / "project")
    assert set(places) == {
        tmp_path / ".local/share/mcp-memory/sqlite_vec.db",
        tmp_path / "Library/Application Support/mcp-memory/sqlite_vec.db",
        tmp_path / "AppData/Local/mcp-memory/sqlite_vec.db",
    }
