"""What a sequence of calls is made of, how it is run, and how answers are compared.

Answers are compared in server-memory's own keys. What we add beside them is not looked at here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, TypeAlias

from stdio_client import StdioClient

Json: TypeAlias = Any
Start: TypeAlias = Callable[[Path], AbstractContextManager[StdioClient]]
"""Starts a server for a memory file and gives a client that has made the handshake."""

GRAPH_URI: Final = "memory://knowledge-graph"

THEIR_KEYS: Final = {
    *("entities", "relations", "results", "success", "message"),
    *("name", "entityType", "observations", "from", "to", "relationType"),
    *("entityName", "addedObservations"),
}

OUR_TOOLS: Final = {
    *("edit_observation", "supersede_observation", "rename_entity", "merge_entities"),
    *("check_observations", "undo", "initialize_memory", "export_taxonomy", "import_memory"),
}
"""What server-memory does not have."""


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call."""

    tool: str
    arguments: Mapping[str, Json] | None


@dataclass(frozen=True, slots=True)
class Request:
    """Another request of the protocol."""

    method: str
    params: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Restart:
    """The server is ended and started again."""


@dataclass(frozen=True, slots=True)
class Append:
    """Another program appends to the file."""

    content: bytes


@dataclass(frozen=True, slots=True)
class Remove:
    """Another program removes the file."""


@dataclass(frozen=True, slots=True)
class CountUpdates:
    """How often the server has said, since the last count, that the graph was updated."""


Action: TypeAlias = Call | Request | Restart | Append | Remove | CountUpdates


@dataclass(frozen=True, slots=True)
class Step:
    """An action and what it answers."""

    action: Action
    ours: Json
    theirs: Json
    reason: str | None
    """Why the two differ; None where they don't."""


@dataclass(frozen=True, slots=True)
class CallSequence:
    """Steps on one fresh memory file."""

    name: str
    steps: tuple[Step, ...]
    content: bytes | None
    """What the file holds at the start; None: there is none."""


def sequence(name: str, *steps: Step, content: bytes | None = None) -> CallSequence:
    return CallSequence(name, steps, content)


def step(action: Action, answer: Json = None) -> Step:
    """Return a step that both servers answer alike."""
    return Step(action, answer, answer, None)


def differs(reason: str, action: Action, *, ours: Json, theirs: Json) -> Step:
    """Return a step that we answer otherwise on purpose."""
    return Step(action, ours, theirs, reason)


# --- running -----------------------------------------------------------------------------------


def answers(played: CallSequence, start: Start, folder: Path) -> Iterator[tuple[Step, Json]]:
    """Yield each step with what the server really answered."""
    memory_file = folder / "memory.jsonl"
    if played.content is not None:
        memory_file.write_bytes(played.content)
    with ExitStack() as connection:
        client = connection.enter_context(start(memory_file))
        for taken in played.steps:
            if isinstance(taken.action, Restart):
                connection.close()
                client = connection.enter_context(start(memory_file))
            yield taken, _answer(taken.action, client, memory_file)


def _answer(action: Action, client: StdioClient, memory_file: Path) -> Json:
    match action:
        case Call():
            return plain_result(client.call(action.tool, action.arguments))
        case Request():
            return _plain_answer(action.method, client.request(action.method, action.params))
        case CountUpdates():
            client.request("ping")  # what was said before its answer has arrived with it
            updates = [n for n in client.notifications if n["method"].endswith("/updated")]
            client.notifications.clear()
            return len(updates)
        case Append():
            with memory_file.open("ab") as file:
                file.write(action.content)
        case Remove():
            memory_file.unlink()
    return None


def folder_for(played: CallSequence, parent: Path) -> Path:
    """Return a new folder of the sequence's own."""
    folder = parent / re.sub(r"\W+", "-", played.name)
    folder.mkdir()
    return folder


# --- comparing ---------------------------------------------------------------------------------


def plain_result(message: Mapping[str, Json]) -> Json:
    """Return a tool's answer in server-memory's own keys, or which kind of error it is."""
    if "error" in message:
        return _error(message["error"]["message"])
    result = message["result"]
    if result.get("isError"):
        return _error(result["content"][0]["text"])
    return _plain(result["structuredContent"])


def _plain(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _plain(held) for key, held in value.items() if key in THEIR_KEYS}
    if isinstance(value, list):
        return [_plain(held) for held in value]
    return value


_KINDS_OF_ERROR: Final = (
    (re.compile(r"Entity with name (.*) not found", re.DOTALL), r"not found: \1"),
    (re.compile(r"invalid arguments|validation error", re.IGNORECASE), "invalid arguments"),
    (re.compile(r"unknown tool|tool .* not found", re.IGNORECASE), "unknown tool"),
)


def _error(text: str) -> str:
    for pattern, kind in _KINDS_OF_ERROR:
        if found := pattern.search(text):
            return f"error, {found.expand(kind)}"
    return "error"


def _plain_answer(method: str, message: Mapping[str, Json]) -> Json:
    if "error" in message:
        return "error"
    if method == "resources/read":
        (contents,) = message["result"]["contents"]
        return contents["mimeType"], _plain(json.loads(contents["text"]))
    if method == "tools/list":
        tools = sorted(message["result"]["tools"], key=itemgetter("name"))
        return {t["name"]: _tool_summary(t) for t in tools if t["name"] not in OUR_TOOLS}
    return "ok"


def _tool_summary(tool: Mapping[str, Json]) -> tuple[str, str, str, str]:
    """Return title, hints that are true, and the required texts of input and output."""
    hints = [name.removesuffix("Hint") for name, held in tool["annotations"].items() if held]
    outputs = [path for path in _leaves(tool["outputSchema"]) if _is_theirs(path)]
    inputs = _leaves(tool["inputSchema"])
    return tool["title"], " ".join(sorted(hints)), " ".join(inputs), " ".join(sorted(outputs))


def _is_theirs(path: str) -> bool:
    return THEIR_KEYS.issuperset(path.replace("[]", "").split("."))


def _leaves(schema: Mapping[str, Json], path: str = "") -> Sequence[str]:
    """Return the paths of all required values that are neither objects nor arrays, sorted."""
    if schema.get("type") == "array":
        return _leaves(schema.get("items", {}), f"{path}[]")
    if schema.get("type") != "object":
        return [path]
    members = schema.get("properties", {})
    prefix = f"{path}." if path else ""
    return sorted(
        leaf for key in schema.get("required", ()) for leaf in _leaves(members[key], prefix + key)
    )
