"""Out to the real server-memory, and back again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import their_server
from exported_graphs import NAMES, TEXTS, awkward_graph
from mnemolog.interchange.exporting import server_memory
from mnemolog.memory import Memory
from mnemolog.results import GraphResult
from mnemolog.store.location import Settings
from stdio_client import serving
from their_server import add_a_shade

theirs = their_server.theirs


def exported_to(path: Path) -> Path:
    text = "".join(server_memory.pieces(awkward_graph()))
    path.write_text(text, encoding="utf-8", newline="\n")
    return path


def imported(path: Path) -> GraphResult:
    folder = path.parent / "back"
    folder.mkdir()
    memory = Memory.open(Settings(None, None), folder)
    memory.upkeep.import_from(path, "cli")
    return memory.read_graph()


def test_the_lines_are_those_that_server_memory_writes() -> None:
    lines = [json.loads(line) for line in server_memory.pieces(awkward_graph())]
    assert [*lines[0]] == ["type", "name", "entityType", "observations"]
    assert [*lines[-1]] == ["type", "from", "to", "relationType"]
    assert [line["name"] for line in lines if line["type"] == "entity"] == [*NAMES]


def test_what_is_exported_comes_back(tmp_path: Path) -> None:
    graph = imported(exported_to(tmp_path / "memory.jsonl"))
    assert_all_is_there(graph)


def test_server_memory_reads_it_writes_to_it_and_all_of_it_comes_back(
    tmp_path: Path, theirs: Sequence[str]
) -> None:
    path = exported_to(tmp_path / "memory.jsonl")
    with serving(theirs, path) as client:
        read = client.call("read_graph", {})["result"]["structuredContent"]
        add_a_shade(client, "checkout")
    expected = awkward_graph()
    assert [(e["name"], e["entityType"], e["observations"]) for e in read["entities"]] == [
        (e.name, e.entity_type, [*e.observations]) for e in expected.entities
    ]
    assert [(r["from"], r["to"], r["relationType"]) for r in read["relations"]] == [
        relation.key for relation in expected.relations
    ]
    graph = imported(path)
    *old, shade = graph.entities
    assert (shade.name, shade.observations) == ("Shade", ("is green",))
    assert old[0].observations == (*TEXTS, "has a shade")
    assert graph.relations[-1].key == ("checkout", "Shade", "carries")
    first = replace(old[0], observations=TEXTS)
    assert_all_is_there(replace(graph, entities=(first, *old[1:]), relations=graph.relations[:-1]))


def assert_all_is_there(graph: GraphResult) -> None:
    expected = awkward_graph()
    assert [(e.name, e.entity_type, e.observations) for e in graph.entities] == [
        (e.name, e.entity_type, e.observations) for e in expected.entities
    ]
    assert [relation.key for relation in graph.relations] == [
        relation.key for relation in expected.relations if "nobody" not in relation.key
    ]
