"""A line may hold several records: a JSON graph, or an array, is read as what it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from foreign_files import (
    BOAT,
    PIER,
    create_oar,
    each_strange_line,
    log_at,
    memory_at,
    problems_in,
    said,
    texts_in,
)
from mnemolog.jsonl import encode_call
from mnemolog.records import ObservationTags
from mnemolog.requests import NewObservations

GRAPH = b'{"entities":[%s,%s],"relations":[]}\n' % (BOAT.strip(), PIER.strip())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.jsonl"


@each_strange_line
def test_a_graph_on_a_line_is_read_though_another_line_cannot_be(
    strange: bytes, path: Path
) -> None:
    path.write_bytes(GRAPH + strange)
    assert texts_in(path) == {"Boat": ("is red",), "Pier": ("of stone",)}
    assert [number for number, _ in problems_in(path)] == list(range(2, 2 + strange.count(b"\n")))
    create_oar(path)
    memory_at(path).upkeep.compact()
    assert texts_in(path) == {"Boat": ("is red",), "Pier": ("of stone",), "Oar": ("is new",)}
    assert path.read_bytes().startswith(GRAPH + strange)


def test_a_graph_on_a_line_stays_one_for_those_who_read_it_later(path: Path) -> None:
    path.write_bytes(GRAPH + b'{"type":"entity","na')
    create_oar(path)
    memory_at(path).delete_entities(["Boat"], "codex")
    assert texts_in(path) == {"Pier": ("of stone",), "Oar": ("is new",)}
    with path.open("ab") as file:
        file.write(encode_call((said("Gull"), said("Tern"))).partition(b"\n")[0] + b"\n")
    # Half of a call is there, and does not count.
    assert list(texts_in(path)) == ["Pier", "Oar"]
    assert not list(path.parent.glob("memory.jsonl.bak-*"))


def test_a_graph_on_a_line_goes_with_the_last_thing_that_it_says(path: Path) -> None:
    path.write_bytes(PIER + b'{"entities":[%s],"drawn_by":"Ann"}\n' % BOAT.strip())
    memory_at(path).add_observations([NewObservations("Boat", ("is red",))], "codex")
    memory_at(path).upkeep.compact()
    assert b"Ann" in path.read_bytes()
    memory_at(path).delete_entities(["Boat"], "codex")
    memory_at(path).upkeep.compact()
    assert path.read_bytes() == PIER


def test_what_stands_beside_the_records_of_a_graph_is_never_dropped(path: Path) -> None:
    graph = b'{"entities":[%s,"of whom more later"]}\n' % BOAT.strip()
    path.write_bytes(PIER + graph)
    memory_at(path).delete_entities(["Boat"], "codex")
    memory_at(path).upkeep.compact()
    assert graph in path.read_bytes()
    assert texts_in(path) == {"Pier": ("of stone",)}


def test_a_line_of_an_unknown_type_is_not_shown_whatever_it_holds(path: Path) -> None:
    path.write_bytes(PIER + b'{"type":"sketch","entities":[%s]}\n' % BOAT.strip())
    assert texts_in(path) == {"Pier": ("of stone",)}


def test_dates_and_history_of_an_exported_entity_are_read_on_a_line(path: Path) -> None:
    exported = (
        b'{"entities":[{"name":"Boat","entityType":"vessel","observations":["is red"],'
        b'"observation_tags":[{"added_at":"2026-01-01T00:00:00+01:00","agent":"codex"}],'
        b'"superseded":[{"text":"is green","superseded_by":"codex"}]}]}\n'
    )
    path.write_bytes(exported + b"# a note\n")
    graph = log_at(path).read()
    tags = ObservationTags("2026-01-01T00:00:00+01:00", "codex")
    assert graph.entities["Boat"].observations == {"is red": tags}
    assert list(graph.superseded["Boat"]) == ["is green"]
