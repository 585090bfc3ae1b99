"""Situations in which a process dies, or the system refuses: a folder, then the calls to make."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from faultlab import Call, make, snapshot_of

START: Final[tuple[Call, ...]] = (
    ("create_entities", {"Ada": ["likes tea", "works at night"], "Bob": ["naïve — “quotes”"]}),
    ("create_entities", {"Cy": []}),
    ("create_relations", [["Ada", "Bob", "knows"], ["Bob", "Cy", "knows"], ["Cy", "Ada", "knows"]]),
)

ADA: Final[Call] = ("create_entities", {"Ada": ["likes tea"]})
LINES: Final[Call] = ("add_observations", {"Ada": ["one", "two", "three"]})
LATER: Final[Call] = ("add_observations", {"Ada": ["four"]})

TORN: Final = b'{"type":"entity","name":"Ada","entityType":"thing","observations":["torn'

DOCUMENT: Final = json.dumps(
    {
        "entities": [{"name": "Ada", "entityType": "person", "observations": ["likes tea"]}],
        "relations": [{"from": "Ada", "to": "Ada", "relationType": "is"}],
    },
    indent=2,
).encode()


BACKUP: Final = "memory.jsonl.bak-20260101T000000Z"
NEWER: Final = "said after the backup"


def observations_of_ada(path: Path) -> tuple[str, ...]:
    """Return what is said of Ada, as a process that just started reads it."""
    entities, _ = snapshot_of(path)
    return next(texts for name, _, texts in entities if name == "Ada")


@dataclass(frozen=True, slots=True)
class Scenario:
    """A file that `prepare` makes, then the calls that a fault meets."""

    name: str
    prepare: Callable[[Path], None]
    calls: tuple[Call, ...]
    kept: bytes = b""
    """Bytes that must stay somewhere in the folder, whatever happens."""
    place: str = "memory.jsonl"


def _nothing(_path: Path) -> None:
    pass


def a_log(path: Path) -> None:
    make(path, START)


def a_log_with_a_torn_call(path: Path) -> None:
    a_log(path)
    with path.open("ab") as file:
        file.write(TORN)


def a_log_without_a_final_newline(path: Path) -> None:
    """Make what server-memory leaves."""
    a_log(path)
    path.write_bytes(path.read_bytes().rstrip(b"\n"))


def a_log_of_dead_lines(path: Path) -> None:
    make(path, START)
    text = "said and taken back " * 20
    said = {"type": "entity", "name": "Ada", "entityType": "thing", "observations": [text]}
    removed = {"type": "tombstone", "of": "observation", "name": "Ada", "observations": [text]}
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{json.dumps(line)}\n" for line in [said, removed] * 40)


def a_log_and_an_older_backup(path: Path) -> None:
    a_log(path)
    path.with_name(BACKUP).write_bytes(path.read_bytes())
    make(path, [("add_observations", {"Ada": [NEWER]})])


def a_document(path: Path) -> None:
    path.write_bytes(DOCUMENT)


SCENARIOS: Final = (
    Scenario(
        "the first write",
        _nothing,
        (
            ("create_entities", {"Ada": ["one", "two"], "Bob": []}),
            ("add_observations", {"Bob": ["x"]}),
        ),
        place="new/folder/memory.jsonl",
    ),
    Scenario(
        "appends of several lines",
        a_log,
        (
            ("add_observations", {"Ada": ["three", "four"], "Cy": ["five"]}),
            ("delete_entities", ["Ada", "Cy"]),
            ("create_entities", {"Ada": ["again"]}),
        ),
    ),
    Scenario(
        "a torn call is set aside",
        a_log_with_a_torn_call,
        (("add_observations", {"Ada": ["three", "four"]}),),
        kept=TORN,
    ),
    Scenario(
        "a compaction that was asked for",
        a_log_of_dead_lines,
        (("compact", None), ("add_observations", {"Ada": ["three", "four"]})),
    ),
    Scenario(
        "a compaction that a write is due",
        a_log_of_dead_lines,
        (("add_observations", {"Ada": ["three", "four"]}), ("delete_entities", ["Ada", "Bob"])),
    ),
    Scenario(
        "a document becomes a log",
        a_document,
        (("create_entities", {"Bob": ["one"], "Cy": []}), ("delete_entities", ["Ada", "Bob"])),
        kept=DOCUMENT,
    ),
    Scenario(
        "a fresh start",
        a_log,
        (("initialize_memory", "fresh"), ("create_entities", {"Bob": ["one"], "Cy": []})),
    ),
    Scenario(
        "a backup",
        a_log,
        (("back_up", None), ("add_observations", {"Ada": ["three", "four"]}), ("back_up", None)),
    ),
    Scenario(
        "a restore",
        a_log_and_an_older_backup,
        (("restore", BACKUP), ("add_observations", {"Ada": ["three", "four"]})),
        kept=NEWER.encode(),
    ),
    Scenario(
        "a first call behind a line without its newline",
        a_log_without_a_final_newline,
        (("add_observations", {"Ada": ["three", "four"], "Bob": ["five"]}),),
    ),
)
