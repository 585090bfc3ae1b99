"""A flowchart that Mermaid reads, whatever was saved."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exported_graphs import MARCH, NAMES, awkward_graph, graph_of
from mnemolog.interchange.exporting import mermaid
from mnemolog.interchange.exporting.characters import one_line, pictured
from mnemolog.records import Entity, Relation
from mnemolog.results import GraphResult

FOLDER_VARIABLE: Final = "MNEMOLOG_MERMAID"

HOW_TO_GET_IT: Final = (
    "needs node and mermaid: run npm install --prefix FOLDER mermaid jsdom, and name the FOLDER in "
    f"{FOLDER_VARIABLE}"
)

READ: Final = """
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const require = createRequire(process.argv[1] + "/");
const { JSDOM } = require("jsdom");
globalThis.window = new JSDOM("").window;
globalThis.document = window.document;
const mermaid = (await import(pathToFileURL(
  process.argv[1] + "/node_modules/mermaid/dist/mermaid.core.mjs"))).default;
const texts = JSON.parse(readFileSync(0, "utf8"));
const decoded = (text) => {
  const area = document.createElement("textarea");
  area.innerHTML = text.replace(/ﬂ°°/g, "&#").replace(/ﬂ°/g, "&").replace(/¶ß/g, ";");
  return area.value;
};
const graphs = [];
for (const text of texts) {
  await mermaid.parse(text);  // sets it up, too
  const { db } = await mermaid.mermaidAPI.getDiagramFromText(text);
  graphs.push({
    nodes: [...db.getVertices().values()].map((node) => decoded(node.text)),
    edges: db.getEdges().map((edge) => [edge.start, edge.end, decoded(edge.text)]),
  });
}
process.stdout.write(JSON.stringify(graphs), () => process.exit(0));
"""


def chart(graph: GraphResult) -> str:
    return "".join(mermaid.pieces(graph))


def read_by_mermaid(*charts: str) -> list[Any]:
    folder, node = os.environ.get(FOLDER_VARIABLE), shutil.which("node")
    if node is None or folder is None or not Path(folder, "node_modules", "mermaid").is_dir():
        pytest.skip(HOW_TO_GET_IT)
    done = subprocess.run(
        [node, "--input-type=module", "-e", READ, "--", str(Path(folder).resolve())],
        input=json.dumps(charts),
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=120,
    )
    graphs: list[Any] = json.loads(done.stdout)
    return graphs


def test_mermaid_reads_every_name_and_every_relation() -> None:
    (found,) = read_by_mermaid(chart(awkward_graph()))
    *labels, loose = found["nodes"]
    for name, label in zip(NAMES[1:], labels[1:], strict=True):
        start = label.removesuffix("<br>(thing)").removesuffix("…")
        assert pictured(one_line(name)).startswith(start.strip())
    assert labels[0] == "checkout<br>(service)"
    assert loose == f"n{len(NAMES)}"  # an end that is no entity
    assert found["edges"][-2:] == [["n4", loose, "knows <b>"], [loose, "n4", 'is "known" by']]


def test_mermaid_reads_whatever_was_saved() -> None:
    signs = [chr(n) for n in range(32, 127)]
    names = [*signs, *(f"a{s}b" for s in signs), *(f"{s}{s} {s}" for s in signs), "end", "o---o"]
    graph = graph_of(*(Entity(name, "Generic", (), MARCH) for name in names))
    (found,) = read_by_mermaid(chart(graph))
    assert [one_line(label) for label in found["nodes"]] == [
        one_line(name) for name in dict.fromkeys(names)
    ]


@given(st.lists(st.text(), max_size=4))
def test_every_line_is_a_node_or_an_edge_with_quoted_text(names: list[str]) -> None:
    entities = [Entity(name, name, (), MARCH) for name in names]
    relations = [Relation(name, name, name, MARCH) for name in names]
    head, *lines = chart(graph_of(*entities, *relations)).removesuffix("\n").split("\n")
    assert head == "flowchart LR"
    assert len(lines) == 2 * len({*names})
    for line in lines:
        assert line.count('"') == 2
        assert not {*"{}%`\\"} & {*line}


def star(center: str, count: int) -> list[Relation]:
    return [Relation(center, f"{center} {n}", "has", MARCH) for n in range(count)]


def with_entities(relations: list[Relation]) -> GraphResult:
    names = dict.fromkeys(end for relation in relations for end in relation.key[:2])
    return graph_of(*(Entity(name, "thing", (), MARCH) for name in names), *relations)


def test_a_graph_that_mermaid_draws_is_drawn_whole() -> None:
    graph = with_entities(star("hub", 500))
    assert mermaid.most_connected(graph) is graph


def test_of_a_larger_graph_the_most_connected_part_is_drawn() -> None:
    pairs = [Relation(f"left {n}", f"right {n}", "has", MARCH) for n in range(600)]
    graph = with_entities([*pairs, *star("hub", 300)])
    chosen = mermaid.most_connected(graph)
    drawn = "".join(mermaid.pieces(chosen, graph))
    names = {entity.name for entity in chosen.entities}
    assert {"hub", *(f"hub {n}" for n in range(300))} <= names
    assert len(chosen.relations) == 500
    assert all({*relation.key[:2]} <= names for relation in chosen.relations)
    assert "%% The 702 most connected of 1,501 entities, with 500 of 900 relations" in drawn


def test_the_best_connected_neighbour_is_drawn_first() -> None:
    graph = with_entities(
        [*star("hub", 600), *star("second", 20), Relation("second", "hub", "uses", MARCH)]
    )
    assert "second" in {entity.name for entity in mermaid.most_connected(graph).entities}


def test_a_text_that_is_too_long_for_mermaid_is_not_printed_unasked() -> None:
    names = [f"{n:04} {'💡' * 50}" for n in range(2_000)]
    graph = graph_of(*(Entity(name, "thing", (), MARCH) for name in names))
    chosen = mermaid.most_connected(graph)
    drawn = "".join(mermaid.pieces(chosen, graph))
    length = len(drawn.encode("utf-16-le")) // 2
    assert 49_000 < length <= mermaid.MOST_CHARACTERS
    assert chosen == mermaid.most_connected(graph)


def test_mermaid_itself_refuses_what_is_not_chosen() -> None:
    graph = with_entities(star("hub", 501))
    (found,) = read_by_mermaid("".join(mermaid.pieces(mermaid.most_connected(graph), graph)))
    assert len(found["edges"]) == 500
    with pytest.raises(subprocess.CalledProcessError):
        read_by_mermaid(chart(graph))
