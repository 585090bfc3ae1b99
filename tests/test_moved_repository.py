"""A repository that was moved while it was served is not made again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import repositories
from mnemolog.errors import LocationRefused
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity
from mnemolog.store.location import Settings
from repositories import Run, commit, needs_git, new

pytestmark = needs_git
run = repositories.run

NOTHING_SET = Settings(None, None)
NEW = [NewEntity("api", "service", ("is written in Go",))]


@pytest.fixture
def place(tmp_path: Path, run: Run) -> Path:
    place = new(tmp_path / "shop", run)
    commit(place, run)
    return place


@pytest.mark.parametrize("has_memory", [True, False])
def test_a_repository_that_was_moved_meanwhile_is_neither_empty_nor_made_again(
    place: Path, *, has_memory: bool
) -> None:
    memory = Memory.open(NOTHING_SET, place)
    if has_memory:
        memory.create_entities(NEW, "ada")
    moved = place.rename(place.with_name("store"))
    for call in (
        memory.read_graph,
        lambda: memory.search_nodes("Go"),
        lambda: memory.create_entities([NewEntity("web", "service", ())], "ada"),
        lambda: memory.undo("ada") if has_memory else memory.read_graph(),
        lambda: memory.initialize_memory("fresh", "ada"),
    ):
        with pytest.raises(LocationRefused, match="restart the server in its new place"):
            call()
    assert not place.exists()
    assert len(Memory.open(NOTHING_SET, moved).read_graph().entities) == has_memory
    moved.rename(place)
    assert len(memory.read_graph().entities) == has_memory


def test_folders_of_a_chosen_file_outside_a_repository_are_still_made(tmp_path: Path) -> None:
    memory = Memory.open(Settings(str(tmp_path / "notes" / "m.jsonl"), None), tmp_path)
    memory.create_entities(NEW, "ada")
    shutil.rmtree(tmp_path / "notes")
    assert memory.read_graph().entities == ()
    memory.create_entities(NEW, "ada")
    assert len(memory.read_graph().entities) == 1
