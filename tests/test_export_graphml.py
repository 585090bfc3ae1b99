"""GraphML that other programs read, whatever was saved."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exported_graphs import MARCH, NAMES, TEXTS, awkward_graph, graph_of
from mnemolog.interchange.exporting import graphml
from mnemolog.interchange.exporting.characters import pictured
from mnemolog.records import Entity, Relation
from mnemolog.results import GraphResult

SPACE = "{http://graphml.graphdrawing.org/xmlns}"


def document(graph: GraphResult) -> str:
    return "".join(graphml.pieces(graph))


def parsed(graph: GraphResult) -> ET.Element:
    return ET.fromstring(document(graph).encode())  # noqa: S314 - we wrote it


def values_of(element: ET.Element) -> dict[str, str]:
    return {data.attrib["key"]: data.text or "" for data in element.findall(f"{SPACE}data")}


def test_every_key_and_every_end_is_declared_once() -> None:
    root = parsed(awkward_graph())
    (graph,) = root.findall(f"{SPACE}graph")
    keys = [key.attrib["id"] for key in root.findall(f"{SPACE}key")]
    used = {data.attrib["key"] for data in root.iter(f"{SPACE}data")}
    ids = [node.attrib["id"] for node in graph.findall(f"{SPACE}node")]
    edges = graph.findall(f"{SPACE}edge")
    assert len({*keys}) == len(keys)
    assert used <= {*keys}
    assert len({*ids}) == len(ids)
    assert {e.attrib[end] for e in edges for end in ("source", "target")} <= {*ids}
    assert len({edge.attrib["id"] for edge in edges}) == len(edges)


def test_entities_and_relations_are_nodes_and_edges_with_all_that_is_said_of_them() -> None:
    root = parsed(awkward_graph())
    nodes = [values_of(node) for node in root.iter(f"{SPACE}node")]
    assert [node["node_label"] for node in nodes] == [*map(pictured, NAMES), "nobody"]
    checkout = nodes[0]
    assert checkout["node_type"] == "service"
    assert checkout["node_observation_count"] == str(len(TEXTS))
    assert checkout["node_added_at"] == MARCH.added_at
    assert checkout["node_superseded"] == "was *slow*"
    lines = checkout["node_observations"].split("\n")
    assert lines[:2] == [*TEXTS[:2]]
    assert "one\n  two\n  \n  - three\r\n  four\rfive\n<img" in checkout["node_observations"]
    assert "␀␛[31mred" in checkout["node_observations"]
    edges = [values_of(edge) for edge in root.iter(f"{SPACE}edge")]
    assert [edge["edge_label"] for edge in edges[-3:]] == ["is", "knows <b>", 'is "known" by']


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_whatever_was_saved_is_well_formed_and_comes_back(text: str) -> None:
    root = parsed(graph_of(Entity(text, "t", (), MARCH), Relation(text, text, text, MARCH)))
    (node,), (edge,) = root.iter(f"{SPACE}node"), root.iter(f"{SPACE}edge")
    assert values_of(node)["node_label"] == pictured(text)
    assert values_of(edge)["edge_label"] == pictured(text)


def test_networkx_reads_it() -> None:
    networkx: Any = pytest.importorskip(
        "networkx", reason="needs networkx: uv run --with networkx pytest"
    )
    graph = networkx.read_graphml(BytesIO(document(awkward_graph()).encode()))
    assert graph.is_directed()
    assert graph.number_of_nodes() == len(NAMES) + 1
    assert graph.number_of_edges() == len(NAMES) - 1 + 3
    assert graph.nodes["n0"]["label"] == "checkout"
    assert graph.nodes["n0"]["observation_count"] == len(TEXTS)
    assert {label for _, _, label in graph.edges(data="label")} > {"leads_to", "knows <b>"}
