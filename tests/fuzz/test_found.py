"""What fuzzing has found, each as the promise that it broke."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest

import sqlite_stores
from imports import memory_in
from mnemolog.answers.excerpts import Scope
from mnemolog.errors import UnreadableSource
from mnemolog.interchange.formats import by_name
from mnemolog.interchange.sources import Refused
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity

_LARGE = 200_000
_SERVICE = "mcp-memory-service"


@pytest.fixture
def traced() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


def test_a_limit_beyond_any_number_is_none(tmp_path: Path) -> None:
    memory = memory_in(tmp_path)
    memory.create_entities([NewEntity("Lamp", "thing", ())], "tester")
    found = memory.search_nodes("Lamp", Scope(limit=1 << 70))
    assert [entity.name for entity in found.entities] == ["Lamp"]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("thing", "the lamp of desk NUMBER is on. " * (_LARGE // 31)),
        ("thing", "NUMBER" + "a" * _LARGE + "s"),
        ("NUMBER" + "a" * _LARGE, "is on"),
    ],
    ids=["long text", "long word", "long type"],
)
@pytest.mark.usefixtures("traced")
def test_large_texts_that_are_gone_take_no_memory(kind: str, text: str, tmp_path: Path) -> None:
    memory = memory_in(tmp_path)
    memory.create_entities([NewEntity("Desk", "thing", ("is on",))], "tester")
    _say_and_delete(memory, kind, text, range(3))
    before, _ = tracemalloc.get_traced_memory()
    _say_and_delete(memory, kind, text, range(3, 13))
    after, _ = tracemalloc.get_traced_memory()
    assert after - before < 5 * _LARGE


def _say_and_delete(memory: Memory, kind: str, text: str, numbers: range) -> None:
    for number in numbers:
        said = (kind.replace("NUMBER", str(number)), (text.replace("NUMBER", str(number)),))
        memory.create_entities([NewEntity("Lamp", *said)], "tester")
        memory.delete_entities(["Lamp"], "tester")
    memory.initialize_memory("adopt", "tester")  # nothing can be taken back any more
    memory.upkeep.compact()
    memory.read_graph()
    gc.collect()


@pytest.mark.parametrize("place", [2681, 3125, 3506], ids=["table", "column", "page"])
def test_a_database_that_is_damaged_where_it_says_what_it_holds_is_refused_with_a_reason(
    place: int, tmp_path: Path
) -> None:
    path = sqlite_stores.store(tmp_path / "store.db", sqlite_stores.STORES[_SERVICE])
    damaged = bytearray(path.read_bytes())
    damaged[place] = 0xFF
    path.write_bytes(damaged)
    assert any("damaged" in reason for reason in _reasons_in(path))


def _reasons_in(path: Path) -> Iterator[str]:
    try:
        yield from (i.reason for i in by_name(_SERVICE).read(path) if isinstance(i, Refused))
    except UnreadableSource as refusal:
        yield refusal.reason
