"""The questions that lie in `benchmarks/data` keep finding their answers, and can be measured."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from statistics import fmean

import pytest

from mnemolog.graph import Graph
from mnemolog.jsonl import read_line
from mnemolog.search.index import Index

retrieval = pytest.importorskip("retrieval", reason="the benchmarks are not part of this copy")

DATA = Path(__file__).parents[2] / "benchmarks" / "data" / "musique"
NOW = datetime(2026, 11, 1, tzinfo=UTC)


def recall_at_5(graph: Graph, *, expand: bool) -> float:
    index = Index(graph)
    found = []
    for line in (DATA / "queries.jsonl").read_text(encoding="utf-8").split("\n")[:-1]:
        question = json.loads(line)
        result = index.search(question["query"], now=NOW, expand=expand, limit=5)
        hits = {(hit.entity, hit.text) for hit in result.hits}
        gold = [place.rsplit("#", 1) for place in question["gold"]]
        answers = [(name, list(graph.entities[name].observations)[int(at)]) for name, at in gold]
        found.append(sum(answer in hits for answer in answers) / len(answers))
    return 100 * fmean(found)


@pytest.mark.parametrize(("expand", "at_least"), [(False, 65), (True, 68)])
def test_answers_are_among_the_first_five(*, expand: bool, at_least: float) -> None:
    graph = Graph()
    for line in (DATA / "graph.jsonl").read_bytes().split(b"\n"):
        graph.apply_all(read_line(line).records)
    assert recall_at_5(graph, expand=expand) >= at_least  # FTS5 with any word: 60.8


@pytest.mark.parametrize("part", retrieval.OFF)
def test_each_part_whose_worth_is_measured_can_be_switched_off(part: str) -> None:
    questions = retrieval.read_set(DATA)
    with retrieval.switched_off(part):
        without = retrieval.measure(questions, partial(retrieval.mnemolog, expand=True))
    marks = retrieval.measure(questions, partial(retrieval.mnemolog, expand=True))
    assert without.recall != marks.recall
