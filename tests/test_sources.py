"""A source that the same call saves is not missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog.memory import Memory
from mnemolog.requests import NewEntity, NewObservations
from mnemolog.store.location import Settings

SOURCES = ("tests fail on Mondays", "never said")


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = Memory.open(Settings(str(tmp_path / "m.jsonl"), None), tmp_path)
    memory.create_entities([NewEntity("ci", "service", ())], "ada")
    return memory


def test_a_source_that_the_same_call_adds_is_not_missing(memory: Memory) -> None:
    done = memory.add_observations(
        [
            NewObservations("ci", ("tests fail on Mondays",)),
            NewObservations("ci", ("depends on the weekly backup",), sources=SOURCES),
        ],
        "ada",
    )
    assert done.missing_sources == ("never said",)


def test_a_source_that_the_same_call_creates_is_not_missing(memory: Memory) -> None:
    done = memory.create_entities(
        [
            NewEntity("backup", "job", ("depends on the tests",), sources=SOURCES),
            NewEntity("tests", "suite", ("tests fail on Mondays",)),
        ],
        "ada",
    )
    assert done.missing_sources == ("never said",)
