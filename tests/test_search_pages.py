"""The pages of a search lead to all that was found, each thing once, and keep to their bound."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog.answers.excerpts import Scope
from mnemolog.json_text import json_text
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity, ObservationDeletion, RelationTriple
from mnemolog.results import SearchResults
from mnemolog.store.location import Settings


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory.open(Settings(str(tmp_path / "m.jsonl"), None), tmp_path)


def pages(memory: Memory, query: str, scope: Scope) -> list[SearchResults]:
    answers = [memory.search_nodes(query, scope)]
    while answers[-1].cursor:
        answers.append(memory.search_nodes(query, scope, answers[-1].cursor))
    return answers


def names(answers: list[SearchResults]) -> list[str]:
    return sorted(entity.name for answer in answers for entity in answer.entities)


def test_the_entity_of_every_hit_is_there_however_long_the_hits_are(memory: Memory) -> None:
    long = " and so on" * 240
    memory.create_entities(
        [NewEntity(f"e{n}", "thing", (f"walrus {n}{long}", "asleep")) for n in range(30)], "codex"
    )
    answers = pages(memory, "walrus", Scope())
    assert {hit.entity_name for hit in answers[0].hits} == {e.name for e in answers[0].entities}
    assert all(len(json_text(answer)) <= Scope().max_chars for answer in answers)
    assert names(answers) == sorted(f"e{n}" for n in range(30))
    assert answers[0].entities[0].observation_count == 2


def test_a_hit_that_is_longer_than_a_page_has_one_of_its_own(memory: Memory) -> None:
    memory.create_entities(
        [
            NewEntity("logbook", "thing", ("walrus " + "page " * 12_000,)),
            NewEntity("zoo", "place", tuple(f"keeps walrus {n}" for n in range(5))),
        ],
        "codex",
    )
    first, *_ = [a for a in pages(memory, "walrus logbook", Scope()) if len(a.hits) == 1]
    assert [entity.name for entity in first.entities] == ["logbook"]
    assert first.entities[0].observations == ()


def test_entities_without_facts_for_which_there_is_no_room_come_later(memory: Memory) -> None:
    memory.create_entities([NewEntity(f"svc {n}", "service", ()) for n in range(50)], "codex")
    answers = pages(memory, "service", Scope(limit=50, max_chars=1_500))
    assert names(answers) == sorted(f"svc {n}" for n in range(50))
    assert all(len(json_text(answer)) <= 1_500 for answer in answers)


def test_relations_come_once_and_those_left_out_are_counted(memory: Memory) -> None:
    spokes = [NewEntity(f"spoke {n}", "thing", (f"turns {n} times",)) for n in range(60)]
    memory.create_entities([NewEntity("hub", "thing", ("turns slowly",)), *spokes], "codex")
    memory.create_relations([RelationTriple("hub", e.name, "moves") for e in spokes], "codex")
    answers = pages(memory, "turns", Scope())
    keys = [relation.key for answer in answers for relation in answer.relations]
    assert len(keys) == len(set(keys)) == 60
    short = memory.search_nodes("hub", Scope(limit=1, max_chars=2_000))
    assert short.omitted is not None
    assert len(short.relations) + (short.omitted.relations or 0) == 60


def test_an_entity_stands_with_the_first_of_its_hits_that_is_left(memory: Memory) -> None:
    facts = ("alpha beta", "next to it", "one more", "and more", "beta" + " among others" * 9)
    memory.create_entities(
        [
            NewEntity("plan", "log", ("alpha beta gamma",)),
            NewEntity("notes", "log", ("alpha is noted here too",)),
            NewEntity("releases", "log", facts),
        ],
        "codex",
    )
    answers = [memory.search_nodes("alpha beta gamma", Scope(limit=1))]
    memory.delete_observations([ObservationDeletion("releases", facts[:2])], "codex")
    while answers[-1].cursor:
        answers.append(memory.search_nodes("alpha beta gamma", cursor=answers[-1].cursor))
    hits = [hit.entity_name for answer in answers for hit in answer.hits]
    assert [hits[0], hits[-1]] == ["plan", "releases"]
    assert names(answers) == ["notes", "plan", "releases"]


def test_a_page_asked_for_again_shows_the_same(memory: Memory) -> None:
    memory.create_entities(
        [NewEntity(f"e{n}", "thing", (f"walrus {n}",)) for n in range(50)], "codex"
    )
    memory.create_relations([RelationTriple("e0", f"e{n}", "near") for n in range(50)], "codex")
    first = memory.search_nodes("walrus", Scope(limit=5))
    second = memory.search_nodes("walrus", cursor=first.cursor)
    assert memory.search_nodes("walrus", cursor=second.cursor) != second
    assert memory.search_nodes("walrus", cursor=first.cursor) == second


def test_a_page_asked_for_again_at_a_smaller_size_leaves_no_entity_out(memory: Memory) -> None:
    memory.create_entities(
        [NewEntity(f"e{n}", "thing", (f"walrus {n}",)) for n in range(50)], "codex"
    )
    first = memory.search_nodes("walrus", Scope(limit=5))
    assert len(memory.search_nodes("walrus", Scope(limit=30), first.cursor).entities) == 30
    answers = [first, memory.search_nodes("walrus", Scope(limit=5), first.cursor)]
    while answers[-1].cursor:
        answers.append(memory.search_nodes("walrus", cursor=answers[-1].cursor))
    assert names(answers) == sorted(f"e{n}" for n in range(50))
