"""`mnemolog demo`: two agents write to one memory at the same moment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import click

from mnemolog.store.git import find_program

if TYPE_CHECKING:
    from mcp.client import Client

_CLIENTS: Final = ("claude-code", "codex-mcp-client")
_FACTS: Final = {
    "claude-code": (
        "Tests run with pytest, in parallel.",
        "The API is rate-limited to 100 requests a minute.",
        "Migrations are applied by hand before a release.",
    ),
    "codex-mcp-client": (
        "Deploys happen on every merge to main.",
        "The database is PostgreSQL 16.",
        "Feature flags live in flags.toml.",
    ),
}


@click.command("demo")
def command() -> None:
    """Show two differently named clients writing to one repository's memory at the same moment.

    It works in a temporary folder, over real MCP stdio, and leaves nothing behind.

    \b
    Example:
      uvx mnemolog demo
    """
    import anyio  # noqa: PLC0415 - the client side of the SDK is only for this command

    with TemporaryDirectory(prefix="mnemolog-demo-") as folder:
        repository = Path(folder).resolve() / "shop"
        _make_repository(repository)
        try:
            anyio.run(_play, repository)
        except* BrokenPipeError:  # whoever was watching has seen enough
            # At exit Python would write what is left, and say that it cannot.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _make_repository(folder: Path) -> None:
    folder.mkdir()
    if git := find_program():  # without git the memory lies in the folder all the same
        subprocess.run([git, "init", "--quiet", str(folder)], check=True)


async def _play(repository: Path) -> None:
    from anyio import create_task_group  # noqa: PLC0415

    claude, codex = (_client(name, repository) for name in _CLIENTS)
    async with claude, codex:
        await claude.call_tool(
            "create_entities",
            {"entities": [{"name": "shop", "entityType": "repository", "observations": []}]},
        )
        click.secho("Two clients write at the same moment:", bold=True)
        async with create_task_group() as both:
            for name, client in zip(_CLIENTS, (claude, codex), strict=True):
                both.start_soon(_write, client, name)
        _show_file(repository / ".agents" / "memory.local.jsonl")
        answer = await codex.call_tool("read_graph", {})
        click.secho("\nWhat read_graph answers to either of them:", bold=True)
        click.echo(json.dumps(answer.structured_content, indent=2, ensure_ascii=False))
    _check(answer.structured_content)


def _client(name: str, repository: Path) -> Client:
    from mcp import StdioServerParameters  # noqa: PLC0415
    from mcp.client import Client  # noqa: PLC0415
    from mcp.client.stdio import stdio_client  # noqa: PLC0415
    from mcp_types import Implementation  # noqa: PLC0415

    environment = {k: v for k, v in os.environ.items() if not k.startswith("MEMORY_")}
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "mnemolog"], cwd=repository, env=environment
    )
    return Client(stdio_client(server), client_info=Implementation(name=name, version="1"))


async def _write(client: Client, name: str) -> None:
    for fact in _FACTS[name]:
        request = {"observations": [{"entityName": "shop", "contents": [fact]}]}
        await client.call_tool("add_observations", request)
        click.echo(f"  {name}: {fact}")


def _show_file(path: Path) -> None:
    click.secho(f"\n{path.relative_to(path.parents[2])}", bold=True)
    click.echo(path.read_text(encoding="utf-8"), nl=False)


def _check(graph: Any) -> None:  # noqa: ANN401 - the answer as it came over the wire
    said = {text for entity in graph["entities"] for text in entity["observations"]}
    missing = {text for texts in _FACTS.values() for text in texts} - said
    if missing:
        raise click.ClickException(f"The memory lacks {', '.join(sorted(missing))}.")
    click.secho("\nEvery fact of both clients is there.", fg="green")
