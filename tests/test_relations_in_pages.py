"""Relations keep to the bound of an answer, and those that are left are counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog.answers.excerpts import Scope
from mnemolog.filters import Filters
from mnemolog.json_text import json_text
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity, RelationTriple
from mnemolog.results import GraphResult
from mnemolog.store.location import Settings

SMALL = 4_000


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = Memory.open(Settings(str(tmp_path / "m.jsonl"), None), tmp_path)
    memory.create_entities([NewEntity(f"e{n}", "thing", ()) for n in range(200)], "codex")
    memory.create_entities([NewEntity("hub", "person", ("is known",))], "codex")
    return memory


def pages(memory: Memory, scope: Scope) -> list[GraphResult]:
    answers = [memory.read_graph(scope)]
    while answers[-1].cursor:
        answers.append(memory.read_graph(scope, answers[-1].cursor))
    return answers


def shown(answers: list[GraphResult]) -> int:
    return len({relation.key for answer in answers for relation in answer.relations})


def test_relations_that_do_not_fit_are_counted(memory: Memory) -> None:
    known = [RelationTriple("hub", f"e{n}", "knows") for n in range(200)]
    memory.create_relations(known, "codex")
    answers = pages(memory, Scope(max_chars=SMALL))
    left = [a.omitted.relations for a in answers if a.omitted and a.omitted.relations]
    assert len(left) == 1
    assert shown(answers) + left[0] == 200
    alone = memory.open_nodes(["hub"], Scope(max_chars=SMALL))
    assert alone.omitted is not None
    assert len(alone.relations) + (alone.omitted.relations or 0) == 200


def test_relations_among_entities_of_other_types_are_not_asked_for(memory: Memory) -> None:
    memory.create_relations([RelationTriple("e0", f"e{n}", "near") for n in range(200)], "codex")
    memory.create_relations([RelationTriple("e0", "hub", "knows")], "codex")
    answer = memory.read_graph(Scope(Filters(entity_types=("person",)), max_chars=SMALL))
    assert [r.key for r in answer.relations] == [("e0", "hub", "knows")]


def test_relations_of_no_entity_shown_keep_to_the_bound_too(memory: Memory) -> None:
    with memory.location.path.open("a", encoding="utf-8") as file:
        for n in range(100):
            ghost = f'{{"type":"relation","from":"Ghost","to":"g{n}","relationType":"haunts"}}'
            file.write(ghost + "\n")
    answers = pages(memory, Scope(max_chars=SMALL))
    assert all(len(json_text(answer)) <= SMALL for answer in answers)
    assert shown(answers) == sum(len(answer.relations) for answer in answers) == 100
    ends = [at for at, answer in enumerate(answers) if answer.relations]
    left = [answers[at].omitted for at in ends]
    counted = [omitted.relations if omitted else 0 for omitted in left]
    assert counted == [sum(len(a.relations) for a in answers[at + 1 :]) for at in ends]
    assert answers[-1].omitted is None


def test_relations_that_are_deleted_meanwhile_are_passed_over(memory: Memory) -> None:
    with memory.location.path.open("a", encoding="utf-8") as file:
        for n in range(3):
            ghost = f'{{"type":"relation","from":"Ghost","to":"g{n}","relationType":"haunts"}}'
            file.write(ghost + "\n")
    scope = Scope(max_chars=SMALL)
    first = memory.read_graph(scope)
    memory.delete_relations([RelationTriple("Ghost", "g1", "haunts")], "codex")
    answers = [first]
    while answers[-1].cursor:
        answers.append(memory.read_graph(scope, answers[-1].cursor))
    assert [r.target for r in answers[-1].relations] == ["g0", "g2"]


def test_an_entity_that_is_too_large_shares_its_page_with_its_relations(memory: Memory) -> None:
    many = tuple(f"fact {n} of the hub is said" for n in range(300))
    memory.create_entities([NewEntity("large", "thing", many)], "codex")
    memory.create_relations([RelationTriple("large", f"e{n}", "near") for n in range(200)], "codex")
    answer = memory.open_nodes(["large"], Scope(max_chars=SMALL))
    assert len(json_text(answer)) <= SMALL
    assert answer.tags_omitted
    (large,) = answer.entities
    assert SMALL / 3 < len(json_text(large)) < SMALL * 2 / 3
    assert len(json_text(answer.relations)) > SMALL / 4
