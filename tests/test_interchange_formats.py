"""Which stores are recognised, where they are looked for, and folders of mcp-knowledge-graph."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from imports import entity, entries, memory_in, relation, written
from mnemolog.errors import UnreadableSource
from mnemolog.interchange import formats
from mnemolog.interchange.sources import Found, Item, Refused
from mnemolog.jsonl import encode
from mnemolog.records import UNTAGGED, Entity, ObservationTags, Superseded

MARKER = {"type": "_aim", "source": "mcp-knowledge-graph"}
T1: dict[str, Any] = {"added_at": "2026-11-29T19:41:32+00:00", "agent": "claude-code"}
TAGS = ObservationTags(**T1)


def read(path: Path) -> list[Item]:
    return list(formats.recognise(path).read(path))


def test_every_format_has_a_name_of_its_own() -> None:
    names = [known.name for known in formats.FORMATS]
    assert len(set(names)) == len(names)
    assert all(formats.by_name(name).name == name for name in names)


# --- the samples -----------------------------------------------------------------------------


def server_memory_sample(folder: Path) -> Path:
    lines = [
        entity("Project Alpha", "Started in March 2026", "Uses Python 3.12", kind="Project"),
        entity("SQLite", "Used for persistence", kind="Technology"),
        entity("josé_núñez", "Prefers tabs — says “no”", "我喜欢简洁的回答", kind="person"),
        relation("Project Alpha", "SQLite"),
        relation("josé_núñez", "Project Alpha", "owns"),
    ]
    path = written(folder / "memory.jsonl", *lines)
    path.write_bytes(path.read_bytes().rstrip(b"\n"))  # as the real server leaves it
    return path


def plain_text_sample(folder: Path) -> Path:
    def said(text: str, **more: Any) -> dict[str, Any]:
        return {"text": text, **T1, **more}

    def line(name: str, *observations: Any) -> dict[str, Any]:
        return {
            "type": "entity",
            "name": name,
            "entityType": "repo",
            **T1,
            "observations": [*observations],
        }

    retired = said("Deploys by hand.", superseded_at="2026-12-01", superseded_by="codex")
    return written(
        folder / "memory.local.jsonl",
        {"type": "header", "repo_name": "shop", "repo_root": "/home/dev/shop", **T1},
        line("acme_api", said("Tests run with pytest.")),
        line("postgres", said("Version 16 in production.")),
        {**relation("acme_api", "postgres"), **T1},
        line("acme_api", said("Tests run with pytest."), retired),
        {"type": "tombstone", "entity": "postgres"},
        {"type": "tombstone", "from": "acme_api", "to": "postgres", "relationType": "uses"},
        {"type": "tombstone", "entity": "acme_api"},
        line("acme", said("Tests run with pytest."), retired),
    )


def test_a_file_of_server_memory_comes_along_whole(tmp_path: Path) -> None:
    source = server_memory_sample(tmp_path)
    (tmp_path / "ours").mkdir()
    memory = memory_in(tmp_path / "ours")
    report = memory.upkeep.import_from(source, "cli")
    assert report.format == "server-memory"
    assert (report.entities_imported, report.observations_imported) == (3, 5)
    assert (report.relations_imported, report.errors, report.skipped) == (2, 0, 0)
    graph = memory.read_graph()
    assert [e.name for e in graph.entities] == ["Project Alpha", "SQLite", "josé_núñez"]
    assert graph.entities[2].observations == ("Prefers tabs — says “no”", "我喜欢简洁的回答")


def test_the_folder_of_server_memory_can_be_named_too(tmp_path: Path) -> None:
    server_memory_sample(tmp_path)
    assert formats.recognise(tmp_path).name == "server-memory"
    assert len(read(tmp_path)) == 5


def test_a_log_of_plain_text_memory_comes_along_with_tags_and_history(tmp_path: Path) -> None:
    source = plain_text_sample(tmp_path)
    (tmp_path / "ours").mkdir()
    memory = memory_in(tmp_path / "ours")
    report = memory.upkeep.import_from(source, "cli")
    assert report.format == "plain-text-memory"
    assert (report.entities_imported, report.observations_imported) == (1, 2)
    assert (report.relations_imported, report.errors, report.skipped) == (0, 0, 0)
    (acme,) = memory.read_graph().entities
    assert acme.observations == ("Tests run with pytest.",)
    assert acme.observation_tags == (TAGS,)
    assert read(source) == [
        Found("line 9", Entity("acme", "repo", (), TAGS)),
        Found("line 9", Entity("acme", None, ("Tests run with pytest.",), TAGS), more=True),
        Found("line 9", Superseded("acme", "Deploys by hand.", TAGS, "2026-12-01", "codex")),
    ]


def test_a_log_of_ours_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    path.write_bytes(encode(Entity("Lamp", "device", ("is on",), TAGS)))
    assert formats.recognise(path).name == "mnemolog"


# --- folders of mcp-knowledge-graph ----------------------------------------------------------


def aim_folder(folder: Path) -> Path:
    folder.mkdir()
    written(folder / "memory.jsonl", MARKER, entity("Lamp", "is on"))
    written(
        folder / "memory-work.jsonl", MARKER, entity("Desk", "of oak"), relation("Desk", "Lamp")
    )
    written(folder / "other.jsonl", entity("Vase"))
    (folder / "README.md").write_text("# Not a note", encoding="utf-8")
    return folder


def test_each_named_database_of_a_folder_comes_along(tmp_path: Path) -> None:
    folder = aim_folder(tmp_path / "memories")
    (tmp_path / "ours").mkdir()
    memory = memory_in(tmp_path / "ours")
    before = list(entries(folder))
    report = memory.upkeep.import_from(folder, "cli")
    assert list(entries(folder)) == before
    assert report.format == "knowledge-graph-aim"
    assert (report.entities_imported, report.relations_imported, report.errors) == (2, 1, 0)
    assert [(p.place, p.reason) for p in report.skipped_list or ()] == [
        ("other.jsonl", "it does not begin with the _aim marker")
    ]


def test_places_in_a_folder_name_the_file(tmp_path: Path) -> None:
    folder = aim_folder(tmp_path / "memories")
    with (folder / "memory-work.jsonl").open("ab") as file:
        file.write(b"oops\n")
    refused = [item.place for item in read(folder) if isinstance(item, Refused)]
    assert "memory-work.jsonl line 4" in refused


def test_one_database_can_be_imported_alone(tmp_path: Path) -> None:
    found = read(aim_folder(tmp_path / "memories") / "memory-work.jsonl")
    assert [item.place for item in found if isinstance(item, Found)] == ["line 2", "line 3"]


def test_a_folder_without_databases_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    (tmp_path / "package.json").write_text('{"name": "shop"}', encoding="utf-8")
    with pytest.raises(UnreadableSource, match="No memory was found"):
        formats.recognise(tmp_path)
    with pytest.raises(UnreadableSource, match="jsonl"):
        list(formats.by_name("knowledge-graph-aim").read(tmp_path))


# --- what is no store ------------------------------------------------------------------------


def test_a_folder_in_which_a_store_lies_is_refused_with_its_name(tmp_path: Path) -> None:
    plain_text_sample(tmp_path)
    with pytest.raises(UnreadableSource, match=r"Name .*'memory\.local\.jsonl'"):
        formats.recognise(tmp_path)


@pytest.mark.parametrize("name", [known.name for known in formats.FORMATS])
def test_what_a_named_format_cannot_be_is_refused_with_the_reason(
    tmp_path: Path, name: str
) -> None:
    memory = memory_in(tmp_path)

    def reason(path: Path) -> str:
        with pytest.raises(UnreadableSource) as refused:
            memory.upkeep.import_from(path, "cli", format_name=name)
        return refused.value.reason

    (tmp_path / "folder").mkdir()
    assert re.search("it is a folder|in it", reason(tmp_path / "folder"))
    assert reason(tmp_path / "missing").startswith("there is no such file or folder.")
    assert "neither a file nor a folder" in reason(Path(os.devnull))


# --- where stores are ------------------------------------------------------------------------


def found_in(home: Path, project: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for known, path in formats.discover(home, project):
        found.setdefault(known.name, []).append(path.relative_to(home).as_posix())
    return found


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "shop").mkdir()
    return tmp_path


def test_nothing_is_found_where_nothing_is(home: Path) -> None:
    assert found_in(home, home / "shop") == {}


def test_stores_are_found_where_their_servers_keep_them(home: Path) -> None:
    cached = home / ".npm/_npx/a1b2/node_modules/@modelcontextprotocol/server-memory/dist"
    cached.mkdir(parents=True)
    server_memory_sample(cached)
    aim_folder(home / "shop" / ".aim")
    (home / "shop" / ".agents").mkdir()
    plain_text_sample(home / "shop" / ".agents")
    assert found_in(home, home / "shop") == {
        "knowledge-graph-aim": ["shop/.aim"],
        "plain-text-memory": ["shop/.agents/memory.local.jsonl"],
        "server-memory": [
            ".npm/_npx/a1b2/node_modules/@modelcontextprotocol/server-memory/dist/memory.jsonl"
        ],
    }


SETTINGS = {
    "JSON": ("shop/.mcp.json", '{"env": {"MEMORY_FILE_PATH": %s}}'),
    "JSON with comments": (".gemini/settings.json", '{// mine\n"MEMORY_FILE_PATH" : %s,}'),
    "TOML": (".codex/config.toml", "[env]\nMEMORY_FILE_PATH = %s\n"),
    "a client's second place": ("shop/opencode.jsonc", '{"MEMORY_FILE_PATH": %s}'),
}


@pytest.mark.parametrize(("file", "text"), SETTINGS.values(), ids=SETTINGS)
@pytest.mark.parametrize("written_as", ["{home}/mine/memory.jsonl", "~/mine/memory.jsonl"])
def test_a_file_that_a_client_is_told_to_use_is_found(
    home: Path, file: str, text: str, written_as: str
) -> None:
    (home / "mine").mkdir()
    server_memory_sample(home / "mine")
    settings = home / file
    settings.parent.mkdir(exist_ok=True)
    named = json.dumps(written_as.format(home=home))
    settings.write_text(text % named, encoding="utf-8", newline="\n")
    assert found_in(home, home / "shop") == {"server-memory": ["mine/memory.jsonl"]}


def test_a_folder_that_a_client_is_told_to_use_is_found(home: Path) -> None:
    aim_folder(home / "memories")
    args = {"args": ["-y", "mcp-knowledge-graph", "--memory-path", "~/memories"]}
    (home / ".claude.json").write_text(json.dumps({"mcpServers": {"m": args}}), encoding="utf-8")
    assert found_in(home, home / "shop") == {"knowledge-graph-aim": ["memories"]}


@pytest.mark.parametrize("odd", ["${HOME}/memory.jsonl", "\0", "~nobody/x", "", "[", "**/["])
def test_settings_that_lead_nowhere_are_passed_over(home: Path, odd: str) -> None:
    text = json.dumps({"MEMORY_FILE_PATH": odd})
    (home / ".claude.json").write_text(text, encoding="utf-8")
    assert found_in(home, home / "shop") == {}


def test_a_record_that_a_file_names_is_untagged_without_tags(tmp_path: Path) -> None:
    first = read(server_memory_sample(tmp_path))[0]
    assert isinstance(first, Found)
    assert first.record.tags == UNTAGGED
