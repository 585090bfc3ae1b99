"""A read shows what it asks for and nothing else, of facts, relations and history alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog.answers.excerpts import Scope
from mnemolog.filters import Filters
from mnemolog.jsonl import encode
from mnemolog.memory import Memory
from mnemolog.records import Entity, ObservationTags, Record, Relation, Superseded, Tags
from mnemolog.results import GraphResult, SearchResults
from mnemolog.store.location import Settings

AT = "2026-03-01T12:00:00+00:00"
ADA, BOB = ObservationTags(AT, "ada"), ObservationTags(AT, "bob")


def retired(entity: str, text: str, by: str) -> Superseded:
    return Superseded(entity, text, ADA, AT, by)


SAID: tuple[Record, ...] = (
    Entity("api", "service", ("is written in Go", "listens on 8080"), ADA),
    Entity("api", "service", ("deploys on merge",), BOB),
    Entity("site", "website", ("is static",), ADA),
    Entity("empty", "service", (), ADA),
    Entity("blank", "service", (), BOB),
    Relation("site", "api", "calls", Tags(AT, "ada")),
    Relation("api", "site", "serves", Tags(AT, "bob")),
    retired("api", "deploys to Heroku", "ada"),
    retired("site", "deploys by hand", "bob"),
    retired("gone", "deploys never", "ada"),
)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    path = tmp_path / "m.jsonl"
    path.write_bytes(b"".join(map(encode, SAID)))
    return Memory.open(Settings(str(path), None), tmp_path)


def names(answer: GraphResult | SearchResults) -> list[str]:
    return [entity.name for entity in answer.entities]


def history(answer: GraphResult) -> dict[str, list[str]]:
    return {e.name: [r.text for r in e.superseded] for e in answer.entities if e.superseded}


def deploying(memory: Memory, filters: Filters) -> set[str]:
    """Return what a search finds of how things deploy, or did."""
    hits = memory.search_nodes("deploys", Scope(filters, include_superseded=True)).hits
    return {hit.text for hit in hits if hit.text.startswith("deploys")}


def test_a_limit_holds_without_a_bound(memory: Memory) -> None:
    answer = memory.read_graph(Scope(limit=1, max_chars=0))
    assert len(answer.entities) == 1
    assert answer.cursor


def test_names_alone_are_given_without_a_bound(memory: Memory) -> None:
    answer = memory.read_graph(Scope(names_only=True, max_chars=0))
    assert [entity.observations for entity in answer.entities] == [()] * 4


def test_relations_that_somebody_else_said_are_left_out(memory: Memory) -> None:
    scope = Scope(Filters(agent="bob"))
    assert [r.relation_type for r in memory.read_graph(scope).relations] == ["serves"]
    assert [r.relation_type for r in memory.search_nodes("deploys", scope).relations] == ["serves"]


def test_relations_do_not_go_with_a_type_of_entity_at_one_end_only(memory: Memory) -> None:
    answer = memory.read_graph(Scope(Filters(entity_types=("website",))))
    assert [r.relation_type for r in answer.relations] == ["calls", "serves"]


def test_an_entity_without_facts_is_one_of_whoever_said_it(memory: Memory) -> None:
    assert names(memory.read_graph(Scope(Filters(agent="bob")))) == ["api", "blank"]
    assert names(memory.search_nodes("empty blank", Scope(Filters(agent="bob")))) == ["blank"]


def test_history_is_that_of_whoever_retired_it(memory: Memory) -> None:
    scope = Scope(Filters(agent="bob"), include_superseded=True)
    answer = memory.read_graph(scope)
    assert history(answer) == {"site": ["deploys by hand"]}
    assert [e.observations for e in answer.entities if e.name == "site"] == [()]
    assert history(memory.read_graph(Scope(Filters(agent="bob")))) == {}
    assert deploying(memory, Filters(agent="bob")) == {"deploys on merge", "deploys by hand"}
    assert deploying(memory, Filters(agent="ada")) == {"deploys to Heroku", "deploys never"}


def test_history_of_what_is_gone_has_no_type(memory: Memory) -> None:
    of_type = deploying(memory, Filters(entity_types=("service",)))
    assert of_type == {"deploys on merge", "deploys to Heroku"}


def test_an_entity_cut_down_to_its_hits_does_not_list_history_as_true(tmp_path: Path) -> None:
    many = tuple(f"rule {n} says a thing or two about lamps" for n in range(200))
    old = retired("api", "deploys to Heroku", "ada")
    path = tmp_path / "m.jsonl"
    path.write_bytes(encode(Entity("api", "service", (*many, "deploys on merge"), ADA)))
    with path.open("ab") as file:
        file.write(encode(old))
    memory = Memory.open(Settings(str(path), None), tmp_path)
    scope = Scope(include_superseded=True, max_chars=4_000)
    answer = memory.search_nodes("deploys", scope)
    found = {hit.text for hit in answer.hits}
    assert found >= {"deploys on merge", "deploys to Heroku"}
    (entity,) = answer.entities
    assert set(entity.observations) == found - {"deploys to Heroku"}
    assert (entity.observation_count, entity.superseded_count) == (201, 1)


def test_a_limit_caps_what_is_explained(memory: Memory) -> None:
    both, one = (memory.explain("api", Scope(limit=limit)) for limit in (None, 1))
    assert 0 < len(one) < len(both)
