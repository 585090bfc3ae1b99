"""What a client sent, checked against a tool's declaration before anything is done with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, TypeAlias

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, to_json

from mnemolog.declarations import json_schema
from mnemolog.errors import InvalidRequest
from mnemolog.halves import has_halves
from mnemolog.server.tools import Tool

_LISTED: Final = 12
"""How many problems a message names: enough to see the pattern, short enough to read."""

_PLAIN_WORDS: Final[Mapping[str, str]] = {
    "missing": "is required",
    "string_type": "should be a string",
    "tuple_type": "should be an array",
    "dataclass_type": "should be an object",
}
"""The validator speaks of Python's types, agents write JSON."""


def read_arguments(tool: Tool, sent: Mapping[str, Any]) -> Any:  # noqa: ANN401 - the tool's own
    """Return the tool's arguments; keys that it does not know are ignored.

    A null stands for what was left out, and an empty text or list too where that is optional: some
    clients send every argument that there is.

    Raises:
        InvalidRequest: with the path of every problem.
    """
    try:
        to_json(sent)
    except PydanticSerializationError:
        raise _refusal(tool, [(location, _HALF) for location in _halves(sent)]) from None
    try:
        return _adapter(tool.arguments).validate_python(_said(sent, _schema(tool.arguments)))
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        problems = [(p["loc"], _plain_words(p["type"], p["msg"])) for p in found]
        raise _refusal(tool, problems) from None


_Location: TypeAlias = tuple[int | str, ...]
_HALF: Final = "holds half of a character (a lone surrogate, or a byte that is not UTF-8)"


def _said(value: object, schema: Mapping[str, Any]) -> object:
    """Return what was sent, without what stands for something that was left out."""
    if isinstance(value, Mapping):
        members, required = schema.get("properties", {}), schema.get("required", ())
        return {
            key: _said(held, members.get(key, {}))
            for key, held in value.items()
            if held is not None and (key in required or held not in ("", []))
        }
    items = schema.get("items", {})
    return [_said(item, items) for item in value] if isinstance(value, list) else value


@cache
def _schema(declaration: type) -> Mapping[str, Any]:
    return json_schema(declaration)


@cache
def _adapter(declaration: type) -> TypeAdapter[Any]:
    return TypeAdapter(declaration)


def _plain_words(kind: str, message: str) -> str:
    return _PLAIN_WORDS.get(kind, message.removeprefix("Input "))


def _refusal(tool: Tool, problems: list[tuple[_Location, str]]) -> InvalidRequest:
    listed = [f"{_path(location)} {problem}" for location, problem in problems[:_LISTED]]
    if len(problems) > _LISTED:
        listed.append(f"and {len(problems) - _LISTED} more")
    ending = "" if tool.effect.is_read_only else " Nothing was saved."
    return InvalidRequest(f"Invalid arguments for {tool.name}: {'; '.join(listed)}.{ending}")


def _path(location: _Location) -> str:
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    return "".join(steps).removeprefix(".") or "the arguments"


def _halves(value: object, location: _Location = ()) -> Iterator[_Location]:
    """Yield the places of texts that UTF-8 cannot hold; of a key, the object that it is in."""
    if isinstance(value, str) and has_halves(value):
        yield location
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _halves(item, (*location, index))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from (location,) if has_halves(key) else _halves(item, (*location, key))
