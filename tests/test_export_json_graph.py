"""The JSON export is what read_graph answers, behind a head that counts it."""

from __future__ import annotations

import json
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # it has no types

from exported_graphs import NAMES, TEXTS, awkward_graph, graph_of
from mnemolog.declarations import json_schema, to_wire
from mnemolog.interchange.exporting import json_graph
from mnemolog.interchange.exporting.json_graph import ExportedGraph
from mnemolog.results import GraphResult


def parsed(graph: GraphResult) -> Any:
    return json.loads("".join(json_graph.pieces(graph)))


def test_it_is_what_read_graph_answers_behind_a_head() -> None:
    graph = awkward_graph()
    document, answer = parsed(graph), to_wire(graph)
    assert document["entities"] == answer["entities"]
    assert document["relations"] == answer["relations"]


def test_it_says_what_it_holds() -> None:
    document = parsed(awkward_graph())
    assert [document[key] for key in ("format", "version")] == ["mnemolog-graph", 1]
    counts = {key: value for key, value in document.items() if key.endswith("_count")}
    assert counts == {
        "entity_count": len(NAMES),
        "observation_count": len(TEXTS),
        "superseded_count": 2,
        "relation_count": len(NAMES) + 2,
    }
    assert parsed(awkward_graph(include_superseded=False))["superseded_count"] == 0


def test_it_satisfies_its_declared_schema() -> None:
    schema = Draft202012Validator(json_schema(ExportedGraph))
    for graph in (awkward_graph(), graph_of()):
        schema.validate(parsed(graph))
    assert not schema.is_valid({**parsed(graph_of()), "version": "one"})
    assert not schema.is_valid({"format": "mnemolog-graph"})


def test_each_entity_and_each_relation_has_a_line_so_that_exports_can_be_compared() -> None:
    lines = "".join(json_graph.pieces(awkward_graph())).splitlines()
    assert sum(line.startswith('{"name":') for line in lines) == len(NAMES)
    assert sum(line.startswith('{"from":') for line in lines) == len(NAMES) + 2
