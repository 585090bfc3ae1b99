"""A declaration gives its JSON form and its schema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mnemolog.declarations import brief_schema, described, json_schema, to_wire, wire_fields


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
    pages: int | None = described("How many pages", default=None)


LETTER = Letter("Ada", "short", Stamp("noon"), (Stamp(None, "Bob"),))


def test_a_field_goes_by_its_key_and_a_spread_field_puts_its_own_in_its_place() -> None:
    assert [f.key for f in wire_fields(Letter)] == ["from", "kind", "at", "by", "copies", "pages"]


def test_a_field_is_left_out_while_it_holds_its_default() -> None:
    assert to_wire(LETTER) == {
        "from": "Ada",
        "kind": "short",
        "at": "noon",
        "copies": [{"at": None, "by": "Bob"}],
    }


def test_a_null_that_is_no_default_is_written() -> None:
    assert to_wire(Stamp(None)) == {"at": None}


def test_equal_neighbours_and_different_ones_each_get_their_own_form() -> None:
    one, other = Stamp("1"), Stamp("2")
    assert to_wire((one, one, other, one)) == [{"at": "1"}, {"at": "1"}, {"at": "2"}, {"at": "1"}]


def test_the_schema_requires_what_is_always_there_and_says_what_it_is() -> None:
    schema = json_schema(Letter)
    assert schema["required"] == ["from", "kind", "at", "copies"]
    assert schema["properties"]["kind"] == {
        "type": "string",
        "enum": ["short", "long"],
        "description": "How long it is",
    }


def test_the_schema_allows_null_only_where_null_is_written() -> None:
    properties = json_schema(Letter)["properties"]
    assert properties["at"]["anyOf"] == [{"type": "string"}, {"type": "null"}]
    assert properties["pages"] == {"type": "integer", "description": "How many pages"}


def test_the_schema_of_a_list_holds_its_items_without_references() -> None:
    items = json_schema(Letter)["properties"]["copies"]["items"]
    assert items["required"] == ["at"]
    assert "$ref" not in str(items)


def test_a_brief_schema_names_what_is_always_there_and_never_null() -> None:
    assert brief_schema(Letter, opened=()) == {
        "type": "object",
        "properties": {
            "from": {"type": "string"},
            "kind": {"type": "string", "enum": ["short", "long"]},
            "copies": {"type": "array"},
        },
        "required": ["from", "kind", "copies"],
    }


def test_a_brief_schema_can_leave_out_what_is_required() -> None:
    assert "required" not in brief_schema(Letter, opened=(), says_required=False)


def test_a_brief_schema_says_what_an_opened_list_holds() -> None:
    items = brief_schema(Letter, opened=(Stamp,))["properties"]["copies"]["items"]
    assert items == {"type": "object", "properties": {}, "required": []}
