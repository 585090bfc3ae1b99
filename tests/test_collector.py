"""What is made to stay is freed without the collector, which does not look at it any more."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path
from weakref import ref

import pytest

from mnemolog.graph import Graph
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity, NewObservations
from mnemolog.search.index import Index
from mnemolog.store.location import Settings


@pytest.fixture
def _without_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


def graph_of(memory: Memory) -> Graph:
    return memory._file.read()  # noqa: SLF001 - its life is what is tested


@pytest.mark.usefixtures("_without_collector")
def test_the_graph_of_a_replaced_file_is_freed_with_all_that_followed_it(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    memory = Memory.open(Settings(str(path), None), tmp_path)
    memory.create_entities([NewEntity("deploys", "service", ("run on Fly.io",))], "agent")
    memory.search_nodes("fly", expand=True)
    memory.add_observations([NewObservations("deploys", ("run in Paris",))], "agent")
    before = ref(graph_of(memory))
    other = tmp_path / "other.jsonl"
    other.write_bytes(path.read_bytes().replace(b"Paris", b"Lyon"))
    other.replace(path)
    assert memory.search_nodes("lyon").hits[0].text == "run in Lyon"
    memory.add_observations([NewObservations("deploys", ("are watched",))], "agent")
    assert before() is None


@pytest.mark.usefixtures("_without_collector")
def test_an_index_is_freed_with_all_its_words() -> None:
    graph = Graph()
    index = Index(graph)
    words = ref(index._corpus.lexicon)  # noqa: SLF001 - as above
    graph.watch(index)
    del index
    assert words() is None


def test_what_is_loaded_is_left_out_of_later_collections(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    memory = Memory.open(Settings(str(path), None), tmp_path)
    memory.create_entities([NewEntity(f"n{n}", "x", (f"fact {n}",)) for n in range(500)], "agent")
    before = gc.get_freeze_count()
    other = Memory.open(Settings(str(path), None), tmp_path)
    other.search_nodes("fact")
    assert gc.get_freeze_count() > before + 500
    assert gc.isenabled()
