"""Imports for tests: what files of JSON bring to an empty memory, and the memories around them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime, timedelta, timezone
from io import BytesIO
from pathlib import Path
from typing import Any

from mnemolog.edits.edit import LARGEST_TEXT_BYTES
from mnemolog.graph import Graph
from mnemolog.importing.intake import batch_of
from mnemolog.interchange.json_logs.final_state import final_state
from mnemolog.interchange.json_logs.json_stores import items_in
from mnemolog.interchange.sources import Found, Item, Refused
from mnemolog.memory import Memory
from mnemolog.records import UNTAGGED, Entity, ObservationTags, Record, Relation, Superseded
from mnemolog.results import ImportReport
from mnemolog.store.location import Settings

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone(timedelta(hours=1)))

TAGS = ObservationTags("2025-11-05T10:00:00+01:00", "codex")
LATER = ObservationTags("2025-12-05T10:00:00+01:00", "cursor")


def bring(folder: Path, source: Path, **options: Any) -> ImportReport:
    """Import a store into the memory in a folder."""
    return memory_in(folder).upkeep.import_from(source, "cli", **options)


def items_of(content: bytes) -> list[Item]:
    """Return what a file of JSON says."""
    return list(items_in(BytesIO(content), len(content)))


def refusals_of(content: bytes) -> list[tuple[str, str, str]]:
    """Return what of a file of JSON is no record: place, kind, reason."""
    return [(i.place, i.kind, i.reason) for i in items_of(content) if isinstance(i, Refused)]


def records_imported(content: bytes) -> tuple[Record, ...]:
    """Return what an empty memory holds after the import of a file of JSON."""
    found = [item.record for item in items_of(content) if isinstance(item, Found)]
    return final_state(batch_of(found)(Graph()).records)


def json_lines(*values: Any) -> bytes:
    """Return a line of JSON for each value."""
    return b"".join(json.dumps(value, ensure_ascii=False).encode() + b"\n" for value in values)


def entity(name: str, *texts: str, kind: str = "device") -> dict[str, Any]:
    """Return an entity as server-memory writes it."""
    return {"type": "entity", "name": name, "entityType": kind, "observations": list(texts)}


def relation(source: str, target: str, kind: str = "uses") -> dict[str, Any]:
    """Return a relation as server-memory writes it."""
    return {"type": "relation", "from": source, "to": target, "relationType": kind}


def memory_in(folder: Path) -> Memory:
    """Return a memory that is kept in a folder, its clock stopped."""
    return Memory.open(Settings(str(folder / "memory.jsonl"), None), folder, lambda: NOW)


def written(path: Path, *values: Any) -> Path:
    """Return the path of a file with a line of JSON for each value."""
    path.write_bytes(json_lines(*values))
    return path


def state_of(folder: Path) -> dict[str, Any]:
    """Return everything that the memory in a folder says, in no order."""
    graph = memory_in(folder).upkeep._file.read()  # noqa: SLF001 - history of what is gone, too
    return {
        "entities": {e.name: (e.entity_type, e.tags, e.observations) for e in graph},
        "relations": graph.relations,
        "history": graph.superseded,
    }


def entries(folder: Path) -> Iterable[tuple[str, int, bytes]]:
    """Return every file below a folder with its time and its bytes."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return [(str(f), f.stat().st_mtime_ns, f.read_bytes()) for f in files]


LARGE = "x" * (LARGEST_TEXT_BYTES + 1)
BAD: dict[str, Any] = {
    "an empty name": Entity("", "t", (), UNTAGGED),
    "no name": Entity(None, "t", (), UNTAGGED),  # type: ignore[arg-type]
    "bytes for a name": Entity(b"\xff", "t", (), UNTAGGED),  # type: ignore[arg-type]
    "half a character in a name": Entity("a\ud800", "t", (), UNTAGGED),
    "a large name": Entity(LARGE, "t", (), UNTAGGED),
    "a number for a type": Entity("A", 7, (), UNTAGGED),  # type: ignore[arg-type]
    "half a character in an agent": Entity("A", "t", (), ObservationTags(None, "\udfff")),
    "a number for a date": Entity("A", "t", (), ObservationTags(7, None)),  # type: ignore[arg-type]
    "an empty end": Relation("A", "", "uses", UNTAGGED),
    "an empty relation type": Relation("A", "B", "", UNTAGGED),
    "half a character in history": Superseded("A", "\ud800", UNTAGGED, None, None),
    "half a character in a reason": Superseded("A", "x", UNTAGGED, None, None, "\ud800"),
}
"""Records that no memory can keep, whatever a store may hold."""
