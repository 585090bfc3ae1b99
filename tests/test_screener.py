"""A call that is planned again because others have written: screened once, and misses nothing."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from mnemolog.edits.edit import Fact
from mnemolog.graph import Graph
from mnemolog.jsonl import encode
from mnemolog.memory import Memory
from mnemolog.records import UNTAGGED, Entity, ObservationTags, Record, Tombstone
from mnemolog.requests import NewEntity, NewObservations
from mnemolog.results import FactWarning
from mnemolog.screener import Screener
from mnemolog.store.location import Settings, locate
from mnemolog.store.lock import WriterLock
from mnemolog.taxonomy.shared import SharedFile

NEW = "The API listens on port 9090"
OLD = "The API listens on port 8080"
REWORDED = "The API is listening on port 9090"


class Everything:
    """A source of candidates that is asked again only where a call has to be compared anew."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, graph: Graph, _text: str) -> list[Fact]:
        self.asked += 1
        return [(entity.name, text) for entity in graph for text in entity.observations]


@pytest.fixture
def everything() -> Everything:
    return Everything()


@pytest.fixture
def screener(everything: Everything, tmp_path: Path) -> Screener:
    location = locate(Settings(str(tmp_path / "memory.jsonl"), None), tmp_path, tmp_path)
    return Screener(everything, SharedFile(location))


def graph_of(*texts: str) -> Graph:
    graph = Graph()
    graph.apply(said(*texts))
    return graph


def said(*texts: str, tags: ObservationTags = UNTAGGED) -> Entity:
    return Entity("api", "service", texts, tags)


def gone(*texts: str) -> Tombstone:
    return Tombstone("observation", None, None, "api", texts)


def found(screener: Screener, graph: Graph, *records: Record) -> list[tuple[str, str | None]]:
    warnings = screener.screen(graph, records or (said(NEW),)).warnings
    return [(w.kind, w.resembles.text if w.resembles else None) for w in warnings]


def test_what_others_have_said_meanwhile_is_compared_and_nothing_else_again(
    screener: Screener, everything: Everything
) -> None:
    graph = graph_of(OLD)
    assert found(screener, graph) == [("conflict", OLD)]
    graph.apply(said(REWORDED))
    graph.apply(said("The API is written in Go"))
    assert found(screener, graph) == [("conflict", OLD), ("near_duplicate", REWORDED)]
    assert found(screener, graph) == [("conflict", OLD), ("near_duplicate", REWORDED)]
    assert everything.asked == 1


def test_what_others_have_said_meanwhile_can_be_superseded(screener: Screener) -> None:
    graph = graph_of("The API is written in Go")
    screener.screen(graph, (said(NEW),))
    graph.apply(said(OLD))
    contradicted = screener.screen(graph, (said(NEW),)).contradicted
    assert contradicted == ((("api", NEW), ("api", OLD)),)


@pytest.mark.parametrize("came", [OLD, REWORDED])
def test_what_others_have_removed_meanwhile_is_not_warned_of(
    screener: Screener, everything: Everything, came: str
) -> None:
    graph = graph_of("The API is written in Go", OLD)
    screener.screen(graph, (said(NEW),))
    graph.apply(said(came))
    screener.screen(graph, (said(NEW),))
    graph.apply(gone(OLD, came))
    assert found(screener, graph) == []
    assert everything.asked == 2


def test_what_came_and_went_meanwhile_is_not_warned_of(screener: Screener) -> None:
    graph = graph_of("The API is written in Go")
    screener.screen(graph, (said(NEW),))
    graph.apply(said(OLD))
    graph.apply(gone(OLD))
    assert found(screener, graph) == []


def test_what_is_only_said_again_is_not_warned_of_twice(screener: Screener) -> None:
    graph = graph_of(OLD)
    screener.screen(graph, (said(NEW),))
    graph.apply(said(OLD, tags=ObservationTags(None, None, priority="high")))
    graph.apply(said(REWORDED))
    graph.apply(said(REWORDED, tags=ObservationTags(None, None, priority="high")))
    assert found(screener, graph) == [("conflict", OLD), ("near_duplicate", REWORDED)]


def test_what_a_call_says_twice_is_warned_of_once(screener: Screener) -> None:
    assert found(screener, graph_of(OLD), said(NEW), said(NEW)) == [("conflict", OLD)]


def test_where_others_have_said_a_lot_all_is_compared_anew(
    screener: Screener, everything: Everything
) -> None:
    graph = graph_of(OLD)
    screener.screen(graph, (said(NEW),))
    for number in range(100):
        graph.apply(said(f"note {number}"))
    graph.apply(said(REWORDED))
    assert found(screener, graph) == [("conflict", OLD), ("near_duplicate", REWORDED)]
    assert everything.asked == 2


def test_another_graph_or_another_call_is_compared_anew(
    screener: Screener, everything: Everything
) -> None:
    graph = graph_of(OLD)
    assert found(screener, graph) == [("conflict", OLD)]
    assert found(screener, graph_of("The API is written in Go")) == []
    assert found(screener, graph, said(REWORDED)) == [("conflict", OLD)]
    assert found(screener, graph, said(REWORDED), gone(OLD)) == []
    assert everything.asked == 4


def test_a_graph_that_was_replaced_is_let_go(screener: Screener) -> None:
    graph = graph_of(OLD)
    screener.screen(graph, (said(NEW),))
    graph.apply(said(REWORDED))
    assert found(screener, graph_of(OLD)) == [("conflict", OLD)]


def test_a_call_that_waits_is_compared_with_what_it_waits_for(tmp_path: Path) -> None:
    file = tmp_path / "memory.jsonl"
    memory = Memory.open(Settings(str(file), None), tmp_path)
    memory.create_entities([NewEntity("api", "service", ("The API is written in Go",))], "one")
    warnings: list[FactWarning] = []

    def add() -> None:
        result = memory.add_observations([NewObservations("api", (NEW,))], "one")
        warnings.extend(result.warnings or ())

    waiting = threading.Thread(target=add)
    with WriterLock(file).held():
        waiting.start()
        waiting.join(0.1)  # it is planned in front of the lock, or behind it: the same comes out
        with file.open("ab") as log:
            log.write(encode(said(OLD)))
    waiting.join()
    assert [(w.kind, w.resembles and w.resembles.text) for w in warnings] == [("conflict", OLD)]
