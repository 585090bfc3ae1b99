"""Two branches that each wrote to a committed memory merge by `merge=union` with nothing lost.

A fact that a side added and nobody removed is there; a fact that a side removed and the other did
not say again is gone; and the merged file is one that we can go on writing to.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Final

import pytest

from branches import Side, Thing, random_branches, random_call
from mnemolog.edits import deleting
from mnemolog.memory import Memory
from mnemolog.records import (
    UNTAGGED,
    Entity,
    Record,
    Superseded,
    Tombstone,
)
from mnemolog.requests import (
    NewEntity,
    NewObservations,
    ObservationDeletion,
    RelationTriple,
)
from mnemolog.store.location import Settings

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone(timedelta(hours=1)))
IS_SOAK: Final = os.environ.get("MNEMOLOG_SOAK") == "1"
MERGES: Final = range(3000 if IS_SOAK else 120)
REAL_MERGES: Final = range(40 if IS_SOAK else 4)

# --- what a merge must keep ----------------------------------------------------------------------


def assert_merged(merged: Side, base: Side, ours: Side, theirs: Side) -> None:
    undecided = ours.undecided | theirs.undecided
    for side, other in ((ours, theirs), (theirs, ours)):
        unremoved = side.things() - other.removed
        added = unremoved & (side.said | base.things())
        assert merged.things() >= added - undecided
        removed = side.removed - side.things() - other.said
        assert merged.things().isdisjoint(removed - undecided)


def assert_can_be_written_to(content: bytes, before: set[Thing]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.jsonl"
        path.write_bytes(content)
        memory = memory_at(path)
        is_read = side_of(memory).things()
        assert is_read == before
        memory.create_entities([NewEntity("Oar", "tool", ("is new",))], "codex")
        after = side_of(memory_at(path)).things()
        assert after == before | {("Oar",), ("Oar", "is new")}
        memory_at(path).upkeep.compact()
        assert side_of(memory_at(path)).things() == after


def memory_at(path: Path) -> Memory:
    return Memory.open(Settings(str(path), None), path.parent, lambda: NOW)


def side_of(memory: Memory) -> Side:
    """Return what a memory says, read through its front door."""
    answer = memory.read_graph()
    side = Side()
    side.graph.apply_all(
        Entity(e.name, e.entity_type, e.observations, UNTAGGED) for e in answer.entities
    )
    side.graph.apply_all(answer.relations)
    return side


def read_side(content: bytes) -> Side:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.jsonl"
        path.write_bytes(content)
        return side_of(memory_at(path))


def union(base: bytes, ours: bytes, theirs: bytes) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("ours", "base", "theirs")]
        for path, content in zip(paths, (ours, base, theirs), strict=True):
            path.write_bytes(content)
        words = ["git", "merge-file", "--union", "-p", *map(str, paths)]
        return subprocess.run(words, check=True, capture_output=True).stdout


# --- merges of files -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", MERGES)
def test_random_histories_merge_with_nothing_lost_and_nothing_back(seed: int) -> None:
    base, ours, theirs, _ = random_branches(seed)
    for one, other in ((ours, theirs), (theirs, ours)):
        content = union(base.content, one.content, other.content)
        merged = read_side(content)
        assert_merged(merged, base, one, other)
        assert_can_be_written_to(content, merged.things())


@pytest.mark.parametrize("seed", MERGES)
def test_histories_without_a_final_newline_merge_too(seed: int) -> None:
    base, ours, theirs, _ = random_branches(seed)
    contents = [side.content.removesuffix(b"\n") for side in (base, ours, theirs)]
    for one, other in ((1, 2), (2, 1)):
        content = union(contents[0], contents[one], contents[other])
        assert_merged(read_side(content), base, ours, theirs)
        assert_can_be_written_to(content, read_side(content).things())


@pytest.mark.parametrize("seed", MERGES)
def test_a_torn_tail_of_one_side_costs_the_other_nothing(seed: int) -> None:
    base, ours, theirs, dice = random_branches(seed)
    torn: tuple[Record, ...] = ()
    while not torn:
        torn = random_call(theirs.graph, dice)
    theirs.append_torn(torn, lambda size: dice.randrange(1, size))
    for one, other in ((ours, theirs), (theirs, ours)):
        content = union(base.content, one.content, other.content)
        assert_merged(read_side(content), base, ours, theirs)
        assert_can_be_written_to(content, read_side(content).things())


def test_a_fact_that_another_branch_added_keeps_a_deleted_entity() -> None:
    base = Side()
    base.append([Entity("Boat", "vessel", ("is red",), UNTAGGED)])
    ours, theirs = base.branch(), base.branch()
    ours.append(deleting.delete_entities(ours.graph, ["Boat"], UNTAGGED).records)
    theirs.append([Entity("Boat", "vessel", ("has oars",), UNTAGGED)])
    for one, other in ((ours, theirs), (theirs, ours)):
        merged = read_side(union(base.content, one.content, other.content))
        assert merged.things() == {("Boat",), ("Boat", "has oars")}


def test_a_fact_that_one_side_removed_and_the_other_retired_is_no_history_either() -> None:
    base = Side()
    base.append([Entity("Boat", "vessel", ("is red", "has oars"), UNTAGGED)])
    ours, theirs = base.branch(), base.branch()
    ours.append([Tombstone("observation", None, None, "Boat", ("is red",))])
    theirs.append([Superseded("Boat", "is red", UNTAGGED, None, None)])
    for one, other in ((ours, theirs), (theirs, ours)):
        merged = Side(union(base.content, one.content, other.content)).branch()
        assert merged.things() == {("Boat",), ("Boat", "has oars")}
        assert not merged.graph.superseded


# --- merges by git -------------------------------------------------------------------------------


class Repository:
    """A repository whose memory is committed as the README says."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.path = root / ".agents" / "memory.jsonl"
        self.git("init", "-q", "-b", "main")
        attributes = ".agents/memory.jsonl text eol=lf merge=union\n"
        (root / ".gitattributes").write_text(attributes, encoding="utf-8", newline="\n")
        self.commit("start")

    def git(self, *words: str) -> None:
        identity = ("-c", "user.name=Dev", "-c", "user.email=dev@example.com")
        subprocess.run(["git", *identity, *words], cwd=self.root, check=True, capture_output=True)

    def commit(self, message: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def memory(self) -> Memory:
        return Memory.open(Settings(".agents/memory.jsonl", None), self.root, lambda: NOW)

    def write(self, content: bytes) -> None:
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_bytes(content)


@pytest.mark.parametrize("seed", REAL_MERGES)
@pytest.mark.parametrize("into", ["ours", "theirs"])
@pytest.mark.parametrize("is_torn", [False, True])
def test_git_merges_random_histories(
    tmp_path: Path, seed: int, into: str, *, is_torn: bool
) -> None:
    base, ours, theirs, dice = random_branches(1000 + seed)
    if is_torn:
        oak = Entity("Oak", "tree", ("grows",), UNTAGGED)
        theirs.append_torn(
            [oak, *ours.graph.relations.values()], lambda size: dice.randrange(1, size)
        )
    repository = Repository(tmp_path)
    repository.write(base.content)
    repository.commit("base")
    for name, side in (("ours", ours), ("theirs", theirs)):
        repository.git("switch", "-q", "-c", name, "main")
        repository.write(side.content)
        repository.commit(name)
    repository.git("switch", "-q", into)
    repository.git("merge", "-q", "--no-edit", "theirs" if into == "ours" else "ours")
    merged = side_of(repository.memory())
    assert_merged(merged, base, ours, theirs)
    repository.memory().create_entities([NewEntity("Oar", "tool", ())], "codex")
    assert side_of(repository.memory()).things() == merged.things() | {("Oar",)}


@pytest.mark.parametrize("into", ["one", "two"])
def test_two_agents_on_two_branches_lose_nothing_to_each_other(tmp_path: Path, into: str) -> None:
    repository = Repository(tmp_path)
    boat = NewEntity("Boat", "vessel", ("is red", "has a mast", "leaks"))
    repository.memory().create_entities([boat, NewEntity("Pier", "place", ())], "codex")
    repository.commit("a memory")
    repository.git("switch", "-q", "-c", "one")
    memory = repository.memory()
    memory.add_observations([NewObservations("Boat", ("was painted",))], "codex")
    memory.delete_observations([ObservationDeletion("Boat", ("leaks",))], "codex")
    memory.create_relations([RelationTriple("Boat", "Pier", "is_moored_at")], "codex")
    repository.commit("one")
    repository.git("switch", "-q", "-c", "two", "main")
    memory = repository.memory()
    memory.add_observations([NewObservations("Boat", ("has oars",))], "cursor")
    memory.delete_observations([ObservationDeletion("Boat", ("is red",))], "cursor")
    repository.commit("two")
    repository.git("switch", "-q", into)
    repository.git("merge", "-q", "--no-edit", "two" if into == "one" else "one")
    graph = repository.memory().read_graph()
    assert graph.problems is None
    assert {e.name: set(e.observations) for e in graph.entities} == {
        "Boat": {"has a mast", "was painted", "has oars"},
        "Pier": set(),
    }
    assert [r.key for r in graph.relations] == [("Boat", "Pier", "is_moored_at")]
    agents = {tags.agent for e in graph.entities for tags in e.observation_tags or ()}
    assert agents == {"codex", "cursor"}
