"""Words for the table of sequences: calls, answers, lines, and the reasons why answers differ."""

from __future__ import annotations

import json
from typing import Any, Final

from steps import Call, Json

# --- why we answer otherwise: words of docs/differences.md -------------------------------------

WORDS: Final = "ranks whole words, any of them, in any order"
BLANKS: Final = "nor do blanks"
FOLDING: Final = "Case and accents do not count in any script"
ENDS: Final = "does not create a relation to an entity that does not exist"
ONCE: Final = "What a call says twice is saved once."
HONEST: Final = "the message says what was not found"
ADDS_UP: Final = (
    "An entity that stands on several lines is one entity: its observations add up and the last "
    "type counts. A relation that stands twice is one relation."
)
TOLERANT: Final = "what can be read is read, and what cannot is reported"
INCOMPLETE: Final = (
    "A record that lacks something, or holds another shape, is read as far as it goes."
)
DOCUMENT: Final = "A file in another JSON layout is read"
IDEMPOTENT: Final = "The tools that create and add are marked idempotent"

# --- graphs ------------------------------------------------------------------------------------


def entity(name: str, kind: str = "keeper", *observations: str) -> dict[str, Json]:
    return {"name": name, "entityType": kind, "observations": list(observations)}


def relation(source: str, target: str, kind: str = "trusts") -> dict[str, Json]:
    return {"from": source, "to": target, "relationType": kind}


def graph(*members: dict[str, Json]) -> dict[str, Json]:
    """Return a graph's answer, of entities and relations mixed."""
    return {
        "entities": [member for member in members if "entityType" in member],
        "relations": [member for member in members if "relationType" in member],
    }


NOTHING: Final = graph()

# --- calls -------------------------------------------------------------------------------------


def create(*entities: dict[str, Json]) -> Call:
    return Call("create_entities", {"entities": list(entities)})


def relate(*relations: dict[str, Json]) -> Call:
    return Call("create_relations", {"relations": list(relations)})


def add(name: str, *contents: str) -> Call:
    return add_many((name, contents))


def add_many(*additions: tuple[str, tuple[str, ...]]) -> Call:
    listed = [{"entityName": name, "contents": list(contents)} for name, contents in additions]
    return Call("add_observations", {"observations": listed})


def delete(*names: str) -> Call:
    return Call("delete_entities", {"entityNames": list(names)})


def delete_texts(name: str, *observations: str) -> Call:
    deletion = {"entityName": name, "observations": list(observations)}
    return Call("delete_observations", {"deletions": [deletion]})


def unrelate(*relations: dict[str, Json]) -> Call:
    return Call("delete_relations", {"relations": list(relations)})


def search(query: str) -> Call:
    return Call("search_nodes", {"query": query})


def open_(*names: str) -> Call:
    return Call("open_nodes", {"names": list(names)})


READ: Final = Call("read_graph", {})

# --- answers -----------------------------------------------------------------------------------


def created(*entities: dict[str, Json]) -> Json:
    return {"entities": list(entities)}


def related(*relations: dict[str, Json]) -> Json:
    return {"relations": list(relations)}


def added(*additions: tuple[str, tuple[str, ...]]) -> Json:
    listed = [{"entityName": name, "addedObservations": list(texts)} for name, texts in additions]
    return {"results": listed}


def done(message: str) -> Json:
    return {"success": True, "message": message}


ENTITIES_DELETED: Final = done("Entities deleted successfully")
OBSERVATIONS_DELETED: Final = done("Observations deleted successfully")
RELATIONS_DELETED: Final = done("Relations deleted successfully")


def unknown(name: str) -> str:
    return f"error, not found: {name}"


INVALID: Final = "error, invalid arguments"
UNKNOWN_TOOL: Final = "error, unknown tool"
FAILS: Final = "error"

# --- files -------------------------------------------------------------------------------------


def line(kind: str, member: dict[str, Json], **more: Any) -> bytes:
    """Return a record as server-memory writes it, without a newline."""
    record = {"type": kind, **member, **more}
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()


def lines(*written: bytes) -> bytes:
    """Return the lines as server-memory puts them: the last one has no newline."""
    return b"\n".join(written)


def entity_line(name: str, kind: str = "keeper", *observations: str, **more: Any) -> bytes:
    return line("entity", entity(name, kind, *observations), **more)


def relation_line(source: str, target: str, kind: str = "trusts", **more: Any) -> bytes:
    return line("relation", relation(source, target, kind), **more)
