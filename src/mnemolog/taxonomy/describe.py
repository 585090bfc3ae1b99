"""What a declaration holds, in plain words: types, what is required, defaults, allowed values.

It is no JSON Schema, and only this project's declarations go into it, so that no update of the SDK
or of a validator can change a taxonomy.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, is_dataclass
from typing import Any, Final, Literal, TypeAlias, get_args, get_origin

from mnemolog.declarations import WireField, to_wire, wire_fields

Description: TypeAlias = dict[str, Any]
"""What is said about one item, ready for JSON."""

_WORDS: Final[Mapping[Any, str]] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    types.NoneType: "null",
}


def fields_of(declaration: type) -> Description:
    """Return each key of the declaration's JSON form, with what is said about it.

    A field that holds a declaration, or a list of them, names it as its `shape` and has its
    `fields`; `shapes.py` states those once.
    """
    return {field.key: _field(field) for field in wire_fields(declaration)}


def enum(purpose: str, values: Iterable[str], *, others_allowed: bool = False) -> Description:
    """Return what is said about a set of values, each of them once."""
    return {
        "purpose": purpose,
        "values": [*dict.fromkeys(values)],
        "others_allowed": others_allowed,
    }


def first_paragraph(text: str) -> str:
    """Return the first paragraph as one line: what a help text says first."""
    return " ".join(text.strip().split("\n\n")[0].split())


def _field(field: WireField) -> Description:
    parts = field.alternatives
    said: Description = {
        "type": " or ".join(_in_words(part) for part in parts),
        "required": field.is_required,
    }
    if field.default is not MISSING and field.default is not None:
        said["default"] = to_wire(field.default)
    said["description"] = field.description
    for part in parts:
        said |= _contents(part)
    return said


def _in_words(part: Any) -> str:  # noqa: ANN401 - an annotation
    if part in _WORDS:
        return _WORDS[part]
    if get_origin(part) is Literal:
        return "string"
    if get_origin(part) is tuple:
        return f"list of {_in_words(get_args(part)[0])}s"
    if is_dataclass(part):
        return "object"
    raise TypeError(f"A taxonomy has no word for {part!r}: add one to {__name__}.")


def _contents(part: Any) -> Description:  # noqa: ANN401 - an annotation
    if get_origin(part) is Literal:
        return {"enum": [*get_args(part)]}
    if get_origin(part) is tuple:
        return _contents(get_args(part)[0])
    if is_dataclass(part) and isinstance(part, type):
        return {"shape": part.__name__, "fields": fields_of(part)}
    return {}
