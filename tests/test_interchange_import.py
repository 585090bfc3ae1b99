"""What an explicit import reads from files that are no documents: flat rows, and logs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mnemolog.interchange import read_document, read_for_import
from mnemolog.jsonl import encode_call
from mnemolog.records import (
    UNTAGGED,
    Entity,
    Header,
    ObservationTags,
    Record,
    Relation,
    Repository,
    Tags,
    Tombstone,
)

LAMP = Entity("Lamp", "device", ("sits on the desk", "bulb changed"), UNTAGGED)


def row(text: Any, name: Any = "Lamp", **more: Any) -> dict[str, Any]:
    return {"entityName": name, "entityType": "device", "observation": text, **more}


ROWS = [row("sits on the desk", source="note"), row("bulb changed", updatedAt="2026-01-06")]


def lines(*values: Any) -> bytes:
    return b"\n".join(json.dumps(value).encode() for value in values)


def test_rows_are_grouped_by_their_entity() -> None:
    oak = row("made of oak", "Desk")
    assert read_for_import(lines(ROWS[0], oak, ROWS[1], ROWS[0])) == (
        LAMP,
        Entity("Desk", "device", ("made of oak",), UNTAGGED),
    )


def test_a_memory_file_of_rows_is_no_document() -> None:
    assert read_document(lines(*ROWS)) is None


@pytest.mark.parametrize(
    "content",
    [json.dumps(ROWS).encode(), json.dumps(ROWS, indent=1).encode(), b"oops\n" + lines(*ROWS)],
    ids=["array", "pretty array", "with an unreadable line"],
)
def test_rows_are_found_in_other_layouts(content: bytes) -> None:
    assert read_for_import(content) == (LAMP,)


def test_odd_rows_cost_only_themselves() -> None:
    odd = [row("x", name=7), row("x", name=None), {"entityName": "Rug"}, row(None, "Vase"), 7]
    assert read_for_import(lines(*odd, row({"watts": 9}), row(7))) == (
        Entity("Vase", "device", (), UNTAGGED),
        Entity("Lamp", "device", ('{"watts":9}', "7"), UNTAGGED),
    )


def test_rows_and_records_in_one_file_are_both_read() -> None:
    record = {"type": "entity", "name": "Desk", "entityType": "furniture", "observations": []}
    assert read_for_import(lines(record, *ROWS)) == (
        Entity("Desk", "furniture", (), UNTAGGED),
        LAMP,
    )


def test_a_log_of_ours_is_imported_as_what_it_ends_in() -> None:
    tags = ObservationTags("2026-01-05T10:00:00+01:00", "codex")
    records: tuple[Record, ...] = (
        Header(1, Repository("shop", "c0ffee", "/srv/shop"), Tags("2026-01-05", "codex")),
        Entity("Lamp", "device", ("right", "wrong"), tags),
        Relation("Lamp", "Desk", "stands_on", tags),
        Tombstone("observation", "2026-01-06", "codex", "Lamp", ("wrong",)),
    )
    assert read_for_import(encode_call(records)) == (
        Entity("Lamp", "device", ("right",), tags),
        Relation("Lamp", "Desk", "stands_on", Tags("2026-01-05T10:00:00+01:00", "codex")),
    )
