"""A week of work on one repository, with a clock that the test sets and a real client."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from mcp import Client

import repositories
from mcp_client import answer, connected
from repositories import Run, commit, needs_git, new

FAKETIME = shutil.which("faketime")

pytestmark = [
    needs_git,
    pytest.mark.anyio,
    pytest.mark.skipif(FAKETIME is None, reason="faketime (Debian: libfaketime) is not installed"),
]
run = repositories.run


def preload() -> str:
    """Return what libfaketime's own command would preload."""
    assert FAKETIME is not None
    words = [FAKETIME, "2026-03-02 09:00:00", "sh", "-c", 'printf %s "$LD_PRELOAD"']
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


class Week:
    """The repository, and the server on each of its days."""

    def __init__(self, root: Path, run: Run) -> None:
        self.root = root
        self._run = run

    @asynccontextmanager
    async def day(self, number: int, agent: str) -> AsyncIterator[Client]:
        """Yield a client of a server that believes it is that day of March 2026."""
        clock = {
            "LD_PRELOAD": preload(),
            "FAKETIME": f"@2026-03-{number:02} 09:00:00",
            "TZ": "UTC",
            "DONT_FAKE_MONOTONIC": "1",
        }
        path = str(self.root / ".agents" / "memory.jsonl")
        settings = {"MEMORY_FILE_PATH": path, **clock}
        async with connected(self.root, "legacy", agent, None, **settings) as client:
            yield client
        commit(self.root, self._run, f"Day {number}", on=number)


@pytest.fixture
def week(tmp_path: Path, run: Run) -> Week:
    root = new(tmp_path / "shop", run)
    (root / ".gitignore").write_text(
        ".agents/memory.jsonl.*\n.agents/memory.access.jsonl\n", encoding="utf-8"
    )
    commit(root, run)
    return Week(root, run)


def entity(name: str, kind: str, *observations: str) -> dict[str, object]:
    return {"name": name, "entityType": kind, "observations": list(observations)}


def adding(name: str, *contents: str, **options: object) -> list[dict[str, object]]:
    return [{"entityName": name, "contents": list(contents), **options}]


async def test_after_a_week_the_memory_reads_true_and_git_tells_its_history(
    week: Week, run: Run
) -> None:
    async with week.day(2, "claude-code") as client:
        api = entity("api", "service", "Deploys to Fly.io on merge to main.", "Runs on port 8080.")
        await answer(client, "create_entities", entities=[api, entity("database", "service")])
        uses = {"from": "api", "to": "database", "relationType": "reads_from"}
        await answer(client, "create_relations", relations=[uses])

    async with week.day(3, "codex-mcp-client") as client:
        said = await answer(
            client,
            "add_observations",
            observations=adding("api", "Deploys to AWS Lambda on merge to main."),
        )
        (warning,) = said["warnings"]
        assert warning["kind"] == "conflict"
        await answer(client, "undo")
        await answer(
            client,
            "supersede_observation",
            entityName="api",
            oldText=warning["resembles"]["text"],
            newText="Deploys to AWS Lambda on merge to main.",
        )

    async with week.day(4, "claude-code") as client:
        said = await answer(
            client,
            "add_observations",
            observations=adding("database", "The user wants UTC everywhere.", priority="high"),
        )
        assert "warnings" not in said
        await answer(client, "rename_entity", entityName="database", newName="PostgreSQL")
        await answer(
            client,
            "edit_observation",
            entityName="api",
            oldText="Runs on port 8080.",
            newText="Listens on port 8080.",
        )

    async with week.day(5, "codex-mcp-client") as client:
        double = entity("postgres", "service", "Version is 16.")
        await answer(client, "create_entities", entities=[double])
        await answer(client, "merge_entities", sourceName="postgres", targetName="PostgreSQL")

    async with week.day(6, "gemini-cli-mcp-client") as client:
        said = await answer(
            client,
            "add_observations",
            observations=adding("PostgreSQL", "Version is 17.", on_conflict="supersede"),
        )
        assert [old["text"] for old in said["superseded"]] == ["Version is 16."]
        found = await answer(client, "search_nodes", query="where is it deployed")
        best = min(found["hits"], key=lambda hit: hit["rank"])
        assert best["text"] == "Deploys to AWS Lambda on merge to main."
        graph = await answer(client, "read_graph", include_superseded=True)

    api, postgres = graph["entities"]
    assert api["observations"] == [
        "Deploys to AWS Lambda on merge to main.",
        "Listens on port 8080.",
    ]
    assert [tags["added_at"][:10] for tags in api["observation_tags"]] == [
        "2026-03-03",
        "2026-03-02",
    ]
    assert api["observation_tags"][1]["edited_at"][:10] == "2026-03-04"
    (retired,) = api["superseded"]
    assert (retired["text"], retired["agent"]) == (
        "Deploys to Fly.io on merge to main.",
        "claude-code",
    )
    assert (retired["superseded_at"][:10], retired["superseded_by"]) == ("2026-03-03", "codex")
    assert postgres["name"] == "PostgreSQL"
    assert postgres["observations"] == ["The user wants UTC everywhere.", "Version is 17."]
    assert postgres["observation_tags"][0]["priority"] == "high"
    assert postgres["observation_tags"][1]["agent"] == "gemini-cli"
    assert [relation["to"] for relation in graph["relations"]] == ["PostgreSQL"]

    # Nothing was ever taken out of the file: every day only added lines.
    history = run(week.root, "log", "-p", "--reverse", "--format=day %s", "--", ".agents")
    assert not [line for line in history.splitlines() if line.startswith("-{")]
    days = history.split("day Day ")[1:]
    assert [day.split()[0] for day in days] == ["2", "3", "4", "5", "6"]
    assert '"superseded_by":"codex"' in days[1]
    assert '"name":"PostgreSQL"' in days[2]
    assert '"replaced_by":"Version is 17."' in days[4]
