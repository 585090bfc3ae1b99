"""Graphs that are hard to write down: hostile texts, names that differ by little, loose ends."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from mnemolog.answers.bounds import Cursors
from mnemolog.answers.excerpts import EVERYTHING
from mnemolog.answers.pages import first_answer
from mnemolog.graph import Graph
from mnemolog.records import Entity, ObservationTags, Record, Relation, Superseded, Tags
from mnemolog.results import GraphResult

MARCH = ObservationTags("2026-03-02T10:15:00+01:00", "claude-code")
APRIL = ObservationTags("2026-04-01T09:00:00+02:00", "codex", priority="high")
UNKNOWN = ObservationTags(None, None)

NAMES = (
    "checkout",
    "Checkout",
    "CHECKOUT",
    "index",
    "con",
    "aux.txt",
    "src/app.py",
    "..",
    "../../etc/passwd",
    ".hidden",
    "-rf",
    "trailing. ",
    'a<b>:"c"|d?*',
    "Lampe 💡",
    "灯台",
    "Café",
    "Cafe\u0301",
    "x" * 300,
    "é" * 300,
    "two\nlines",
    "\x1b[2Jred",
    "style: a #quot; %%{init: {}}%% end",
    "__init__",
    "[link](https://example.org)",
    " ",
    "%20",
    "ends in #",
    "1. first",
    "\u202etxt.exe",
    "`tick`",
    "@name & co; 'quoted' \\ done",
    "<script>alert(1)</script>",
    "sad :(",
    "\ufffe\uffff",
)

TEXTS = (
    "retries a failed payment 3 times",
    "call `charge()` *before* `ship()`",
    "# no heading",
    "- no list",
    "+ no list",
    "1. no list",
    "2) no list",
    "> no quote",
    "```",
    "    no code",
    "one\ntwo\n\n- three\r\nfour\rfive",
    "<img src=x onerror=alert(1)>",
    "[no link](https://example.org) and ![no](x.png)",
    "[no]: https://example.org",
    "__init__ and snake_case_name and *args, **kwargs",
    "a & b &amp; c &#35; d",
    "C:\\temp\\*.log ends in \\",
    "a | b\n--- | ---\n1 | 2",
    "title\n===",
    "---",
    "List<String> in `List<String>`",
    "``a ` b`` and `unbalanced",
    "<!-- no comment",
    "https://example.org/a_b_c?d=e&f=g",
    "~~kept~~ $x$ #tag",
    "\x00\x1b[31mred\x1b[0m \u2028 \u200b",
    "]]> & </data>",
    "灯台 😀 e\u0301",
    "",
    " padded ",
)


def graph_of(*records: Record, include_superseded: bool = True) -> GraphResult:
    graph = Graph()
    graph.apply_all(records)
    scope = replace(EVERYTHING, include_superseded=include_superseded)
    return first_answer(graph, graph, graph.relations.values(), scope, Cursors("t"))


def awkward_graph(*, include_superseded: bool = True) -> GraphResult:
    """Return a graph of every name, where the first has every text, and each leads to the next."""
    entities = [Entity(name, "thing", (), MARCH) for name in NAMES]
    facts = [
        Entity("checkout", "service", (text,), (MARCH, APRIL, UNKNOWN)[place % 3])
        for place, text in enumerate(TEXTS)
    ]
    chain = [Relation(source, target, "leads_to", MARCH) for source, target in pairwise(NAMES)]
    loops = [
        Relation("con", "con", "is", UNKNOWN),
        Relation("con", "nobody", "knows <b>", UNKNOWN),
        Relation("nobody", "con", 'is "known" by', Tags(None, None)),
    ]
    retired = [
        Superseded(
            "checkout", "was *slow*", MARCH, "2026-05-01T08:00:00+02:00", "codex", "is fast"
        ),
        Superseded("con", "never <b>dated</b>", UNKNOWN, None, None),
    ]
    return graph_of(
        *entities, *facts, *chain, *loops, *retired, include_superseded=include_superseded
    )
