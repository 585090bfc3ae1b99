"""Stores of mcp-memory-service (its `sqlite_vec.db`): memories with tags, and a graph over them.

`memories` says how a memory becomes an entity. Its type is the entity's and its tags are related
to it ("untagged" is the server's word for none). Its dates count seconds since 1970; the number
counts where a text beside it says something else, as it does for the server. `agent` is the
`agent_id` of its metadata. What the server's own table of weights puts at the top (`critical`,
`important`, `urgent`) or at the bottom (`draft`, `temporary`) is of high or low priority, and so is
an `importance_score` of that size. Its graph tells one relation an edge; of a symmetric type, which
it stores in both directions, only one. An entity that it found in a memory is one here.

Left behind: what was deleted (with its edges), beliefs, quality scores, the names of stores within
the file, embeddings. Schema 19 (version 12) is the newest one known; older ones lack the graph, the
types of its edges, or supersession.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from mnemolog.interchange.sources import Format, Found, Item, Refused
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
    items,
    list_in,
    object_in,
    opened,
    recognises,
    text_in,
)
from mnemolog.records import Entity, ObservationTags, Priority, Relation, Tags

NEWEST_SCHEMA: Final = 19

_NEEDED: Final[Columns] = {
    "memories": ("content_hash", "content", "tags", "memory_type", "created_at"),
}
_NO_TAG: Final = "untagged"
_HAS_ENTITY: Final = "has_entity"
_RELATED: Final = "related"
_HIGH_TAGS: Final = frozenset({"critical", "important", "urgent"})
_LOW_TAGS: Final = frozenset({"draft", "temporary"})
_HIGH_FROM: Final = 1.4
_LOW_TO: Final = 0.8


def _read(path: Path) -> Iterator[Item]:
    with opened(path, "mcp-memory-service", _NEEDED) as database:
        graph = _edges(database) if database.columns("memory_graph") else None
        database.expect("memories", *(("memory_graph",) if graph else ()))
        yield from _newer_schema(database)
        seen_tags: set[str] = set()
        read = partial(_memory, seen_tags)
        yield from items(database, "memories", _memories(database), read)
        if graph:
            seen_entities: set[str] = set()
            yield from items(database, "memory_graph", graph, partial(_edge, seen_entities))


def _newer_schema(database: Database) -> Iterator[Refused]:
    query = "SELECT rowid, value FROM metadata WHERE key = 'schema_version'"
    row = database.first("metadata", query) if database.columns("metadata") else None
    version = row["value"] if row else None
    if isinstance(version, str) and version.isdecimal() and int(version) > NEWEST_SCHEMA:
        reason = (
            f"schema {version} is newer than the newest one known ({NEWEST_SCHEMA}): what it adds "
            "was not read. Update mnemolog and import again to bring it along."
        )
        yield Refused("metadata schema_version", reason, "skipped")


def _memories(database: Database) -> str:
    column = partial(database.column, "memories")
    superseded_by = column("superseded_by", "m")
    return (
        f"SELECT m.rowid, m.content, m.tags, m.memory_type, {column('metadata', 'm')} AS metadata, "  # noqa: S608 - names of columns
        f"m.created_at, {column('created_at_iso', 'm')} AS created_at_iso, "
        f"{superseded_by} AS superseded_by, w.content AS replaced_by, "
        # Other ways to supersede a memory leave no date.
        f"CASE WHEN {column('parent_id', 'w')} = m.content_hash THEN w.created_at END "
        f"AS replaced_at "
        f"FROM memories m LEFT JOIN memories w ON w.content_hash = {superseded_by} "
        f"AND w.rowid <> m.rowid AND {column('deleted_at', 'w')} IS NULL "
        f"WHERE {column('deleted_at', 'm')} IS NULL ORDER BY m.rowid"
    )


def _memory(seen_tags: set[str], row: Row) -> Iterator[Found]:
    labels = [label for label in list_in(row["tags"]) if label.strip() != _NO_TAG]
    kind = row.text_or_none("memory_type", "type")
    memory = Memory(row.place, row.text("content"), kind, _tags(row, labels))
    if row["superseded_by"]:
        yield from _superseded(memory, row)
    else:
        yield from current(memory)
    yield from tagged(memory, labels, seen_tags)


def _superseded(memory: Memory, row: Row) -> Iterator[Found]:
    at = row.date("replaced_at")
    replaced_by = row.text_or_none("replaced_by", "successor's content")
    yield from superseded(memory, at, replaced_by)
    if replaced_by and name_of(replaced_by) != memory.name:
        relation = Relation(name_of(replaced_by), memory.name, SUPERSEDES, Tags(at, None))
        yield Found(row.place, relation)


def _tags(row: Row, labels: Iterable[str]) -> ObservationTags:
    metadata = object_in(row["metadata"])
    added_at = row.date("created_at") or row.date("created_at_iso")
    priority = _priority(
        metadata.get("importance_score"), {label.strip().lower() for label in labels}
    )
    return ObservationTags(added_at, text_in(metadata.get("agent_id")), priority=priority)


def _priority(importance: Any, labels: set[str]) -> Priority | None:  # noqa: ANN401 - any JSON value
    if isinstance(importance, (int, float)):
        is_high, is_low = importance >= _HIGH_FROM, importance <= _LOW_TO
    else:
        is_high, is_low = bool(labels & _HIGH_TAGS), bool(labels & _LOW_TAGS)
    return "high" if is_high else "low" if is_low else None


def _edges(database: Database) -> str:
    edge_type = (
        f"coalesce({database.column('memory_graph', 'relationship_type', 'e')}, '{_RELATED}')"
    )
    start_deleted = database.column("memories", "deleted_at", "a")
    target_deleted = database.column("memories", "deleted_at", "b")
    return (
        f"SELECT e.rowid, {edge_type} AS edge_type, e.target_hash, e.metadata, e.created_at, "  # noqa: S608 - names of columns
        "a.content AS start, b.content AS target FROM memory_graph e "
        "LEFT JOIN memories a ON a.content_hash = e.source_hash "
        "LEFT JOIN memories b ON b.content_hash = e.target_hash "
        f"WHERE {start_deleted} IS NULL AND {target_deleted} IS NULL "
        f"AND NOT ({edge_type} IN ('related', 'contradicts', 'shares_entity') "
        "AND e.source_hash > e.target_hash AND EXISTS (SELECT 1 FROM memory_graph back "
        "WHERE back.source_hash = e.target_hash AND back.target_hash = e.source_hash)) "
        "ORDER BY e.rowid"
    )


def _edge(seen_entities: set[str], row: Row) -> Iterator[Found]:
    start, edge_type = name_of(row.text("start", "first memory")), row.text("edge_type", "type")
    tags = Tags(row.date("created_at"), None)
    if edge_type == _HAS_ENTITY:
        target = row.text("target_hash", "entity")
        kind = text_in(object_in(row["metadata"]).get("entity_type"))
        own = ObservationTags(tags.added_at, None)
        yield Found(row.place, Entity(target, kind, (), own), more=target in seen_entities)
        seen_entities.add(target)
    else:
        target = name_of(row.text("target", "second memory"))
    if start != target:
        yield Found(row.place, Relation(start, target, edge_type, tags))


def _usual_places(home: Path, _project: Path) -> Iterable[Path]:
    folders = (
        home / ".local" / "share",
        home / "Library" / "Application Support",
        home / "AppData" / "Local",
    )
    return tuple(folder / "mcp-memory" / "sqlite_vec.db" for folder in folders)


def _recognises(path: Path) -> bool:
    return recognises(path, {"memories": ("content_hash", "content")})


FORMAT: Final = Format(
    "mcp-memory-service", "an mcp-memory-service database", _recognises, _read, _usual_places
)
