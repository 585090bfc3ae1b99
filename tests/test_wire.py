"""What comes in and goes out over the pipes, however it is cut, delayed or broken."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from io import FileIO
from pathlib import Path
from threading import Event
from typing import Any, BinaryIO, Final, cast

import pytest
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCResponse

import mcp_client
from mcp_client import ALICE, SERVE, Pipe, environment
from mnemolog.server.wire import stdio_wire

pipe = mcp_client.pipe

LINUX: Final = sys.platform == "linux"
"""Only there does the beginning of an answer go out before a thread takes over."""

LONG: Final = 200_000
"""Characters: more than a pipe holds."""

INITIALIZE: Final = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "tester", "version": "1"},
}


def request(number: int, method: str, **params: Any) -> bytes:
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps(message).encode()


def write(pipe: Pipe, part: bytes) -> None:
    assert pipe.process.stdin is not None
    pipe.process.stdin.write(part)
    pipe.process.stdin.flush()


def test_a_request_that_comes_in_pieces_is_answered_once(pipe: Pipe) -> None:
    line = request(7, "tools/call", name="create_entities", arguments={"entities": [ALICE]})
    for byte in line:
        write(pipe, bytes([byte]))
    write(pipe, b"\n")
    pipe.send("ping")
    assert pipe.read()["id"] == 7
    assert pipe.read()["result"] == {}


def test_requests_that_come_in_one_piece_are_all_answered(pipe: Pipe) -> None:
    write(pipe, b"".join(request(number, "ping") + b"\r\n" for number in range(7, 107)))
    assert [pipe.read()["id"] for _ in range(100)] == [*range(7, 107)]


def test_a_request_longer_than_a_pipe_is_read_whole(pipe: Pipe) -> None:
    big = ALICE | {"observations": ["x" * LONG]}
    pipe.send("tools/call", name="create_entities", arguments={"entities": [big]})
    (entity,) = pipe.read()["result"]["structuredContent"]["entities"]
    assert entity["observations"] == big["observations"]


def test_a_last_request_without_a_newline_is_answered(pipe: Pipe) -> None:
    write(pipe, request(7, "ping"))
    assert [said["id"] for said in pipe.close()] == [7]


def test_whoever_reads_late_gets_every_answer_whole_and_in_order(pipe: Pipe) -> None:
    big = ALICE | {"observations": ["x" * LONG]}
    pipe.send("tools/call", name="create_entities", arguments={"entities": [big]})
    everything = {"name": "read_graph", "arguments": {"max_chars": 0}}
    asked = [pipe.send("tools/call", **everything) for _ in range(10)]
    asked.append(pipe.send("ping"))
    pipe.read()
    answers = [pipe.read() for _ in asked]
    assert [said["id"] for said in answers] == asked
    for said in answers[:-1]:
        (entity,) = said["result"]["structuredContent"]["entities"]
        assert entity["observations"] == big["observations"]


class HeldPipe(FileIO):
    """An end of a pipe into which nothing goes, but without waiting, until it is let go."""

    def __init__(self, descriptor: int) -> None:
        super().__init__(descriptor, "wb")
        self.is_let_go = Event()

    def write(self, part: Any) -> int:
        self.is_let_go.wait()
        return super().write(part)


@pytest.mark.anyio
async def test_a_short_answer_does_not_get_into_the_middle_of_a_long_one() -> None:
    (requests, request_sink), (answers, answer_sink) = os.pipe(), os.pipe()
    os.close(request_sink)
    long, short = (
        SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=number, result={"text": "x" * length}))
        for number, length in ((1, LONG), (2, 1))
    )
    with os.fdopen(requests, "rb") as source, HeldPipe(answer_sink) as sink:
        async with stdio_wire(source, cast("BinaryIO", sink)) as (incoming, wire), incoming:
            await wire.send(long)
            said = os.read(answers, LONG) if LINUX else b""
            await wire.send(short)
            sink.is_let_go.set()
            while said.count(b"\n") < 2:
                said += os.read(answers, LONG)
            assert [message async for message in incoming] == []
    os.close(answers)
    assert [json.loads(line)["id"] for line in said.splitlines()] == [1, 2]


def test_the_requests_may_come_from_a_file(tmp_path: Path) -> None:
    requests = tmp_path / "requests.jsonl"
    lines = request(1, "initialize", **INITIALIZE), request(2, "ping")
    requests.write_bytes(b"\n".join(lines))
    with requests.open("rb") as source:
        done = subprocess.run(
            SERVE,
            stdin=source,
            capture_output=True,
            check=True,
            timeout=60,
            cwd=tmp_path,
            env=os.environ | environment(tmp_path),
        )
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1, 2]


def test_the_answers_may_go_to_a_file(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    lines = request(1, "initialize", **INITIALIZE), request(2, "ping")
    with answers.open("wb") as sink:
        subprocess.run(
            SERVE,
            input=b"\n".join(lines),
            stdout=sink,
            stderr=subprocess.DEVNULL,
            check=True,
            timeout=60,
            cwd=tmp_path,
            env=os.environ | environment(tmp_path),
        )
    said = answers.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in said] == [1, 2]


HALF: Final = "\ud83d"


@pytest.mark.parametrize(
    ("method", "params"),
    [
        (HALF, {}),
        ("tools/call", {"name": HALF}),
        ("prompts/get", {"name": HALF}),
        ("resources/read", {"uri": f"memory://{HALF}"}),
    ],
    ids=["method", "tool", "prompt", "resource"],
)
def test_half_a_character_in_a_name_is_an_answer_and_not_the_end(
    pipe: Pipe, method: str, params: dict[str, str]
) -> None:
    asked = pipe.send(method, **params)
    refused = pipe.read()
    assert refused["id"] == asked
    assert "error" in refused or refused["result"]["isError"]
    assert HALF in json.dumps(refused, ensure_ascii=False)
    pipe.send("ping")
    assert pipe.read()["result"] == {}


def test_half_a_character_in_an_id_comes_back_as_it_was(pipe: Pipe) -> None:
    params = {"name": "read_graph", "arguments": {}}
    message = {"jsonrpc": "2.0", "id": HALF, "method": "tools/call", "params": params}
    pipe.write(json.dumps(message).encode())
    answer = pipe.read()
    assert answer["id"] == HALF
    text = answer["result"]["content"][0]["text"]
    assert json.loads(text) == answer["result"]["structuredContent"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_the_middle_of_a_call_ends_the_server_behind_it(
    pipe: Pipe, tmp_path: Path, number: signal.Signals
) -> None:
    many = [ALICE | {"name": f"Alice {count}"} for count in range(2_000)]
    pipe.send("tools/call", name="create_entities", arguments={"entities": many})
    while not (tmp_path / "memory.jsonl.lock").exists():
        assert pipe.process.poll() is None
    pipe.process.send_signal(number)
    assert pipe.process.stdout is not None
    said = json.loads(pipe.process.stdout.readline())
    assert not said["result"]["isError"]
    assert pipe.process.wait(timeout=30) == 0
    assert pipe.process.stderr is not None
    assert pipe.process.stderr.read() == b""
    lines = (tmp_path / "memory.jsonl").read_text(encoding="utf-8").splitlines()
    assert sum('"type":"entity"' in line for line in lines) == len(many)
