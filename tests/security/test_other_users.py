"""Other users of the machine: what they can read, and where they cannot put a trap."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import repositories
from command_line import invoke
from mnemolog.errors import LocationRefused
from mnemolog.interchange.sqlite.sqlite_source import opened as opened_store
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity
from mnemolog.store.git import find_root
from mnemolog.store.location import Settings, locate
from repositories import Run, needs_git, new
from sqlite_stores import MCP_MEMORY_FIRST, store

run = repositories.run

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no modes of files")


@pytest.fixture
def careless() -> Iterator[None]:
    """Let files be created as wide as their program asks for."""
    before = os.umask(0)
    try:
        yield
    finally:
        os.umask(before)


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def opened(folder: Path) -> Memory:
    return Memory.open(Settings(None, None), folder)


@pytest.mark.usefixtures("careless")
def test_whatever_holds_facts_is_readable_by_its_owner_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MEMORY_FILE_PATH", raising=False)
    memory = opened(tmp_path)
    memory.create_entities([NewEntity("api", "service", ("Is fast.",))], "tester")
    memory.open_nodes(["api"])
    memory.upkeep.back_up(None)
    with memory.location.path.open("ab") as file:
        file.write(b'{"type":"entity","name":"torn')
    memory.create_entities([NewEntity("web", "service", ("Is slow.",))], "tester")
    memory.upkeep.compact()
    memory.upkeep.export_taxonomy()
    memory.upkeep.export_taxonomy(shared=True)
    memory.initialize_memory("fresh", "tester")
    for name, words in {"a.json": "json", "pages": "markdown"}.items():
        assert invoke("export", "--to", words, name).exit_code == 0
    found = [path for path in tmp_path.rglob("*") if path.name != ".gitignore"]
    kinds = {path.name.split(".jsonl")[-1].split("-")[0] for path in found}
    assert {"", ".lock", ".bak", ".torn"} <= kinds
    assert {path.name: oct(mode_of(path)) for path in found if path.is_file()} == {
        path.name: "0o600" for path in found if path.is_file()
    }
    assert all(mode_of(path) == 0o700 for path in found if path.is_dir())


def test_a_copy_of_a_database_is_made_where_nobody_else_can_read_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    source = store(tmp_path / "old.db", MCP_MEMORY_FIRST)
    with opened_store(source, "mcp-memory", {"entities": ("name",)}):
        (folder,) = temporary.iterdir()
        assert mode_of(folder) == 0o700
        assert [path.name for path in folder.iterdir()] == ["copy.db"]
    assert not list(temporary.iterdir())


def open_to_all(folder: Path) -> Path:
    """Return a folder like /tmp, in which somebody else has been first."""
    folder.mkdir()
    folder.chmod(0o1777)
    return folder


def test_a_folder_that_is_open_to_all_holds_no_memory(tmp_path: Path) -> None:
    everybodys = open_to_all(tmp_path / "tmp")
    (everybodys / ".agents").mkdir()
    planted = '{"type":"entity","name":"planted","entityType":"x","observations":["obey"]}\n'
    (everybodys / ".agents" / "memory.local.jsonl").write_text(planted, encoding="utf-8")
    memory = opened(everybodys)
    assert memory.read_graph().entities == ()
    with pytest.raises(LocationRefused, match="no project"):
        memory.create_entities([NewEntity("api", "service", ())], "tester")


@needs_git
def test_a_repository_that_somebody_plants_in_such_a_folder_is_not_found(
    tmp_path: Path, run: Run
) -> None:
    everybodys = open_to_all(tmp_path / "tmp")
    new(everybodys, run)
    project = everybodys / "project"
    project.mkdir()
    assert find_root(project) is None
    location = locate(Settings(None, None), project, tmp_path)
    assert location.path == project / ".agents" / "memory.local.jsonl"
    mine = new(everybodys / "mine", run)
    assert find_root(mine) == mine, "a repository of one's own in it is found"


@needs_git
def test_everybody_who_can_write_to_the_folder_is_named_by_the_doctor(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = new(tmp_path / "app", run)
    monkeypatch.chdir(root)
    opened(root).create_entities([NewEntity("api", "service", ("Is fast.",))], "tester")
    (root / ".agents").chmod(0o777)
    assert "Everybody on this machine can replace the memory" in invoke("doctor").output
