"""Whatever a memory, a file name or a config holds, no command lets it steer the terminal."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click
import pytest

import command_line
from command_line import invoke, memory
from imports import entity, written
from mnemolog.cli import main
from mnemolog.requests import NewEntity, RelationTriple

folder = command_line.folder

EVIL: Final = "a\x1b[2J\x1b]0;owned\x07\x1b]52;c;AAAA\x07\x9b31m\u202ename\u200b\r\x08\x7f\x00"
"""It clears the screen, renames the window, fills the clipboard, and writes backwards."""

FILE: Final = "old\x1b[2J\x9b31m\u202e.jsonl"
"""The same, as far as a name of a file can."""

COMMANDS: Final[Mapping[str, tuple[tuple[str, ...], ...]]] = {
    "init": (("init", "--client", "claude-code"), ("init", "--remove", "--client", "cursor")),
    "demo": (("demo", "--help"),),  # it shows nothing but what it has made itself
    "where": (("where",),),
    "doctor": (("doctor",), ("doctor", "--fix")),
    "search": (("search", "name"), ("search", "--explain", "name"), ("search", EVIL)),
    "show": (("show", EVIL, "--history"), ("show", "name")),
    "list": (("list", "--observations"), ("list", "--status", "superseded")),
    "log": (("log", "--full"), ("log", "--entity", EVIL)),
    "stats": (("stats",),),
    "recall": (("recall",), ("recall", "--for", "name")),
    "add": (("add", EVIL, f"{EVIL} again"), ("add", f"{EVIL} nobody", "x")),
    "edit": (("edit", EVIL, "1", f"{EVIL} again"), ("edit", EVIL, "nothing", "x")),
    "supersede": (("supersede", EVIL, "1", f"{EVIL} again"),),
    "delete": (("delete", EVIL), ("delete", EVIL, "1", "--yes")),
    "undo": (("undo",), ("undo", "--yes")),
    "import": (("import", FILE), ("import", f"{FILE}.none"), ("import", "--yes"), ("import", "-")),
    "export": (
        ("export", "--to", "markdown", f"{FILE}.pages"),
        ("export", "--to", "markdown", f"{FILE}.pages", "--force"),
        ("export", "--to", "json", FILE),
    ),
    "taxonomy": (
        ("taxonomy", "report"),
        ("taxonomy", "check"),
        ("taxonomy", "export"),
        ("taxonomy", "retype", EVIL, f"{EVIL} too"),
        ("taxonomy", "retype", "-", f"{EVIL} too"),
    ),
    "compact": (("compact",),),
    "backup": (("backup",), ("backup", FILE), ("backup", f"{FILE}.none/x")),
    "restore": (("restore", FILE), ("restore", FILE, "--yes"), ("restore", f"{FILE}.none")),
}

_RAW: Final = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f]")


@pytest.fixture
def evil(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder in which everything that can be named is named so."""
    monkeypatch.setenv("HOME", str(folder / "home"))
    monkeypatch.setenv("USERPROFILE", str(folder / "home"))
    texts = (f"{EVIL} one", f"{EVIL} two", f"{EVIL} three")
    memory().create_entities([NewEntity(EVIL, EVIL, texts)], EVIL)
    memory().create_entities([NewEntity("plain", f"{EVIL}s", texts)], EVIL)
    memory().supersede_observation(EVIL, texts[2], EVIL, new_text=f"{EVIL} four")
    memory().create_relations([RelationTriple(EVIL, EVIL, EVIL)], EVIL)
    written(
        folder / FILE, entity(EVIL, f"{EVIL} five", kind=EVIL), {"type": EVIL}, {"type": "entity"}
    )
    servers = {EVIL: {"command": EVIL, "args": [EVIL], "env": {"MEMORY_FILE_PATH": EVIL}}}
    servers |= {f"{EVIL} too": {"command": "npx", "args": ["mcp-server-memory"], "cwd": EVIL}}
    servers |= {"mnemolog": {"command": "mnemolog", "env": {"MEMORY_FILE_PATH": FILE}}}
    (folder / ".mcp.json").write_text(json.dumps({"mcpServers": servers}), encoding="utf-8")
    (folder / ".cursor").mkdir()
    (folder / ".cursor" / "mcp.json").write_text(f"{{{EVIL}", encoding="utf-8")
    (folder / ".agents" / f"memory.local.jsonl.torn-{FILE}").touch()
    (folder / ".agents" / f"memory.local (conflicted copy {FILE}").touch()
    return folder


def test_every_command_is_tried() -> None:
    assert set(COMMANDS) == set(main.list_commands(click.Context(main)))


@pytest.mark.usefixtures("evil")
@pytest.mark.skipif(os.name == "nt", reason="Windows takes no such names of files")
@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_lets_anything_steer_the_terminal(name: str) -> None:
    for words in COMMANDS[name]:
        result = invoke(*words)
        assert not _RAW.findall(result.output), words
        assert result.exception is None or isinstance(result.exception, SystemExit), words


@pytest.mark.usefixtures("evil")
@pytest.mark.skipif(os.name == "nt", reason="Windows takes no such names of files")
@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"demo", "export", "taxonomy"}))
def test_json_is_safe_to_look_at_too(name: str) -> None:
    for words in COMMANDS[name]:
        result = invoke(*words, *(() if "--explain" in words else ("--json",)))
        assert not _RAW.findall(result.output), words
