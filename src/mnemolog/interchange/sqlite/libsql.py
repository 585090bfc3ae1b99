"""Stores of mcp-memory-libsql, which are SQLite files: entities, observations and relations.

They are what ours are. Its dates are UTC. An observation whose entity has no row is still told
with its name, and so are the ends of a relation. Embeddings, which versions before 0.0.16 kept in
the rows of entities, are left behind. A database on a Turso server has to be saved to a file first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from mnemolog.interchange.sources import Format, Found, Item
from mnemolog.interchange.sqlite.sqlite_source import Columns, Row, items, opened, recognises
from mnemolog.records import Entity, ObservationTags, Relation, Tags

_NEEDED: Final[Columns] = {
    "entities": ("name", "entity_type", "created_at"),
    "observations": ("entity_name", "content", "created_at"),
    "relations": ("source", "target", "relation_type", "created_at"),
}
_ENTITIES: Final = "SELECT rowid, name, entity_type, created_at FROM entities ORDER BY rowid"
_OBSERVATIONS: Final = (
    "SELECT o.rowid, o.entity_name, e.entity_type, o.content, o.created_at FROM observations o "
    "LEFT JOIN entities e ON e.name = o.entity_name ORDER BY o.rowid"
)
_RELATIONS: Final = (
    "SELECT rowid, source, target, relation_type, created_at FROM relations ORDER BY rowid"
)


def _read(path: Path) -> Iterator[Item]:
    with opened(path, "mcp-memory-libsql", _NEEDED) as database:
        database.expect(*_NEEDED)
        yield from items(database, "entities", _ENTITIES, _entity)
        yield from items(database, "observations", _OBSERVATIONS, _observation)
        yield from items(database, "relations", _RELATIONS, _relation)


def _entity(row: Row) -> Iterator[Found]:
    name, entity_type = row.text("name"), row.text_or_none("entity_type", "type")
    yield Found(row.place, Entity(name, entity_type, (), _tags(row)))


def _observation(row: Row) -> Iterator[Found]:
    name, entity_type = row.text("entity_name", "entity"), row.text_or_none("entity_type", "type")
    yield Found(row.place, Entity(name, entity_type, (row.text("content"),), _tags(row)), more=True)


def _relation(row: Row) -> Iterator[Found]:
    source, target = row.text("source"), row.text("target")
    tags = Tags(row.date("created_at"), None)
    yield Found(row.place, Relation(source, target, row.text("relation_type", "type"), tags))


def _tags(row: Row) -> ObservationTags:
    return ObservationTags(row.date("created_at"), None)


def _usual_places(home: Path, project: Path) -> Iterable[Path]:
    # Unless it is told otherwise it writes where it was started.
    return (project / "memory-tool.db", home / "memory-tool.db")


def _recognises(path: Path) -> bool:
    return recognises(path, {"entities": ("name",), "observations": ("entity_name", "content")})


FORMAT: Final = Format("libsql", "an mcp-memory-libsql database", _recognises, _read, _usual_places)
