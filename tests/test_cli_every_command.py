"""What goes for every command: help with an example, JSON, and nothing that steers a terminal."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

import command_line
from command_line import invoke, memory, on_a_terminal, run, run_json
from mnemolog.cli import main
from mnemolog.requests import NewEntity, RelationTriple

folder = command_line.folder

NAMES = main.list_commands(click.Context(main))

PRINTS_NO_DATA = {"demo", "export"}
"""One is watched, not read by programs; the other prints in the format that it is told."""


def leaves(name: str) -> list[click.Command]:
    """Return a command, or those that it groups."""
    command = main.get_command(click.Context(main), name)
    assert command is not None
    return list(command.commands.values()) if isinstance(command, click.Group) else [command]


@pytest.mark.parametrize("name", NAMES)
def test_every_command_is_explained_with_an_example(name: str) -> None:
    for command in leaves(name):
        help_text = command.help or ""
        assert re.search(r"^ *Examples?:$", help_text, re.MULTILINE), command.name
        assert re.search(rf"mnemolog {name}\b", help_text), command.name
        shown = CliRunner().invoke(main, [name, "--help"])
        assert shown.exit_code == 0
        assert "\\b" not in shown.output  # a sign meant for click


@pytest.mark.parametrize("words", [(), ("taxonomy",)])
def test_no_sentence_of_a_list_of_commands_breaks_off(words: tuple[str, ...]) -> None:
    assert re.findall(r"\w,?\.\.\.$", run(*words, "--help"), re.MULTILINE) == []


@pytest.mark.parametrize("name", NAMES)
def test_every_command_that_prints_data_can_print_json(name: str) -> None:
    if name in PRINTS_NO_DATA:
        return
    for command in leaves(name):
        options = {opt for parameter in command.params for opt in parameter.opts}
        assert "--json" in options, command.name


def test_every_option_says_what_it_does() -> None:
    for name in NAMES:
        for command in leaves(name):
            for parameter in command.params:
                if isinstance(parameter, click.Option):
                    assert parameter.help, f"{command.name} {parameter.opts}"


# --- what memory holds must not reach the terminal as it is ---------------------------------------

EVIL = "a\x1b[2J\x1b]0;owned\x07\x9b31m\u202ename\nline\x7f"
ESCAPED = r"a\x1b[2J\x1b]0;owned\x07\x9b31m\u202ename\nline\x7f"

PRINTING: dict[str, tuple[str, ...]] = {
    "search": ("search", "name"),
    "search --explain": ("search", "--explain", "name"),
    "show": ("show", EVIL, "--history"),
    "show, not found": ("show", "name"),
    "list": ("list", "--observations"),
    "list --status": ("list", "--status", "superseded", "--observations"),
    "log": ("log",),
    "stats": ("stats",),
    "add": ("add", EVIL, f"{EVIL} again"),
    "add --relation": ("add", EVIL, "--relation", f"{EVIL} again", EVIL),
    "edit": ("edit", EVIL, "1", f"{EVIL} again"),
    "edit, unclear": ("edit", EVIL, "a", "x"),
    "edit --rename": ("edit", EVIL, "--rename", f"{EVIL} again"),
    "supersede": ("supersede", EVIL, "1", f"{EVIL} again"),
    "delete": ("delete", EVIL, "1", "--yes"),
    "delete, not asked": ("delete", EVIL),
    "edit, refused": ("edit", EVIL, "--rename", EVIL),
    "undo": ("undo", "--yes"),
    "undo, refused": ("undo", "1", "--yes"),
    "recall": ("recall",),
    "taxonomy report": ("taxonomy", "report"),
    "where": ("where",),
}


@pytest.fixture
def evil(folder: Path) -> Path:
    texts = (f"{EVIL} one", f"{EVIL} two", f"{EVIL} three")
    memory().create_entities([NewEntity(EVIL, EVIL, texts)], EVIL)
    memory().supersede_observation(EVIL, texts[2], EVIL, new_text=f"{EVIL} four")
    memory().create_relations([RelationTriple(EVIL, EVIL, EVIL)], EVIL)
    return folder


def raw_controls(text: str) -> set[str]:
    return set(re.findall("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text))


@pytest.mark.usefixtures("evil")
@pytest.mark.parametrize("words", PRINTING.values(), ids=PRINTING)
def test_no_command_prints_what_could_steer_a_terminal(words: tuple[str, ...]) -> None:
    result = invoke(*words)
    assert not raw_controls(result.output)
    if words[0] not in {"where", "recall", "taxonomy"}:  # which have nothing of it to print
        assert ESCAPED[:20] in result.output


@pytest.mark.usefixtures("evil")
@pytest.mark.parametrize("words", [("show", EVIL), ("list",), ("log",), ("stats",)])
def test_json_is_safe_to_show_and_says_the_same(words: tuple[str, ...]) -> None:
    result = invoke(*words, "--json")
    assert not raw_controls(result.stdout)
    assert EVIL in strings_in(json.loads(result.stdout))


def strings_in(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for item in value.values() for text in strings_in(item)]
    return [t for item in value for t in strings_in(item)] if isinstance(value, list) else []


@pytest.mark.usefixtures("evil")
def test_what_could_steer_a_terminal_is_shown_escaped() -> None:
    assert f"1. {ESCAPED} one" in run("show", EVIL)


@pytest.mark.usefixtures("folder")
def test_halves_of_characters_are_shown_escaped() -> None:
    assert r"\udcff" in run("show", "\udcff", code=1)


# --- colours -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("evil")
def test_colours_are_for_terminals_only() -> None:
    piped = subprocess.run(
        [sys.executable, "-m", "mnemolog", "list"], capture_output=True, check=True, timeout=60
    )
    assert b"\x1b" not in piped.stdout
    assert CliRunner().invoke(main, ["list"], color=True).output.startswith("\x1b[1m")


# --- shell completion ----------------------------------------------------------------------------


def completions(*words: str) -> list[str]:
    completing = ShellComplete(main, {}, "mnemolog", "_MNEMOLOG_COMPLETE")
    return [item.value for item in completing.get_completions(list(words[:-1]), words[-1])]


@pytest.mark.usefixtures("folder")
def test_a_shell_can_complete_commands_options_and_entities() -> None:
    for name in ("api", "app", "db", "ap\x1b[2J"):
        memory().create_entities([NewEntity(name, "service", ())], "codex")
    assert completions("sh") == ["show"]
    assert "--history" in completions("show", "--h")
    for command in ("show", "add", "edit", "supersede", "delete"):
        assert completions(command, "ap") == ["api", "app"]
    assert completions("log", "--entity", "d") == ["db"]
    assert completions("edit", "api", "--merge-into", "d") == ["db"]


def test_completion_never_fails(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert completions("show", "a") == []
    monkeypatch.setenv("MEMORY_FILE_PATH", "${workspaceFolder}/m.jsonl")
    assert completions("show", "a") == []
    monkeypatch.setenv("MEMORY_FILE_PATH", "broken.jsonl")
    (folder / "broken.jsonl").write_bytes(b"\xff\x00 no memory\n")
    assert completions("show", "a") == []


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_an_entity(folder: Path) -> None:
    memory().create_entities([NewEntity("gateway", "service", ())], "codex")
    mnemolog = Path(sys.executable).with_name("mnemolog")
    if not mnemolog.exists():
        pytest.skip("the command is not installed beside this Python")
    script = f"""
        export PATH="{mnemolog.parent}:$PATH"
        eval "$(_MNEMOLOG_COMPLETE=bash_source mnemolog)"
        COMP_WORDS=(mnemolog show ga) COMP_CWORD=2
        _mnemolog_completion mnemolog
        echo "${{COMPREPLY[@]}}"
    """
    shown = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, check=True, timeout=60, cwd=folder
    )
    assert shown.stdout == "gateway\n"


@pytest.mark.usefixtures("evil")
def test_questions_show_memory_escaped_too() -> None:
    said, _ = on_a_terminal("delete", EVIL, typed=b"n\n")
    assert not raw_controls(said.decode().replace("\r\n", "\n"))
    assert rb"Delete a\x1b[2J" in said


@pytest.mark.usefixtures("folder")
def test_the_json_of_a_command_is_that_of_the_tool() -> None:
    memory().create_entities([NewEntity("api", "service", ("Is fast.",))], "codex")
    (api,) = run_json("show", "api")["entities"]
    assert api["observation_tags"][0]["agent"] == "codex"
    assert api["entityType"] == "service"
