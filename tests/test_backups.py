"""A backup is the memory of one moment, and a restore destroys nothing."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

import command_line
import repositories
from command_line import invoke, memory, on_a_terminal, run, run_json, texts_of
from mcp_client import answer, connected
from mnemolog.errors import BackupRefused, InvalidRequest, LocationRefused, LockTimeout
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity, NewObservations
from mnemolog.store import backups, lock
from mnemolog.store.location import Settings

folder = command_line.folder
git = repositories.run

OURS = ".agents/memory.local.jsonl"
DOCUMENT = b'{"entities": [{"name": "Ada", "entityType": "person", "observations": ["x"]}]}'


def save(*texts: str) -> None:
    memory().create_entities([NewEntity("api", "service", ())], "codex")
    memory().add_observations([NewObservations("api", texts)], "codex")


def backup_of(folder: Path) -> Path:
    found = memory().upkeep.back_up().backup
    assert Path(found).parent == folder / ".agents"
    return Path(found)


def beside(folder: Path) -> set[str]:
    return {path.name for path in (folder / ".agents").iterdir()}


# --- making one ----------------------------------------------------------------------------------


def test_a_backup_is_the_file_byte_for_byte_with_its_mode(folder: Path) -> None:
    save("one")
    with (folder / OURS).open("ab") as file:
        file.write(b"no record\n\xff\n")
    (folder / OURS).chmod(0o640)
    done = memory().upkeep.back_up()
    backup = Path(done.backup)
    assert backup.read_bytes() == (folder / OURS).read_bytes()
    assert stat.S_IMODE(backup.stat().st_mode) == 0o640
    assert done.bytes == backup.stat().st_size
    assert (done.contents.entities, done.contents.observations) == (1, 1)
    assert done.contents.unreadable_lines == 2


def test_backups_of_one_second_all_stay(folder: Path) -> None:
    save("one")
    made = {memory().upkeep.back_up().backup for _ in range(4)}
    assert len(made) == 4
    assert {Path(path).name for path in made} <= beside(folder)


def test_a_backup_goes_to_a_file_or_into_a_folder(folder: Path) -> None:
    save("one")
    (folder / "safe").mkdir()
    assert Path(memory().upkeep.back_up(folder / "safe").backup).parent == folder / "safe"
    named = folder / "safe" / "mine.jsonl"
    assert memory().upkeep.back_up(named).backup == str(named)
    assert len([*(folder / "safe").iterdir()]) == 2
    for place in (folder / "safe" / Path(OURS).name, folder / ".agents" / "mine.jsonl"):
        assert memory().upkeep.back_up(place).backup == str(place)


@pytest.mark.parametrize("target", ["taken", "link", OURS, f"{OURS}.lock", "no/folder/here"])
def test_a_backup_never_takes_the_place_of_anything(target: str, folder: Path) -> None:
    save("one")
    (folder / "taken").write_bytes(b"theirs")
    (folder / "link").symlink_to("nowhere")
    before = (folder / OURS).read_bytes()
    with pytest.raises(InvalidRequest, match=r"Name a|name another"):
        memory().upkeep.back_up(folder / target)
    assert (folder / "taken").read_bytes() == b"theirs"
    assert (folder / OURS).read_bytes() == before
    assert not (folder / "nowhere").exists()
    assert not [path for path in folder.rglob("*") if ".tmp-" in path.name]


def test_the_access_log_is_not_a_place_for_a_backup(folder: Path) -> None:
    save("one")
    with pytest.raises(InvalidRequest, match="belongs to the memory itself"):
        memory().upkeep.back_up(folder / ".agents" / "memory.local.access.jsonl")


def test_where_nothing_is_there_is_nothing_to_back_up(folder: Path) -> None:
    with pytest.raises(InvalidRequest, match="nothing to back up"):
        memory().upkeep.back_up()
    assert not (folder / ".agents").exists()
    (folder / ".agents").mkdir()
    (folder / OURS).touch()
    with pytest.raises(InvalidRequest, match="nothing to back up"):
        memory().upkeep.back_up()


def test_no_backup_holds_a_part_of_a_call(folder: Path) -> None:
    save("start")

    def write() -> None:
        mine = memory()
        for number in range(12):
            texts = tuple(f"{number} {part} {'x' * 5000}" for part in range(20))
            mine.add_observations([NewObservations("api", texts)], "codex")

    writer = threading.Thread(target=write)
    writer.start()
    made = [memory().upkeep.back_up()]
    while writer.is_alive():
        made.append(memory().upkeep.back_up())
    writer.join()
    assert {done.contents.unreadable_lines for done in made} == {0}
    assert {done.contents.observations % 20 for done in made} == {1}
    assert backup_of(folder).read_bytes() == (folder / OURS).read_bytes()


def test_a_backup_waits_for_the_writer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save("one")
    monkeypatch.setattr(lock.WriterLock.__init__, "__defaults__", (0.1,))
    with lock.WriterLock(folder / OURS).held(), pytest.raises(LockTimeout):
        memory().upkeep.back_up()


def test_on_a_file_system_without_links_nothing_is_overwritten_either(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_paths: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    save("one")
    monkeypatch.setattr(os, "link", no_links)
    first, second = backup_of(folder), backup_of(folder)
    assert first != second
    assert first.read_bytes() == second.read_bytes() == (folder / OURS).read_bytes()


# --- going back ----------------------------------------------------------------------------------


def test_a_restore_brings_the_old_bytes_back_and_sets_the_new_ones_aside(folder: Path) -> None:
    save("one")
    backup = backup_of(folder)
    old = backup.read_bytes()
    save("two")
    newer = (folder / OURS).read_bytes()
    done = memory().upkeep.restore(backup)
    assert (folder / OURS).read_bytes() == old
    assert done.set_aside is not None
    assert Path(done.set_aside).read_bytes() == newer
    assert texts_of("api") == ("one",)
    assert backup.read_bytes() == old
    save("three")
    assert texts_of("api") == ("one", "three")


def test_a_restore_can_be_taken_back_by_a_restore(folder: Path) -> None:
    save("one")
    backup = backup_of(folder)
    save("two")
    done = memory().upkeep.restore(backup)
    memory().upkeep.restore(Path(done.set_aside or ""))
    assert texts_of("api") == ("one", "two")


def test_a_restore_of_what_is_there_already_changes_nothing(folder: Path) -> None:
    save("one")
    backup = backup_of(folder)
    before = beside(folder)
    done = memory().upkeep.restore(backup)
    assert not done.changed
    assert beside(folder) == before


def test_a_restore_makes_a_memory_where_there_is_none(folder: Path) -> None:
    save("one")
    backup = folder / "kept.jsonl"
    memory().upkeep.back_up(backup)
    for path in (folder / ".agents").iterdir():
        path.unlink()
    (folder / ".agents").rmdir()
    done = memory().upkeep.restore(backup)
    assert done.set_aside is None
    assert texts_of("api") == ("one",)
    assert (folder / ".agents" / ".gitignore").exists()


def test_what_cannot_be_read_now_is_set_aside_as_it_is(folder: Path) -> None:
    save("one")
    backup = backup_of(folder)
    (folder / OURS).write_bytes(b"\x00\xff all gone")
    done = memory().upkeep.restore(backup)
    assert Path(done.set_aside or "").read_bytes() == b"\x00\xff all gone"
    assert texts_of("api") == ("one",)


def test_the_document_of_another_server_can_be_restored(folder: Path) -> None:
    (folder / ".agents").mkdir()
    (folder / OURS).write_bytes(DOCUMENT)
    save("one")
    (original,) = (folder / ".agents").glob("*.bak-*")
    memory().upkeep.restore(original)
    assert (folder / OURS).read_bytes() == DOCUMENT
    assert texts_of("Ada") == ("x",)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "no memory record"),
        (b"root:x:0:0::/root:/bin/sh\n", "no memory record"),
        (b"{}\n", "no memory record"),
        (b'{"type":"entity","name":"a","observations":[],"continues":true}\n', "no memory record"),
        (
            b'{"type":"header","format":99,"repo":{"name":"a","commit":null,"root":null}}\n',
            "newer mnemolog",
        ),
    ],
    ids=["empty", "text", "json", "half a call", "newer format"],
)
def test_what_is_no_memory_is_refused(content: bytes, reason: str, folder: Path) -> None:
    save("one")
    (folder / "other").write_bytes(content)
    before, names = (folder / OURS).read_bytes(), beside(folder)
    for dry_run in (True, False):
        with pytest.raises(BackupRefused, match=reason):
            memory().upkeep.restore(folder / "other", dry_run=dry_run)
    assert (folder / OURS).read_bytes() == before
    assert beside(folder) == names


def test_a_memory_is_not_restored_from_itself(folder: Path) -> None:
    save("one")
    (folder / "link").symlink_to(folder / OURS)
    (folder / "hard").hardlink_to(folder / OURS)
    for name in (OURS, "link", "hard"):
        with pytest.raises(BackupRefused, match="memory file itself"):
            memory().upkeep.restore(folder / name)


def test_only_a_file_is_restored_from(folder: Path) -> None:
    save("one")
    os.mkfifo(folder / "pipe")
    for name in ("pipe", ".agents"):
        with pytest.raises(BackupRefused, match="no regular file"):
            memory().upkeep.restore(folder / name)


def test_a_missing_backup_is_answered_with_those_that_are_there(folder: Path) -> None:
    save("one")
    backup = backup_of(folder)
    with pytest.raises(BackupRefused, match=backup.name):
        memory().upkeep.restore(folder / "typo")


def test_undo_does_not_reach_behind_a_restore(folder: Path) -> None:
    save("one")
    backup = backup_of(folder)
    mine = memory()
    mine.add_observations([NewObservations("api", ("two",))], "codex")
    mine.upkeep.restore(backup)
    with pytest.raises(InvalidRequest, match="nothing to take back"):
        mine.undo("codex")
    assert folder.exists()


def test_a_symlinked_memory_stays_a_symlink(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "real").mkdir()
    (folder / "memory.jsonl").symlink_to("real/there.jsonl")
    monkeypatch.setenv("MEMORY_FILE_PATH", str(folder / "memory.jsonl"))
    save("one")
    backup = Path(memory().upkeep.back_up().backup)
    assert backup.parent == folder / "real"
    save("two")
    memory().upkeep.restore(backup)
    assert (folder / "memory.jsonl").is_symlink()
    assert texts_of("api") == ("one",)


def test_where_no_memory_may_be_there_is_no_backup_either(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save("one")
    backup = backup_of(folder)
    monkeypatch.setenv("HOME", str(folder))
    with pytest.raises(LocationRefused):
        memory().upkeep.back_up()
    with pytest.raises(LocationRefused):
        memory().upkeep.restore(backup)


# --- servers that go on --------------------------------------------------------------------------


@pytest.mark.anyio
async def test_a_running_server_goes_on_with_what_was_restored(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    other = Memory.open(Settings(str(path), None), tmp_path)
    entity = {"name": "api", "entityType": "service", "observations": ["one"]}
    async with connected(tmp_path) as client:
        await answer(client, "create_entities", entities=[entity])
        backup = Path(other.upkeep.back_up().backup)
        more = [{"entityName": "api", "contents": ["two"]}]
        await answer(client, "add_observations", observations=more)
        other.upkeep.restore(backup)
        graph = await answer(client, "read_graph")
        assert graph["entities"][0]["observations"] == ["one"]
        await answer(client, "add_observations", observations=more)
    (api,) = other.read_graph().entities
    assert api.observations == ("one", "two")


# --- the commands --------------------------------------------------------------------------------


def test_the_command_says_where_the_backup_is(folder: Path) -> None:
    save("one")
    said = run_json("backup")
    assert Path(said["backup"]).read_bytes() == (folder / OURS).read_bytes()
    assert said["observations"] == 1
    (folder / "safe").mkdir()
    assert "1 entity, 1 observation, 0 relations" in run("backup", "safe")
    assert len([*(folder / "safe").iterdir()]) == 1


def test_a_restore_asks_first(folder: Path) -> None:
    save("one")
    run("backup", "kept")
    save("two")
    assert "no terminal to ask on" in run("restore", "kept", code=1)
    said, code = on_a_terminal("restore", "kept", typed=b"n\n")
    assert (b"1 observation" in said, code) == (True, 1)
    assert texts_of("api") == ("one", "two")
    said, code = on_a_terminal("restore", "kept", typed=b"y\n")
    assert code == 0
    assert b"as it was before: " in said
    assert texts_of("api") == ("one",)
    assert folder.exists()


@pytest.mark.usefixtures("folder")
def test_what_is_refused_is_not_asked_for() -> None:
    save("one")
    result = invoke("restore", "nothing")
    assert result.exit_code == 1
    assert "no such file" in result.output


def test_a_restore_tells_programs_where_the_old_file_is(folder: Path) -> None:
    save("one")
    run("backup", "kept")
    save("two")
    said = run_json("restore", "kept", "--yes")
    assert said["changed"] is True
    assert Path(said["set_aside"]).exists()
    assert run_json("restore", "kept")["changed"] is False
    assert folder.exists()


def test_backups_are_listed_the_newest_last(folder: Path) -> None:
    save("one")
    made = [backup_of(folder) for _ in range(3)]
    assert backups.backups_of(folder / OURS) == tuple(made)
    assert backups.backups_of(folder / "nowhere" / "m.jsonl") == ()
