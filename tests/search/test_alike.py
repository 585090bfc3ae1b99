"""What shares the rare words of a text is found, however common its other words are."""

from __future__ import annotations

from mnemolog.graph import Graph
from mnemolog.records import UNTAGGED, Entity
from mnemolog.search.index import Index


def index_of(*facts: tuple[str, str]) -> Index:
    graph = Graph()
    graph.apply_all(Entity(name, "thing", (text,), UNTAGGED) for name, text in facts)
    return Index(graph)


COMMON = [(f"e{n}", f"the service number {n} is deployed") for n in range(6_000)]


def test_a_rewording_is_found_among_thousands_that_share_the_common_words() -> None:
    facts = [*COMMON, ("ledger", "the ledger service rounds half to even")]
    found = index_of(*facts).alike("The ledger rounds to even, as a service", 10)
    assert found[0] == ("ledger", "the ledger service rounds half to even")


def test_common_words_alone_still_find_something() -> None:
    assert len(index_of(*COMMON).alike("the service is deployed", 10)) == 10


def test_a_text_that_shares_no_word_finds_nothing() -> None:
    assert index_of(*COMMON).alike("zebra", 10) == ()
    assert Index(Graph()).alike("anything", 10) == ()


def test_what_was_removed_is_not_found() -> None:
    graph = Graph()
    graph.apply(Entity("a", "thing", ("rare word",), UNTAGGED))
    index = Index(graph)
    index.observation_gone("a", "rare word")
    assert index.alike("rare word", 10) == ()
