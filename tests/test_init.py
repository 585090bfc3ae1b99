"""`mnemolog init`, as a person calls it."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import repositories
from mnemolog.cli import main
from mnemolog.clients.config_file import new_config
from mnemolog.clients.known import CLIENTS, COMMAND
from repositories import Run, commit, needs_git, new

run = repositories.run

EVERY_COMMAND = os.environ["PATH"]
OLD_FACT = '{"type":"entity","name":"Old","entityType":"thing","observations":["was there"]}\n'


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a home and a PATH in which no client can be found."""
    home, commands = tmp_path / "home", tmp_path / "commands"
    for folder in (home, commands):
        folder.mkdir()
    (commands / COMMAND).symlink_to(sys.executable)
    if git := shutil.which("git"):
        (commands / "git").symlink_to(git)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("PATH", str(commands))
    monkeypatch.delenv("MEMORY_FILE_PATH", raising=False)
    return home


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.chdir(project)
    return project


def init(*words: str, code: int = 0) -> str:
    result = CliRunner().invoke(main, ["init", *words])
    assert result.exit_code == code, result.output
    return result.output


def report(*words: str, code: int = 0) -> Any:
    return json.loads(init("--json", *words, code=code))


def changes(*words: str) -> dict[str, str]:
    return {outcome["client"]: outcome["change"] for outcome in report(*words)["clients"]}


def registered_in(folder: Path) -> set[str]:
    return {name for name, client in CLIENTS.items() if (folder / client.files[0]).exists()}


@pytest.mark.parametrize(
    ("sign", "client"),
    [
        ("CLAUDE.md", "claude-code"),
        (".claude/", "claude-code"),
        (".codex/", "codex"),
        (".cursorrules", "cursor"),
        (".vscode/", "vscode"),
        ("GEMINI.md", "gemini-cli"),
        (".opencode/", "opencode"),
    ],
)
def test_a_file_of_a_client_in_the_project_shows_that_it_is_in_use(
    sign: str, client: str, project: Path
) -> None:
    place = project / sign
    place.mkdir() if sign.endswith("/") else place.touch()
    assert f"({sign.rstrip('/')} is here): registered" in init()
    assert registered_in(project) == {client}


def test_a_home_folder_or_a_command_shows_that_a_client_is_in_use(
    project: Path, home: Path, tmp_path: Path
) -> None:
    (home / ".gemini").mkdir()
    (tmp_path / "commands" / "codex").symlink_to(sys.executable)
    said = init()
    assert "Gemini CLI, .gemini/settings.json (~/.gemini exists): registered" in said
    assert "Codex, .codex/config.toml (codex is on the PATH): registered" in said
    assert registered_in(project) == {"gemini-cli", "codex"}


def test_a_config_for_all_agents_is_a_sign_of_none(project: Path) -> None:
    (project / "AGENTS.md").touch()
    assert "--client claude-code" in init(code=1)
    assert registered_in(project) == set()


def test_named_clients_are_registered_whether_or_not_they_are_in_use(project: Path) -> None:
    (project / "CLAUDE.md").touch()
    init("--client", "cursor", "--client", "opencode")
    assert registered_in(project) == {"cursor", "opencode"}
    assert "'emacs' is not one of" in init("--client", "emacs", code=2)


def test_a_second_run_changes_no_byte_and_a_removal_leaves_nothing(project: Path) -> None:
    everyone = [word for name in CLIENTS for word in ("--client", name)]
    assert set(changes(*everyone).values()) == {"registered"}
    first = {path: path.stat() for path in project.rglob("*")}
    assert set(changes(*everyone).values()) == {"already registered"}
    assert {path: path.stat() for path in project.rglob("*")} == first
    assert "removed, with the file" in init("--remove")
    assert not list(project.iterdir())
    assert "no config names mnemolog" in init("--remove")


def test_removing_from_one_client_leaves_the_others(project: Path) -> None:
    init("--client", "cursor", "--client", "codex")
    assert changes("--remove", "--client", "codex") == {"codex": "removed"}
    assert registered_in(project) == {"cursor"}


def test_print_shows_the_configs_and_writes_nothing(project: Path) -> None:
    (project / "GEMINI.md").touch()
    assert (
        init("--print")
        == f"Gemini CLI, .gemini/settings.json:\n{new_config(CLIENTS['gemini-cli'])}\n"
    )
    assert registered_in(project) == set()
    (project / "GEMINI.md").unlink()
    assert all(new_config(client) in init("--print") for client in CLIENTS.values())
    assert "--remove" in init("--print", "--remove", code=2)


def test_a_broken_config_is_left_alone_and_the_others_are_registered(project: Path) -> None:
    (project / ".mcp.json").write_text('{"mcpServers": ', encoding="utf-8")
    said = init("--client", "claude-code", "--client", "codex", code=1)
    assert "left alone: it is broken at line 1" in said
    assert '        "command": "uvx"' in said
    assert "Codex, .codex/config.toml: registered" in said
    assert (project / ".mcp.json").read_text(encoding="utf-8") == '{"mcpServers": '
    assert report("--remove", code=1)["clients"][0]["change"] == "left alone"


@needs_git
def test_a_subfolder_of_a_repository_registers_at_its_root(
    run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new(project, run)
    (project / "src" / ".git").mkdir(parents=True)  # no repository, just a folder of this name
    monkeypatch.chdir(project / "src")
    assert report("--client", "codex")["project"] == str(project)
    assert registered_in(project) == {"codex"}


@needs_git
def test_a_worktree_and_a_submodule_have_configs_of_their_own(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", EVERY_COMMAND)  # git's submodules are a shell script
    new(project, run)
    commit(project, run)
    run(project, "worktree", "add", "--quiet", str(tmp_path / "tree"))
    run(project, "submodule", "--quiet", "add", str(project), "inner")
    for place in (tmp_path / "tree", project / "inner"):
        monkeypatch.chdir(place)
        init("--client", "claude-code")
        assert registered_in(place) == {"claude-code"}
    assert registered_in(project) == set()


def test_outside_git_the_start_folder_is_the_project(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "inner").mkdir()
    monkeypatch.chdir(project / "inner")
    init("--client", "codex")
    assert registered_in(project / "inner") == {"codex"}


def test_the_home_folder_is_no_project(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    (home / ".claude").mkdir()
    assert "is no project" in init(code=1)
    assert registered_in(home) == set()


def test_a_missing_uv_is_said(project: Path, tmp_path: Path) -> None:
    (project / "CLAUDE.md").touch()
    (tmp_path / "commands" / COMMAND).unlink()
    assert "uvx is not on the PATH" in init()


def old_entry(memory: object, words: tuple[str, ...] = ("npx", "-y")) -> dict[str, Any]:
    command, *args = (*words, "@modelcontextprotocol/server-memory")
    return {"command": command, "args": args, "env": {"MEMORY_FILE_PATH": str(memory)}}


def claude_config(folder: Path, entry: Any, name: str = ".mcp.json") -> Path:
    path = folder / name
    path.write_text(json.dumps({"mcpServers": {"memory": entry}}, indent=2), encoding="utf-8")
    return path


@pytest.fixture
def old_memory(tmp_path: Path) -> Path:
    path = tmp_path / "old memory.jsonl"
    path.write_text(OLD_FACT, encoding="utf-8", newline="\n")
    return path


def test_a_memory_of_server_memory_that_a_config_names_is_offered(
    project: Path, old_memory: Path
) -> None:
    claude_config(project, old_entry(old_memory))
    said = init()
    assert f"mnemolog import '{old_memory}'" in said
    assert "also starts server-memory, as 'memory'" in said
    assert report()["memories"] == [str(old_memory)]
    assert not (project / ".agents").exists()


def test_the_user_s_own_configs_are_looked_at_too(
    project: Path, home: Path, old_memory: Path
) -> None:
    of_project = {"projects": {str(project): {"mcpServers": {"m": old_entry(old_memory)}}}}
    (home / ".claude.json").write_text(json.dumps(of_project), encoding="utf-8")
    assert report("--client", "codex")["memories"] == [str(old_memory)]
    (home / ".claude.json").write_text("broken", encoding="utf-8")
    assert report("--client", "codex")["memories"] == []
    (home / ".codex").mkdir()
    (home / ".codex" / "config.toml").write_text(
        '[mcp_servers.memory]\ncommand = "npx"\nargs = ["@modelcontextprotocol/server-memory@2"]\n'
        f'env = {{ MEMORY_FILE_PATH = "{old_memory}" }}\n',
        encoding="utf-8",
    )
    assert report("--client", "codex")["memories"] == [str(old_memory)]


@pytest.mark.parametrize("setting", ["", "memory.jsonl"])
def test_a_memory_in_server_memory_s_own_package_is_found(
    setting: str, project: Path, home: Path
) -> None:
    package = home / ".npm/_npx/1a2b/node_modules/@modelcontextprotocol/server-memory/dist"
    package.mkdir(parents=True)
    (package / "memory.jsonl").write_text(OLD_FACT, encoding="utf-8")
    claude_config(project, old_entry(setting))
    assert report()["memories"] == [str(package / "memory.jsonl")]


def test_variables_that_clients_fill_in_are_filled_in(project: Path) -> None:
    (project / "kept.json").write_text(OLD_FACT, encoding="utf-8")
    (project / ".vscode").mkdir()
    servers = {"servers": {"memory": old_entry("${workspaceFolder}/kept.json")}}
    (project / ".vscode" / "mcp.json").write_text(json.dumps(servers), encoding="utf-8")
    assert report()["memories"] == [str(project / "kept.json")]


def test_other_servers_and_missing_memories_are_not_offered(project: Path) -> None:
    claude_config(project, old_entry(project / "missing.jsonl"))
    assert "mnemolog import" not in init()
    claude_config(project, {"command": "npx", "args": ["mcp-server-memory-of-mine/x"]})
    assert "server-memory" not in init()


@pytest.mark.skipif(os.name == "nt", reason="there is no pseudo-terminal")
def test_on_a_terminal_it_asks_before_it_imports_and_replaces(
    project: Path, old_memory: Path
) -> None:
    config = claude_config(project, old_entry(old_memory))
    kept = answer("n", "n")
    assert "Import it?" in kept
    assert "Take that entry out?" in kept
    assert not (project / ".agents").exists()
    assert set(json.loads(config.read_bytes())["mcpServers"]) == {"memory", "mnemolog"}
    answer("y", "y")
    assert "was there" in (project / ".agents" / "memory.local.jsonl").read_text(encoding="utf-8")
    assert set(json.loads(config.read_bytes())["mcpServers"]) == {"mnemolog"}


@pytest.mark.skipif(os.name == "nt", reason="there is no pseudo-terminal")
def test_an_entry_is_taken_out_of_the_config_that_it_stands_in(project: Path) -> None:
    (project / "opencode.json").write_text("{}\n", encoding="utf-8")
    config = project / ".opencode" / "opencode.json"
    config.parent.mkdir()
    config.write_text(json.dumps({"mcp": {"memory": old_entry("x.jsonl")}}), encoding="utf-8")
    assert f"taken out of {config}" in answer("y").replace("\r\n", "")
    assert json.loads(config.read_bytes()) == {"mcp": {}}


@pytest.mark.skipif(os.name == "nt", reason="there is no pseudo-terminal")
def test_on_a_terminal_it_asks_before_it_replaces_an_entry(project: Path) -> None:
    config = project / ".mcp.json"
    other = '{"mcpServers": {"mnemolog": {"command": "mnemolog"}}}'
    config.write_text(other, encoding="utf-8")
    assert "kept as it is" in answer("n")
    assert config.read_text(encoding="utf-8") == other
    answer("y")
    assert json.loads(config.read_bytes())["mcpServers"]["mnemolog"]["command"] == "uvx"


def answer(*words: str) -> str:
    """Return what init says on a terminal to somebody who types these answers."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "mnemolog", "init"]
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        os.write(ours, "".join(f"{word}\n" for word in words).encode())
        said = b""
        while chunk := read_from(ours):
            said += chunk
    os.close(ours)
    assert process.returncode == 0, said
    return said.decode()


def read_from(terminal: int) -> bytes:
    try:
        return os.read(terminal, 4096)
    except OSError:  # Linux says so when the other side has closed it
        return b""
