"""Stores of mcp-memory-graph (0.1.1): memories with a priority and a status, and typed edges.

`memories` says how a memory becomes an entity. Its type is the entity's, its priority the
observation's, its tags are related to it, and its dates are UTC. A `superseded` memory is history:
what replaced it is the first memory that leads to it by a `supersedes` edge. Every edge is a
relation between the two entities, under its own name. What was deleted there, and edges of it,
are not brought back. Authority scores follow from the priority; embeddings are left behind.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from mnemolog.interchange.sources import Format, Found, Item
from mnemolog.interchange.sqlite.memories import (
    SUPERSEDES,
    Memory,
    current,
    name_of,
    superseded,
    tagged,
)
from mnemolog.interchange.sqlite.sqlite_source import (
    Columns,
    Database,
    Row,
    RowRefused,
    items,
    list_in,
    opened,
    recognises,
)
from mnemolog.records import ObservationTags, Priority, Relation, Tags

_NEEDED: Final[Columns] = {
    "memories": (
        *("id", "content", "memory_type", "priority", "status"),
        *("tags", "created_at", "updated_at"),
    ),
    "memory_edges": ("id", "from_id", "to_id", "edge_type", "created_at"),
}
_PRIORITIES: Final[dict[str, Priority]] = {"high": "high", "medium": "medium", "low": "low"}

_MEMORIES: Final = """
    SELECT rowid, id, content, memory_type, priority, status, tags, created_at, updated_at
    FROM memories WHERE status IS NOT 'deleted' ORDER BY rowid
"""
_STILL_HELD: Final = "SELECT rowid FROM memories WHERE content = ? AND status = 'active' LIMIT 1"
_SUCCESSOR: Final = """
    SELECT e.rowid, m.content, e.created_at
    FROM memory_edges e JOIN memories m ON m.id = e.from_id
    WHERE e.to_id = ? AND e.from_id <> e.to_id AND e.edge_type = ? AND m.status <> 'deleted'
    ORDER BY e.created_at, e.id LIMIT 1
"""
_EDGES: Final = """
    SELECT e.rowid, e.from_id = e.to_id AS is_loop, e.edge_type, e.created_at,
        a.content AS start, b.content AS target
    FROM memory_edges e
    LEFT JOIN memories a ON a.id = e.from_id LEFT JOIN memories b ON b.id = e.to_id
    WHERE a.status IS NOT 'deleted' AND b.status IS NOT 'deleted'
    ORDER BY e.rowid
"""


def _read(path: Path) -> Iterator[Item]:
    with opened(path, "mcp-memory-graph", _NEEDED) as database:
        database.expect(*_NEEDED)
        database.index("memories", "content")
        database.index("memory_edges", "to_id")
        seen_tags: set[str] = set()
        yield from items(database, "memories", _MEMORIES, partial(_memory, database, seen_tags))
        yield from items(database, "memory_edges", _EDGES, _edge)


def _memory(database: Database, seen_tags: set[str], row: Row) -> Iterator[Found]:
    memory = Memory(row.place, row.text("content"), row.text_or_none("memory_type"), _tags(row))
    if row["status"] == "active":
        yield from current(memory)
    elif row["status"] == "superseded":
        # Another memory may say the same, and hold.
        if database.first("memories", _STILL_HELD, memory.text):
            return
        yield from superseded(memory, *_replacement(database, row))
    else:
        raise RowRefused(f"its status {row['status']!r} is not known")
    yield from tagged(memory, list_in(row["tags"]), seen_tags)


def _tags(row: Row) -> ObservationTags:
    priority = _PRIORITIES.get(row.text_or_none("priority") or "")
    return ObservationTags(row.date("created_at"), None, priority=priority)


def _replacement(database: Database, row: Row) -> tuple[str | None, str | None]:
    successor = database.first("memory_edges", _SUCCESSOR, row["id"], SUPERSEDES)
    if successor is None:
        return row.date("updated_at"), None
    return successor.date("created_at"), successor.text_or_none("content", "successor's content")


def _edge(row: Row) -> Iterator[Found]:
    if row["is_loop"]:
        raise RowRefused("it leads from a memory to itself")
    start = name_of(row.text("start", "first memory"))
    target = name_of(row.text("target", "second memory"))
    if start == target:  # the same text, stored twice, is one entity
        return
    tags = Tags(row.date("created_at"), None)
    yield Found(row.place, Relation(start, target, row.text("edge_type", "type"), tags))


def _usual_places(home: Path, _project: Path) -> Iterable[Path]:
    return (home / ".mcp-memory-graph" / "memories.db",)


def _recognises(path: Path) -> bool:
    return recognises(path, {"memories": ("content",), "memory_edges": ("from_id", "to_id")})


FORMAT: Final = Format(
    "mcp-memory-graph", "an mcp-memory-graph database", _recognises, _read, _usual_places
)
