"""A taxonomy says what the server serves, in words that no update of a library can change."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import pytest

from mnemolog.declarations import described, json_schema
from mnemolog.records import RECORD_TYPES
from mnemolog.server.tools import TOOLS
from mnemolog.taxonomy.describe import enum, fields_of, first_paragraph
from mnemolog.taxonomy.render import LINE, render
from mnemolog.taxonomy.shapes import opened_up, stated_once


@dataclass(frozen=True, slots=True)
class Stamp:
    at: str | None = described("When")
    by: str | None = described("Who", default=None)


@dataclass(frozen=True, slots=True)
class Letter:
    sender: str = described("Who wrote it", key="from")
    kind: Literal["short", "long"] = described("How long it is")
    stamp: Stamp = described("Where it went", spread=True)
    copies: tuple[Stamp, ...] = described("Other stamps")
    weight: int | float = described("How heavy")
    kinds: tuple[Literal["a", "b"], ...] | None = described("Of which kinds", default=None)
    urgent: bool = described("Whether it hurries", default=False)


STAMP = {
    "at": {"type": "string or null", "required": True, "description": "When"},
    "by": {"type": "string", "required": False, "description": "Who"},
}
LETTER = {
    "from": {"type": "string", "required": True, "description": "Who wrote it"},
    "kind": {
        "type": "string",
        "required": True,
        "description": "How long it is",
        "enum": ["short", "long"],
    },
    **STAMP,
    "copies": {
        "type": "list of objects",
        "required": True,
        "description": "Other stamps",
        "shape": "Stamp",
        "fields": STAMP,
    },
    "kinds": {
        "type": "list of strings",
        "required": False,
        "description": "Of which kinds",
        "enum": ["a", "b"],
    },
    "weight": {"type": "integer or number", "required": True, "description": "How heavy"},
    "urgent": {
        "type": "boolean",
        "required": False,
        "default": False,
        "description": "Whether it hurries",
    },
}


def test_a_declaration_is_described_field_by_field_in_its_json_form() -> None:
    assert fields_of(Letter) == LETTER


def test_a_type_without_a_word_is_refused_and_not_guessed() -> None:
    @dataclass(frozen=True)
    class Odd:
        parts: set[str] = described("Parts")

    with pytest.raises(TypeError, match="no word for set"):
        fields_of(Odd)


def test_an_enum_names_each_value_once() -> None:
    assert enum("Moods", ["glad", "sad", "glad"]) == {
        "purpose": "Moods",
        "values": ["glad", "sad"],
        "others_allowed": False,
    }


def test_of_a_help_text_the_first_paragraph_counts() -> None:
    assert first_paragraph("  Do this\n  now.\n\nAnd more.") == "Do this now."


# --- shapes ---------------------------------------------------------------------------------------


def test_the_fields_of_a_shape_stand_once_and_open_up_again() -> None:
    described = {"records": {"a": {"fields": LETTER}, "b": {"fields": LETTER}}}
    once = stated_once(described)
    assert once["shapes"] == {"Stamp": STAMP}
    assert "fields" not in once["records"]["a"]["fields"]["copies"]
    assert opened_up(once) == described


def test_fields_that_are_called_shape_and_fields_are_no_shape() -> None:
    told = {"type": "string", "required": True, "description": "x"}
    described = {"records": {"a": {"fields": {"shape": told, "fields": told}}}}
    assert stated_once(described) == described | {"shapes": {}}
    assert opened_up(described) == described


def test_two_shapes_of_one_name_are_refused() -> None:
    one, other = ({"shape": "Stamp", "fields": {name: {}}} for name in "ab")
    with pytest.raises(ValueError, match="Two different shapes are called Stamp"):
        stated_once({"one": one, "other": other})


# --- rendering ------------------------------------------------------------------------------------


def test_what_fits_on_a_line_stands_on_a_line() -> None:
    long = ["x" * LINE, {"é": 1, "inner": []}]
    assert render({"short": {"a": [1, 2]}, "long": long}) == (
        '{\n  "short": {"a": [1, 2]},\n  "long": [\n    "' + "x" * LINE + '",\n'
        '    {"é": 1, "inner": []}\n  ]\n}\n'
    )


@pytest.mark.parametrize("value", [{}, {"a": {}}, LETTER, {"a": [LETTER, ["x" * LINE]]}])
def test_what_is_rendered_is_json_with_the_same_content(value: Any) -> None:
    assert json.loads(render(value)) == value


# --- the description and the schema that clients get say the same ---------------------------------


SERVED = {
    f"{name} {side}": declaration
    for name, tool in TOOLS.items()
    for side, declaration in (("parameters", tool.arguments), ("results", tool.result))
} | dict(RECORD_TYPES)


@pytest.mark.parametrize("declaration", SERVED.values(), ids=SERVED)
def test_the_description_says_what_the_served_schema_says(declaration: type) -> None:
    assert [*told(fields_of(declaration))] == [*told_by_schema(json_schema(declaration))]


def told(fields: dict[str, Any], place: str = "") -> Iterator[tuple[str, bool, str, object]]:
    for name, field in fields.items():
        here = f"{place}.{name}"
        yield here, field["required"], field["description"], field.get("enum")
        yield from told(field.get("fields", {}), here)


def told_by_schema(
    schema: dict[str, Any], place: str = ""
) -> Iterator[tuple[str, bool, str, object]]:
    for name, property_ in schema["properties"].items():
        here, held = f"{place}.{name}", property_.get("items", property_)
        required = name in schema.get("required", ())
        yield here, required, property_["description"], held.get("enum")
        if "properties" in held:
            yield from told_by_schema(held, here)
