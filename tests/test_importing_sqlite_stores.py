"""The SQLite stores of other servers, all the way into a memory."""

from __future__ import annotations

from pathlib import Path

import pytest

import sqlite_stores as stores
from imports import memory_in
from mnemolog.errors import UnreadableSource
from mnemolog.interchange.formats import FORMATS
from mnemolog.memory import Memory


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ours").mkdir()
    return tmp_path / "ours"


def holds(memory: Memory) -> dict[str, tuple[str, ...]]:
    """Return the observations that hold, by entity."""
    return {entity.name: entity.observations for entity in memory.read_graph().entities}


@pytest.mark.parametrize("name", stores.STORES)
def test_a_store_comes_along_once_however_often_it_is_imported(
    tmp_path: Path, folder: Path, name: str
) -> None:
    path = stores.store(tmp_path / "store.db", stores.STORES[name])
    first = memory_in(folder).upkeep.import_from(path, "cli")
    state = holds(memory_in(folder))
    again = memory_in(folder).upkeep.import_from(path, "cli")
    assert first.entities_imported == again.entities_imported > 0
    assert first.observations_imported > 0
    assert (again.observations_imported, again.relations_imported) == (0, 0)
    assert holds(memory_in(folder)) == state
    assert (first.errors, again.errors) == (0, 0)


def test_what_was_superseded_there_since_the_last_import_is_superseded_here(
    tmp_path: Path, folder: Path
) -> None:
    path = stores.store(tmp_path / "store.db", stores.MCP_MEMORY_GRAPH)
    memory_in(folder).upkeep.import_from(path, "cli")
    assert holds(memory_in(folder))["Deploys to Fly.io"] == ("Deploys to Fly.io",)
    since = """
        INSERT INTO memories (id, content) VALUES ('m9', 'Deploys to Render');
        UPDATE memories SET status = 'superseded' WHERE id = 'm2';
        INSERT INTO memory_edges (id, from_id, to_id, edge_type)
        VALUES ('e9', 'm9', 'm2', 'supersedes');
    """
    stores.store(path, since)
    memory_in(folder).upkeep.import_from(path, "cli")
    held = holds(memory_in(folder))
    assert held["Deploys to Render"] == ("Deploys to Render",)
    assert held["Deploys to Fly.io"] == ()


@pytest.mark.parametrize("name", stores.STORES)
def test_a_damaged_store_changes_nothing_and_says_what_to_do(
    tmp_path: Path, folder: Path, name: str
) -> None:
    path = stores.store(tmp_path / "store.db", stores.STORES[name])
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(UnreadableSource, match=r"sqlite3 FILE \.recover"):
        memory_in(folder).upkeep.import_from(path, "cli", format_name=name)
    assert list(folder.iterdir()) == []


def test_every_sqlite_store_is_among_the_formats() -> None:
    assert set(stores.STORES) <= {known.name for known in FORMATS}
