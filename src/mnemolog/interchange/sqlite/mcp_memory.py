"""Stores of mcp-memory (github.com/Yarlan1503/mcp-memory): a knowledge graph in SQLite.

Entities, observations and relations are what ours are. Its dates are UTC. An observation that has
a `superseded_at` is history here too; what took its place points back at it by `supersedes`. A
relation may carry a `context`, which becomes an observation of the entity it starts from, since
our relations hold no text. A reflection on an entity is an observation by its author.

Left behind: relations that have ended and reflections on no entity (both are reported), the
`status` of an entity, the `kind` of an observation, embeddings and counts of use. Older versions
lack the columns behind the first ones, and may lack `reflections`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Final

from mnemolog.interchange.sources import Format, Found, Item
from mnemolog.interchange.sqlite.sqlite_source import (
    Columns,
    Database,
    Row,
    RowRefused,
    items,
    opened,
    recognises,
)
from mnemolog.records import Entity, ObservationTags, Relation, Superseded, Tags

_NEEDED: Final[Columns] = {
    "entities": ("id", "name", "entity_type", "created_at"),
    "observations": ("id", "entity_id", "content", "created_at"),
    "relations": ("id", "from_entity", "to_entity", "relation_type", "created_at"),
}
_OWN_CONTEXTS: Final = ("Inversa automática de ", "sesión continuación", "documentado en")
"""How the contexts begin that the server writes by itself."""


def _read(path: Path) -> Iterator[Item]:
    with opened(path, "mcp-memory", _NEEDED) as database:
        database.expect(*_NEEDED)
        database.index("observations", "supersedes")
        yield from items(database, "entities", _ENTITIES, _entity)
        read = partial(_observation, database)
        yield from items(database, "observations", _observations(database), read)
        yield from items(database, "relations", _relations(database), _relation)
        if database.columns("reflections"):
            yield from items(database, "reflections", _REFLECTIONS, _reflection)


_ENTITIES: Final = "SELECT id, name, entity_type, created_at FROM entities ORDER BY id"


def _entity(row: Row) -> Iterator[Found]:
    tags = ObservationTags(row.date("created_at"), None)
    yield Found(row.place, Entity(row.text("name"), _entity_type(row), (), tags))


def _entity_type(row: Row) -> str | None:
    return row.text_or_none("entity_type", "type")


def _observations(database: Database) -> str:
    superseded_at = database.column("observations", "superseded_at", "o")
    return (
        "SELECT o.id, o.entity_id, e.name, e.entity_type, o.content, o.created_at, "  # noqa: S608 - names of columns
        f"{superseded_at} AS superseded_at "
        "FROM observations o LEFT JOIN entities e ON e.id = o.entity_id ORDER BY o.id"
    )


_SUCCESSOR: Final = (
    "SELECT id, content FROM observations WHERE entity_id = ? AND supersedes = ? "
    "ORDER BY id LIMIT 1"
)


def _observation(database: Database, row: Row) -> Iterator[Found]:
    name, text = row.text("name", "entity"), row.text("content")
    tags = ObservationTags(row.date("created_at"), None)
    if row["superseded_at"] is None:
        yield Found(row.place, Entity(name, _entity_type(row), (text,), tags), more=True)
        return
    successor = database.first("observations", _SUCCESSOR, row["entity_id"], row["id"])
    replaced_by = successor.text_or_none("content", "successor's content") if successor else None
    at = row.date("superseded_at")
    yield Found(row.place, Superseded(name, text, tags, at, None, replaced_by))


def _relations(database: Database) -> str:
    context, active, ended_at = (
        database.column("relations", column, "r") for column in ("context", "active", "ended_at")
    )
    return (
        f"SELECT r.id, r.relation_type, r.created_at, {context} AS context, {active} AS active, "  # noqa: S608 - names of columns
        f"{ended_at} AS ended_at, a.name AS start, a.entity_type, b.name AS target "
        "FROM relations r LEFT JOIN entities a ON a.id = r.from_entity "
        "LEFT JOIN entities b ON b.id = r.to_entity ORDER BY r.id"
    )


def _relation(row: Row) -> Iterator[Found]:
    start = row.text("start", "first entity")
    target = row.text("target", "second entity")
    relation_type = row.text("relation_type", "type")
    if row["active"] == 0:
        raise RowRefused(f"it ended {row.date('ended_at') or 'at an unknown time'}")
    tags = Tags(row.date("created_at"), None)
    yield Found(row.place, Relation(start, target, relation_type, tags))
    context = row.text_or_none("context")
    if context and not context.startswith(_OWN_CONTEXTS):
        said = (f"{relation_type} {target}: {context}",)
        own = ObservationTags(tags.added_at, None)
        yield Found(row.place, Entity(start, _entity_type(row), said, own), more=True)


_REFLECTIONS: Final = (
    "SELECT r.id, r.target_type, r.author, r.content, r.created_at, e.name, e.entity_type "
    "FROM reflections r LEFT JOIN entities e ON r.target_type = 'entity' AND e.id = r.target_id "
    "ORDER BY r.id"
)


def _reflection(row: Row) -> Iterator[Found]:
    name = row.text_or_none("name")
    if name is None:
        raise RowRefused(f"it reflects on no entity ({row['target_type']})")
    tags = ObservationTags(row.date("created_at"), row.text_or_none("author"))
    said = (row.text("content"),)
    yield Found(row.place, Entity(name, _entity_type(row), said, tags), more=True)


def _usual_places(home: Path, _project: Path) -> Iterable[Path]:
    return (home / ".config" / "opencode" / "mcp-memory" / "memory.db",)


def _recognises(path: Path) -> bool:
    return recognises(path, {"entities": ("name",), "observations": ("entity_id", "content")})


FORMAT: Final = Format("mcp-memory", "an mcp-memory database", _recognises, _read, _usual_places)
