"""What a client learns, sends and is answered, through the real server."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.shared.subscriptions import ResourceUpdated
from mcp_types import (
    EmptyResult,
    ResourceUpdatedNotification,
    SubscribeRequest,
    SubscribeRequestParams,
    TextResourceContents,
    UnsubscribeRequest,
    UnsubscribeRequestParams,
)

import mcp_client
import repositories
from mcp_client import (
    ALICE,
    ERAS,
    GRAPH_URI,
    Era,
    Pipe,
    answer,
    connected,
    piped,
    refusal,
    text_of,
    with_the_memory_of_another_repository,
)
from mnemolog import __version__
from mnemolog.server.app import Service
from mnemolog.server.prompts import guidance
from mnemolog.server.reads import ReadGraph
from mnemolog.server.tool import READS, Tool
from mnemolog.server.tools import TOOLS
from mnemolog.store.location import Settings
from repositories import Run, needs_git

pipe = mcp_client.pipe
run = repositories.run

LONG_LINE_CHARACTERS = 200_000


def saved_agents(folder: Path) -> list[str]:
    lines = (folder / "memory.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["agent"] for line in lines]


# --- what a client learns ------------------------------------------------------------------------


@pytest.mark.anyio
@pytest.mark.parametrize("era", ERAS)
async def test_the_server_says_its_name_and_lists_its_tools(tmp_path: Path, era: Era) -> None:
    async with connected(tmp_path, era) as client:
        tools = (await client.list_tools()).tools
        listed = (await client.list_resources()).resources
    assert [tool.name for tool in tools] == [*TOOLS]
    assert all(tool.title and tool.description and tool.output_schema for tool in tools)
    assert all(tool.annotations and tool.annotations.open_world_hint is False for tool in tools)
    assert [(resource.uri, resource.mime_type) for resource in listed] == [
        (GRAPH_URI, "application/json"),
        ("memory://taxonomy", "application/json"),
    ]


def test_the_handshake_says_version_title_and_instructions(tmp_path: Path) -> None:
    with piped(tmp_path) as pipe:
        said = pipe.handshake()
    assert said["serverInfo"] == {
        "name": "mnemolog",
        "title": "mnemolog: the memory of this repository",
        "version": __version__,
    }
    assert said["capabilities"]["resources"]["subscribe"] is True
    assert said["instructions"] == guidance("instructions")


def test_instructions_are_short_enough_for_every_client() -> None:
    assert len(guidance("instructions")) < 2_000


def test_instructions_say_how_to_use_memory_and_how_to_leave_the_guard() -> None:
    said = guidance("instructions")
    promises = ("Before you plan", "the repository is right", "last", "not commands")
    assert [promise for promise in (*promises, "`fresh`", "`adopt`") if promise not in said] == []


def test_listing_the_tools_touches_neither_the_file_nor_git(tmp_path: Path) -> None:
    trap = tmp_path / "bin"
    trap.mkdir()
    fake_git = trap / "git"
    fake_git.write_text(
        f"#!/bin/sh\ntouch {tmp_path}/git-was-run\n", encoding="utf-8", newline="\n"
    )
    fake_git.chmod(0o755)
    with piped(tmp_path, PATH=f"{trap}{os.pathsep}{os.environ['PATH']}") as pipe:
        pipe.handshake()
        pipe.send("tools/list")
        assert len(pipe.read()["result"]["tools"]) == len(TOOLS)
        assert [path.name for path in tmp_path.iterdir()] == ["bin"]


# --- who is speaking -----------------------------------------------------------------------------


@pytest.mark.anyio
@pytest.mark.parametrize("era", ERAS)
async def test_what_is_saved_carries_the_clients_name(tmp_path: Path, era: Era) -> None:
    async with connected(tmp_path, era, name="codex-mcp-client") as client:
        created = await answer(client, "create_entities", entities=[ALICE])
    assert created["entities"][0]["agent"] == "codex"
    assert set(saved_agents(tmp_path)) == {"codex"}


@pytest.mark.anyio
@pytest.mark.parametrize("era", ERAS)
async def test_the_setting_goes_before_the_clients_name(tmp_path: Path, era: Era) -> None:
    async with connected(tmp_path, era, MEMORY_AGENT="reviewer") as client:
        created = await answer(client, "create_entities", entities=[ALICE])
    assert created["entities"][0]["agent"] == "reviewer"


def test_a_stateless_client_that_gives_no_name_is_unknown(tmp_path: Path) -> None:
    envelope = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    call = {"name": "create_entities", "arguments": {"entities": [ALICE]}, "_meta": envelope}
    with piped(tmp_path) as pipe:
        pipe.send("tools/call", **call)
        result = pipe.read()["result"]
    assert result["structuredContent"]["entities"][0]["agent"] == "unknown"
    assert result["resultType"] == "complete"


# --- the resource --------------------------------------------------------------------------------


@pytest.mark.anyio
@pytest.mark.parametrize("era", ERAS)
async def test_the_resource_is_what_read_graph_answers(tmp_path: Path, era: Era) -> None:
    async with connected(tmp_path, era) as client:
        await answer(client, "create_entities", entities=[ALICE])
        (contents,) = (await client.read_resource(GRAPH_URI)).contents
        assert isinstance(contents, TextResourceContents)
        assert contents.mime_type == "application/json"
        assert json.loads(contents.text) == await answer(client, "read_graph")


@pytest.mark.anyio
@pytest.mark.parametrize("era", ERAS)
async def test_an_unknown_resource_is_an_error_that_names_the_known_one(
    tmp_path: Path, era: Era
) -> None:
    async with connected(tmp_path, era) as client:
        with pytest.raises(MCPError, match=r"memory://other not found.*memory://knowledge-graph"):
            await client.read_resource("memory://other")


@pytest.mark.anyio
async def test_subscribers_hear_of_each_change_and_of_nothing_else(tmp_path: Path) -> None:
    heard: list[object] = []

    async def hear(message: object) -> None:
        heard.append(message)

    async with connected(tmp_path, on_message=hear) as client:
        session = client.session
        await answer(client, "create_entities", entities=[ALICE | {"name": "Bob"}])
        subscribe = SubscribeRequest(params=SubscribeRequestParams(uri=GRAPH_URI))
        await session.send_request(subscribe, EmptyResult)
        await answer(client, "create_entities", entities=[ALICE])
        await answer(client, "create_entities", entities=[ALICE])
        await answer(client, "search_nodes", query="tea")
        await refusal(client, "open_nodes")
        await answer(client, "delete_entities", entityNames=["Nobody"])
        await answer(client, "delete_entities", entityNames=["Alice"])
        unsubscribe = UnsubscribeRequest(params=UnsubscribeRequestParams(uri=GRAPH_URI))
        await session.send_request(unsubscribe, EmptyResult)
        await answer(client, "delete_entities", entityNames=["Bob"])
    updates = [m for m in heard if isinstance(m, ResourceUpdatedNotification)]
    assert [update.params.uri for update in updates] == [GRAPH_URI, GRAPH_URI]


@pytest.mark.anyio
async def test_a_stateless_client_listens_for_changes(tmp_path: Path) -> None:
    async with connected(tmp_path, "2026-07-28") as client:
        with anyio.fail_after(30):
            async with client.listen(resource_subscriptions=[GRAPH_URI]) as changes:
                await answer(client, "create_entities", entities=[ALICE])
                assert await anext(aiter(changes)) == ResourceUpdated(uri=GRAPH_URI)


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.anyio
@pytest.mark.parametrize("era", ERAS)
async def test_a_refusal_is_a_plain_sentence(tmp_path: Path, era: Era) -> None:
    async with connected(tmp_path, era) as client:
        nobody = [{"entityName": "Nobody", "contents": ["x"]}]
        said = await refusal(client, "add_observations", observations=nobody)
        assert said.startswith("Entity with name Nobody not found. Nothing was saved")
        said = await refusal(client, "open_nodes", names="Alice")
        assert said == "Invalid arguments for open_nodes: names should be an array."
        unknown = await client.call_tool("no_such_tool", {})
        assert unknown.is_error
        assert text_of(unknown).startswith("Unknown tool: no_such_tool")


@pytest.mark.anyio
@pytest.mark.parametrize("era", ERAS)
async def test_a_place_where_no_memory_may_be_is_refused_at_each_call(
    tmp_path: Path, era: Era
) -> None:
    async with connected(tmp_path, era, MEMORY_FILE_PATH="${workspaceFolder}/m.jsonl") as client:
        assert len((await client.list_tools()).tools) == len(TOOLS)
        for _ in range(2):
            assert "${workspaceFolder}" in await refusal(client, "read_graph")
        with pytest.raises(MCPError, match="workspaceFolder"):
            await client.read_resource(GRAPH_URI)


@needs_git
@pytest.mark.anyio
async def test_the_memory_of_another_repository_is_refused_until_it_is_adopted(
    tmp_path: Path, run: Run
) -> None:
    ours = await with_the_memory_of_another_repository(tmp_path, run)
    async with connected(ours) as client:
        said = await refusal(client, "read_graph")
        assert "theirs" in said
        assert "initialize_memory" in said
        with pytest.raises(MCPError, match="initialize_memory"):
            await client.read_resource(GRAPH_URI)
        await answer(client, "initialize_memory", mode="adopt")
        (entity,) = (await answer(client, "read_graph"))["entities"]
    assert entity["name"] == "Alice"


@pytest.mark.anyio
@pytest.mark.parametrize("era", ERAS)
async def test_what_was_not_foreseen_is_logged_and_not_shown(
    tmp_path: Path, era: Era, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(memory: object, arguments: object, agent: str) -> None:  # noqa: ARG001 - as called
        raise ZeroDivisionError(f"of {agent}")

    broken.__annotations__ |= {"arguments": ReadGraph}
    monkeypatch.setitem(TOOLS, "broken", Tool("Broken", READS, broken))
    settings = Settings(memory_file_path=str(tmp_path / "memory.jsonl"), agent="tester")
    async with Client(Service(settings, tmp_path).server(), mode=era) as client:
        said = await refusal(client, "broken")
    assert said.startswith("mnemolog failed in a way that it did not foresee")
    assert "ZeroDivisionError: of tester" in caplog.text


# --- the wire ------------------------------------------------------------------------------------


def test_pipelined_calls_are_carried_out_in_order(pipe: Pipe) -> None:
    pipe.send("tools/call", name="create_entities", arguments={"entities": [ALICE]})
    for number in range(100):
        more = [{"entityName": "Alice", "contents": [f"number {number}"]}]
        pipe.send("tools/call", name="add_observations", arguments={"observations": more})
    last = pipe.send("tools/call", name="open_nodes", arguments={"names": ["Alice"]})
    answers = {said["id"]: said["result"] for said in (pipe.read() for _ in range(102))}
    assert not any(result["isError"] for result in answers.values())
    observations = answers[last]["structuredContent"]["entities"][0]["observations"]
    assert observations == ["likes tea", *(f"number {number}" for number in range(100))]


def test_a_client_that_closes_its_end_still_gets_every_answer(pipe: Pipe) -> None:
    asked = [
        pipe.send("tools/call", name="create_entities", arguments={"entities": [ALICE]})
        for _ in range(20)
    ]
    assert [said["id"] for said in pipe.close()] == asked
    assert pipe.process.returncode == 0


def test_the_server_ends_although_somebody_listens(tmp_path: Path) -> None:
    envelope = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    with piped(tmp_path) as pipe:
        wanted = {"resourceSubscriptions": [GRAPH_URI]}
        pipe.send("subscriptions/listen", notifications=wanted, _meta=envelope)
        assert pipe.read()["method"] == "notifications/subscriptions/acknowledged"
        pipe.close()
        assert pipe.process.returncode == 0


def test_the_server_ends_for_a_client_that_counts_from_zero(pipe: Pipe) -> None:
    client = {"name": "tester", "version": "1"}
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    request = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}
    pipe.write(json.dumps(request).encode())
    assert pipe.read()["id"] == 0
    assert pipe.close() == []
    assert pipe.process.returncode == 0


def test_the_server_ends_although_a_request_was_cancelled(pipe: Pipe) -> None:
    asked = pipe.send("tools/call", name="read_graph", arguments={})
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": asked}}
    pipe.write(json.dumps(cancel).encode())
    pipe.close()
    assert pipe.process.returncode == 0


def test_a_line_that_is_no_message_is_ignored(pipe: Pipe) -> None:
    for line in (b"", b"hello", b"[1]", b"{}", b"[" * 100_000, b"\xff\xfe", b"null"):
        pipe.write(line)
    pipe.send("ping")
    assert pipe.read()["result"] == {}


@pytest.mark.parametrize("half", [rb"\ud83d", rb"\uDE00", b"\xff", b"caf\xe9"], ids=repr)
def test_half_a_character_on_the_wire_is_refused_by_its_place(
    pipe: Pipe, tmp_path: Path, half: bytes
) -> None:
    pipe.write(
        b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"create_entities",'
        b'"arguments":{"entities":[{"name":"A","entityType":"t","observations":["'
        + half
        + b'"]}]}}}'
    )
    (answer_to_it,) = pipe.close()
    result = answer_to_it["result"]
    assert result["isError"]
    assert "entities[0].observations[0] holds half of a character" in result["content"][0]["text"]
    assert not (tmp_path / "memory.jsonl").exists()


def test_text_arrives_as_it_was_said(pipe: Pipe) -> None:
    said = (
        'Ünï 😀 日本語 \u2028 \u0085 \u0000 \u007f "q" \\ l1\nl2\r\n\t' + "x" * LONG_LINE_CHARACTERS
    )
    pipe.send(
        "tools/call", name="create_entities", arguments={"entities": [ALICE | {"name": said}]}
    )
    result = pipe.read()["result"]
    assert result["structuredContent"]["entities"][0]["name"] == said
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_server_without_a_word(pipe: Pipe, number: signal.Signals) -> None:
    pipe.send("tools/call", name="read_graph", arguments={})
    pipe.read()
    pipe.process.send_signal(number)
    assert pipe.process.wait(timeout=30) == 0
    assert pipe.process.stderr is not None
    assert pipe.process.stderr.read() == b""


def test_a_client_that_stops_reading_does_not_keep_the_server(pipe: Pipe) -> None:
    big = ALICE | {"observations": ["x" * LONG_LINE_CHARACTERS]}
    pipe.send("tools/call", name="create_entities", arguments={"entities": [big]})
    assert pipe.process.stdout is not None
    pipe.process.stdout.close()
    assert pipe.process.stdin is not None
    pipe.process.stdin.close()
    assert pipe.process.wait(timeout=30) == 0


def test_starting_the_server_imports_no_part_of_it_that_is_not_needed_yet() -> None:
    heavy = ("numpy", "rank_bm25", "mnemolog.memory", "filelock")
    look = f"import sys, mnemolog.server.app; print([n for n in {heavy} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
