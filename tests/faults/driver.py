"""A process that carries out calls on a memory file, and says which ones were acknowledged.

It reads jobs from its input, one JSON object a line, and does each in a child: the imports are paid
once, and a child can be traced or killed from its first call on. What it says, one word a line:

    pid N          the child of this job; it waits for a line before it begins
    ack I          call number I has returned
    error I TEXT   call number I has raised
    end STATUS     the child is gone, with the status that `os.waitpid` gave
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from mnemolog.errors import MnemologError
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity, NewObservations, ObservationDeletion, RelationTriple
from mnemolog.store.location import Settings

_NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone(timedelta(hours=1)))


def perform(memory: Memory, operation: str, argument: Any) -> object:
    """Carry out one call; the argument's shape is the operation's, as JSON."""
    if operation == "compact":
        return memory.upkeep.compact()
    if operation == "back_up":
        return memory.upkeep.back_up()
    if operation == "restore":
        return memory.upkeep.restore(memory.location.path.with_name(argument))
    if operation == "read_graph":
        return memory.read_graph()
    method = getattr(memory, operation)
    return method(_request(operation, argument), "tester")


def _request(operation: str, argument: Any) -> object:
    match operation:
        case "create_entities":
            return [NewEntity(name, "thing", tuple(texts)) for name, texts in argument.items()]
        case "add_observations":
            return [NewObservations(name, tuple(texts)) for name, texts in argument.items()]
        case "delete_observations":
            return [ObservationDeletion(name, tuple(texts)) for name, texts in argument.items()]
        case "create_relations" | "delete_relations":
            return [RelationTriple(*key) for key in argument]
        case _:
            return argument


def open_memory(path: Path) -> Memory:
    """Return the memory in a file, with a clock that stands still."""
    return Memory.open(Settings(str(path), None), path.parent, lambda: _NOW)


def _work(job: dict[str, Any]) -> None:
    for sync in job["without"]:
        setattr(os, sync, lambda _descriptor: None)
    memory = open_memory(Path(job["path"]))
    if job["has_read"]:
        memory.read_graph()
    os.read(0, len("go\n"))
    for number, (operation, argument) in enumerate(job["calls"]):
        try:
            perform(memory, operation, argument)
            _say(f"ack {number}")
        except MnemologError as error:
            _say(f"error {number} {type(error).__name__}: {error}")


def _say(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def _next_line() -> str:
    # Byte by byte: what follows the line is for the child.
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(0, 1)
        if not byte:
            break
        line += byte
    return line.decode()


def _allow_to_be_traced() -> None:
    set_ptracer, anyone = 0x59616D61, -1
    ctypes.CDLL(None).prctl(set_ptracer, anyone, 0, 0, 0)


def _pay_imports_once() -> None:
    """Make a first write, which loads the ranking and the rules for warnings."""
    with TemporaryDirectory() as folder:
        perform(open_memory(Path(folder) / "m.jsonl"), "create_entities", {"Ada": ["is here"]})


def main() -> None:
    """Do one job after the other until the input ends."""
    _pay_imports_once()
    while line := _next_line():
        if line == "go\n":
            continue  # its child was killed before it had read this
        job = json.loads(line)
        ready, is_ready = os.pipe()
        child = os.fork()
        if child == 0:
            _allow_to_be_traced()
            os.write(is_ready, b"!")
            os.close(ready)
            os.close(is_ready)
            _work(job)
            os._exit(0)
        os.close(is_ready)
        os.read(ready, 1)
        os.close(ready)
        _say(f"pid {child}")
        if job["killed_after"] is not None:
            time.sleep(job["killed_after"])
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        _say(f"end {status}")


if __name__ == "__main__":
    main()
