"""A record says once what its fields are; its JSON form, its schema and its taxonomy follow.

A declaration is a class that is `declared`, with fields that are made by `described`. In JSON a
field goes by its `key`, is left out while it holds its default, and a field that is `spread` puts
its own fields in its place.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, dataclass, field, fields, is_dataclass, replace
from functools import cache
from operator import attrgetter
from typing import (
    Any,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

DeclarationT = TypeVar("DeclarationT")


def described(
    description: str,
    *,
    key: str | None = None,
    default: Any = MISSING,  # noqa: ANN401 - as wide as dataclasses.field
    spread: bool = False,
) -> Any:  # noqa: ANN401 - as wide as dataclasses.field
    """Return a dataclass field that says what it holds and which JSON `key` it goes by."""
    metadata: dict[str, Any] = {"description": description, "spread": spread}
    if key is not None:
        metadata["alias"] = key  # the name under which pydantic looks for it
    return field(default=default, metadata=metadata)


@dataclass_transform(frozen_default=True, field_specifiers=(described,))
def declared(declaration: type[DeclarationT]) -> type[DeclarationT]:
    """Return the class as a dataclass that is never changed, which the type checker sees to.

    At run time nothing does: that would take four times as long for each record, and there are
    hundreds of thousands in a large log.
    """
    return dataclass(slots=True, unsafe_hash=True)(declaration)


@dataclass(frozen=True, slots=True)
class WireField:
    """One key of a declaration's JSON form."""

    key: str
    path: tuple[str, ...]
    annotation: Any
    description: str
    default: Any

    @property
    def is_required(self) -> bool:
        """Whether the key is always there."""
        return self.default is MISSING

    @property
    def alternatives(self) -> tuple[Any, ...]:
        """The types that its value may have in JSON; a default of null is never written."""
        parts = _alternatives(self.annotation)
        return tuple(p for p in parts if self.default is not None or p is not types.NoneType)


@cache
def wire_fields(declaration: Any) -> tuple[WireField, ...]:  # noqa: ANN401 - a dataclass
    """Return the keys of the declaration's JSON form, in order, spread fields opened up."""
    hints = get_type_hints(declaration)
    found: list[WireField] = []
    for member in fields(declaration):
        annotation = hints[member.name]
        if member.metadata["spread"]:
            found += (
                replace(inner, path=(member.name, *inner.path)) for inner in wire_fields(annotation)
            )
        else:
            key = member.metadata.get("alias", member.name)
            description = member.metadata["description"]
            found.append(WireField(key, (member.name,), annotation, description, member.default))
    return tuple(found)


_Plan: TypeAlias = tuple[tuple[str, Callable[[Any], Any], Any, Callable[[Any], Any] | None], ...]


@cache
def _plan(declaration: Any) -> _Plan | None:  # noqa: ANN401 - any type at all
    """Return key, getter, default and conversion of each field; None for a plain type."""
    is_declaration: bool = is_dataclass(declaration)
    if not is_declaration:
        return None
    return tuple(
        (f.key, attrgetter(".".join(f.path)), f.default, _conversion(f.annotation))
        for f in wire_fields(declaration)
    )


def to_wire(value: Any) -> Any:  # noqa: ANN401 - any declaration, or what its fields hold
    """Return the JSON form of a declaration: dictionaries, lists and plain values."""
    if isinstance(value, tuple):
        return _wires(value)
    declaration: Any = type(value)
    plan = _plan(declaration)
    if plan is None:
        return value
    wire: dict[str, Any] = {}
    for key, get, default, convert in plan:
        held = get(value)
        if held is not default:
            wire[key] = held if convert is None else convert(held)
    return wire


def _wires(values: tuple[Any, ...]) -> list[Any]:
    wires: list[Any] = []
    last, wire = None, None
    for value in values:
        # Observations that came on one line share their tags, often hundreds of them.
        if value is not last:
            last, wire = value, to_wire(value)
        wires.append(wire)
    return wires


def _conversion(annotation: Any) -> Callable[[Any], Any] | None:  # noqa: ANN401 - an annotation
    if _is_plain(annotation):
        return None
    if get_origin(annotation) is tuple and _is_plain(get_args(annotation)[0]):
        return list
    return to_wire


def json_schema(declaration: type) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of the declaration's JSON form, without references."""
    members = wire_fields(declaration)
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {
            f.key: {**_schema_of(f.alternatives), "description": f.description} for f in members
        },
    }
    if required := [f.key for f in members if f.is_required]:
        schema["required"] = required
    return schema


def brief_schema(
    declaration: type, opened: Collection[type], *, says_required: bool = True
) -> dict[str, Any]:
    """Return the shortest useful JSON Schema of the declaration's JSON form.

    It names the keys that are always there and never null; others may stand beside them. A list
    of declarations says what it holds where that is among the `opened` ones.
    """
    members = {
        f.key: _brief_schema_of(f.annotation, opened)
        for f in wire_fields(declaration)
        if f.is_required and types.NoneType not in _alternatives(f.annotation)
    }
    schema: dict[str, Any] = {"type": "object", "properties": members}
    return {**schema, "required": [*members]} if says_required else schema


def _brief_schema_of(annotation: Any, opened: Collection[type]) -> dict[str, Any]:  # noqa: ANN401
    if _is_plain(annotation) or get_origin(annotation) is not tuple:
        return _schema_of(_alternatives(annotation))
    held = get_args(annotation)[0]
    if held in opened:
        return {"type": "array", "items": brief_schema(held, opened)}
    return {"type": "array"} if is_dataclass(held) else _schema_of(_alternatives(annotation))


_SCALARS: Mapping[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}


def _is_plain(annotation: Any) -> bool:  # noqa: ANN401 - an annotation
    return all(part in _SCALARS or part is types.NoneType for part in _alternatives(annotation))


def _schema_of(alternatives: tuple[Any, ...]) -> dict[str, Any]:
    if len(alternatives) > 1:
        return {"anyOf": [_schema_of((part,)) for part in alternatives]}
    (annotation,) = alternatives
    if annotation is types.NoneType:
        return {"type": "null"}
    if annotation in _SCALARS:
        return {"type": _SCALARS[annotation]}
    if get_origin(annotation) is Literal:
        return {"type": "string", "enum": list(get_args(annotation))}
    if get_origin(annotation) is tuple:
        return {"type": "array", "items": _schema_of(_alternatives(get_args(annotation)[0]))}
    return json_schema(annotation)


def _alternatives(annotation: Any) -> tuple[Any, ...]:  # noqa: ANN401 - an annotation
    if get_origin(annotation) in (Union, types.UnionType):
        return get_args(annotation)
    return (annotation,)
