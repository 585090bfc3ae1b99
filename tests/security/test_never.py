"""What the server never does, whatever it is asked: seen from the system's side."""

from __future__ import annotations

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

import mnemolog
from mnemolog.server.tools import TOOLS
from repositories import needs_git
from sqlite_stores import MCP_MEMORY_FIRST, store
from traced import Call, calls_of, every_tool, needs_strace, session

SOURCE = Path(mnemolog.__file__).parent


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, list[Call]]:
    """Return a repository, the folder for temporary files, and all that a session asked for."""
    top = tmp_path_factory.mktemp("traced")
    root, temporary = top / "app", top / "temporary"
    temporary.mkdir()
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    source = store(top / "old.db", MCP_MEMORY_FIRST)
    calls, answers = calls_of(
        root, session(*every_tool(source)), top / "log", TMPDIR=str(temporary)
    )
    failed = [a for a in answers if "error" in a or a["result"].get("isError")]
    assert not failed
    assert len(answers) == len(list(session(*every_tool(source)))) - 1
    return root, temporary, calls


def test_the_session_uses_every_tool() -> None:
    assert {name for name, _ in every_tool(Path())} == set(TOOLS)


@needs_strace
@needs_git
def test_no_socket_is_opened_but_the_pair_that_wakes_the_event_loop(
    traced: tuple[Path, Path, list[Call]],
) -> None:
    _, _, calls = traced
    network = {call.name for call in calls if call.name in NETWORK}
    assert "socketpair" in network, "the trace has seen what it should see"
    assert network <= {"socketpair", "sendto", "recvfrom", "shutdown"}


NETWORK = {
    *("socket", "socketpair", "connect", "bind", "listen", "accept", "accept4"),
    *("sendto", "recvfrom", "sendmsg", "recvmsg", "sendmmsg", "recvmmsg", "shutdown"),
}


@needs_strace
@needs_git
def test_no_program_is_started_but_git(traced: tuple[Path, Path, list[Call]]) -> None:
    _, _, calls = traced
    started = [call.paths[0].name for call in calls if call.name == "execve"]
    assert "git" in started[1:], "the trace has seen what it should see"
    assert set(started[1:]) == {"git"}


@needs_strace
@needs_git
def test_nothing_is_written_outside_the_memorys_folder(
    traced: tuple[Path, Path, list[Call]],
) -> None:
    root, temporary, calls = traced
    changed = [path for call in calls if call.changes_files for path in call.paths]
    assert root / ".agents" / "memory.local.jsonl" in changed, "the trace has seen what it should"
    allowed = (root / ".agents", temporary, Path("/dev/null"), Path("/dev/tty"))
    stray = {p for p in changed if p.is_absolute() and not any(map(p.is_relative_to, allowed))}
    assert not stray
    assert not list(temporary.iterdir()), "what was copied to be read is gone"


# --- what the code could not do if it wanted to --------------------------------------------------

NO_NETWORK = {"socket", "ssl", "http", "ftplib", "smtplib", "xmlrpc", "asyncore", "socketserver"}
NO_PARSERS = {"zipfile", "tarfile", "gzip", "bz2", "lzma", "shelve", "dbm", "marshal", "pickle"}
XML = {"xml.etree", "xml.dom", "xml.parsers", "lxml", "xml.sax.handler"}


def imports() -> Iterator[tuple[str, str]]:
    for module in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from ((module.name, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield module.name, f"{node.module}"
                yield from ((module.name, f"{node.module}.{a.name}") for a in node.names)


def test_no_module_of_ours_knows_the_network() -> None:
    known = {name.split(".")[0] for _, name in imports()}
    assert not known & NO_NETWORK
    assert not {name for _, name in imports() if name.startswith("urllib.request")}


def test_no_archive_no_pickle_and_no_xml_is_ever_read() -> None:
    names = {name for _, name in imports()}
    assert not {name for name in names if name.split(".")[0] in NO_PARSERS}
    assert not {name for name in names if name.startswith(tuple(XML))}


def test_nothing_that_was_read_is_ever_run() -> None:
    for module in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = ast.unparse(node.func)
                assert called not in {"eval", "exec", "compile", "os.system", "os.popen"}, module
                assert not any(word.arg == "shell" for word in node.keywords), module


def test_yaml_is_read_by_the_loader_that_knows_only_texts_and_lists() -> None:
    loads = [
        ast.unparse(node)
        for module in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("yaml.load")
    ]
    assert loads == ["yaml.load(block, Loader=yaml.BaseLoader)"]
