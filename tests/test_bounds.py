"""An answer keeps to its bound, whatever else it has to say."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog.answers.excerpts import Scope
from mnemolog.json_text import json_text
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity
from mnemolog.store.location import Settings


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = Memory.open(Settings(str(tmp_path / "m.jsonl"), None), tmp_path)
    memory.create_entities(
        [NewEntity(f"e{n}", "thing", (f"fact {n} is said",)) for n in range(300)], "ada"
    )
    return memory


@pytest.mark.parametrize("max_chars", [2_000, 5_000, 20_000])
def test_an_answer_keeps_to_its_bound_with_all_that_could_not_be_read(
    memory: Memory, max_chars: int
) -> None:
    with memory.location.path.open("ab") as file:
        file.write(b"".join(b'{"broken %d\n' % n for n in range(30)))
    scope = Scope(max_chars=max_chars)
    page = memory.read_graph(scope)
    assert page.problems
    sizes = [len(json_text(page)), len(json_text(memory.search_nodes("fact", scope)))]
    while page.cursor:
        page = memory.read_graph(scope, page.cursor)
        sizes.append(len(json_text(page)))
    assert max(sizes) <= max_chars


@pytest.mark.parametrize(("max_chars", "told"), [(2_000, 2), (100_000, 20), (0, 30)])
def test_the_first_of_what_could_not_be_read_is_told_and_how_much_is_left(
    memory: Memory, max_chars: int, told: int
) -> None:
    with memory.location.path.open("ab") as file:
        file.write(b"".join(b'{"broken %d\n' % n for n in range(30)))
    problems = memory.read_graph(Scope(max_chars=max_chars)).problems or ()
    lines = [int(problem.line) for problem in problems]
    assert lines == list(range(301, 331))[: told + (told < 30)]
    assert ("more that cannot be read" in problems[-1].reason) == (told < 30)


def test_names_alone_are_given_however_short_the_answer_has_to_be(memory: Memory) -> None:
    answer = memory.read_graph(Scope(names_only=True, max_chars=1))
    assert [(e.name, e.observations, e.observation_count) for e in answer.entities] == [
        ("e299", (), 1)
    ]
