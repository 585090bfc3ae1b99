"""What must hold for any calls of the tools, in any order, with any arguments."""

from __future__ import annotations

import json
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import Any, Final, get_args

from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # it has no types

from choices import Choices
from folders import scratch_folder
from imports import memory_in
from mnemolog.declarations import json_schema, to_wire
from mnemolog.errors import MnemologError
from mnemolog.memory import Memory
from mnemolog.records import Priority
from mnemolog.server.arguments import read_arguments
from mnemolog.server.rendering import render
from mnemolog.server.tools import TOOLS, Tool
from standing import standing_of

_MOST_CALLS: Final = 12
_SOURCE: Final = "source.json"
_SAID: Final = b'{"type":"entity","name":"Lamp","entityType":"thing","observations":["is old"]}\n'

_TEXTS: Final = (
    *("Lamp", "Desk", "Rug", "is on", "is off", "is old", "is on the desk", "uses", "thing"),
    *("", " ", "\n", '"', "\\", "\x00", "\u2028", "💡", "ﬁ", "e\u0301", "\ud83d", "*", "%", "?"),
    *("2026-01-02", "2026-01-02T03:04:05+01:00", "9999-99-99", "low", "tester", "fresh", "adopt"),
    *("0001-01-01", "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59"),
    *("never deploy on Fridays", "always deploy on Fridays", '"is on"', _SOURCE, "nowhere.json"),
)
_NUMBERS: Final = (0, 1, 2, -1, 7, 100, 48_000, 1 << 70, 1.5, float("nan"), float("inf"), 1e308)


def check_calls(raw: bytes) -> None:
    """Each call is carried out, or refused with a sentence and nothing saved."""
    choices = Choices(raw)
    with scratch_folder() as folder:
        (folder / _SOURCE).write_bytes(_SAID)
        memory = memory_in(folder)
        for _ in range(_MOST_CALLS):
            if not choices.are_left:
                return
            tool = choices.one_of(tuple(TOOLS.values()))
            arguments = _object(json_schema(tool.arguments), choices)
            _check_call(memory, tool, _in_folder(arguments, folder), folder)


def _check_call(memory: Memory, tool: Tool, sent: dict[str, Any], folder: Path) -> None:
    path = folder / "memory.jsonl"
    before = path.read_bytes() if path.exists() else None
    try:
        result = _finished(tool.body(memory, read_arguments(tool, sent), "tester"))
    except MnemologError:
        assert before == (path.read_bytes() if path.exists() else None)
        return
    answer = json.loads(render(result))
    assert answer == to_wire(result)
    _validator(tool.name).validate(answer)
    if tool.effect.is_read_only:
        assert before == (path.read_bytes() if path.exists() else None)
    # What this process holds is what the next one reads.
    assert standing_of(_graph(memory)) == standing_of(_graph(memory_in(folder)))


def _graph(memory: Memory) -> Any:
    return memory._file.read()  # noqa: SLF001 - history of what is gone, too


def _finished(outcome: object) -> object:
    if not isinstance(outcome, Generator):
        return outcome
    while True:
        try:
            next(outcome)
        except StopIteration as end:
            return end.value


@cache
def _validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json_schema(TOOLS[name].result))


def _in_folder(arguments: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Keep an import from looking at anything but the folder."""
    if isinstance(path := arguments.get("source_path"), str):
        return {**arguments, "source_path": str(folder / path.replace("/", "").replace("~", ""))}
    return arguments


# --- arguments -------------------------------------------------------------------------------


def _object(schema: dict[str, Any], choices: Choices) -> dict[str, Any]:
    """Return an object that a schema describes, most of the time."""
    required = schema.get("required", ())
    value = {
        key: _value(of, choices)
        for key, of in schema.get("properties", {}).items()
        if choices.chance(4) != (key in required)
    }
    if choices.chance(16):
        value[_text(choices)] = _anything(choices)
    return value


def _value(schema: dict[str, Any], choices: Choices) -> Any:  # noqa: PLR0911 - one for each type
    if choices.chance(24):
        return _anything(choices)
    if alternatives := schema.get("anyOf"):
        return _value(choices.one_of(alternatives), choices)
    match schema.get("enum") or schema.get("type"):
        case list() as options:
            return choices.one_of(options)
        case "string":
            return _text(choices)
        case "array":
            return [_value(schema["items"], choices) for _ in range(choices.number(4))]
        case "object":
            return _object(schema, choices)
        case "boolean":
            return choices.chance(2)
        case _:
            return choices.one_of(_NUMBERS)


def _text(choices: Choices) -> str:
    text = choices.one_of(_TEXTS)
    if choices.chance(12):
        text += choices.take(5).decode("utf-8", "surrogateescape")
    return text * choices.one_of((3, 200, 70_000)) if choices.chance(40) else text


def _anything(choices: Choices) -> Any:
    options = (None, True, "high", [], {}, *get_args(Priority), *_NUMBERS, {"a": [None]}, [[]])
    return choices.one_of(options)
