"""A server under strace: what it asked of the system while a client used everything it offers."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from mcp_client import SERVE

needs_strace = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("strace") is None, reason="needs strace"
)

_TRACED: Final = (
    "trace=network,execve,open,openat,openat2,creat,rename,renameat,renameat2,unlink,unlinkat,"
    "mkdir,mkdirat,rmdir,link,linkat,symlink,symlinkat,truncate,chmod,fchmodat,chown,fchownat"
)
_CALL: Final = re.compile(r"^(?:\d+ +)?(\w+)\((.*)")
_TEXT: Final = re.compile(r'"((?:[^"\\]|\\.)*)"')


@dataclass(frozen=True, slots=True)
class Call:
    """A system call, as strace wrote it down."""

    name: str
    rest: str

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(Path(text) for text in _TEXT.findall(self.rest))

    @property
    def changes_files(self) -> bool:
        """Whether it could change what is on the disk; opening to read cannot."""
        if self.name.startswith("open"):
            return re.search(r"O_(?:WRONLY|RDWR|CREAT|TRUNC|APPEND)", self.rest) is not None
        return self.name.startswith(
            ("creat", "rename", "unlink", "mkdir", "rmdir", "link", "sym", "trunc", "ch", "fch")
        )


def calls_of(
    folder: Path, requests: Iterable[dict[str, Any]], log: Path, **settings: str
) -> tuple[list[Call], list[dict[str, Any]]]:
    """Return what a server asked of the system, and its answers."""
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MEMORY_")}
    command = ["strace", "-f", "-q", "-s", "4096", "-o", str(log), "-e", _TRACED, *SERVE]
    done = subprocess.run(
        command,
        input=lines.encode(),
        stdout=subprocess.PIPE,
        cwd=folder,
        env=environment | {"PYTHONDONTWRITEBYTECODE": "1"} | settings,
        check=True,
        timeout=120,
    )
    return list(_calls_in(log)), [json.loads(line) for line in done.stdout.splitlines()]


def _calls_in(log: Path) -> Iterator[Call]:
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
        if found := _CALL.match(line):
            yield Call(found[1], found[2])


def session(*calls: tuple[str, dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the requests of a client that lists everything, reads everything and calls tools."""
    me = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "tester", "version": "1"},
    }
    yield _request(0, "initialize", me)
    yield {"jsonrpc": "2.0", "method": "notifications/initialized"}
    asked: list[tuple[str, dict[str, Any]]] = [
        ("tools/list", {}),
        ("resources/list", {}),
        ("prompts/list", {}),
        *(("tools/call", {"name": name, "arguments": sent}) for name, sent in calls),
        ("resources/read", {"uri": "memory://knowledge-graph"}),
        ("resources/read", {"uri": "memory://taxonomy"}),
        ("prompts/get", {"name": "reflect", "arguments": {"topic": "anything"}}),
    ]
    for number, (method, params) in enumerate(asked, start=1):
        yield _request(number, method, params)


def _request(number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


ANN: Final = {"name": "Ann", "entityType": "person", "observations": ["likes tea", "likes cake"]}
BOB: Final = {"name": "Bob", "entityType": "person", "observations": ["likes tea"]}
KNOWS: Final = {"from": "Ann", "to": "Bob", "relationType": "knows"}
FACTS: Final = [{"entityName": "Ann", "contents": ["lives in Rome"]}]


def every_tool(source: Path) -> list[tuple[str, dict[str, Any]]]:
    """Return a call of each tool, none of which is refused; the import is of a source."""
    return [
        ("create_entities", {"entities": [ANN, BOB]}),
        ("create_relations", {"relations": [KNOWS]}),
        ("add_observations", {"observations": FACTS}),
        ("check_observations", {"observations": FACTS}),
        ("edit_observation", {"entityName": "Ann", "oldText": "likes tea", "newText": "tea!"}),
        ("supersede_observation", {"entityName": "Ann", "oldText": "likes cake"}),
        ("rename_entity", {"entityName": "Bob", "newName": "Bill"}),
        ("merge_entities", {"sourceName": "Bill", "targetName": "Ann"}),
        ("undo", {}),
        ("read_graph", {}),
        ("search_nodes", {"query": "what does Ann like", "expand": True}),
        ("open_nodes", {"names": ["Ann"]}),
        ("import_memory", {"source_path": str(source)}),
        ("export_taxonomy", {}),
        ("export_taxonomy", {"shared": True}),
        ("delete_relations", {"relations": [KNOWS]}),
        ("delete_observations", {"deletions": [{"entityName": "Ann", "observations": ["tea!"]}]}),
        ("delete_entities", {"entityNames": ["Ann"]}),
        ("initialize_memory", {"mode": "adopt"}),
        ("initialize_memory", {"mode": "fresh"}),
    ]
