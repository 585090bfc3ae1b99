"""An answer that does not fit comes in pages that together are all of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mnemolog.answers.excerpts import Scope
from mnemolog.declarations import to_wire
from mnemolog.errors import InvalidRequest
from mnemolog.filters import Filters
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity, NewObservations, ObservationDeletion, RelationTriple
from mnemolog.results import GraphResult
from mnemolog.store.location import Settings

SMALL = 3_000


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory.open(Settings(str(tmp_path / "m.jsonl"), None), tmp_path)


def fill(memory: Memory, entities: int, observations: int = 1) -> None:
    memory.create_entities(
        [
            NewEntity(
                f"e{n}", "thing", tuple(f"fact {k} of e{n} is said" for k in range(observations))
            )
            for n in range(entities)
        ],
        "codex",
    )


def size(answer: GraphResult) -> int:
    return len(json.dumps(to_wire(answer), ensure_ascii=False, separators=(",", ":")))


def names(answer: GraphResult) -> list[str]:
    return [entity.name for entity in answer.entities]


def pages(memory: Memory, scope: Scope) -> list[GraphResult]:
    answers = [memory.read_graph(scope)]
    while answers[-1].cursor:
        answers.append(memory.read_graph(scope, answers[-1].cursor))
    return answers


def test_what_fits_comes_whole_with_its_tags_in_file_order(memory: Memory) -> None:
    fill(memory, 5)
    answer = memory.read_graph(Scope(max_chars=SMALL))
    assert names(answer) == [f"e{n}" for n in range(5)]
    assert answer.entities[0].observation_tags is not None
    assert (answer.tags_omitted, answer.omitted, answer.cursor) == (None, None, None)


def test_the_tags_go_before_anything_else_does(memory: Memory) -> None:
    fill(memory, 20)
    answer = memory.read_graph(Scope(max_chars=SMALL))
    assert answer.tags_omitted
    assert len(answer.entities) == 20
    assert answer.omitted is None
    assert all(entity.observation_tags is None for entity in answer.entities)


def test_no_bound_gives_everything(memory: Memory) -> None:
    fill(memory, 300)
    answer = memory.read_graph(Scope(max_chars=0))
    assert len(answer.entities) == 300
    assert answer.entities[0].observation_tags is not None


def test_no_bound_gives_what_a_wide_one_gives(memory: Memory) -> None:
    fill(memory, 300)
    memory.create_relations([RelationTriple("e1", "e2", "knows")], "codex")
    memory.delete_entities(["e7"], "codex")
    assert memory.read_graph(Scope(max_chars=0)) == memory.read_graph(Scope(max_chars=10_000_000))
    names = ("e2", "e1")
    wide = memory.open_nodes(names, Scope(max_chars=10_000_000))
    assert memory.open_nodes(names, Scope(max_chars=0)) == wide


def test_a_page_holds_what_changed_last_and_says_how_much_is_left(memory: Memory) -> None:
    fill(memory, 100)
    memory.add_observations([NewObservations("e7", ("new",))], "codex")
    answer = memory.read_graph(Scope(max_chars=SMALL))
    assert names(answer)[:3] == ["e7", "e99", "e98"]
    assert answer.omitted is not None
    assert answer.omitted.entities == 100 - len(answer.entities)
    assert size(answer) <= SMALL


def test_what_lost_a_fact_has_changed_too(memory: Memory) -> None:
    fill(memory, 100, observations=2)
    gone = ObservationDeletion("e7", ("fact 0 of e7 is said",))
    memory.delete_observations([gone], "codex")
    assert names(memory.read_graph(Scope(max_chars=SMALL)))[:2] == ["e7", "e99"]


def test_pages_together_are_the_whole_graph_once(memory: Memory) -> None:
    fill(memory, 100)
    relations = [RelationTriple(f"e{n}", f"e{(n * 7) % 100}", "knows") for n in range(100)]
    memory.create_relations(relations, "codex")
    answers = pages(memory, Scope(max_chars=SMALL))
    assert len(answers) > 3
    assert sorted(n for a in answers for n in names(a)) == sorted(f"e{n}" for n in range(100))
    assert sorted(r.key for a in answers for r in a.relations) == sorted(r.key for r in relations)
    assert all(size(answer) <= SMALL for answer in answers)


def test_pages_stay_consistent_while_others_write(memory: Memory) -> None:
    fill(memory, 100)
    answers = [memory.read_graph(Scope(max_chars=SMALL))]
    victim = "e50"
    while answers[-1].cursor:
        shown, last = names(answers[0])[0], names(answers[-1])[-1]
        memory.add_observations([NewObservations(shown, (f"seen {len(answers)}",))], "codex")
        memory.add_observations([NewObservations("e0", (f"not yet {len(answers)}",))], "codex")
        memory.create_entities([NewEntity(f"new {last}", "thing", ())], "codex")
        memory.delete_entities([victim], "codex")
        answers.append(memory.read_graph(Scope(max_chars=SMALL), answers[-1].cursor))
    seen = [name for answer in answers for name in names(answer)]
    assert len(seen) == len(set(seen))
    assert set(seen) == {f"e{n}" for n in range(100)} - {victim}


def test_the_same_cursor_gives_the_same_page_again(memory: Memory) -> None:
    fill(memory, 100)
    cursor = memory.read_graph(Scope(max_chars=SMALL)).cursor
    scope = Scope(max_chars=SMALL)
    assert names(memory.read_graph(scope, cursor)) == names(memory.read_graph(scope, cursor))


@pytest.mark.parametrize("cursor", ["", "7", "99.0", "1.x", "1.-1", "a" * 1000, "1.²"])
def test_a_cursor_that_never_was_says_what_to_do(memory: Memory, cursor: str) -> None:
    with pytest.raises(InvalidRequest, match="call again without it"):
        memory.read_graph(Scope(), cursor)


def test_the_oldest_cursor_is_forgotten(memory: Memory) -> None:
    fill(memory, 100)
    first = memory.read_graph(Scope(max_chars=SMALL)).cursor
    for _ in range(40):
        memory.read_graph(Scope(max_chars=SMALL))
    with pytest.raises(InvalidRequest, match="expired"):
        memory.read_graph(Scope(), first)


def test_one_entity_longer_than_a_page_shows_its_newest_observations(memory: Memory) -> None:
    fill(memory, 1, observations=446)
    fill(memory, 3)
    answer = memory.read_graph(Scope(max_chars=SMALL))
    (entity,) = memory.open_nodes(["e0"], Scope(max_chars=SMALL)).entities
    assert entity.observations[-1] == "fact 445 of e0 is said"
    assert entity.observation_count == 446
    assert 0 < len(entity.observations) < 446
    assert size(answer) <= SMALL
    assert sorted(n for a in pages(memory, Scope(max_chars=SMALL)) for n in names(a)) == [
        "e0",
        "e1",
        "e2",
    ]


def test_the_newest_observation_is_shown_even_if_it_is_longer_than_a_page(memory: Memory) -> None:
    fill(memory, 1, observations=2)
    longest = "x" * 2 * SMALL
    memory.add_observations([NewObservations("e0", (longest,))], "codex")
    (entity,) = memory.open_nodes(["e0"], Scope(max_chars=SMALL)).entities
    assert (entity.observations, entity.observation_count) == ((longest,), 3)


def test_an_entity_with_too_many_relations_for_a_page_shows_some(memory: Memory) -> None:
    fill(memory, 200)
    relations = [RelationTriple("e0", f"e{n}", "knows") for n in range(1, 200)]
    memory.create_relations(relations, "codex")
    answer = memory.open_nodes(["e0"], Scope(max_chars=SMALL))
    assert names(answer) == ["e0"]
    assert 0 < len(answer.relations) < 199
    assert size(answer) <= SMALL


def test_a_limit_caps_the_entities_and_the_rest_follows(memory: Memory) -> None:
    fill(memory, 25)
    answers = pages(memory, Scope(limit=10))
    assert [len(answer.entities) for answer in answers] == [10, 10, 5]
    assert answers[0].entities[0].observation_tags is not None


def test_names_only_counts_what_there_is(memory: Memory) -> None:
    fill(memory, 2, observations=3)
    memory.create_relations([RelationTriple("e0", "e1", "knows")], "codex")
    answer = memory.read_graph(Scope(names_only=True))
    assert [(e.name, e.observations, e.observation_count) for e in answer.entities] == [
        ("e0", (), 3),
        ("e1", (), 3),
    ]
    assert answer.relations == ()


def test_a_page_of_names_is_filled_with_names(memory: Memory) -> None:
    fill(memory, 60, observations=40)
    first, *_ = answers = pages(memory, Scope(names_only=True, max_chars=SMALL))
    assert sorted(name for answer in answers for name in names(answer)) == sorted(
        f"e{n}" for n in range(60)
    )
    assert SMALL / 2 < size(first) <= SMALL


def test_filters_leave_out_single_facts_and_entities_of_which_none_is_left(memory: Memory) -> None:
    fill(memory, 2)
    memory.add_observations([NewObservations("e1", ("by another",))], "claude-code")
    answer = memory.read_graph(Scope(Filters(agent="claude-code"), max_chars=0))
    assert [(e.name, e.observations) for e in answer.entities] == [("e1", ("by another",))]


def test_relations_between_entities_that_do_not_exist_come_on_the_last_page(
    memory: Memory,
) -> None:
    fill(memory, 100)
    with memory.location.path.open("a", encoding="utf-8") as file:
        file.write('{"type":"relation","from":"Ghost","to":"Nobody","relationType":"haunts"}\n')
    answers = pages(memory, Scope(max_chars=SMALL))
    assert [r.source for r in answers[-1].relations] == ["Ghost"]
    assert all(not answer.relations for answer in answers[:-1])


def test_what_is_opened_comes_in_file_order_each_once(memory: Memory) -> None:
    fill(memory, 4)
    assert names(memory.open_nodes(["e3", "e0", "e2", "e3"])) == ["e0", "e2", "e3"]


def test_opening_notes_what_was_opened(memory: Memory) -> None:
    fill(memory, 2)
    memory.open_nodes(["e1", "nobody"])
    noted = memory.location.path.with_name("m.access.jsonl").read_text(encoding="utf-8")
    assert noted.count("\n") == 1
    assert '"entity":"e1"' in noted


def test_going_on_with_a_read_opens_nothing_again(memory: Memory) -> None:
    fill(memory, 3)
    answer = memory.open_nodes(["e0", "e1", "e2"], Scope(limit=1))
    while answer.cursor:
        answer = memory.open_nodes(["e0", "e1", "e2"], cursor=answer.cursor)
    noted = memory.location.path.with_name("m.access.jsonl").read_bytes()
    assert noted.count(b"\n") == 3
