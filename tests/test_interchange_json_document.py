"""What is read from files that are JSON documents, and which files are not."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imports import records_imported
from mnemolog.interchange import Document, read_document
from mnemolog.jsonl import encode
from mnemolog.records import UNTAGGED, Entity, Record, Relation, Tags
from mnemolog.store.runs import lines_in

LAMP = {"name": "Lamp", "entityType": "device", "observations": ["sits on the desk"]}
DESK = {"name": "Desk", "entityType": "furniture", "observations": ["made of oak"]}
STANDS_ON = {"from": "Lamp", "to": "Desk", "relationType": "stands_on"}
GRAPH = {"entities": [LAMP, DESK], "relations": [STANDS_ON]}
LINES = [{"type": "entity", **LAMP}, {"type": "entity", **DESK}, {"type": "relation", **STANDS_ON}]

EXPECTED: tuple[Record, ...] = (
    Entity("Lamp", "device", ("sits on the desk",), UNTAGGED),
    Entity("Desk", "furniture", ("made of oak",), UNTAGGED),
    Relation("Lamp", "Desk", "stands_on", UNTAGGED),
)
WHOLE = Document("JSON document", EXPECTED)

BOM = b"\xef\xbb\xbf"


def compact(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def pretty(value: Any, indent: int = 2) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=indent).encode()


def records_in(value: Any) -> tuple[Record, ...]:
    document = read_document(compact(value))
    return document.records if document else ()


LAYOUTS = {
    "graph object on one line": compact(GRAPH),
    "graph object on one line, newline at the end": compact(GRAPH) + b"\n",
    "graph object, pretty": pretty(GRAPH),
    "graph object, pretty, with tabs": json.dumps(GRAPH, indent="\t").encode(),
    "graph object after blank lines": b"\n \t\n" + compact(GRAPH),
    "graph object with a type of its own": compact({"type": "knowledge-graph", **GRAPH}),
    "array on one line": compact(LINES),
    "array, pretty": pretty(LINES),
    "array with one record a line": b"[\n" + b",\n".join(map(compact, LINES)) + b"\n]\n",
    "array begun on the first record's line": b"[" + b",\n".join(map(compact, LINES)) + b"]",
    "array of arrays": pretty([[LINES[0], [LINES[1]]], LINES[2]]),
    "graph object of arrays": compact({"entities": [[LINES[0]], [[LINES[1:]]]]}),
    "array of graph objects": compact([{"entities": [LAMP, DESK]}, {"relations": [STANDS_ON]}]),
    "pretty records one after the other": b"\n".join(map(pretty, LINES)),
    "pretty records glued together": b"".join(map(pretty, LINES)),
}


@pytest.mark.parametrize("content", LAYOUTS.values(), ids=LAYOUTS.keys())
@pytest.mark.parametrize("begin", [b"", BOM], ids=["plain", "bom"])
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_every_layout_of_a_document_says_the_same(
    content: bytes, begin: bytes, newline: bytes
) -> None:
    content = begin + content.replace(b"\n", newline)
    assert read_document(content) == WHOLE
    assert records_imported(content) == EXPECTED


LOGS_OF_DOCUMENTS = {
    "an array a line": b"\n".join(compact([line]) for line in LINES),
    "a graph object a line": compact({"entities": [LAMP, DESK]})
    + b"\n"
    + compact({"relations": [STANDS_ON]}),
    "graph object with log lines behind it": compact({"entities": [LAMP]})
    + b"\n"
    + b"\n".join(map(compact, LINES[1:])),
    "graph object behind a log line": compact(LINES[0])
    + b"\n"
    + compact({"entities": [DESK], "relations": [STANDS_ON]}),
}


@pytest.mark.parametrize("content", LOGS_OF_DOCUMENTS.values(), ids=LOGS_OF_DOCUMENTS.keys())
@pytest.mark.parametrize("begin", [b"", BOM], ids=["plain", "bom"])
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_lines_that_hold_several_records_are_a_log_that_says_the_same(
    content: bytes, begin: bytes, newline: bytes
) -> None:
    content = begin + content.replace(b"\n", newline)
    assert read_document(content) is None
    assert tuple(r for placed in lines_in(content) for r in placed.line.records) == EXPECTED
    assert records_imported(content) == EXPECTED


LOGS = {
    "nothing": b"",
    "blank": b" \r\n\n\t\n",
    "a bom alone": BOM,
    "server-memory": b"\n".join(map(compact, LINES)),
    "spaced as by Python": b"\n".join(json.dumps(line).encode() for line in LINES),
    "after a bom": BOM + b"\n".join(map(compact, LINES)),
    "with crlf": b"\r\n".join(map(compact, LINES)),
    "one record": compact(LINES[0]),
    "glued on the first line": compact(LINES[0]) + compact(LINES[1]) + b"\n" + compact(LINES[2]),
    "typeless": compact(LAMP) + b"\n" + compact(STANDS_ON),
    "with _type": compact({"_type": "entity", **LAMP}),
    "marked by mcp-knowledge-graph": b'{"type":"_aim","source":"x"}\n' + compact(LINES[0]),
    "a record that has a list of entities": compact({"type": "entity", **LAMP, "entities": [DESK]}),
    "a torn first line": b'{"type":"entity","name":"La\n' + compact(LINES[1]),
    "a first line torn before a value": b'{"type":"entity","name":\n' + compact(LINES[1]),
    "a first line torn after a comma": b'{"type":"entity",\n' + compact(LINES[1]),
    "an array opened and never closed": b"[\n" + compact(LINES[0]) + b"\n" + compact(LINES[1]),
    "conflict markers": b"<<<<<<< ours\n" + compact(LINES[0]) + b"\n=======\n>>>>>>> theirs",
    "flat rows": b'{"entityName":"Lamp","entityType":"device","observation":"bulb changed"}',
    "a number": b"7",
    "a word": b"hello",
    "UTF-16": "[]".encode("utf-16"),
}


@pytest.mark.parametrize("content", LOGS.values(), ids=LOGS.keys())
def test_a_log_is_no_document(content: bytes) -> None:
    assert read_document(content) is None


@pytest.mark.parametrize(
    "content",
    [b"[]", b"[[]]", b'["Lamp"]', b'{"entities":[]}', pretty({"a": 1}), compact([{"a": 1}])],
)
def test_a_document_without_a_record_is_no_document(content: bytes) -> None:
    assert read_document(content) is None
    assert records_imported(content) == ()


@pytest.mark.parametrize("content", [pretty(GRAPH), compact(GRAPH), pretty(LINES), compact(LINES)])
def test_a_document_cut_anywhere_is_no_document(content: bytes) -> None:
    assert all(read_document(content[:end]) is None for end in range(len(content)))


@pytest.mark.parametrize(
    "bad",
    [
        b'{"watts": NaN}',
        b'{"watts": -Infinity}',
        b'{"name": "a", "name": "b"}',
        b"[" * 100_000 + b"]" * 100_000,
        b"[" * 100_000,
        b'"\xff"',
        b"1,",
        b"// a remark",
    ],
    ids=["NaN", "Infinity", "same key twice", "deep", "deep and torn", "bytes", "comma", "remark"],
)
def test_a_document_that_is_not_strict_json_is_left_to_be_reported_line_by_line(
    bad: bytes,
) -> None:
    assert read_document(bad) is None
    assert read_document(compact(LINES) + b"\n" + bad) is None
    assert read_document(pretty(GRAPH) + b"\n" + bad) is None
    assert read_document(b'{"entities": [\n' + bad + b"\n]}") is None


def test_deep_nesting_never_ends_the_reading() -> None:
    name = b'"\\ud83d lamp"'  # halves of characters are repaired by code that recurses itself
    for depth in range(1, 1200, 7):
        nested = b"[" * depth + b"]" * depth
        content = b'[{"type":"entity","name":%s,"observations":[%s]}]' % (name, nested)
        document = read_document(content)
        assert document is None or len(document.records) == 1


def test_observations_of_the_wrong_shape_become_text() -> None:
    observations = ["has wheels", 7, None, {"colour": "grey"}]
    assert records_in({"entities": [{"name": "Chair", "observations": observations}]}) == (
        Entity("Chair", "Generic", ("has wheels", "7", '{"colour":"grey"}'), UNTAGGED),
    )
    assert records_in([{"name": "Rug", "observations": "wool"}]) == (
        Entity("Rug", "Generic", ("wool",), UNTAGGED),
    )


def test_a_member_is_what_its_list_says_with_or_without_a_type() -> None:
    assert records_in(
        {
            "entities": [
                {"name": "Bare"},
                {"name": "Typed", "type": "device"},
                {"name": "Both", "type": "node", "entityType": "device"},
                {"name": "Marked", "_type": "entity", "_savedAt": "2026-01-01"},
                {"name": "Odd", "type": ["x"], "entityType": "device"},
            ],
            "relations": [{"from": "Bare", "to": "Typed", "type": "uses"}],
        }
    ) == (
        Entity("Bare", "Generic", (), UNTAGGED),
        Entity("Typed", "device", (), UNTAGGED),
        Entity("Both", "device", (), UNTAGGED),
        Entity("Marked", "Generic", (), UNTAGGED),
        Entity("Odd", "device", (), UNTAGGED),
        Relation("Bare", "Typed", "uses", UNTAGGED),
    )


def test_a_record_in_the_wrong_list_is_still_read() -> None:
    assert set(records_in({"entities": LINES})) == set(EXPECTED)


def test_a_member_that_is_no_record_costs_only_itself() -> None:
    odd: list[Any] = [None, 7, "Lamp", [], {}, {"name": 7}, {"type": ["entity"]}]
    assert records_in({"entities": [*odd, LAMP], "relations": [*odd, STANDS_ON]}) == (
        EXPECTED[0],
        EXPECTED[2],
    )
    assert records_in([*odd, *LINES]) == EXPECTED


def test_entities_and_relations_said_twice_are_one() -> None:
    again = {**LAMP, "observations": ["sits on the desk", "bulb changed"]}
    assert records_in([*LINES, {"type": "entity", **again}, LINES[2]]) == (
        Entity("Lamp", "device", ("sits on the desk", "bulb changed"), UNTAGGED),
        *EXPECTED[1:],
    )


def test_tags_of_records_in_a_document_are_kept() -> None:
    tags = {"added_at": "2026-01-05T10:00:00+01:00", "agent": "codex"}
    assert records_in([{"type": "relation", **STANDS_ON, **tags}]) == (
        Relation("Lamp", "Desk", "stands_on", Tags(**tags)),
    )


def test_what_a_document_says_can_be_read_by_server_memory() -> None:
    for record in records_in({"entities": [{"name": "Rug"}, LAMP], "relations": [STANDS_ON]}):
        line = json.loads(encode(record))
        keys = ("name", "entityType") if line["type"] == "entity" else tuple(STANDS_ON)
        assert all(isinstance(line[key], str) for key in keys)


def test_halves_of_characters_are_replaced() -> None:
    document = read_document(rb'[{"type":"entity","name":"\ud83d lamp","observations":[]}]')
    assert document == Document("JSON document", (Entity("\ufffd lamp", "Generic", (), UNTAGGED),))


KEYS = st.sampled_from(
    [
        "type",
        "_type",
        "name",
        "entityType",
        "observations",
        "from",
        "to",
        "relationType",
        "entities",
        "relations",
        "text",
        "added_at",
        "entity",
        "observation",
        "of",
        "format",
        "repo",
        "repo_root",
        "repo_name",
        "superseded_at",
        "sources",
        "entityName",
        "priority",
    ]
)
WORDS = st.sampled_from(["entity", "relation", "header", "tombstone", "superseded", "Lamp", ""])
VALUES = st.recursive(
    WORDS | st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=20,
)


@given(st.lists(VALUES | st.binary(max_size=20), max_size=6), st.sampled_from([b"", b"\n", BOM]))
def test_no_content_raises(parts: list[Any], between: bytes) -> None:
    content = between.join(p if isinstance(p, bytes) else compact(p) for p in parts)
    document = read_document(content)
    assert document is None or document.records
    records_imported(content)
