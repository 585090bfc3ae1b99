"""A cursor from before a restart is refused, and never taken for another one."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog.answers.excerpts import Scope
from mnemolog.errors import InvalidRequest
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity
from mnemolog.store.location import Settings


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = Memory.open(Settings(str(tmp_path / "m.jsonl"), None), tmp_path)
    texts = [(f"e{n}", ("is red" if n % 2 else "is green",)) for n in range(20)]
    memory.create_entities([NewEntity(name, "thing", said) for name, said in texts], "ada")
    return memory


def test_a_searchs_cursor_from_before_a_restart_leads_nowhere_else(memory: Memory) -> None:
    """Both servers count their searches from one: a page of another is worse than none."""
    restarted, scope = Memory(memory.location), Scope(limit=2)
    cursor = memory.search_nodes("red", scope).cursor
    assert restarted.search_nodes("green", scope).cursor
    with pytest.raises(InvalidRequest, match="expired"):
        restarted.search_nodes("red", scope, cursor)
    assert memory.search_nodes("red", scope, cursor).hits


def test_a_reads_cursor_from_before_a_restart_leads_nowhere_else(memory: Memory) -> None:
    restarted, scope = Memory(memory.location), Scope(limit=2)
    cursor = memory.read_graph(scope).cursor
    assert restarted.open_nodes(["e1", "e2", "e3"], scope).cursor
    with pytest.raises(InvalidRequest, match="expired"):
        restarted.read_graph(scope, cursor)
    assert memory.read_graph(scope, cursor).entities
