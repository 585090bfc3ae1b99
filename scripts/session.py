"""Play a session of two agents on one repository, and print it as the README shows it.

    uv run python scripts/session.py

Both are real MCP clients of real servers, in a folder for temporary files; what stands below a
call is what the server answered, and what stands below a command is what it printed.
tests/test_session.py plays it again and compares it with the README.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias

import anyio
from mcp import StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client
from mcp_types import Implementation

Answer: TypeAlias = Mapping[str, Any]

WIDTH: Final = 96
CLAUDE: Final = "claude-code"
CODEX: Final = "codex-mcp-client"
"""The names that the two clients give themselves."""
AGENTS: Final = {CLAUDE: "claude-code", CODEX: "codex"}

OLD: Final = "retries a failed payment 3 times"
NEW: Final = "retries a failed payment 5 times"


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool, and which part of its answer is shown."""

    client: str
    tool: str
    arguments: Answer
    shown: Callable[[Answer], Iterator[str]] = lambda _: iter(())


def hits(answer: Answer) -> Iterator[str]:
    for hit in answer["hits"]:
        tags = f"{hit['added_at']}, {hit['agent']}"
        yield f"{hit['rank']}. {hit['entityName']}: {hit['text']}  ({tags})"


def warnings(answer: Answer) -> Iterator[str]:
    for warning in answer["warnings"]:
        yield f"{warning['kind']}: {warning['message']}"


CHECKOUT: Final = {"name": "checkout", "entityType": "service", "observations": [OLD]}
FACT: Final = {"entityName": "checkout", "contents": [NEW]}
STEPS: Final[tuple[Call | str, ...]] = (
    Call(CLAUDE, "create_entities", {"entities": [CHECKOUT]}),
    Call(CODEX, "search_nodes", {"query": "how often is a payment retried?"}, hits),
    Call(CODEX, "add_observations", {"observations": [FACT]}, warnings),
    Call(
        CODEX,
        "supersede_observation",
        {"entityName": "checkout", "oldText": OLD, "newText": NEW},
    ),
    "mnemolog show checkout --history",
    "tail -n 1 .agents/memory.local.jsonl",
)


def transcript() -> str:
    """Return a session that was played just now."""
    with TemporaryDirectory(prefix="mnemolog-session-") as folder:
        repository = Path(folder).resolve() / "shop"
        subprocess.run(["git", "init", "--quiet", str(repository)], check=True)
        return "\n\n".join(anyio.run(partial(_played, repository)))


async def _played(repository: Path) -> list[str]:
    async with AsyncExitStack() as stack:
        clients = {
            name: await stack.enter_async_context(_client(name, repository)) for name in AGENTS
        }
        return [
            _printed(step, repository)
            if isinstance(step, str)
            else await _called(step, clients[step.client])
            for step in STEPS
        ]


def _client(name: str, repository: Path) -> Client:
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "mnemolog"], cwd=repository, env=_environment()
    )
    return Client(stdio_client(server), client_info=Implementation(name=name, version="1"))


def _environment() -> dict[str, str]:
    """Return what a session on a machine without settings of its own sees."""
    inherited = {name: is_set for name, is_set in os.environ.items() if "MEMORY_" not in name}
    folder = str(Path(sys.executable).parent)
    return inherited | {"PATH": os.pathsep.join((folder, inherited.get("PATH", "")))}


async def _called(call: Call, client: Client) -> str:
    result = await client.call_tool(call.tool, dict(call.arguments))
    if result.is_error or result.structured_content is None:
        raise SystemExit(f"{call.tool}: {result.content}")
    said = json.dumps(call.arguments)
    lines = [*_wrapped(f"{AGENTS[call.client]}> {call.tool} {said}", indent="    ")]
    for shown in call.shown(result.structured_content):
        lines += _wrapped(f"  {shown}", indent="  ")
    return "\n".join(lines)


def _printed(command: str, repository: Path) -> str:
    done = subprocess.run(
        shlex.split(command),
        cwd=repository,
        env=_environment(),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    return f"$ {command}\n{done.stdout.rstrip()}"


def _wrapped(text: str, indent: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_on_hyphens=False)


if __name__ == "__main__":
    print(transcript())
