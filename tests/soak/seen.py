"""What a memory says now, taken apart by whose it is."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from mnemolog.answers.excerpts import Scope
from mnemolog.declarations import to_wire
from mnemolog.memory import Memory
from mnemolog.store.location import Settings
from model import PLAIN, RELATED, SHARED, SUPERSEDED, State, Thing

COMMONS: Final = "Commons"
"""How the entities begin that everybody renames, merges and deletes."""

_SHOWN: Final = 12


def states_in(graph: Mapping[str, Any]) -> dict[str, State]:
    """Return what a read shows, as JSON, by owner: the first word of a name or a text."""
    states: dict[str, dict[Thing, str]] = defaultdict(dict)
    for entity in graph["entities"]:
        name = entity["name"]
        if name not in SHARED:
            states[_owner(name)][name,] = entity["entityType"]
        for text, worth in _facts(entity):
            states[_owner(text if name in SHARED else name)][name, text] = worth
    for relation in graph["relations"]:
        key = relation["from"], relation["to"], relation["relationType"]
        states[_owner(key[0])][key] = RELATED
    return dict(states)


def _owner(text: str) -> str:
    return text.partition(" ")[0]


def _facts(entity: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for text, tags in zip(entity["observations"], entity["observation_tags"], strict=True):
        yield text, tags.get("priority", PLAIN)
    for old in entity.get("superseded", ()):
        yield old["text"], SUPERSEDED


def read_file(path: Path) -> dict[str, Any]:
    """Return everything that a memory file says to a process that has just started."""
    memory = Memory.open(Settings(str(path), None), path.parent)
    graph = memory.read_graph(Scope(include_superseded=True, max_chars=0))
    shown: dict[str, Any] = to_wire(graph)
    return shown


def read_content(content: bytes) -> dict[str, Any]:
    """Return everything that a memory file of these bytes says."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "memory.jsonl"
        path.write_bytes(content)
        return read_file(path)


def read_export(printed: bytes) -> dict[str, Any]:
    """Return what an export to JSON says."""
    graph: dict[str, Any] = json.loads(printed)
    return graph


def differences(found: State, allowed: Sequence[State]) -> str:
    """Return in words how a state differs from those that it may be."""
    lines = []
    for number, state in enumerate(allowed, 1):
        missing = [f"missing {t}={v}" for t, v in state.items() if found.get(t) != v]
        extra = [f"unexpected {t}={v}" for t, v in found.items() if state.get(t) != v]
        lines.append(f"against {number} of {len(allowed)}: {_shortened([*missing, *extra])}")
    return "\n  ".join(lines)


def _shortened(lines: Sequence[str]) -> str:
    shown = "; ".join(line[:200] for line in lines[:_SHOWN])
    return shown + (f"; and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else "")


def kept_for_later(folder: Path, place: Path) -> None:
    """Copy a folder to where it outlives the run."""
    shutil.copytree(folder, place, symlinks=True, dirs_exist_ok=True)
