"""Many processes at one file: every call of each is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from driver import open_memory, perform
from faultlab import Call, Lab, litter_beside, make, snapshot, snapshot_of

_WRITERS: Final = 8
_ADDS: Final = 50


@pytest.fixture
def labs() -> Iterator[list[Lab]]:
    labs = [Lab() for _ in range(_WRITERS + 2)]
    yield labs
    for lab in labs:
        lab.close()


def test_eight_writers_a_compacter_and_a_reader_lose_nothing(
    labs: list[Lab], tmp_path: Path
) -> None:
    path = tmp_path / "memory.jsonl"
    make(path, [("create_entities", {"Ada": []})])
    jobs: list[list[Call]] = [
        [("add_observations", {"Ada": [f"{writer}.{n}"]}) for n in range(_ADDS)]
        for writer in range(_WRITERS)
    ]
    jobs += [[("compact", None)] * 30, [("read_graph", None)] * 100]
    for lab, calls in zip(labs, jobs, strict=True):
        lab.start(path, calls)
    for lab in labs:
        lab.let_go()
    _require_that_reads_only_grow(path)
    outcomes = [lab.outcome() for lab in labs]
    assert [outcome.errors for outcome in outcomes] == [{}] * len(labs)
    entities, _ = snapshot_of(path)
    assert sorted(entities[0][2]) == sorted(
        f"{w}.{n}" for w in range(_WRITERS) for n in range(_ADDS)
    )
    # Each writer's own are in its order.
    for writer in range(_WRITERS):
        own = [text for text in entities[0][2] if text.startswith(f"{writer}.")]
        assert own == [f"{writer}.{n}" for n in range(_ADDS)]
    assert open_memory(path).read_graph().problems is None
    assert litter_beside(path) == []


def _require_that_reads_only_grow(path: Path) -> None:
    memory = open_memory(path)
    seen: set[str] = set()
    for _ in range(200):
        graph = memory.read_graph()
        found = set(graph.entities[0].observations)
        assert found >= seen
        seen = found


def test_eight_writers_that_create_the_file_together_lose_nothing(
    labs: list[Lab], tmp_path: Path
) -> None:
    path = tmp_path / "new" / "folder" / "memory.jsonl"
    for number, lab in enumerate(labs):
        lab.start(path, [("create_entities", {f"{number}": ["here"], f"{number}b": []})])
    for lab in labs:
        lab.let_go()
    outcomes = [lab.outcome() for lab in labs]
    assert [outcome.errors for outcome in outcomes] == [{}] * len(labs)
    names = {name for name, _, _ in snapshot_of(path)[0]}
    assert names == {f"{n}{end}" for n in range(len(labs)) for end in ("", "b")}


def test_an_old_process_that_writes_later_reverts_nothing(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    idle = open_memory(path)
    perform(idle, "create_entities", {"Ada": ["one", "two"], "Bob": [], "Cy": []})
    perform(idle, "create_relations", [["Ada", "Bob", "knows"]])
    make(
        path,
        [
            ("delete_entities", ["Bob"]),
            ("delete_observations", {"Ada": ["one"]}),
            ("add_observations", {"Ada": ["three"]}),
            ("compact", None),
            ("create_entities", {"Dee": ["here"]}),
        ],
    )
    perform(idle, "add_observations", {"Ada": ["four"]})
    entities, relations = snapshot_of(path)
    assert entities == (
        ("Ada", "thing", ("two", "three", "four")),
        ("Cy", "thing", ()),
        ("Dee", "thing", ("here",)),
    )
    assert relations == ()
    assert snapshot(idle) == (entities, relations)
