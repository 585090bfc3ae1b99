"""The real server in a process of its own, and two clients for it: the SDK's, and a bare pipe."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.session import MessageHandlerFnT
from mcp_types import CallToolResult, Implementation, TextContent

from repositories import Run, commit, new

Era: TypeAlias = Literal["legacy", "2026-07-28"]
ERAS: Final[tuple[Era, ...]] = ("legacy", "2026-07-28")
"""The handshake up to 2025-11-25, and the stateless protocol."""

_SERVE: Final = """
from pathlib import Path
from mnemolog.server import run
from mnemolog.store.location import Settings
run(Settings.from_environment(), Path.cwd())
"""
SERVE: Final = (sys.executable, "-c", _SERVE)
"""What starts the server, without the command line around it."""

GRAPH_URI: Final = "memory://knowledge-graph"
ALICE: Final = {"name": "Alice", "entityType": "person", "observations": ["likes tea"]}


def environment(folder: Path, **settings: str) -> dict[str, str]:
    """Return the server's environment: a memory file in the folder, unless `settings` differ."""
    return {"MEMORY_FILE_PATH": str(folder / "memory.jsonl"), **settings}


@asynccontextmanager
async def connected(
    folder: Path,
    era: Era = "legacy",
    name: str | None = "tester",
    on_message: MessageHandlerFnT | None = None,
    **settings: str,
) -> AsyncIterator[Client]:
    """Yield the SDK's client of a server that was started in the folder."""
    command, *words = SERVE
    server = StdioServerParameters(
        command=command, args=words, cwd=folder, env=environment(folder, **settings)
    )
    client_info = Implementation(name=name, version="1") if name is not None else None
    client = Client(server, mode=era, client_info=client_info, message_handler=on_message)
    async with client:
        yield client


def text_of(result: CallToolResult) -> str:
    """Return the one text block of a result."""
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


async def answer(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Return what a tool answers; text and structured content have to be the same object."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    assert result.structured_content is not None
    structured: dict[str, Any] = result.structured_content
    assert json.loads(text_of(result)) == structured
    return structured


async def refusal(client: Client, tool: str, **arguments: Any) -> str:
    """Return the sentence with which a tool refuses."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    assert result.structured_content is None
    return text_of(result)


class Pipe:
    """A server behind bare pipes: what is sent is what was written, byte for byte."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._last_id = 0

    def write(self, line: bytes) -> None:
        """Send one line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, method: str, **params: Any) -> int:
        """Send a request and return its id, without waiting for the answer."""
        self._last_id += 1
        request = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}
        self.write(json.dumps(request).encode())
        return self._last_id

    def read(self) -> dict[str, Any]:
        """Return the next message that the server sends."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the server has closed its output"
        message: dict[str, Any] = json.loads(line)
        return message

    def handshake(self, name: str = "tester") -> dict[str, Any]:
        """Return what the server says about itself."""
        client = {"name": name, "version": "1"}
        self.send("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
        result: dict[str, Any] = self.read()["result"]
        self.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
        return result

    def close(self) -> list[dict[str, Any]]:
        """End the server's input and return everything that it still says."""
        rest, _ = self.process.communicate(timeout=30)
        return [json.loads(line) for line in rest.split(b"\n") if line]


@contextmanager
def piped(folder: Path, **settings: str) -> Iterator[Pipe]:
    """Yield a server that was started in the folder, before any handshake."""
    process = subprocess.Popen(
        SERVE,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=os.environ | environment(folder, **settings),
    )
    with process:
        try:
            yield Pipe(process)
        finally:
            process.kill()


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Pipe]:
    with piped(tmp_path) as pipe:
        pipe.handshake()
        yield pipe


async def with_the_memory_of_another_repository(folder: Path, run: Run) -> Path:
    """Return a new repository into which the memory of another one has come."""
    ours, theirs = new(folder / "ours", run), new(folder / "theirs", run)
    for day, repository in enumerate((ours, theirs), start=1):
        commit(repository, run, repository.name, on=day)
    async with connected(theirs) as client:
        await answer(client, "create_entities", entities=[ALICE])
    (theirs / "memory.jsonl").rename(ours / "memory.jsonl")
    return ours
