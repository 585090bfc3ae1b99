"""Which files and folders are taken for Markdown notes, and where they are looked for."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import vaults
from mnemolog.interchange.markdown.markdown_notes import FORMAT
from vaults import Write

vault = vaults.vault
write = vaults.write


@pytest.mark.parametrize("name", ["a.md", "deep/er/a.MD", "a.markdown"])
def test_a_folder_with_a_note_is_recognised(vault: Path, write: Write, name: str) -> None:
    path = write(name, "- a\n")
    assert FORMAT.recognises(vault)
    assert FORMAT.recognises(path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("memory.jsonl", b'{"type":"entity","name":"a"}\n'),
        ("memory.json", b'{"entities":[]}'),
        ("memory.db", b"SQLite format 3\0"),
        ("disguised.md", b"SQLite format 3\0" + bytes(100)),
        ("a.txt", b"- a\n"),
        (".hidden.md", b"- a\n"),
    ],
)
def test_files_of_others_are_not_recognised(write: Write, name: str, content: bytes) -> None:
    assert not FORMAT.recognises(write(name, content))


@pytest.mark.parametrize("name", ["memory.db", "a.txt", ".obsidian/a.md", "node_modules/a/b.md"])
def test_a_folder_without_notes_is_not_recognised(vault: Path, write: Write, name: str) -> None:
    write(name, "- a\n")
    (vault / "folder.md").mkdir()
    assert not FORMAT.recognises(vault)


@pytest.mark.parametrize("database", ["memory.jsonl", "memory-work.jsonl", ".aim/memory.jsonl"])
def test_a_folder_of_databases_with_a_readme_is_not_recognised(
    vault: Path, write: Write, database: str
) -> None:
    write("README.md", "- a\n")
    write(database, '{"type":"_aim","source":"mcp-knowledge-graph"}\n')
    assert not FORMAT.recognises(vault)


@pytest.mark.parametrize(
    ("project", "folder"),
    [
        ("/home/dev/my_shop.v2", "-home-dev-my-shop-v2"),
        ("/home/dev/Café ☕🚀", "-home-dev-Caf-----"),
        ("/" + "x" * 250, "-" + "x" * 199 + "-*"),
    ],
)
def test_the_memory_folder_of_claude_code_is_found(project: str, folder: str) -> None:
    places = FORMAT.usual_places(Path("/home/dev"), Path(project))
    assert Path("/home/dev/.claude/projects", folder, "memory") in places


def test_the_projects_of_basic_memory_are_found(tmp_path: Path) -> None:
    config = tmp_path / ".basic-memory" / "config.json"
    config.parent.mkdir()
    projects = {"a": {"path": "/srv/[a]"}, "b": "~/b", "c": {"path": "cloud"}, "d": 1}
    config.write_text(json.dumps({"projects": projects}), encoding="utf-8")
    places = list(FORMAT.usual_places(tmp_path, tmp_path))[1:]
    assert places == [tmp_path / "basic-memory", Path("/srv/[[]a]"), tmp_path / "b"]


@pytest.mark.parametrize("config", ["{", "[]", '{"projects": []}', "\0", "[" * 5000])
def test_a_config_of_basic_memory_that_cannot_be_read_is_no_matter(
    tmp_path: Path, config: str
) -> None:
    (tmp_path / ".basic-memory").mkdir()
    (tmp_path / ".basic-memory" / "config.json").write_text(config, encoding="utf-8")
    assert tmp_path / "basic-memory" in FORMAT.usual_places(tmp_path, tmp_path)


def test_no_parser_is_loaded_before_there_is_something_to_parse() -> None:
    code = (
        "import sys, mnemolog.interchange.markdown.markdown_notes, mnemolog.interchange.mem0\n"
        "print(sorted({'yaml', 'markdown_it', 'ijson'} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
