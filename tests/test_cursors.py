"""A cursor goes on with its read at any size; one from before a restart is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog.answers.excerpts import Scope
from mnemolog.errors import InvalidRequest
from mnemolog.json_text import json_text
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


def test_a_page_has_the_size_that_its_call_names(memory: Memory) -> None:
    cursor = memory.read_graph(Scope(limit=2)).cursor
    assert len(memory.read_graph(Scope(limit=5), cursor).entities) == 5
    short = memory.read_graph(Scope(max_chars=600), cursor)
    assert short.entities
    assert len(json_text(short)) <= 600
    cursor = memory.search_nodes("red", Scope(limit=2)).cursor
    assert len(memory.search_nodes("red", Scope(limit=5), cursor).hits) == 5
    short_search = memory.search_nodes("red", Scope(max_chars=600), cursor)
    assert short_search.hits
    assert len(json_text(short_search)) <= 600


def test_a_page_whose_call_names_no_size_is_as_long_as_the_one_before(memory: Memory) -> None:
    with memory.location.path.open("ab") as file:
        file.write(b"".join(b'{"broken %d\n' % n for n in range(30)))
    size = Scope(limit=3, max_chars=1_500)
    read, found = memory.read_graph(size), memory.search_nodes("red", size)
    for _ in range(2):
        read = memory.read_graph(Scope(), read.cursor)
        found = memory.search_nodes("red", Scope(), found.cursor)
        assert (len(read.entities), len(found.hits)) == (3, 3)
        assert max(len(json_text(read)), len(json_text(found))) <= 1_500
        assert read.problems


def test_a_search_goes_on_with_whatever_its_cursor_is_of(memory: Memory) -> None:
    size = Scope(limit=2)
    cursor = memory.search_nodes("red", size).cursor
    assert len(memory.search_nodes("", size, cursor).hits) == 2
    cursor = memory.search_nodes("", size).cursor
    assert len(memory.search_nodes("red", size, cursor).entities) == 2
