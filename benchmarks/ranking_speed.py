"""The ranking alone, without MCP, beside SQLite's FTS5 with its own bm25, on made-up facts.

Each fact has ten words, of which a few are common and most are rare. `run.py` runs it; by itself it
prints its figures:

    uv run python benchmarks/ranking_speed.py [--million]
"""

from __future__ import annotations

import random
import sqlite3
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "conformance"))

from clock import seconds_of
from figures import Figures, Shape
from peers import OURS

from mnemolog.graph import Graph
from mnemolog.records import UNTAGGED, Entity, Relation
from mnemolog.search.index import Index

FTS5: Final = "SQLite FTS5"

QUERY: Final = "a ranked query"
BUILD: Final = "the index built"
ADDED: Final = "one added to the index"
PLAIN: Final = "a query, among many relations"
EXPANDED: Final = "the same with expand"

RELATED: Final = Shape(100_000, is_scattered=True)
"""Of the entities that `expand` goes through; they have three relations each."""

NOW: Final = datetime(2026, 11, 1, tzinfo=UTC)
VOWELS: Final = ("a", "e", "i", "o", "u", "an", "er")
SYLLABLES: Final = [consonant + vowel for consonant in "bcdfghjklmnprstvz" for vowel in VOWELS]
DISTINCT_WORDS: Final = 30_000
WORDS_IN_A_FACT: Final = 10
FACTS_OF_AN_ENTITY: Final = 5
QUERIES: Final = 200
ADDITIONS: Final = 300
FTS5_TURNS: Final = 5
"""How many queries are put to one, then to the other."""


class Vocabulary:
    """Made-up words, of which a few are common and most are rare, as in any text."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - the same facts in each run
        self._words = ["".join(self.chance.choices(SYLLABLES, k=3)) for _ in range(DISTINCT_WORDS)]
        weights = [1 / (rank + 2) for rank in range(DISTINCT_WORDS)]
        self._up_to = [sum(weights[:1])]
        for weight in weights[1:]:
            self._up_to.append(self._up_to[-1] + weight)

    def many(self, count: int) -> list[str]:
        """Return so many words of a text."""
        return self.chance.choices(self._words, cum_weights=self._up_to, k=count)

    def fact(self) -> str:
        """Return a fact."""
        return " ".join(self.many(WORDS_IN_A_FACT))

    def query(self) -> str:
        """Return a common word, one in between and a rare one."""
        at = [self.chance.randrange(*span) for span in ((5, 50), (50, 1_000), (1_000, 10_000))]
        return " ".join(self._words[position] for position in at)


def graph_of(facts: int, words: Vocabulary, facts_of_an_entity: int = FACTS_OF_AN_ENTITY) -> Graph:
    graph = Graph()
    for number in range(facts // facts_of_an_entity):
        texts = tuple(words.fact() for _ in range(facts_of_an_entity))
        name = f"{words.many(1)[0]} {number}"
        graph.apply(Entity(name, "service", texts, UNTAGGED))
    return graph


def fts5_of(graph: Graph) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("create virtual table facts using fts5(name, text)")
    connection.executemany(
        "insert into facts values (?, ?)",
        ((entity.name, text) for entity in graph for text in entity.observations),
    )
    return connection


def measure_ranking(figures: Figures, facts: int) -> None:
    """Measure queries beside FTS5, what an addition costs, and building the index."""
    shape, words = Shape(facts), Vocabulary(facts)
    graph = graph_of(facts, words)
    index: list[Index] = []
    figures.note(BUILD, OURS, [seconds_of(lambda: index.append(Index(graph)))], shape)
    _measure_queries(figures, shape, index[0], words, graph)
    graph.watch(index[0])
    some = next(iter(graph)).name
    additions = [Entity(some, None, (words.fact(),), UNTAGGED) for _ in range(ADDITIONS)]
    adding = [seconds_of(partial(graph.apply, record)) for record in additions]
    figures.note(ADDED, OURS, adding, shape)


def _measure_queries(
    figures: Figures, shape: Shape, index: Index, words: Vocabulary, graph: Graph
) -> None:
    with figures.attempt(f"{QUERY} of {FTS5} at {shape}"):
        built: list[sqlite3.Connection] = []
        build = seconds_of(lambda: built.append(fts5_of(graph)))
        figures.note(BUILD, FTS5, [build], shape)
        ours, theirs = _queried(index, built[0], words)
        figures.note(QUERY, OURS, ours, shape)
        figures.note(QUERY, FTS5, theirs, shape)


def _queried(
    index: Index, sqlite: sqlite3.Connection, words: Vocabulary
) -> tuple[list[float], list[float]]:
    """Return the seconds of the same queries, a few to one, then to the other."""
    index.search(words.query(), now=NOW)
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(QUERIES // FTS5_TURNS):
        queries = [words.query() for _ in range(FTS5_TURNS)]
        ours += [seconds_of(partial(index.search, query, now=NOW)) for query in queries]
        theirs += [seconds_of(partial(_rows, sqlite, query)) for query in queries]
    return ours, theirs


def _rows(sqlite: sqlite3.Connection, query: str) -> list[object]:
    any_word = " OR ".join(query.split())
    statement = "select rowid from facts where facts match ? order by bm25(facts) limit 20"
    return sqlite.execute(statement, (any_word,)).fetchall()


def measure_expansion(figures: Figures, shape: Shape = RELATED) -> None:
    """Measure what following links adds to a query, where there are many to follow."""
    words = Vocabulary(7)
    graph = graph_of(shape.observations, words, facts_of_an_entity=1)
    names = [entity.name for entity in graph]
    for source, target in _pairs(names, 3 * len(names), words.chance):
        graph.apply(Relation(source, target, "calls", UNTAGGED))
    index = Index(graph)
    index.search(words.query(), now=NOW, expand=True)
    plain, expanded = [], []
    for query in (words.query() for _ in range(QUERIES)):
        plain.append(seconds_of(partial(index.search, query, now=NOW)))
        expanded.append(seconds_of(partial(index.search, query, now=NOW, expand=True)))
    figures.note(PLAIN, OURS, plain, shape)
    figures.note(EXPANDED, OURS, expanded, shape)


def _pairs(names: list[str], count: int, chance: random.Random) -> Iterator[tuple[str, str]]:
    for _ in range(count):
        yield chance.choice(names), chance.choice(names)


def main() -> None:
    figures = Figures()
    for facts in (1_000, 10_000, 100_000, *([1_000_000] if "--million" in sys.argv else [])):
        measure_ranking(figures, facts)
    measure_expansion(figures)
    for figure in figures:
        print(f"{figure.what}, {figure.who}, {figure.shape}: {figure.median * 1000:.3f} ms")


if __name__ == "__main__":
    main()
