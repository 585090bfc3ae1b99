"""SQLite stores of other servers, made from their published schemas with a little content."""

# ruff: noqa: S608 - the queries are put together from what stands here

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from mnemolog.interchange.sources import Format, Found, Reached, Refused
from mnemolog.records import Entity, Relation, Superseded

STORED_AT: Final = "2026-11-29 19:54:16"
ADDED_AT: Final = "2026-11-29T19:54:16+00:00"
EPOCH: Final = 1795982056.25
"""The same moment, and a quarter of a second."""

MCP_MEMORY_FIRST: Final = f"""
CREATE TABLE entities (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    entity_type TEXT NOT NULL DEFAULT 'Generic',
    created_at TEXT NOT NULL DEFAULT '{STORED_AT}',
    updated_at TEXT NOT NULL DEFAULT '{STORED_AT}'
);
CREATE TABLE observations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    entity_id INTEGER NOT NULL REFERENCES entities(id) ON DELETE CASCADE,
    content TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT '{STORED_AT}'
);
CREATE TABLE relations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    from_entity INTEGER NOT NULL REFERENCES entities(id) ON DELETE CASCADE,
    to_entity INTEGER NOT NULL REFERENCES entities(id) ON DELETE CASCADE,
    relation_type TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT '{STORED_AT}',
    UNIQUE(from_entity, to_entity, relation_type)
);
CREATE TABLE db_metadata (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE INDEX idx_obs_entity ON observations(entity_id);
INSERT INTO entities (id, name, entity_type) VALUES
    (1, 'Project Alpha', 'Project'), (2, 'SQLite', 'Technology'), (6, 'acme_api', 'Proyecto'),
    (10, 'josé_núñez', 'Persona');
INSERT INTO observations (id, entity_id, content) VALUES
    (1, 1, 'Started in March 2026'), (5, 10, '我喜欢简洁的回答'), (7, 6, 'Deploys to Fly.io');
INSERT INTO relations (id, from_entity, to_entity, relation_type) VALUES (1, 1, 2, 'uses');
"""
"""As the first release left it."""

MCP_MEMORY_LATER: Final = f"""
ALTER TABLE entities ADD COLUMN status TEXT NOT NULL DEFAULT 'activo';
ALTER TABLE observations ADD COLUMN similarity_flag INTEGER NOT NULL DEFAULT 0;
ALTER TABLE observations ADD COLUMN kind TEXT NOT NULL DEFAULT 'generic';
ALTER TABLE observations ADD COLUMN supersedes INTEGER NULL REFERENCES observations(id);
ALTER TABLE observations ADD COLUMN superseded_at TEXT NULL;
ALTER TABLE relations ADD COLUMN context TEXT NULL;
ALTER TABLE relations ADD COLUMN active INTEGER NOT NULL DEFAULT 1;
ALTER TABLE relations ADD COLUMN ended_at TEXT NULL;
CREATE TABLE reflections (
    id INTEGER PRIMARY KEY AUTOINCREMENT, target_type TEXT NOT NULL, target_id INTEGER,
    author TEXT NOT NULL, content TEXT NOT NULL, mood TEXT,
    created_at TEXT NOT NULL DEFAULT '{STORED_AT}'
);
INSERT INTO observations (id, entity_id, content, supersedes) VALUES (9, 6, 'Deploys to Render', 7);
UPDATE observations SET superseded_at = '2026-11-30 08:00:00' WHERE id = 7;
INSERT INTO relations (id, from_entity, to_entity, relation_type, context, active, ended_at) VALUES
    (2, 1, 2, 'stores_in', NULL, 0, '2026-11-30 09:00:00'),
    (4, 10, 6, 'contribuye_a', 'since 2025', 1, NULL),
    (5, 6, 2, 'contiene', NULL, 1, NULL),
    (6, 2, 6, 'parte_de', 'Inversa automática de contiene', 1, NULL);
INSERT INTO reflections (id, target_type, target_id, author, content) VALUES
    (1, 'global', NULL, 'sofia', 'Good week'), (2, 'entity', 6, 'nolan', 'Too many deploys');
"""

MCP_MEMORY_GRAPH: Final = """
CREATE TABLE memories (
    id TEXT PRIMARY KEY,
    content TEXT NOT NULL,
    memory_type TEXT NOT NULL DEFAULT 'general',
    priority TEXT NOT NULL DEFAULT 'medium',
    authority_score REAL NOT NULL DEFAULT 0.6,
    status TEXT NOT NULL DEFAULT 'active',
    tags TEXT NOT NULL DEFAULT '[]',
    metadata TEXT NOT NULL DEFAULT '{}',
    created_at TEXT NOT NULL DEFAULT '2026-11-29T19:54:16.283951+00:00',
    updated_at TEXT NOT NULL DEFAULT '2026-11-30T08:00:00.968789+00:00'
);
CREATE TABLE memory_edges (
    id TEXT PRIMARY KEY,
    from_id TEXT NOT NULL REFERENCES memories(id),
    to_id TEXT NOT NULL REFERENCES memories(id),
    edge_type TEXT NOT NULL,
    created_at TEXT NOT NULL DEFAULT '2026-11-30T09:00:00.485601+00:00'
);
CREATE INDEX idx_edges_to ON memory_edges(to_id);
INSERT INTO memories (id, content, memory_type, priority, status, tags) VALUES
    ('m1', 'User prefers tabs over spaces', 'user', 'high', 'active', '["style", "go"]'),
    ('m2', 'Deploys to Fly.io', 'project', 'medium', 'active', '["go"]'),
    ('m3', 'Deploys to Fly.io', 'project', 'low', 'deleted', '[]'),
    ('m4', 'Runbook lives in the wiki', 'reference', 'low', 'superseded', '[]'),
    ('m5', 'Runbook lives at docs/runbook.md', 'reference', 'medium', 'active', '[]'),
    ('m6', 'The staging database is Postgres 17', 'project', 'medium', 'superseded', '[]');
INSERT INTO memory_edges (id, from_id, to_id, edge_type) VALUES
    ('e1', 'm3', 'm2', 'relates_to'),
    ('e2', 'm5', 'm4', 'supersedes'),
    ('e3', 'm1', 'm6', 'contradicts'),
    ('e4', 'm6', 'm6', 'supersedes');
"""

MCP_MEMORY_SERVICE_FIRST: Final = f"""
CREATE TABLE memories (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    content_hash TEXT UNIQUE NOT NULL,
    content TEXT NOT NULL,
    tags TEXT,
    memory_type TEXT,
    metadata TEXT,
    created_at REAL,
    updated_at REAL,
    created_at_iso TEXT,
    updated_at_iso TEXT
);
INSERT INTO memories (content_hash, content, tags, memory_type, metadata, created_at) VALUES
    ('h1', 'Deploys to Fly.io', 'deploy,acme', 'decision', '{{"agent_id": "codex"}}', {EPOCH}),
    ('h2', 'User prefers tabs', 'untagged', NULL, '{{}}', {EPOCH});
"""
"""As its first SQLite releases left it: no graph, no soft deletion."""

MCP_MEMORY_SERVICE_LATER: Final = f"""
CREATE TABLE metadata (key TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO metadata VALUES ('distance_metric', 'cosine'), ('schema_version', '19');
ALTER TABLE memories ADD COLUMN deleted_at REAL DEFAULT NULL;
ALTER TABLE memories ADD COLUMN store TEXT DEFAULT 'default';
ALTER TABLE memories ADD COLUMN parent_id TEXT;
ALTER TABLE memories ADD COLUMN version INTEGER DEFAULT 1;
ALTER TABLE memories ADD COLUMN superseded_by TEXT;
CREATE TABLE memory_graph (
    source_hash TEXT NOT NULL,
    target_hash TEXT NOT NULL,
    similarity REAL NOT NULL DEFAULT 1.0,
    connection_types TEXT NOT NULL DEFAULT '["semantic"]',
    metadata TEXT,
    created_at REAL NOT NULL DEFAULT {EPOCH},
    relationship_type TEXT DEFAULT 'related',
    PRIMARY KEY (source_hash, target_hash)
);
INSERT INTO memories (content_hash, content, tags, memory_type, created_at, deleted_at, parent_id,
    superseded_by) VALUES
    ('h3', 'Deploys to Render', 'critical', 'decision', {EPOCH} + 60, NULL, NULL, 'h4'),
    ('h4', 'Deploys to Render, in Frankfurt', 'draft', 'decision', {EPOCH} + 120, NULL, 'h3', NULL),
    ('h5', 'A secret that was removed', '', 'note', {EPOCH}, {EPOCH} + 1, NULL, NULL),
    ('h6', 'Lost to a memory that is gone', '', 'note', {EPOCH}, NULL, NULL, 'h9');
INSERT INTO memory_graph (source_hash, target_hash, relationship_type, metadata) VALUES
    ('h1', 'h2', 'related', NULL), ('h2', 'h1', 'related', NULL),
    ('h4', 'h1', 'causes', NULL),
    ('h1', 'h5', 'follows', NULL),
    ('h1', 'nowhere', 'follows', NULL),
    ('h1', 'Fly.io', 'has_entity', '{{"entity_type": "service"}}');
"""

LIBSQL: Final = f"""
CREATE TABLE entities (
    name TEXT PRIMARY KEY,
    entity_type TEXT NOT NULL,
    created_at DATETIME DEFAULT '{STORED_AT}'
);
CREATE TABLE observations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    entity_name TEXT NOT NULL,
    content TEXT NOT NULL,
    created_at DATETIME DEFAULT '{STORED_AT}',
    FOREIGN KEY (entity_name) REFERENCES entities(name)
);
CREATE TABLE relations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    relation_type TEXT NOT NULL,
    created_at DATETIME DEFAULT '{STORED_AT}'
);
CREATE INDEX idx_observations_entity ON observations(entity_name);
INSERT INTO entities (name, entity_type) VALUES
    ('Project Alpha', 'Project'), ('SQLite', 'Technology'), ('josé_núñez', 'person');
INSERT INTO observations (entity_name, content) VALUES
    ('Project Alpha', 'Started in March 2026'), ('josé_núñez', '我喜欢简洁的回答');
INSERT INTO relations (source, target, relation_type) VALUES ('Project Alpha', 'SQLite', 'uses');
"""

MCP_MEMORY: Final = MCP_MEMORY_FIRST + MCP_MEMORY_LATER
MCP_MEMORY_SERVICE: Final = MCP_MEMORY_SERVICE_FIRST + MCP_MEMORY_SERVICE_LATER

STORES: Final = {
    "mcp-memory": MCP_MEMORY,
    "mcp-memory-graph": MCP_MEMORY_GRAPH,
    "mcp-memory-service": MCP_MEMORY_SERVICE,
    "libsql": LIBSQL,
}


def store(path: Path, *scripts: str) -> Path:
    """Return the path of a new database, after it was closed properly."""
    with closing(sqlite3.connect(path)) as connection:
        for script in scripts:
            connection.executescript(script)
    return path


@contextmanager
def in_use(path: Path, script: str) -> Iterator[sqlite3.Connection]:
    """Give a connection that keeps what a script wrote in its write-ahead log."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.executescript(script)
        yield connection


def found_in(source: Format, path: Path) -> list[Found]:
    """Return what a store holds, with the places."""
    return [item for item in source.read(path) if isinstance(item, Found)]


def records(source: Format, path: Path) -> list[Any]:
    """Return the records that a store holds."""
    return [found.record for found in found_in(source, path)]


def refusals(source: Format, path: Path) -> list[tuple[str, str, str]]:
    """Return place, kind and reason of everything that is no record."""
    items = source.read(path)
    return [(i.place, i.kind, i.reason) for i in items if isinstance(i, Refused)]


def said(found: Iterable[Any]) -> dict[str, list[str]]:
    """Return the observations that hold, by entity."""
    texts: dict[str, list[str]] = {}
    for record in found:
        if isinstance(record, Entity):
            texts.setdefault(record.name, []).extend(record.observations)
    return texts


def types(found: Iterable[Any]) -> dict[str, set[str | None]]:
    """Return the types that are said of each entity."""
    kinds: dict[str, set[str | None]] = {}
    for record in found:
        if isinstance(record, Entity):
            kinds.setdefault(record.name, set()).add(record.entity_type)
    return kinds


def relations(found: Iterable[Any]) -> list[tuple[str, str, str]]:
    """Return the relations, in order."""
    return [record.key for record in found if isinstance(record, Relation)]


def history(found: Iterable[Any]) -> list[Superseded]:
    """Return what is superseded, in order."""
    return [record for record in found if isinstance(record, Superseded)]


def progress(source: Format, path: Path) -> list[float]:
    """Return how far the reading said it was."""
    return [item.part for item in source.read(path) if isinstance(item, Reached)]


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return the bytes and the time of change of every file in a folder."""
    return {p.name: (p.read_bytes(), p.stat().st_mtime_ns) for p in folder.iterdir()}
