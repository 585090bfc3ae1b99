"""How fast the ranking is, beside SQLite's FTS5, on made-up facts of 10,000 and 100,000.

    uv run python benchmarks/ranking_speed.py

Everything is measured in one run, in turns, and reported as medians: the machine may be busy.
"""

from __future__ import annotations

import random
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial

from mnemolog.graph import Graph
from mnemolog.records import UNTAGGED, Entity, Relation
from mnemolog.search.index import Index

NOW = datetime(2026, 11, 1, tzinfo=UTC)
SYLLABLES = [c + v for c in "bcdfghjklmnprstvz" for v in ("a", "e", "i", "o", "u", "an", "er")]
DISTINCT_WORDS = 30_000
WORDS_IN_A_FACT = 10
FACTS_OF_AN_ENTITY = 5
QUERIES = 60


class Vocabulary:
    """Made-up words, of which a few are common and most are rare, as in any text."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - the same facts in each run
        self._words = ["".join(self.chance.choices(SYLLABLES, k=3)) for _ in range(DISTINCT_WORDS)]
        self._weights = [1 / (rank + 2) for rank in range(DISTINCT_WORDS)]

    def many(self, count: int) -> list[str]:
        """Return so many words of a text."""
        return self.chance.choices(self._words, self._weights, k=count)

    def query(self) -> str:
        """Return a common word, one in between and a rare one."""
        at = [self.chance.randrange(*span) for span in ((5, 50), (50, 1_000), (1_000, 10_000))]
        return " ".join(self._words[position] for position in at)


def graph_of(facts: int, words: Vocabulary) -> Graph:
    graph = Graph()
    said = iter(words.many(facts * WORDS_IN_A_FACT))
    for number in range(facts // FACTS_OF_AN_ENTITY):
        texts = (" ".join(_take(said, WORDS_IN_A_FACT)) for _ in range(FACTS_OF_AN_ENTITY))
        name = f"{next(iter(words.many(1)))} {number}"
        graph.apply(Entity(name, "service", tuple(texts), UNTAGGED))
    return graph


def _take(words: Iterator[str], count: int) -> list[str]:
    return [next(words) for _ in range(count)]


def fts5_of(graph: Graph) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("create virtual table facts using fts5(name, text)")
    connection.executemany(
        "insert into facts values (?, ?)",
        ((entity.name, text) for entity in graph for text in entity.observations),
    )
    return connection


def ms(run: Callable[[], object]) -> float:
    start = time.perf_counter()
    run()
    return (time.perf_counter() - start) * 1000


def queries_beside_fts5(facts: int) -> None:
    words = Vocabulary(facts)
    graph = graph_of(facts, words)
    index: list[Index] = []
    build = [ms(lambda: index.append(Index(graph))) for _ in range(3)]
    sqlite = fts5_of(graph)
    ours, theirs = [], []
    index[-1].search(words.query(), now=NOW)
    for query in (words.query() for _ in range(QUERIES)):
        any_word = " OR ".join(query.split())
        ours.append(ms(partial(index[-1].search, query, now=NOW)))
        theirs.append(ms(partial(_rows, sqlite, any_word)))
    print(f"{facts:>9,} facts: build {min(build):.0f} ms; a query {_median(ours)} ms, ", end="")
    times = statistics.median(theirs) / statistics.median(ours)
    print(f"FTS5 {_median(theirs)} ms, {times:.1f} times as fast")


def _rows(sqlite: sqlite3.Connection, query: str) -> list[object]:
    statement = "select rowid from facts where facts match ? order by bm25(facts) limit 20"
    return sqlite.execute(statement, (query,)).fetchall()


def _median(times: list[float]) -> str:
    return f"{statistics.median(times):.3f}"


def additions() -> None:
    by_size = {}
    for facts in (1_000, 100_000):
        words = Vocabulary(facts)
        graph = graph_of(facts, words)
        graph.watchers = (index := Index(graph),)
        index.search(words.query(), now=NOW)
        fresh = [" ".join(words.many(WORDS_IN_A_FACT)) for _ in range(300)]
        names = [next(iter(graph)).name] * len(fresh)
        records = [
            Entity(name, None, (text,), UNTAGGED) for name, text in zip(names, fresh, strict=True)
        ]
        by_size[facts] = [ms(partial(graph.apply, record)) for record in records]
        print(f"{facts:>9,} facts: adding one, index included, {_median(by_size[facts])} ms")
    small, large = (statistics.median(times) for times in by_size.values())
    print(f"adding one to 100,000 costs {large / small:.1f} times as much as to 1,000")


def expansion(entities: int = 100_000, relations: int = 300_000) -> None:
    words = Vocabulary(7)
    graph = graph_of(entities, words)
    names = [entity.name for entity in graph]
    for number in range(entities - len(names)):
        name = f"{words.many(1)[0]} {len(names) + number}"
        graph.apply(Entity(name, "service", (" ".join(words.many(WORDS_IN_A_FACT)),), UNTAGGED))
    names = [entity.name for entity in graph]
    for _ in range(relations):
        source, target = words.chance.choices(names, k=2)
        graph.apply(Relation(source, target, "calls", UNTAGGED))
    index = Index(graph)
    index.search(words.query(), now=NOW, expand=True)
    plain, expanded = [], []
    for query in (words.query() for _ in range(QUERIES)):
        plain.append(ms(partial(index.search, query, now=NOW)))
        expanded.append(ms(partial(index.search, query, now=NOW, expand=True)))
    times = statistics.median(expanded) / statistics.median(plain)
    print(f"{entities:>9,} entities, {relations:,} relations: plain {_median(plain)} ms, ", end="")
    print(f"expanded {_median(expanded)} ms, {times:.1f} times as much")


if __name__ == "__main__":
    for size in (10_000, 100_000):
        queries_beside_fts5(size)
    additions()
    expansion()
