"""What the doctor finds in the clients' configs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from examinations import examine, found, only, save
from mnemolog.clients.known import CLIENTS, SERVER
from mnemolog.clients.registration import register
from mnemolog.doctor import configs

OLD = {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"]}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder, commands = tmp_path / "app", tmp_path / "commands"
    folder.mkdir()
    commands.mkdir()
    (commands / "uvx").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(commands))
    return folder


def entry(**more: Any) -> dict[str, Any]:
    return {"command": "uvx", "args": ["mnemolog"], **more}


def put(root: Path, **servers: Any) -> Path:
    path = root / ".mcp.json"
    path.write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    return path


def kinds(folder: Path, setting: str | None = None) -> list[str]:
    checks = (
        configs.broken_configs,
        configs.other_paths,
        configs.missing_programs,
        configs.other_servers,
    )
    return [f.kind for check in checks for f in check(examine(folder, setting=setting))]


def test_what_init_writes_gives_no_cause(folder: Path) -> None:
    for client in CLIENTS.values():
        register(client, folder)
    assert kinds(folder) == []
    titles = [of.client.title for of in configs.registrations(examine(folder))]
    assert titles == [client.title for client in CLIENTS.values()]


def test_a_client_with_another_path_is_a_problem(folder: Path) -> None:
    put(folder, mine=entry(env={"MEMORY_FILE_PATH": "notes.jsonl"}))
    finding = only(configs.other_paths, examine(folder))
    assert (finding.severity, finding.kind) == ("problem", "other_path")
    assert str(folder / "notes.jsonl") in finding.what
    assert finding.where.startswith("'mine' in ")
    assert kinds(folder, "notes.jsonl") == []


@pytest.mark.parametrize("base", ["${workspaceFolder}", "${userHome}/../app", "${env:HOME}/../app"])
def test_a_variable_that_clients_fill_in_is_no_other_path(base: str, folder: Path) -> None:
    setting = f"{base}/.agents/memory.local.jsonl"
    put(folder, mnemolog=entry(env={"MEMORY_FILE_PATH": setting}))
    assert kinds(folder) == []


def test_a_path_that_leads_nowhere_is_a_problem(folder: Path) -> None:
    put(folder, mnemolog=entry(env={"MEMORY_FILE_PATH": "${UNKNOWN}/m.jsonl"}))
    assert kinds(folder) == ["refused_path"]


def test_the_shell_can_be_the_one_that_differs(folder: Path) -> None:
    register(CLIENTS["codex"], folder)
    finding = only(configs.other_paths, examine(folder, setting="notes.jsonl"))
    assert "as MEMORY_FILE_PATH says" in finding.what
    assert finding.fix.startswith("Set MEMORY_FILE_PATH to the same file everywhere, or nowhere")


def test_a_shell_without_the_path_of_a_team_is_told_it(folder: Path) -> None:
    put(folder, mnemolog=entry(env={"MEMORY_FILE_PATH": ".agents/memory.jsonl"}))
    fix = only(configs.other_paths, examine(folder)).fix
    shared = folder / ".agents" / "memory.jsonl"
    assert f"tell the shell too: export MEMORY_FILE_PATH={shared}." in fix


@pytest.mark.parametrize(
    "more", [{"cwd": "../other"}, {"args": ["--directory", "../other", "mnemolog"]}]
)
def test_a_client_that_starts_elsewhere_is_a_problem(more: dict[str, Any], folder: Path) -> None:
    (folder.parent / "other").mkdir()
    put(folder, mnemolog=entry(**more))
    assert str(folder.parent / "other") in only(configs.other_paths, examine(folder)).what


def test_what_is_switched_off_does_not_count(folder: Path) -> None:
    put(folder, mnemolog=entry(disabled=True, env={"MEMORY_FILE_PATH": "notes.jsonl"}))
    assert kinds(folder) == []


def test_configs_in_the_home_folder_count_too(folder: Path) -> None:
    examination = examine(folder)
    project = {"mcpServers": {SERVER: entry(env={"MEMORY_FILE_PATH": "notes.jsonl"})}}
    config = {"projects": {str(folder): project}}
    (examination.home / ".claude.json").write_text(json.dumps(config), encoding="utf-8")
    assert kinds(folder) == ["other_path"]


def test_a_missing_program_is_a_problem(folder: Path) -> None:
    put(folder, mnemolog=entry(command="uvx-of-old"))
    assert "'uvx-of-old'" in only(configs.missing_programs, examine(folder)).what


@pytest.mark.parametrize("content", [b'{"mcpServers": {', b'\xff\xfe{"', b'{"mcpServers": []}'])
def test_a_broken_config_is_a_problem(content: bytes, folder: Path) -> None:
    (folder / ".mcp.json").write_bytes(content)
    finding = only(configs.broken_configs, examine(folder))
    assert (finding.severity, finding.where) == ("problem", str(folder / ".mcp.json"))


def test_an_empty_config_is_not_broken(folder: Path) -> None:
    (folder / ".mcp.json").write_bytes(b"\n")
    assert kinds(folder) == []


def test_server_memory_on_the_same_file_is_a_problem(folder: Path) -> None:
    path = save(folder)
    put(folder, memory={**OLD, "env": {"MEMORY_FILE_PATH": str(path)}})
    assert only(configs.other_servers, examine(folder)).kind == "same_file"


def test_server_memory_beside_us_is_a_remark(folder: Path) -> None:
    save(folder)
    old = folder.parent / "old.jsonl"
    old.write_bytes(b"{}\n")
    put(folder, mnemolog=entry(), memory={**OLD, "env": {"MEMORY_FILE_PATH": str(old)}})
    (finding,) = found(configs.other_servers, examine(folder))
    assert (finding.severity, finding.kind) == ("remark", "other_server")
    assert f"mnemolog import {old}" in finding.fix
