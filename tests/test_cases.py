"""Faults and habits of real memory files: each is read, written on and compacted without a loss.

`cases` has the files: what a reader must see of each, and which bytes must be left, in the file or
beside it, after anything that we do to it.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from cases import CASES, MARKER, ROWS, TORN, Case, Entities, Relations, lines
from mnemolog.errors import UnreadableMemory
from mnemolog.jsonl import read_line
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity, NewObservations, ObservationDeletion
from mnemolog.results import GraphResult, SearchResults
from mnemolog.store.location import Settings

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone(timedelta(hours=1)))

each_case = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.jsonl"


def memory_at(path: Path) -> Memory:
    return Memory.open(Settings(str(path), None), path.parent, lambda: NOW)


def entities_of(graph: GraphResult | SearchResults) -> Entities:
    return [(e.name, e.entity_type, list(e.observations)) for e in graph.entities]


def relations_of(graph: GraphResult) -> Relations:
    return [relation.key for relation in graph.relations]


def written_on(entities: Entities) -> Entities:
    """What must be read once the first entity has one more fact and there is a new entity."""
    name, kind, texts = entities[0]
    return [(name, kind, [*texts, "was painted"]), *entities[1:], ("Oar", "tool", ["is new"])]


def write_on(memory: Memory) -> None:
    name = memory.read_graph().entities[0].name
    memory.add_observations([NewObservations(name, ("was painted",))], "codex")
    memory.create_entities([NewEntity("Oar", "tool", ("is new",))], "codex")


def everything_beside(path: Path) -> bytes:
    """The file, and whatever was set aside."""
    return b"".join(found.read_bytes() for found in sorted(path.parent.glob(f"{path.name}*")))


@each_case
def test_a_file_of_this_kind_is_read_and_reading_changes_nothing(case: Case, path: Path) -> None:
    path.write_bytes(case.content)
    graph = memory_at(path).read_graph()
    assert entities_of(graph) == case.entities
    assert relations_of(graph) == case.relations
    assert tuple(problem.line for problem in graph.problems or ()) == case.problem_lines
    assert path.read_bytes() == case.content
    assert list(path.parent.iterdir()) == [path]


@each_case
def test_every_kind_of_read_succeeds(case: Case, path: Path) -> None:
    path.write_bytes(case.content)
    memory = memory_at(path)
    name, _, texts = case.entities[0]
    assert entities_of(memory.open_nodes([name])) == case.entities[:1]
    found = memory.search_nodes(texts[0])
    assert entities_of(found) == case.entities[:1]


@each_case
def test_a_file_of_this_kind_is_written_on(case: Case, path: Path) -> None:
    path.write_bytes(case.content)
    write_on(memory_at(path))
    graph = memory_at(path).read_graph()
    assert entities_of(graph) == written_on(case.entities)
    assert relations_of(graph) == case.relations
    for survivor in case.must_survive:
        assert survivor in everything_beside(path)


@each_case
def test_a_file_of_this_kind_is_compacted(case: Case, path: Path) -> None:
    path.write_bytes(case.content)
    write_on(memory_at(path))
    memory_at(path).upkeep.compact()
    memory_at(path).upkeep.compact()
    graph = memory_at(path).read_graph()
    assert entities_of(graph) == written_on(case.entities)
    assert relations_of(graph) == case.relations
    for survivor in case.must_survive:
        assert survivor in everything_beside(path)


@each_case
def test_an_untouched_file_of_this_kind_is_compacted(case: Case, path: Path) -> None:
    path.write_bytes(case.content)
    memory_at(path).upkeep.compact()
    graph = memory_at(path).read_graph()
    assert entities_of(graph) == case.entities
    assert relations_of(graph) == case.relations
    for survivor in case.must_survive:
        assert survivor in everything_beside(path)


@each_case
def test_what_is_appended_starts_on_a_line_of_its_own(case: Case, path: Path) -> None:
    path.write_bytes(case.content)
    write_on(memory_at(path))
    *_, fact, entity_line = path.read_bytes().splitlines()
    assert [len(read_line(raw).records) for raw in (fact, entity_line)] == [1, 1]


@each_case
def test_only_a_document_is_converted_and_its_bytes_are_kept(case: Case, path: Path) -> None:
    path.write_bytes(case.content)
    write_on(memory_at(path))
    backups = list(path.parent.glob("memory.jsonl.bak-*"))
    if case.is_document:
        assert [backup.read_bytes() for backup in backups] == [case.content]
    else:
        assert not backups
        assert path.read_bytes().startswith(case.content.removesuffix(TORN))


@each_case
def test_what_a_file_of_this_kind_says_can_be_removed(case: Case, path: Path) -> None:
    path.write_bytes(case.content)
    name, kind, texts = case.entities[0]
    memory = memory_at(path)
    memory.delete_observations([ObservationDeletion(name, (texts[0],))], "codex")
    assert entities_of(memory_at(path).read_graph())[0] == (name, kind, texts[1:])
    memory_at(path).delete_entities([name], "codex")
    memory_at(path).upkeep.compact()
    assert entities_of(memory_at(path).read_graph()) == case.entities[1:]


def test_the_marker_stays_the_first_line(path: Path) -> None:
    path.write_bytes(CASES["the marker of mcp-knowledge-graph"].content)
    write_on(memory_at(path))
    memory_at(path).delete_entities(["Boat", "Pier"], "codex")
    memory_at(path).upkeep.compact()
    assert path.read_bytes().startswith(MARKER + b"\n")


def test_one_append_to_a_file_without_a_final_newline_makes_one_more_line(path: Path) -> None:
    path.write_bytes(CASES["no final newline"].content)
    memory_at(path).create_entities([NewEntity("Oar", "tool", ())], "codex")
    assert [len(read_line(raw).records) for raw in path.read_bytes().splitlines()] == [1, 1, 1]


def test_the_torn_fragment_is_set_aside_byte_for_byte(path: Path) -> None:
    path.write_bytes(CASES["a torn tail"].content)
    write_on(memory_at(path))
    (aside,) = path.parent.glob("memory.jsonl.torn-*")
    assert aside.read_bytes() == TORN
    assert TORN not in path.read_bytes()


def test_a_log_of_rows_is_read_as_empty_and_never_written_to(path: Path) -> None:
    path.write_bytes(lines(*ROWS))
    memory = memory_at(path)
    assert entities_of(memory.read_graph()) == []
    with pytest.raises(UnreadableMemory) as refused:
        memory.create_entities([NewEntity("Oar", "tool", ())], "codex")
    assert "line 1" in str(refused.value)
    assert "mnemolog import" in str(refused.value)
    with pytest.raises(UnreadableMemory):
        memory.upkeep.compact()
    with pytest.raises(UnreadableMemory):
        memory.add_observations([NewObservations("Boat", ("was painted",))], "codex")
    assert path.read_bytes() == lines(*ROWS)
    assert not list(path.parent.glob("*.bak*"))
