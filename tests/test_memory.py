"""Each operation on a real file: what it saves, answers and refuses."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

import repositories
from mnemolog.declarations import to_wire
from mnemolog.errors import LocationRefused, NewerFormat, OtherRepository, UnreadableMemory
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity, NewObservations, ObservationDeletion, RelationTriple
from mnemolog.store.location import Location, Settings
from repositories import Run, commit, needs_git, new

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=timezone(timedelta(hours=1)))
pytestmark = needs_git
LAMP = NewEntity("Lamp", "device", ("is on",))


run = repositories.run


def repository(folder: Path, run: Run) -> Path:
    new(folder, run)
    run(folder, "commit", "--allow-empty", "--quiet", "--message", f"Begin {folder.name}")
    return folder


def memory_at(path: Path) -> Memory:
    return Memory.open(Settings(str(path), None), path.parent, lambda: NOON)


def memory_in(folder: Path) -> Memory:
    return Memory.open(Settings(None, None), folder, lambda: NOON)


def texts(memory: Memory, name: str = "Lamp") -> tuple[str, ...]:
    (entity,) = memory.open_nodes([name]).entities
    return entity.observations


def test_a_fact_carries_its_local_date_to_the_second_and_its_agent(tmp_path: Path) -> None:
    memory = memory_at(tmp_path / "m.jsonl")
    memory.create_entities([LAMP], "codex")
    (entity,) = memory.read_graph().entities
    assert entity.observation_tags is not None
    assert to_wire(entity.observation_tags[0]) == {
        "added_at": "2026-03-01T12:00:00+01:00",
        "agent": "codex",
    }


def test_what_one_memory_saves_the_next_one_and_an_older_one_read(tmp_path: Path) -> None:
    old, new = memory_at(tmp_path / "m.jsonl"), memory_at(tmp_path / "m.jsonl")
    old.read_graph()
    new.create_entities([LAMP], "codex")
    assert texts(old) == ("is on",)
    old.add_observations([NewObservations("Lamp", ("is red",))], "claude-code")
    assert texts(new) == texts(memory_at(tmp_path / "m.jsonl")) == ("is on", "is red")


def test_a_call_that_changes_nothing_leaves_no_trace(tmp_path: Path) -> None:
    memory = memory_at(tmp_path / "folder" / "m.jsonl")
    memory.delete_entities(["Nobody"], "codex")
    assert list(tmp_path.iterdir()) == []


def test_a_file_and_its_folder_are_private(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "folder" / "m.jsonl"
    memory_at(path).create_entities([LAMP], "codex")
    assert [p.stat().st_mode & 0o777 for p in (path, path.parent)] == [0o600, 0o700]


def test_an_existing_mode_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.touch(mode=0o644)
    memory = memory_at(path)
    memory.create_entities([LAMP], "codex")
    memory.delete_entities(["Lamp"], "codex")
    memory.upkeep.compact()
    assert path.stat().st_mode & 0o777 == 0o644


def test_search_finds_entities_by_their_names_and_observations(tmp_path: Path) -> None:
    memory = memory_at(tmp_path / "m.jsonl")
    memory.create_entities([LAMP, NewEntity("Desk", "furniture", ("is oak",))], "codex")
    memory.create_relations([RelationTriple("Lamp", "Desk", "stands_on")], "codex")
    found = memory.search_nodes("LAMP on")
    assert [e.name for e in found.entities] == ["Lamp"]
    assert [r.relation_type for r in found.relations] == ["stands_on"]
    assert len(memory.search_nodes("").entities) == 2
    assert memory.search_nodes("chair").entities == ()


def test_the_first_write_beside_another_servers_facts_says_so_once(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    path.write_bytes(
        b'{"type":"entity","name":"Lamp","entityType":"device","observations":["is on"]}'
    )
    memory = memory_at(path)
    first = memory.add_observations([NewObservations("Lamp", ("is red",))], "codex")
    second = memory.add_observations([NewObservations("Lamp", ("is hot",))], "codex")
    assert first.notice is not None
    assert "brings removed facts back" in first.notice
    assert second.notice is None
    assert any("another memory server" in sentence for sentence in memory.upkeep.describe())


def test_an_unreadable_line_is_reported_with_its_number_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    memory_at(path).create_entities([LAMP], "codex")
    with path.open("ab") as file:
        file.write(b"<<<<<<< HEAD\n")
    memory = memory_at(path)
    memory.add_observations([NewObservations("Lamp", ("is red",))], "codex")
    (problem,) = memory.read_graph().problems or ()
    assert problem.line == 2
    assert b"<<<<<<< HEAD\n" in path.read_bytes()


def test_a_file_without_a_record_is_never_written_to(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(b"Dear diary\n")
    memory = memory_at(path)
    assert memory.read_graph().entities == ()
    for write in (
        lambda: memory.create_entities([LAMP], "codex"),
        lambda: memory.add_observations([NewObservations("Lamp", ("x",))], "codex"),
        lambda: memory.delete_entities(["Lamp"], "codex"),
    ):
        with pytest.raises(UnreadableMemory, match=r"line 1.*mnemolog import"):
            write()
    assert path.read_bytes() == b"Dear diary\n"


def test_a_file_of_a_newer_format_is_read_and_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "m.jsonl"
    lines = (
        '{"type":"header","format":2,"repo":{"name":"shop"},"added_at":null,"agent":null}\n'
        '{"type":"entity","name":"Lamp","entityType":"device","observations":["is on"]}\n'
    )
    path.write_text(lines, encoding="utf-8")
    memory = memory_at(path)
    assert texts(memory) == ("is on",)
    with pytest.raises(NewerFormat, match="Update mnemolog"):
        memory.delete_entities(["Lamp"], "codex")
    assert path.read_text(encoding="utf-8") == lines


# --- the repository that a memory belongs to ------------------------------------------------------


def test_the_first_write_names_the_repository_and_hides_the_file_from_git(
    tmp_path: Path, run: Run
) -> None:
    shop = repository(tmp_path / "shop", run)
    memory_in(shop).create_entities([LAMP], "codex")
    first_line = (
        (shop / ".agents" / "memory.local.jsonl").read_text(encoding="utf-8").split("\n")[0]
    )
    assert '"type":"header"' in first_line
    assert '"name":"shop"' in first_line
    assert run(shop, "status", "--porcelain", "-uall") == ""


def copied_into_another_repository(tmp_path: Path, run: Run) -> Path:
    shop, bank = repository(tmp_path / "shop", run), repository(tmp_path / "bank", run)
    memory_in(shop).create_entities([LAMP], "codex")
    (shop / ".agents").rename(bank / ".agents")
    return bank


def test_a_memory_in_another_repository_refuses_everything_but_initialising(
    tmp_path: Path, run: Run
) -> None:
    memory = memory_in(copied_into_another_repository(tmp_path, run))
    deletion = ObservationDeletion("Lamp", ("is on",))
    refused = (
        memory.read_graph,
        memory.upkeep.compact,
        lambda: memory.search_nodes("lamp"),
        lambda: memory.open_nodes(["Lamp"]),
        lambda: memory.create_entities([LAMP], "codex"),
        lambda: memory.create_relations([], "codex"),
        lambda: memory.add_observations([NewObservations("Lamp", ("x",))], "codex"),
        lambda: memory.delete_entities(["Lamp"], "codex"),
        lambda: memory.delete_observations([deletion], "codex"),
        lambda: memory.delete_relations([], "codex"),
    )
    for operation in refused:
        with pytest.raises(OtherRepository, match=r"'shop'.*'bank'.*initialize_memory"):
            operation()


def test_adopting_keeps_the_facts(tmp_path: Path, run: Run) -> None:
    bank = copied_into_another_repository(tmp_path, run)
    memory_in(bank).initialize_memory("adopt", "codex")
    assert texts(memory_in(bank)) == ("is on",)


def test_starting_fresh_sets_the_facts_aside(tmp_path: Path, run: Run) -> None:
    bank = copied_into_another_repository(tmp_path, run)
    before = (bank / ".agents" / "memory.local.jsonl").read_bytes()
    result = memory_in(bank).initialize_memory("fresh", "codex")
    assert memory_in(bank).read_graph().entities == ()
    assert result.backup is not None
    assert Path(result.backup).read_bytes() == before
    memory_in(bank).create_entities([LAMP], "codex")
    assert texts(memory_in(bank)) == ("is on",)


def test_a_header_without_a_commit_gets_one_at_the_first_write_after_there_is_one(
    tmp_path: Path, run: Run
) -> None:
    shop = new(tmp_path / "shop", run)
    memory_in(shop).create_entities([LAMP], "codex")
    run(shop, "commit", "--allow-empty", "--quiet", "--message", "Begin")
    memory_in(shop).add_observations([NewObservations("Lamp", ("is red",))], "codex")
    moved = shop.rename(tmp_path / "moved")
    assert texts(memory_in(moved)) == ("is on", "is red")


def test_a_memory_committed_with_the_first_commit_passes_in_a_clone(
    tmp_path: Path, run: Run
) -> None:
    shop = new(tmp_path / "shop", run)
    settings = Settings(".agents/memory.jsonl", None)
    Memory.open(settings, shop).create_entities([LAMP], "codex")
    commit(shop, run)
    run(tmp_path, "clone", "--quiet", shop.as_uri(), "clone")
    memory = Memory.open(settings, tmp_path / "clone")
    assert texts(memory) == ("is on",)
    memory.add_observations([NewObservations("Lamp", ("is red",))], "codex")
    assert texts(memory) == ("is on", "is red")


def test_a_file_outside_any_repository_is_used_from_two(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "shared.jsonl"
    shop, bank = repository(tmp_path / "shop", run), repository(tmp_path / "bank", run)
    settings = Settings(str(path), None)
    Memory.open(settings, shop).create_entities([LAMP], "codex")
    assert texts(Memory.open(settings, bank)) == ("is on",)


def test_where_no_memory_belongs_reads_are_empty_and_writes_say_why(tmp_path: Path) -> None:
    path = tmp_path / ".agents" / "memory.local.jsonl"
    memory = Memory(Location(path, "It is home.", None, is_default=True, refusal="Not at home."))
    assert memory.read_graph().entities == ()
    for write in (
        lambda: memory.create_entities([LAMP], "codex"),
        lambda: memory.initialize_memory("fresh", "codex"),
        memory.upkeep.compact,
    ):
        with pytest.raises(LocationRefused, match="Not at home"):
            write()
    assert list(tmp_path.iterdir()) == []


_SEARCHED = """
import sys
from pathlib import Path
from mnemolog.memory import Memory
from mnemolog.store.location import Settings
folder = Path(sys.argv[1])
Memory.open(Settings(str(folder / "memory.jsonl"), None), folder).search_nodes("lamp")
print(*({"mnemolog.screener", "mnemolog.upkeep", "mnemolog.recall", "filelock"} & {*sys.modules}))
"""


def test_a_first_search_imports_nothing_that_only_a_write_needs(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _SEARCHED, str(tmp_path)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.split() == []
