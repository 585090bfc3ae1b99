"""A client, or an agent that has been taken over: what its arguments can and cannot reach."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from mcp_client import piped
from mnemolog.declarations import json_schema
from mnemolog.edits.edit import LARGEST_CALL_BYTES, LARGEST_TEXT_BYTES
from mnemolog.errors import InvalidRequest, MnemologError
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity, NewObservations
from mnemolog.server.arguments import read_arguments
from mnemolog.server.tools import TOOLS
from mnemolog.store.location import Settings


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    memory = Memory.open(Settings(str(tmp_path / "memory.jsonl"), None), tmp_path)
    memory.create_entities([NewEntity("api", "service", ("Is fast.",))], "tester")
    return memory


def properties(schema: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(schema, dict):
        yield from schema.get("properties", {}).items()
        for value in schema.values():
            yield from properties(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from properties(value)


def test_no_argument_names_a_place_to_write_to() -> None:
    names = {name for t in TOOLS.values() for name, _ in properties(json_schema(t.arguments))}
    said = ("path", "file", "folder", "directory", "target", "uri", "url", "command", "pattern")
    assert {n for n in names if any(word in n.lower() for word in said)} == {
        "source_path",  # of an import, which only reads
        "targetName",  # an entity
    }


@pytest.mark.parametrize("name", ["../../x", "/etc/passwd", "a\0b", "CON", "~", ".git/config"])
def test_a_name_is_never_a_path(memory: Memory, tmp_path: Path, name: str) -> None:
    before = {path.name for path in tmp_path.rglob("*")}
    memory.create_entities([NewEntity(name, name, (name,))], name)
    memory.open_nodes([name])
    memory.search_nodes(name)
    memory.rename_entity(name, f"{name}/..", name)
    assert {path.name for path in tmp_path.rglob("*")} - before <= {"memory.access.jsonl"}


@pytest.mark.parametrize(
    "observations",
    [("x" * (LARGEST_TEXT_BYTES + 1),), ("y" * 200_000,) * 1 + tuple(map(str, range(10**6)))],
    ids=["one text", "one call"],
)
def test_what_is_too_large_is_refused_whole(memory: Memory, observations: tuple[str, ...]) -> None:
    assert sum(map(len, observations)) > min(LARGEST_TEXT_BYTES, LARGEST_CALL_BYTES)
    before = memory.location.path.read_bytes()
    with pytest.raises(InvalidRequest):
        memory.add_observations([NewObservations("api", observations)], "tester")
    with pytest.raises(InvalidRequest):
        memory.create_entities([NewEntity("big", "x", observations)], "tester")
    assert memory.location.path.read_bytes() == before


@pytest.mark.parametrize(
    "cursor", [" ", "KEY", "KEY.", "KEY." + "9" * 5_000, "KEY.²", "../x", "KEY.-1"]
)
@pytest.mark.parametrize("name", ["read_graph", "search_nodes"])
def test_a_made_up_cursor_is_refused_in_words(memory: Memory, name: str, cursor: str) -> None:
    memory.create_entities([NewEntity("web", "service", ("Is fast as well.",))], "tester")
    tool = TOOLS[name]
    first: Any = tool.body(memory, read_arguments(tool, {"limit": 1, "query": "fast"}), "tester")
    sent = cursor.replace("KEY", first.cursor.partition(".")[0])
    arguments = read_arguments(tool, {"cursor": sent, "query": "fast"})
    with pytest.raises(MnemologError, match="has expired"):
        tool.body(memory, arguments, "tester")


@pytest.mark.parametrize(
    "query",
    ['"' * 20_000, "(" * 20_000, "a" * 200_000, "a b " * 20_000, "\u0301" * 20_000, "中" * 20_000],
)
def test_no_query_is_a_pattern_or_too_much(memory: Memory, query: str) -> None:
    memory.search_nodes(query, expand=True)
    assert memory.search_nodes("Is f.*").hits == memory.search_nodes("Is f").hits


DEEP: Final = b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":' + b'{"a":' * 100_000
MESSAGES: Final = {
    "nested without end": DEEP + b"1" + b"}" * 100_001,
    "cut off": DEEP,
    "a method of a million letters": json.dumps(
        {"jsonrpc": "2.0", "id": 9, "method": "x" * 1_000_000}
    ).encode(),
    "a tool of a million letters": json.dumps(
        {"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": {"name": "x" * 1_000_000}}
    ).encode(),
    "numbers without end": b'{"jsonrpc":"2.0","id":' + b"9" * 100_000 + b',"method":"ping"}',
    "NUL": b"\0" * 100_000,
    "no text": b"\xff" * 100_000,
}


@pytest.mark.parametrize("message", MESSAGES.values(), ids=MESSAGES)
def test_a_message_that_means_harm_does_not_end_the_server(tmp_path: Path, message: bytes) -> None:
    with piped(tmp_path) as pipe:
        pipe.handshake()
        pipe.write(message)
        pipe.send("tools/call", name="read_graph", arguments={})
        rest = pipe.close()
    assert any(answer.get("result", {}).get("structuredContent") for answer in rest)


def test_starting_afresh_keeps_the_old_memory_beside_the_new_one(memory: Memory) -> None:
    before = memory.location.path.read_bytes()
    backup = memory.initialize_memory("fresh", "tester").backup
    assert backup is not None
    assert Path(backup).read_bytes() == before


def test_what_was_deleted_can_be_taken_back(memory: Memory) -> None:
    memory.delete_entities(["api"], "tester")
    assert memory.read_graph().entities == ()
    memory.undo("tester")
    assert [entity.name for entity in memory.read_graph().entities] == ["api"]
