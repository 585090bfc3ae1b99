"""Any records in any order: imported once, then nothing; and nothing that stands is lost."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from imports import BAD, LATER, TAGS
from mnemolog.edits.edit import LARGEST_TEXT_BYTES
from mnemolog.graph import Graph
from mnemolog.importing.intake import Batch, Incoming, Taken
from mnemolog.importing.report import Counts
from mnemolog.importing.steps import Run
from mnemolog.interchange.sources import Found, Item, Refused
from mnemolog.records import UNTAGGED, Entity, Relation, Superseded, Tombstone

_NAMES = ("A", "B", "C")
_TEXTS = ("one", "two", "three")
_TAGS = (UNTAGGED, TAGS, LATER)
_names = st.sampled_from(_NAMES)
_tags = st.sampled_from(_TAGS)
_records: st.SearchStrategy[Incoming] = st.one_of(
    st.builds(
        Entity,
        _names,
        st.sampled_from(("x", "y", "Generic", None)),
        st.lists(st.sampled_from(_TEXTS), max_size=3).map(tuple),
        _tags,
    ),
    st.builds(Relation, _names, _names, st.sampled_from(("r", "s")), st.just(UNTAGGED)),
    st.builds(Superseded, _names, st.sampled_from(_TEXTS), _tags, st.none(), st.none(), st.none()),
)
_items: st.SearchStrategy[Item] = st.one_of(
    _records.map(lambda record: Found("somewhere", record)),
    _records.map(lambda record: Found("somewhere", record)),
    st.sampled_from(sorted(BAD)).map(lambda name: Found("row 1", BAD[name])),
    st.just(Refused("row 2", "it is broken", "error")),
)
_standing = st.lists(
    st.one_of(
        _records,
        st.builds(
            Tombstone,
            st.sampled_from(("entity", "observation")),
            st.none(),
            st.none(),
            name=_names,
            observations=st.lists(st.sampled_from(_TEXTS), min_size=1, max_size=2).map(tuple),
        ),
    ),
    max_size=5,
)


def take_in(graph: Graph, items: list[Item], calls_of: int) -> int:
    """Import items into a graph, a few with each call, and return how many lines that took."""

    def save(batch: Batch) -> Taken:
        edit = batch(graph)
        graph.apply_all(edit.records)
        return edit.result

    counts = Counts()
    run = Run(save, counts, calls_of)
    for batch in run.batches(iter(items)):
        run.take(batch)
    run.refuse_waiting()
    return counts.report("", "", dry_run=False).lines_added


def everything(graph: Graph) -> tuple[Any, ...]:
    entities = {e.name: (e.entity_type, e.tags, e.observations) for e in graph}
    return entities, graph.relations, graph.superseded


def graph_of(records: list[Any]) -> Graph:
    graph = Graph()
    graph.apply_all(records)
    return graph


@given(_standing, st.lists(_items, max_size=14), st.integers(1, 4))
def test_any_mixture_of_records_is_imported_once_and_then_nothing(
    before: list[Any], items: list[Item], calls_of: int
) -> None:
    graph = graph_of(before)
    take_in(graph, items, calls_of)
    after = everything(graph)
    assert take_in(graph, items, calls_of) == 0
    assert everything(graph) == after


@given(_standing, st.lists(_items, max_size=14), st.integers(1, 4), st.integers(0, 14))
def test_an_import_that_was_interrupted_ends_in_the_same_once_it_is_run_again(
    before: list[Any], items: list[Item], calls_of: int, kept: int
) -> None:
    once, twice = graph_of(before), graph_of(before)
    take_in(once, items, calls_of)
    take_in(twice, items[: kept // calls_of * calls_of], calls_of)
    take_in(twice, items, calls_of)
    assert everything(twice) == everything(once)


@given(_standing, st.lists(_items, max_size=14), st.integers(1, 4))
def test_nothing_that_stands_is_lost_or_changed_by_an_import(
    before: list[Any], items: list[Item], calls_of: int
) -> None:
    graph, standing = graph_of(before), graph_of(before)
    take_in(graph, items, calls_of)
    for known in standing:
        found = graph.entities[known.name]
        history = graph.superseded.get(known.name, {})
        assert found.tags == known.tags
        assert known.entity_type in {found.entity_type, "Generic"}
        for text, tags in known.observations.items():
            retired = history.get(text)
            assert found.observations.get(text) == tags or (retired and retired.tags == tags)
    assert graph.relations.items() >= standing.relations.items()
    for name, texts in standing.superseded.items():
        assert graph.superseded[name].items() >= texts.items()


_GOOD: tuple[Incoming, ...] = (
    Entity("Lamp", "device", ("is on",), TAGS),
    Entity("Lamp", "device", ("is red",), LATER),
    Entity("Desk", "furniture", ("of oak",), TAGS),
    Relation("Lamp", "Desk", "on", TAGS),
    Relation("Desk", "Lamp", "under", TAGS),
    Superseded("Rug", "is old", TAGS, LATER.added_at, "cursor", None),
    Entity("Rug", "textile", (), TAGS),
)


@given(st.permutations(_GOOD), st.integers(1, 3))
def test_the_order_of_good_records_does_not_matter(order: list[Incoming], calls_of: int) -> None:
    taken, wanted = Graph(), graph_of([*_GOOD])
    take_in(taken, [Found("somewhere", record) for record in order], calls_of)
    assert taken.relations == wanted.relations
    assert taken.superseded == wanted.superseded
    assert {e.name: e.observations for e in taken} == {e.name: e.observations for e in wanted}


def test_large_records_are_saved_with_more_calls_than_small_ones() -> None:
    texts = tuple(letter * LARGEST_TEXT_BYTES for letter in "abcd")
    found = [Found("somewhere", Entity(f"{n}", "thing", texts, UNTAGGED)) for n in range(9)]
    saved_nothing = Taken(0, (), 0, 0, (), frozenset())
    batches = Run(lambda _batch: saved_nothing, Counts(), 1000).batches(iter(found))
    assert [len(batch) for batch in batches] == [4, 4, 1]
