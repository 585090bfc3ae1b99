"""What comes along from a store of mcp-memory-graph."""

# ruff: noqa: S608 - the queries are put together from what stands here

from __future__ import annotations

from pathlib import Path

import sqlite_stores as stores
from mnemolog.interchange.sqlite.mcp_memory_graph import FORMAT
from mnemolog.records import Entity, ObservationTags, Relation, Superseded, Tags

TABS = "User prefers tabs over spaces"
WIKI = "Runbook lives in the wiki"
DOCS = "Runbook lives at docs/runbook.md"
POSTGRES = "The staging database is Postgres 17"
EDGE_AT = "2026-11-30T09:00:00+00:00"


def test_a_memory_becomes_an_entity_with_its_type_priority_and_date(tmp_path: Path) -> None:
    found = stores.records(FORMAT, stores.store(tmp_path / "m.db", stores.MCP_MEMORY_GRAPH))
    tags = ObservationTags(stores.ADDED_AT, None, priority="high")
    assert Entity(TABS, "user", (TABS,), tags) in found
    medium = ObservationTags(stores.ADDED_AT, None, priority="medium")
    assert Entity(DOCS, "reference", (DOCS,), medium) in found


def test_tags_are_entities_that_the_memories_lead_to(tmp_path: Path) -> None:
    found = stores.records(FORMAT, stores.store(tmp_path / "m.db", stores.MCP_MEMORY_GRAPH))
    assert (TABS, "style", "tagged") in stores.relations(found)
    assert ("Deploys to Fly.io", "go", "tagged") in stores.relations(found)
    assert stores.types(found)["go"] == {"tag"}


def test_a_tag_counts_once_however_many_memories_have_it(tmp_path: Path) -> None:
    path = stores.store(tmp_path / "m.db", stores.MCP_MEMORY_GRAPH)
    found = stores.found_in(FORMAT, path)
    go = [f.more for f in found if isinstance(f.record, Entity) and f.record.name == "go"]
    assert go == [False, True]


def test_a_superseded_memory_is_history_and_named_by_what_replaced_it(tmp_path: Path) -> None:
    found = stores.records(FORMAT, stores.store(tmp_path / "m.db", stores.MCP_MEMORY_GRAPH))
    tags = ObservationTags(stores.ADDED_AT, None, priority="low")
    assert stores.history(found)[0] == Superseded(WIKI, WIKI, tags, EDGE_AT, None, DOCS)
    assert stores.said(found)[WIKI] == []
    assert (DOCS, WIKI, "supersedes") in stores.relations(found)


def test_a_memory_that_superseded_itself_is_history_without_a_successor(tmp_path: Path) -> None:
    path = stores.store(tmp_path / "m.db", stores.MCP_MEMORY_GRAPH)
    retired = stores.history(stores.records(FORMAT, path))[1]
    assert (retired.observation, retired.replaced_by) == (POSTGRES, None)
    assert retired.superseded_at == "2026-11-30T08:00:00+00:00"
    reason = "it leads from a memory to itself"
    assert stores.refusals(FORMAT, path) == [("memory_edges row 4", "skipped", reason)]


def test_edges_become_relations_with_their_type_and_date(tmp_path: Path) -> None:
    found = stores.records(FORMAT, stores.store(tmp_path / "m.db", stores.MCP_MEMORY_GRAPH))
    assert Relation(TABS, POSTGRES, "contradicts", Tags(EDGE_AT, None)) in found


def test_what_was_deleted_there_and_its_edges_do_not_come_back(tmp_path: Path) -> None:
    deleted = "UPDATE memories SET status = 'deleted' WHERE id IN ('m1', 'm5');"
    path = stores.store(tmp_path / "m.db", stores.MCP_MEMORY_GRAPH, deleted)
    found = stores.records(FORMAT, path)
    assert TABS not in stores.said(found)
    assert stores.relations(found) == [("Deploys to Fly.io", "go", "tagged")]
    assert stores.history(found)[0].replaced_by is None


def test_a_text_that_still_holds_elsewhere_is_not_history(tmp_path: Path) -> None:
    again = f"INSERT INTO memories (id, content, status) VALUES ('m9', '{WIKI}', 'active');"
    path = stores.store(tmp_path / "m.db", stores.MCP_MEMORY_GRAPH, again)
    found = stores.records(FORMAT, path)
    assert stores.said(found)[WIKI] == [WIKI]
    assert WIKI not in {record.observation for record in stores.history(found)}


def test_an_unknown_status_is_skipped_with_the_reason(tmp_path: Path) -> None:
    strange = "UPDATE memories SET status = 'archived' WHERE id = 'm1';"
    path = stores.store(tmp_path / "m.db", stores.MCP_MEMORY_GRAPH, strange)
    reason = "its status 'archived' is not known"
    assert ("memories row 1", "skipped", reason) in stores.refusals(FORMAT, path)


def test_an_edge_without_an_end_is_skipped_with_the_reason(tmp_path: Path) -> None:
    loose = (
        "INSERT INTO memory_edges (id, from_id, to_id, edge_type) VALUES ('e9', 'm1', 'x', 'y');"
    )
    path = stores.store(tmp_path / "m.db", stores.MCP_MEMORY_GRAPH, loose)
    reason = "its second memory is missing"
    assert ("memory_edges row 5", "skipped", reason) in stores.refusals(FORMAT, path)


def test_the_store_is_looked_for_where_the_server_keeps_it(tmp_path: Path) -> None:
    places = FORMAT.usual_places(tmp_path, tmp_path / "project")
    assert tmp_path / ".mcp-memory-graph/memories.db" in places
