"""What must hold for a memory file of any bytes once somebody writes to it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from folders import scratch_folder
from imports import memory_in
from mnemolog.errors import MnemologError
from mnemolog.requests import NewEntity
from mnemolog.store.runs import lines_in

_ADDED: Final = NewEntity("Added by the check", "thing", ("is here",))


def check_memory_file(content: bytes) -> None:
    """A write goes through and keeps every byte somewhere, or is refused and changes nothing."""
    with scratch_folder() as folder:
        path = folder / "memory.jsonl"
        path.write_bytes(content)
        memory = memory_in(folder)
        try:
            before = memory.read_graph()
            memory.create_entities([_ADDED], "tester")
        except MnemologError:
            assert path.read_bytes() == content
            return
        names = {entity.name for entity in memory.read_graph().entities}
        assert names == {entity.name for entity in before.entities} | {_ADDED.name}
        _require_every_stranger(folder, content)
        memory.upkeep.compact()
        assert memory.read_graph().entities == memory_in(folder).read_graph().entities
        _require_every_stranger(folder, content)


def _require_every_stranger(folder: Path, content: bytes) -> None:
    kept = b"\n".join(path.read_bytes() for path in sorted(folder.iterdir()))
    for placed in lines_in(content):
        if placed.line.has_unknown or placed.line.problem:
            assert content[placed.start : placed.end].removesuffix(b"\n") in kept
