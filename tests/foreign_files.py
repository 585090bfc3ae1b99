"""Memory files that others wrote, and what our server says of them."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from mnemolog.memory import Memory
from mnemolog.records import UNTAGGED, Entity
from mnemolog.requests import NewEntity
from mnemolog.store.location import Settings
from mnemolog.store.log import Log

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone(timedelta(hours=1)))
BOAT = b'{"type":"entity","name":"Boat","entityType":"vessel","observations":["is red"]}\n'
PIER = b'{"type":"entity","name":"Pier","entityType":"structure","observations":["of stone"]}\n'


def memory_at(path: Path) -> Memory:
    return Memory.open(Settings(str(path), None), path.parent, lambda: NOW)


def texts_in(path: Path) -> dict[str, tuple[str, ...]]:
    return {e.name: e.observations for e in memory_at(path).read_graph().entities}


def problems_in(path: Path) -> list[tuple[int, str]]:
    return [(p.line, p.reason) for p in memory_at(path).read_graph().problems or ()]


def create_oar(path: Path) -> None:
    memory_at(path).create_entities([NewEntity("Oar", "tool", ("is new",))], "codex")


def said(name: str, *texts: str) -> Entity:
    return Entity(name, "thing", texts, UNTAGGED)


STRANGE_LINES = {
    "conflict markers": b"<<<<<<< HEAD\n=======\n>>>>>>> feature\n",
    "a comment": b"# what follows is about boats\n",
    "a duplicate key": b'{"type":"entity","name":"Buoy","name":"Boat","observations":["x"]}\n',
    "NaN": b'{"type":"entity","name":"Buoy","depth":NaN}\n',
    "deep nesting": b'{"type":"entity","name":"Buoy","a":' + b"[" * 50_000 + b"]" * 50_000 + b"}\n",
    "an entity without a name": b'{"type":"entity","entityType":"x","observations":["y"]}\n',
    "UTF-16 in the middle": '{"type":"entity","name":"Buoy"}'.encode("utf-16") + b"\n",
    "Latin-1": '{"type":"entity","name":"Muelle Peñón"}\n'.encode("latin-1"),
    "zeros": b"\0" * 4096 + b"\n",
    "half a line in the middle": b'{"type":"entity","name":"Bu\n',
    "a tombstone of nothing known": b'{"type":"tombstone","name":"Boat"}\n',
    "a very long number": b'{"type":"entity","name":"Buoy","depth":' + b"9" * 9000 + b"}\n",
}
each_strange_line = pytest.mark.parametrize("strange", STRANGE_LINES.values(), ids=STRANGE_LINES)


def log_at(path: Path) -> Log:
    return Log(path, read_document=lambda _content: None, may_compact=lambda: True)
