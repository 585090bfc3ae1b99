"""Others change the file, or the lock, before, during and after a write: nothing is lost."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Timer
from typing import Any, Final

import pytest

from driver import open_memory, perform
from faultlab import (
    Call,
    litter_beside,
    make,
    needs_linux,
    needs_root,
    set_aside_beside,
    snapshot,
    snapshot_of,
)
from mnemolog.errors import EntityNotFound, LocationRefused
from scenarios import a_log_of_dead_lines

pytestmark = needs_linux

_ADA: Final[Call] = ("create_entities", {"Ada": ["likes tea", "works at night"]})
_ADD: Final[Call] = ("add_observations", {"Ada": ["one", "two"]})
_THEIRS: Final = (
    b'{"type":"entity","name":"Ada","entityType":"thing","observations":["theirs"]}\n'
    b'{"type":"entity","name":"Zoe","entityType":"thing","observations":[]}\n'
)


def _by_rename(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(_THEIRS)
    other.replace(path)


def _by_a_new_file(path: Path) -> None:
    path.unlink()
    path.write_bytes(_THEIRS)


def _in_place(path: Path) -> None:
    path.write_bytes(_THEIRS)


def _in_place_and_longer(path: Path) -> None:
    path.write_bytes(_THEIRS * 9)


def _in_place_without_newline(path: Path) -> None:
    path.write_bytes(_THEIRS.rstrip(b"\n"))


_WAYS: Final = [
    _by_rename,
    _by_a_new_file,
    _in_place,
    _in_place_and_longer,
    _in_place_without_newline,
]


def _once_at(
    monkeypatch: pytest.MonkeyPatch, function: str, what: Callable[[], object]
) -> list[str]:
    """Let something happen right before the next call of a function of `os`; tell if it did."""
    happened = []
    real = getattr(os, function)

    def with_company(*arguments: Any, **named: Any) -> Any:
        monkeypatch.setattr(os, function, real)
        what()
        happened.append(function)
        return real(*arguments, **named)

    monkeypatch.setattr(os, function, with_company)
    return happened


def _observations(path: Path) -> set[str]:
    entities, _ = snapshot_of(path)
    return {text for name, _, texts in entities if name == "Ada" for text in texts}


@pytest.mark.parametrize("change", _WAYS)
def test_a_file_replaced_before_a_write_is_the_one_written_to(
    change: Callable[[Path], None], tmp_path: Path
) -> None:
    path = tmp_path / "memory.jsonl"
    memory = open_memory(path)
    perform(memory, *_ADA)
    change(path)
    perform(memory, *_ADD)
    assert _observations(path) == {"theirs", "one", "two"}
    assert snapshot(memory) == snapshot_of(path)
    assert litter_beside(path) == []


@pytest.mark.parametrize("moment", ["write", "fdatasync"])
@pytest.mark.parametrize("change", _WAYS)
def test_a_file_replaced_during_a_write_gets_the_call_too(
    change: Callable[[Path], None], moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.jsonl"
    memory = open_memory(path)
    perform(memory, *_ADA)
    happened = _once_at(monkeypatch, moment, lambda: change(path))
    perform(memory, *_ADD)
    assert happened
    assert _observations(path) == {"theirs", "one", "two"}
    assert snapshot(memory) == snapshot_of(path)
    assert litter_beside(path) == []


@pytest.mark.parametrize("change", _WAYS)
def test_a_file_replaced_after_a_write_is_what_is_read(
    change: Callable[[Path], None], tmp_path: Path
) -> None:
    path = tmp_path / "memory.jsonl"
    memory = open_memory(path)
    make(path, [_ADA])
    perform(memory, *_ADD)
    change(path)
    assert snapshot(memory) == snapshot_of(path)
    assert _observations(path) == {"theirs"}


@pytest.mark.parametrize("call", [_ADD, ("read_graph", None)], ids=["a write", "a read"])
@pytest.mark.parametrize("is_created", [False, True])
def test_a_checkout_that_is_not_done_yet_is_waited_for(
    is_created: bool,  # noqa: FBT001 - a parameter of the test
    call: Call,
    tmp_path: Path,
) -> None:
    """It has deleted the file, or created it again, and not written it."""
    path = tmp_path / "memory.jsonl"
    memory = open_memory(path)
    perform(memory, *_ADA)
    path.unlink()
    created = [path.open("xb", buffering=0)] if is_created else []

    def go_on() -> None:
        with created.pop() if created else path.open("xb", buffering=0) as file:
            file.write(_THEIRS)

    checkout = Timer(0.03, go_on)
    checkout.start()
    perform(memory, *call)
    seen = snapshot(memory)
    checkout.join()
    assert _observations(path) == {"theirs", *(("one", "two") if call == _ADD else ())}
    assert seen == snapshot_of(path)


@pytest.mark.parametrize("moment", ["write", "fdatasync"])
def test_a_file_deleted_during_a_write_is_an_empty_memory_for_the_call(
    moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.jsonl"
    memory = open_memory(path)
    perform(memory, *_ADA)
    happened = _once_at(monkeypatch, moment, path.unlink)
    with pytest.raises(EntityNotFound):
        perform(memory, *_ADD)
    assert happened
    assert not path.exists()
    perform(memory, *_ADA)
    _once_at(monkeypatch, moment, path.unlink)
    perform(memory, "create_entities", {"Bob": []})
    assert [name for name, _, _ in snapshot_of(path)[0]] == ["Bob"]


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """Give a file that is mounted by itself from the one outside, as containers do."""
    outside, inside = tmp_path / "outside" / "memory.jsonl", tmp_path / "inside" / "memory.jsonl"
    make(outside, [_ADA])
    inside.parent.mkdir()
    inside.touch()
    if subprocess.run(["mount", "--bind", outside, inside], check=False).returncode:
        pytest.skip("nothing can be mounted here")
    yield inside
    subprocess.run(["umount", inside], check=True)


@needs_root
def test_a_mounted_file_that_was_replaced_outside_takes_no_call(mounted: Path) -> None:
    memory = open_memory(mounted)
    perform(memory, *_ADD)
    outside = mounted.parent.with_name("outside") / mounted.name
    assert _observations(outside) >= {"one", "two"}
    _by_rename(outside)
    for _ in range(2):
        with pytest.raises(LocationRefused, match="mount the folder"):
            perform(memory, "add_observations", {"Ada": ["three"]})
    assert "three" not in _observations(mounted)
    assert _observations(outside) == {"theirs"}


@needs_root
def test_a_mounted_file_that_is_replaced_outside_meanwhile_gets_no_call_acknowledged(
    mounted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = mounted.parent.with_name("outside") / mounted.name
    memory = open_memory(mounted)
    happened = _once_at(monkeypatch, "fdatasync", lambda: _by_rename(outside))
    for _ in range(2):
        with pytest.raises(LocationRefused, match="mount the folder"):
            perform(memory, *_ADD)
    assert happened


@pytest.mark.parametrize("call", [_ADD, ("read_graph", None)], ids=["a write", "a read"])
def test_a_named_pipe_in_the_place_of_the_file_is_not_waited_for(
    call: Call, tmp_path: Path
) -> None:
    path = tmp_path / "memory.jsonl"
    memory = open_memory(path)
    perform(memory, *_ADA)
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(LocationRefused, match="not a regular file"):
        perform(memory, *call)


def test_a_file_deleted_between_two_looks_is_an_empty_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.jsonl"
    make(path, [_ADA])
    happened = _once_at(monkeypatch, "open", path.unlink)
    assert snapshot_of(path) == ((), ())
    assert happened


def test_an_edit_in_place_to_the_same_size_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    memory = open_memory(path)
    perform(memory, *_ADA)
    content = path.read_bytes()
    path.write_bytes(content.replace(b"likes tea", b"hates tea"))
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 10_000_000))
    assert snapshot(memory)[0][0][2] == ("hates tea", "works at night")
    perform(memory, *_ADD)
    assert _observations(path) == {"hates tea", "works at night", "one", "two"}
    assert path.stat().st_size > len(content)


def test_a_cut_in_place_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    memory = open_memory(path)
    perform(memory, *_ADA)
    size = path.stat().st_size
    perform(memory, *_ADD)
    os.truncate(path, size)
    assert snapshot(memory)[0][0][2] == ("likes tea", "works at night")
    perform(memory, "add_observations", {"Ada": ["three"]})
    assert _observations(path) == {"likes tea", "works at night", "three"}


# --- compaction ----------------------------------------------------------------------------------


@pytest.mark.parametrize("change", _WAYS)
def test_a_file_replaced_during_a_compaction_is_not_overwritten(
    change: Callable[[Path], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.jsonl"
    a_log_of_dead_lines(path)
    memory = open_memory(path)
    happened = _once_at(monkeypatch, "fdatasync", lambda: change(path))
    memory.upkeep.compact()
    assert happened
    assert _observations(path) == {"theirs"}
    assert snapshot(memory) == snapshot_of(path)
    assert litter_beside(path) == []


def test_a_line_added_without_the_lock_survives_a_compaction(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.jsonl"
    a_log_of_dead_lines(path)

    def add_a_line() -> None:
        with path.open("ab") as file:
            file.write(_THEIRS)

    before = _observations(path)
    memory = open_memory(path)
    happened = _once_at(monkeypatch, "fdatasync", add_a_line)
    assert memory.upkeep.compact().dropped_lines > 50
    assert happened
    assert _observations(path) == before | {"theirs"}
    assert snapshot(memory) == snapshot_of(path)


def test_a_file_replaced_right_after_a_rename_gets_the_call_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.jsonl"
    document = b'{"entities":[{"name":"Ada","observations":["old"]}],"relations":[]}'
    path.write_bytes(document)
    memory = open_memory(path)

    def at_the_last_sync() -> None:
        _once_at(monkeypatch, "fsync", lambda: _by_rename(path))

    _once_at(monkeypatch, "replace", at_the_last_sync)
    perform(memory, *_ADD)
    assert _observations(path) == {"theirs", "one", "two"}
    assert set_aside_beside(path) == [document]


# --- the lock ------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", ["write", "fdatasync"])
def test_a_lock_file_deleted_during_a_write_lets_two_in_and_loses_nothing(
    moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.jsonl"
    memory = open_memory(path)
    perform(memory, *_ADA)
    happened = _once_at(monkeypatch, moment, lambda: _delete_lock_and_write(path))
    perform(memory, *_ADD)
    assert happened
    assert _observations(path) == {"likes tea", "works at night", "theirs", "one", "two"}
    assert litter_beside(path) == []


@pytest.mark.parametrize("moment", ["fdatasync", "replace"])
def test_a_lock_file_deleted_during_a_compaction_loses_nothing(
    moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.jsonl"
    a_log_of_dead_lines(path)
    before = _observations(path)
    memory = open_memory(path)
    happened = _once_at(monkeypatch, moment, lambda: _delete_lock_and_write(path))
    memory.upkeep.compact()
    assert happened
    assert _observations(path) == before | {"theirs"}
    assert litter_beside(path) == []


def test_a_lock_file_deleted_during_a_compaction_is_locked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "memory.jsonl"
    a_log_of_dead_lines(path)
    lock = path.with_name(f"{path.name}.lock")
    happened = _once_at(monkeypatch, "fdatasync", lock.unlink)
    assert open_memory(path).upkeep.compact().dropped_lines > 50
    assert happened
    assert lock.exists()
    assert litter_beside(path) == []


def _delete_lock_and_write(path: Path) -> None:
    path.with_name(f"{path.name}.lock").unlink()
    make(path, [("add_observations", {"Ada": ["theirs"]})])
