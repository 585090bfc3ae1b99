"""Faults and habits of real memory files: small files, and what must be seen and left of them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Entities: TypeAlias = list[tuple[str, str, list[str]]]
Relations: TypeAlias = list[tuple[str, str, str]]


def line(**keys: Any) -> bytes:
    return json.dumps(keys, ensure_ascii=False, separators=(",", ":")).encode()


def entity(name: str, kind: str, *texts: str, **more: Any) -> bytes:
    return line(type="entity", name=name, entityType=kind, observations=list(texts), **more)


def relation(source: str, target: str, kind: str, **more: Any) -> bytes:
    return line(type="relation", **{"from": source, "to": target}, relationType=kind, **more)


def lines(*raw: bytes) -> bytes:
    return b"".join(part + b"\n" for part in raw)


BOAT = entity("Boat", "vessel", "has a red hull")
PIER = entity("Pier", "structure", "built of stone")
MOORED = relation("Boat", "Pier", "is_moored_at")
BOAT_READ = ("Boat", "vessel", ["has a red hull"])
PIER_READ = ("Pier", "structure", ["built of stone"])
MOORED_READ = ("Boat", "Pier", "is_moored_at")
TIMES = {"createdAt": "2025-04-01T08:00:00.000Z", "version": 7}


@dataclass(frozen=True)
class Case:
    content: bytes
    entities: Entities = field(default_factory=lambda: [BOAT_READ, PIER_READ])
    relations: Relations = field(default_factory=list)
    must_survive: tuple[bytes, ...] = (BOAT, PIER)
    problem_lines: tuple[int, ...] = ()
    is_document: bool = False


MARKER = line(type="_aim", source="mcp-knowledge-graph")
UNKNOWN = (
    line(type="observation", entityName="Boat", text="sails were mended"),
    line(type="checklist", items={"c1": "look at the ropes"}),
)
TYPELESS = (
    line(
        name="Boat",
        entityType="vessel",
        observations=["has a red hull"],
        _type="entity",
        _savedAt="1",
    ),
    line(
        **{"from": "Boat", "to": "Pier"},
        relationType="is_moored_at",
        _type="relation",
        _savedAt="2",
    ),
    line(name="Pier", entityType="structure", observations=["built of stone"], _type="entity"),
)
RELATION_SPELLINGS = (
    line(type="relation", source="Boat", target="Pier", relationType="is_moored_at"),
    line(type="relation", from_entity="Pier", to_entity="Boat", relationType="shelters"),
    line(type="relation", **{"from": "Boat", "to": "Pier"}, relation="rams"),
    line(type="relation", from1_="Boat", to="Pier", relationType="near"),
)
WRONG_SHAPES = (
    line(
        type="entity", name="Boat", entityType="vessel", observations={"colour": "red", "tons": 4}
    ),
    line(type="entity", name="Pier", entityType="structure", observations="built of stone"),
    line(
        type="entity",
        name="Buoy",
        entityType="mark",
        observations=["floats", 3, None, {"lit": True}],
    ),
    line(type="entity", name="Rope", observations=["hemp"]),
    line(type="entity", name="Gull", kind="bird", facts=["steals fish"]),
)
NAMES = (
    entity("Muelle Peñón", "lugar", "barca n.º 3"),
    entity("Muelle Pen\u0303o\u0301n", "lugar", "the same letters, decomposed"),
    entity("船", "交通", "在码头 ⛵"),
    entity("Причал #1", "place", "построен из камня"),
    entity(" padded name ", "place", "keep the blanks"),
    relation("Muelle Peñón", "船", "has"),
)
SPELLINGS = (
    entity("Sail", "Boat Part", "white"),
    entity("Mast", "boatPart", "of pine"),
    entity("Keel", "boat_part", "of lead"),
    relation("Sail", "Mast", "hangs on"),
    relation("Mast", "Keel", "hangs_on"),
    relation("Keel", "Sail", "HANGS-ON"),
)
DATED = entity(
    "Ferry",
    "service",
    "2026-01-10: sails from pier one",
    "2026-03-02: sails from pier two",
    "Fare is 4",
    "Fare is now 5 (was 4)",
    "[2026-02-01] Status: CLOSED",
    "Status: running",
    "Always ring twice before leaving",
    "Fare is 4 ",
)
GRAPH_OBJECT = {
    "entities": [
        {"name": "Boat", "entityType": "vessel", "observations": ["has a red hull"]},
        {"name": "Pier", "entityType": "structure", "observations": ["built of stone"]},
    ],
    "relations": [{"from": "Boat", "to": "Pier", "relationType": "is_moored_at"}],
}
TORN = b'{"type":"relation","from":"Boa'

CASES = {
    "glued records": Case(lines(BOAT, PIER + MOORED), relations=[MOORED_READ]),
    "no final newline": Case(BOAT + b"\n" + PIER),
    "blank lines": Case(BOAT + b"\n\n   \n" + PIER + b"\n\n\n"),
    "a byte order mark": Case(b"\xef\xbb\xbf" + lines(BOAT, PIER)),
    "the marker of mcp-knowledge-graph": Case(
        lines(MARKER, BOAT, PIER, MOORED),
        relations=[MOORED_READ],
        must_survive=(MARKER, BOAT, PIER, MOORED),
    ),
    "unknown record types": Case(
        lines(BOAT, *UNKNOWN, PIER, MOORED), relations=[MOORED_READ], must_survive=UNKNOWN
    ),
    "_type for type": Case(lines(*TYPELESS), relations=[MOORED_READ], must_survive=TYPELESS),
    "a graph object on one line": Case(
        line(**GRAPH_OBJECT),
        relations=[MOORED_READ],
        must_survive=(line(**GRAPH_OBJECT),),
        is_document=True,
    ),
    "a pretty-printed graph object": Case(
        json.dumps(GRAPH_OBJECT, indent=1).encode(),
        relations=[MOORED_READ],
        must_survive=(json.dumps(GRAPH_OBJECT, indent=1).encode(),),
        is_document=True,
    ),
    "createdAt and version": Case(
        lines(
            entity("Boat", "vessel", "has a red hull", **TIMES),
            PIER,
            relation("Boat", "Pier", "is_moored_at", **TIMES),
        ),
        relations=[MOORED_READ],
        must_survive=(
            entity("Boat", "vessel", "has a red hull", **TIMES),
            relation("Boat", "Pier", "is_moored_at", **TIMES),
        ),
    ),
    "spellings of a relation's keys": Case(
        lines(BOAT, PIER, *RELATION_SPELLINGS),
        relations=[MOORED_READ, ("Pier", "Boat", "shelters"), ("Boat", "Pier", "rams")],
        must_survive=RELATION_SPELLINGS,
        problem_lines=(6,),
    ),
    "observations of the wrong shape": Case(
        lines(*WRONG_SHAPES),
        entities=[
            ("Boat", "vessel", ['{"colour":"red","tons":4}']),
            PIER_READ,
            ("Buoy", "mark", ["floats", "3", '{"lit":true}']),
            ("Rope", "Generic", ["hemp"]),
            ("Gull", "Generic", []),
        ],
        must_survive=WRONG_SHAPES,
    ),
    "duplicate, dangling and self relations": Case(
        lines(
            BOAT,
            MOORED,
            MOORED,
            relation("Boat", "Lighthouse", "steers_by"),
            relation("Boat", "Boat", "replaces"),
            PIER,
        ),
        relations=[MOORED_READ, ("Boat", "Lighthouse", "steers_by"), ("Boat", "Boat", "replaces")],
        must_survive=(
            relation("Boat", "Lighthouse", "steers_by"),
            relation("Boat", "Boat", "replaces"),
        ),
    ),
    "names in any script": Case(
        lines(*NAMES),
        entities=[
            ("Muelle Peñón", "lugar", ["barca n.º 3"]),
            ("Muelle Pen\u0303o\u0301n", "lugar", ["the same letters, decomposed"]),
            ("船", "交通", ["在码头 ⛵"]),
            ("Причал #1", "place", ["построен из камня"]),
            (" padded name ", "place", ["keep the blanks"]),
        ],
        relations=[("Muelle Peñón", "船", "has")],
        must_survive=NAMES,
    ),
    "a torn tail": Case(
        lines(BOAT, PIER) + TORN, must_survive=(BOAT, PIER, TORN), problem_lines=(3,)
    ),
    "spellings of a type": Case(
        lines(*SPELLINGS),
        entities=[
            ("Sail", "Boat Part", ["white"]),
            ("Mast", "boatPart", ["of pine"]),
            ("Keel", "boat_part", ["of lead"]),
        ],
        relations=[
            ("Sail", "Mast", "hangs on"),
            ("Mast", "Keel", "hangs_on"),
            ("Keel", "Sail", "HANGS-ON"),
        ],
        must_survive=SPELLINGS,
    ),
    "dated and contradicting observations": Case(
        lines(DATED),
        entities=[("Ferry", "service", json.loads(DATED)["observations"])],
        must_survive=(DATED,),
    ),
}

ROWS = (
    line(
        entityName="Boat", entityType="vessel", observation="has a red hull", updatedAt="2026-01-05"
    ),
    line(entityName="Boat", entityType="vessel", observation="sails were mended", source="log"),
)
