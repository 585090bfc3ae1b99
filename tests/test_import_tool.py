"""The tool import_memory, through a real client and the real server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp_types import (
    EmptyResult,
    ResourceUpdatedNotification,
    SubscribeRequest,
    SubscribeRequestParams,
)

from imports import entity, memory_in, relation, written
from mcp_client import ERAS, GRAPH_URI, Era, answer, connected, piped, refusal
from mnemolog.server.tools import TOOLS


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


@pytest.mark.anyio
@pytest.mark.parametrize("era", ERAS)
async def test_the_tool_answers_what_the_python_function_does(tmp_path: Path, era: Era) -> None:
    source = written(tmp_path / "old.jsonl", entity("Lamp", "is on"), relation("Lamp", "Desk"))
    (tmp_path / "other").mkdir()
    wanted = memory_in(tmp_path / "other").upkeep.import_from(source, "cli")
    async with connected(tmp_path, era) as client:
        said = await answer(client, "import_memory", source_path=str(source))
    assert said["entities_imported"] == wanted.entities_imported == 1
    assert said["skipped_list"] == [{"place": "line 2", "reason": "no entity is named 'Desk'"}]
    assert (tmp_path / "memory.jsonl").read_bytes() == (
        tmp_path / "other" / "memory.jsonl"
    ).read_bytes()


@pytest.mark.anyio
@pytest.mark.parametrize("era", ERAS)
async def test_the_client_hears_how_far_an_import_has_come(tmp_path: Path, era: Era) -> None:
    written(tmp_path / "old.jsonl", *(entity(f"E{n}", f"fact {n}") for n in range(10_000)))
    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    async with connected(tmp_path, era) as client:
        arguments = {"source_path": "old.jsonl", "dry_run": True}
        result = await client.call_tool("import_memory", arguments, progress_callback=hear)
    assert result.structured_content is not None
    assert result.structured_content["entities_created"] == 10_000
    assert [progress for progress, _, _ in heard] == [4000, 8000, 10_000]
    assert heard[0][2] == "4,000 records"
    total = heard[0][1]
    assert total is not None
    assert 8_000 < total < 12_000


@pytest.mark.anyio
async def test_a_dry_run_changes_nothing(tmp_path: Path) -> None:
    written(tmp_path / "old.jsonl", entity("Lamp", "is on"))
    async with connected(tmp_path) as client:
        said = await answer(client, "import_memory", source_path="old.jsonl", dry_run=True)
    assert said["dry_run"] is True
    assert names_in(tmp_path) == ["old.jsonl"]


@pytest.mark.anyio
async def test_what_cannot_be_imported_is_refused_with_the_reason(tmp_path: Path) -> None:
    async with connected(tmp_path) as client:
        said = await refusal(client, "import_memory", source_path="missing.jsonl")
        assert (
            said
            == "missing.jsonl cannot be imported: there is no such file or folder. Check the path."
        )
        assert "~nobody" in await refusal(client, "import_memory", source_path="~nobody-here/x")


@pytest.mark.anyio
async def test_subscribers_hear_of_an_import_that_brought_something(tmp_path: Path) -> None:
    written(tmp_path / "old.jsonl", entity("Lamp", "is on"))
    heard: list[str] = []

    async def hear(message: Any) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            heard.append(str(message.params.uri))

    async with connected(tmp_path, on_message=hear) as client:
        request = SubscribeRequest(params=SubscribeRequestParams(uri=GRAPH_URI))
        await client.session.send_request(request, EmptyResult)
        for dry_run in (True, False, False):
            await answer(client, "import_memory", source_path="old.jsonl", dry_run=dry_run)
    assert heard == [GRAPH_URI]


def test_other_calls_are_answered_between_the_steps_of_an_import(tmp_path: Path) -> None:
    written(tmp_path / "old.jsonl", *(entity(f"E{n}", f"fact {n}") for n in range(20_000)))
    with piped(tmp_path) as pipe:
        pipe.handshake()
        importing = pipe.send(
            "tools/call", name="import_memory", arguments={"source_path": "old.jsonl"}
        )
        ping = pipe.send("ping")
        assert [pipe.read()["id"] for _ in range(2)] == [ping, importing]


def test_subscribers_hear_of_what_an_import_brought_before_it_was_called_off(
    tmp_path: Path,
) -> None:
    written(tmp_path / "old.jsonl", *(entity(f"E{n}") for n in range(60_000)))
    arguments = {"source_path": "old.jsonl"}
    with piped(tmp_path) as pipe:
        pipe.handshake()
        pipe.send("resources/subscribe", uri=GRAPH_URI)
        assert pipe.read()["result"] == {}
        importing = pipe.send(
            "tools/call", name="import_memory", arguments=arguments, _meta={"progressToken": "t"}
        )
        assert pipe.read()["method"] == "notifications/progress"
        called_off = {"method": "notifications/cancelled", "params": {"requestId": importing}}
        pipe.write(json.dumps({"jsonrpc": "2.0", **called_off}).encode())
        said = pipe.close()
    assert [m["method"] for m in said if "id" not in m][-1] == "notifications/resources/updated"
    assert importing not in {m.get("id") for m in said}
    assert len(memory_in(tmp_path).read_graph().entities) < 60_000


def test_the_result_is_described_key_by_key() -> None:
    properties = json.loads(json.dumps(TOOLS["import_memory"].result.__annotations__, default=str))
    assert {"entities_imported", "errors", "skipped", "warnings"} <= properties.keys()
