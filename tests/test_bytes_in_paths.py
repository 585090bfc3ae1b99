"""Paths and names that are no UTF-8 stop nothing that could go on."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest

import repositories
from cases import line
from mcp_client import ALICE, GRAPH_URI, Pipe, piped
from repositories import Run, commit, needs_git, new

pytestmark = [
    needs_git,
    pytest.mark.skipif(sys.platform != "linux", reason="file names are text there"),
]
run = repositories.run

OTHER = line(
    type="header", format=1, repo={"name": "other", "commit": "a" * 40, "root": "/elsewhere"}
)


@pytest.fixture
def folder(tmp_path: Path, run: Run) -> Path:
    """Return a repository whose name is no UTF-8, as old archives unpack it."""
    folder = new(tmp_path / os.fsdecode(b"caf\xe9"), run)
    commit(folder, run)
    return folder


def ask(server: Pipe, method: str, **params: Any) -> dict[str, Any]:
    server.send(method, **params)
    return server.read()


def test_a_folder_whose_name_is_no_utf8_is_told_of_in_words(folder: Path) -> None:
    (folder / "memory.jsonl").write_bytes(OTHER + b"\n")
    with piped(folder) as server:
        server.handshake()
        refused = ask(server, "tools/call", name="read_graph", arguments={})
        assert refused["result"]["isError"]
        assert "initialize_memory" in refused["result"]["content"][0]["text"]
        failed = ask(server, "resources/read", uri=GRAPH_URI)
        assert "initialize_memory" in failed["error"]["message"]
        begun = ask(server, "tools/call", name="initialize_memory", arguments={"mode": "fresh"})
        assert begun["result"]["structuredContent"]["success"]
        assert "memory.jsonl.bak-" in begun["result"]["structuredContent"]["backup"]


def test_an_agents_name_that_is_no_utf8_stops_no_write(folder: Path) -> None:
    with piped(folder, MEMORY_AGENT=os.fsdecode(b"Andr\xe9")) as server:
        server.handshake()
        arguments = {"entities": [ALICE]}
        done = ask(server, "tools/call", name="create_entities", arguments=arguments)
        assert done["result"]["structuredContent"]["entities"][0]["agent"] == "Andr?"
