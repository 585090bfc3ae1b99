"""A file beside the memory is written on what it holds at that moment, or not at all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mnemolog.errors import LocationRefused, StorageError
from mnemolog.store.beside import rewrite
from mnemolog.store.files import identity_at
from mnemolog.store.location import Location


@pytest.fixture
def location(tmp_path: Path) -> Location:
    return Location(tmp_path / "m.jsonl", "", None, is_default=False, refusal=None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "words.jsonc"


def test_what_somebody_saves_meanwhile_is_not_overwritten(location: Location, path: Path) -> None:
    path.write_bytes(b"one")
    seen: list[bytes | None] = []

    def edit(content: bytes | None) -> bytes:
        seen.append(content)
        if len(seen) == 2:  # the one under the lock
            path.write_bytes(b"by hand")
        return (content or b"") + b" and more"

    assert rewrite(location, path, edit)
    assert seen == [b"one", b"one", b"by hand"]
    assert path.read_bytes() == b"by hand and more"


def test_a_file_that_never_holds_still_is_left_to_the_others(
    location: Location, path: Path
) -> None:
    path.write_bytes(b"x")

    def edit(content: bytes | None) -> bytes:
        path.write_bytes(path.read_bytes() + b"x")
        return (content or b"") + b"y"

    with pytest.raises(StorageError, match="again and again"):
        rewrite(location, path, edit)
    assert set(path.read_bytes()) == set(b"x")
    assert [found.name for found in path.parent.glob("words*")] == ["words.jsonc"]


def test_what_a_killed_process_left_behind_is_cleared_away(location: Location, path: Path) -> None:
    left = path.with_name(f"{path.name}.tmp-1")
    left.write_bytes(b"half of it")
    assert rewrite(location, path, lambda _: b"new")
    assert path.read_bytes() == b"new"
    assert not left.exists()


def test_where_nothing_may_be_kept_nothing_is_written(location: Location, path: Path) -> None:
    with pytest.raises(LocationRefused, match="the home folder"):
        rewrite(replace(location, refusal="the home folder"), path, lambda _: b"new")
    assert list(path.parent.iterdir()) == []


def test_a_place_that_cannot_be_written_is_named(location: Location, path: Path) -> None:
    path.write_bytes(b"no folder")
    with pytest.raises(StorageError, match=r"words\.jsonc/words cannot be written"):
        rewrite(location, path / "words", lambda _: b"new")
    assert path.read_bytes() == b"no folder"


def test_what_changes_nothing_writes_nothing(location: Location, path: Path) -> None:
    path.write_bytes(b"as it is")
    before = identity_at(path)
    assert not rewrite(location, path, lambda content: content or b"")
    assert identity_at(path) == before
    assert [found.name for found in path.parent.iterdir()] == [path.name]


def test_what_an_edit_refuses_leaves_the_file_as_it_was(location: Location, path: Path) -> None:
    def edit(_: bytes | None) -> bytes:
        raise StorageError("no")

    with pytest.raises(StorageError, match="no"):
        rewrite(location, path, edit)
    assert list(path.parent.iterdir()) == []
