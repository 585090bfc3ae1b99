"""A file of ours through the hands of the real server-memory and back."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import their_server
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity, NewObservations, RelationTriple
from mnemolog.results import GraphResult
from mnemolog.store.location import Settings
from stdio_client import StdioClient, serving
from their_server import add_a_shade

TEXTS = ("says “on”\nand\t\\off/", "e\u0301 is not é", "\u2028 splits no line", "灯台 😀", "")
Triple = tuple[str, str, str]


theirs = their_server.theirs


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Memory:
    """A memory in a git repository, so that its file has a header too."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    memory = Memory.open(Settings(None, None), tmp_path)
    for agent in ("codex", "cursor", "codex"):  # what the others said is there already
        write_to(memory, agent)
    return memory


def write_to(memory: Memory, agent: str) -> None:
    entities = [NewEntity("Lamp 💡", "device", TEXTS[:2]), NewEntity("__proto__", "", ())]
    memory.create_entities(entities, agent)
    memory.add_observations([NewObservations("Lamp 💡", TEXTS)], agent)
    memory.add_observations([NewObservations("__proto__", (f"{agent} was here",))], agent)
    ends = [("Lamp 💡", "__proto__"), ("__proto__", "__proto__")]
    memory.create_relations([RelationTriple(*pair, "lights") for pair in ends], agent)


def facts_of(entities: Sequence[Any]) -> dict[str, list[str]]:
    """Unite the entities of one name: server-memory shows one for each line."""
    united: dict[str, dict[str, None]] = {}
    for entity in entities:
        united.setdefault(entity["name"], {}).update(dict.fromkeys(entity["observations"]))
    return {name: list(texts) for name, texts in united.items()}


def our_facts(graph: GraphResult) -> tuple[dict[str, list[str]], set[Triple]]:
    facts = {entity.name: list(entity.observations) for entity in graph.entities}
    return facts, {relation.key for relation in graph.relations}


def their_facts(client: StdioClient) -> tuple[dict[str, list[str]], set[Triple]]:
    graph = client.call("read_graph", {})["result"]["structuredContent"]
    relations = {(r["from"], r["to"], r["relationType"]) for r in graph["relations"]}
    return facts_of(graph["entities"]), relations


def kinds_in(path: Path) -> set[str]:
    return {json.loads(line)["type"] for line in path.read_bytes().splitlines() if line}


def test_server_memory_reads_every_fact_of_a_file_with_additions(
    memory: Memory, theirs: Sequence[str]
) -> None:
    path = memory.location.path
    assert kinds_in(path) == {"header", "entity", "relation"}
    with serving(theirs, path) as client:
        assert their_facts(client) == our_facts(memory.read_graph())


def test_we_read_every_fact_after_server_memory_has_written(
    memory: Memory, theirs: Sequence[str]
) -> None:
    facts, relations = our_facts(memory.read_graph())
    with serving(theirs, memory.location.path) as client:
        add_a_shade(client, "Lamp 💡")
    found, found_relations = our_facts(memory.read_graph())
    expected = {**facts, "Lamp 💡": [*facts["Lamp 💡"], "has a shade"], "Shade": ["is green"]}
    assert {name: set(texts) for name, texts in found.items()} == {
        name: set(texts) for name, texts in expected.items()
    }
    assert found_relations == relations | {("Lamp 💡", "Shade", "carries")}


def test_the_first_write_to_a_file_that_server_memory_touched_says_so(
    memory: Memory, theirs: Sequence[str]
) -> None:
    with serving(theirs, memory.location.path) as client:
        client.call("create_entities", {"entities": [{**NEW, "name": "Shade"}]})
    answer = memory.add_observations([NewObservations("Shade", ("is green",))], "codex")
    assert answer.notice is not None
    assert "another memory server" in answer.notice


NEW = {"entityType": "part", "observations": []}
