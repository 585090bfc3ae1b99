"""What a line says, however it was written, and that what we write is read as it was."""

from __future__ import annotations

import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

import histories
from histories import WrittenLine
from mnemolog.jsonl import Line, encode, encode_call, has_foreign_keys, read_line
from mnemolog.records import (
    UNTAGGED,
    Entity,
    Header,
    ObservationTags,
    Record,
    Relation,
    Tags,
    Tombstone,
)

LAMP = b'{"type":"entity","name":"Lamp","entityType":"device","observations":["on"]}'
DESK = b'{"type":"entity","name":"Desk","entityType":"furniture","observations":[]}'
LAMP_RECORD = Entity("Lamp", "device", ("on",), UNTAGGED)
DESK_RECORD = Entity("Desk", "furniture", (), UNTAGGED)


def entity_of(**keys: object) -> Entity:
    line = read_line(json.dumps({"type": "entity", "name": "Lamp", **keys}).encode())
    assert line.problem is None
    (record,) = line.records
    assert isinstance(record, Entity)
    return record


# --- what we write -----------------------------------------------------------------------------


@given(histories.records)
def test_a_record_is_read_back_as_it_was_written(record: Record) -> None:
    raw = encode(record)
    assert raw.endswith(b"\n")
    assert raw.count(b"\n") == 1
    assert read_line(raw[:-1]) == Line((record,))


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_is_written_raw_on_one_line(text: str) -> None:
    raw = encode(Entity(text, text, (text,), UNTAGGED))
    assert raw.count(b"\n") == 1
    assert "\\u" not in raw.decode().replace("\\\\", "") or any(c < " " for c in text)
    assert read_line(raw[:-1]).records == (Entity(text, text, (text,), UNTAGGED),)


def test_every_line_of_a_call_but_the_last_continues() -> None:
    lines = encode_call((LAMP_RECORD, DESK_RECORD, LAMP_RECORD)).splitlines()
    assert [read_line(line).continues for line in lines] == [True, True, False]
    assert b"continues" not in lines[-1]


def test_a_call_of_one_line_does_not_continue() -> None:
    assert b"continues" not in encode_call((LAMP_RECORD,))
    assert encode_call(()) == b""


# --- lines of others -----------------------------------------------------------------------------


@pytest.mark.parametrize("raw", [LAMP, b"\xef\xbb\xbf" + LAMP, LAMP + b"\r", b" \t" + LAMP + b"  "])
def test_a_bom_a_carriage_return_and_blanks_around_a_record_are_tolerated(raw: bytes) -> None:
    assert read_line(raw) == Line((LAMP_RECORD,))


@pytest.mark.parametrize("gap", [b"", b" ", b"\t\r "])
def test_glued_records_are_all_read(gap: bytes) -> None:
    assert read_line(gap.join([LAMP, DESK, LAMP])).records == (
        LAMP_RECORD,
        DESK_RECORD,
        LAMP_RECORD,
    )


@pytest.mark.parametrize("other", [b"5", b'"note"', b"null", b"[]", b'{"type":"_aim"}', b'{"a":1}'])
def test_a_record_glued_to_something_else_is_read(other: bytes) -> None:
    assert read_line(LAMP + b" " + other) == Line((LAMP_RECORD,), has_unknown=True)
    assert read_line(other + b" " + LAMP) == Line((LAMP_RECORD,), has_unknown=True)


def test_a_record_glued_to_a_broken_one_is_read_and_the_other_reported() -> None:
    line = read_line(LAMP + b'{"type":"entity"}' + DESK)
    assert line.records == (LAMP_RECORD, DESK_RECORD)
    assert line.problem == "an entity without a name"


@pytest.mark.parametrize("raw", [b"", b"   ", b"\r", b"\xef\xbb\xbf"])
def test_a_blank_line_is_no_problem(raw: bytes) -> None:
    assert read_line(raw) == Line(is_blank=True)


@pytest.mark.parametrize(
    "value",
    [{"type": "_aim"}, {"type": ["entity"]}, {"type": None}, {"a": 1}, [1], 5, "text", None],
)
def test_a_value_of_an_unknown_kind_says_nothing_and_is_no_problem(value: object) -> None:
    assert read_line(json.dumps(value).encode()) == Line(has_unknown=True)


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b'{"type":"entity","name":"La', "it is not valid JSON at column 25"),
        (b"<<<<<<< HEAD", "it is not valid JSON at column 1"),
        (b'{"type":"entity","name":"Lamp","weight":NaN}', "NaN is not JSON"),
        (b'{"type":"entity","name":"Lamp","name":"Desk"}', "it says the same key twice"),
        (LAMP + b'{"a":1,"a":2}', "it says the same key twice"),
        (LAMP.decode().encode("utf-16"), "it is not UTF-8 text"),
        (b'{"type":"entity","name":"\xed\xa0\xbd"}', "it is not UTF-8 text"),
        (b"\0" * 40, "it is not valid JSON at column 1"),
        (LAMP + b"\0\0", "it is not valid JSON at column 76"),
        (b"[" * 100_000, "it is nested too deeply"),
        (b"[" * 100_000 + b"]" * 100_000, "it is nested too deeply"),
        (b"1" * 5000, "it holds a number that is too long"),
    ],
)
def test_what_is_no_json_is_garbage_with_a_reason(raw: bytes, reason: str) -> None:
    assert read_line(raw) == Line(problem=reason, is_garbage=True)


def nested(depth: int) -> bytes:
    inner = b"[" * (depth - 1) + b"]" * (depth - 1)
    return b'{"type":"entity","name":"Lamp","depth":' + inner + b"}"


def test_how_deep_a_line_may_be_nested_does_not_depend_on_who_reads_it() -> None:
    def read_from(depth: int, raw: bytes) -> Line:
        return read_from(depth - 1, raw) if depth else read_line(raw)

    for depth in (0, 500):
        assert read_from(depth, nested(100)).records == (Entity("Lamp", None, (), UNTAGGED),)
        assert read_from(depth, nested(101)).problem == "it is nested too deeply"


def test_a_line_may_hold_any_number_of_brackets_beside_each_other() -> None:
    wide = b'{"type":"entity","name":"Lamp","wide":[' + b"[]," * 500 + b"[]]}"
    assert read_line(wide).records == (Entity("Lamp", None, (), UNTAGGED),)


def test_brackets_in_texts_nest_nothing() -> None:
    text = '[{"\\' * 5000
    raw = encode(Entity(text, None, (text,), UNTAGGED))
    assert read_line(raw[:-1]).records == (Entity(text, None, (text,), UNTAGGED),)


@pytest.mark.parametrize("start", [b'"\\', b'"', b'"[', b"{", b'["', b"[\\"])
def test_no_bytes_make_reading_take_for_ever(start: bytes) -> None:
    assert read_line(start * 1_000_000 + b"[" * 200).is_garbage


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b'{"type":"entity","entityType":"device"}', "an entity without a name"),
        (b'{"type":"entity","name":7}', "an entity without a name"),
        (b'{"type":"relation","from":"a","to":"b"}', "a relation without from, to or relationType"),
        (b'{"type":"tombstone","name":"Lamp"}', "a tombstone that does not say what it is of"),
        (b'{"type":"tombstone","of":["entity"]}', "a tombstone that does not say what it is of"),
        (b'{"type":"tombstone","of":"observation"}', "a tombstone without name"),
        (b'{"type":"superseded","entity":"Lamp"}', "a superseded line without observation"),
        (b'{"type":"header","repo":{}}', "a header that names no format or repository"),
    ],
)
def test_a_record_that_lacks_what_makes_it_one_is_reported(raw: bytes, reason: str) -> None:
    assert read_line(raw) == Line(problem=reason)


@given(st.binary(max_size=60))
def test_no_bytes_make_reading_fail(raw: bytes) -> None:
    read_line(raw)
    read_line(LAMP + raw)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists))
def test_no_value_of_a_known_key_makes_reading_fail(value: object) -> None:
    for kind in ("header", "entity", "relation", "superseded", "tombstone"):
        keys = ("name", "observations", "priority", "sources", "of", "from", "repo", "continues")
        line = {"type": kind, **dict.fromkeys(keys, value)}
        read_line(
            json.dumps(line, allow_nan=False, default=str).encode() if _is_json(value) else b""
        )


def _is_json(value: object) -> bool:
    try:
        json.dumps(value, allow_nan=False).encode()
    except ValueError:
        return False
    return True


def test_a_text_full_of_quotes_and_brackets_takes_no_memory_to_speak_of() -> None:
    line = json.dumps({"type": "entity", "name": "Lamp", "x": 1, "observations": ['["' * 100_000]})
    tracemalloc.start()
    try:
        assert read_line(line.encode()).records
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 * len(line)


# --- records of others -------------------------------------------------------------------------


def test_lines_of_server_memory_have_no_tags() -> None:
    assert entity_of(entityType="device").tags == UNTAGGED
    raw = b'{"type":"relation","from":"a","to":"b","relationType":"uses"}'
    assert read_line(raw).records == (Relation("a", "b", "uses", UNTAGGED),)


def test_what_an_entity_lacks_is_filled_in() -> None:
    assert entity_of() == Entity("Lamp", None, (), UNTAGGED)


@pytest.mark.parametrize(
    ("observations", "texts"),
    [
        ("made of oak", ("made of oak",)),
        (None, ()),
        ({"place": "desk", "watts": 9}, ('{"place":"desk","watts":9}',)),
        (["has wheels", 7, None, {"colour": "grey"}], ("has wheels", "7", '{"colour":"grey"}')),
        ([True, 1.5, ["a"]], ("true", "1.5", '["a"]')),
    ],
)
def test_observations_of_another_shape_become_texts(
    observations: object, texts: tuple[str, ...]
) -> None:
    assert entity_of(observations=observations).observations == texts


def test_underscore_type_is_read_for_type() -> None:
    raw = b'{"name":"Lamp","entityType":"device","observations":["on"],"_type":"entity"}'
    assert read_line(raw) == Line((LAMP_RECORD,))


@pytest.mark.parametrize(
    "raw",
    [
        b'{"name":"Lamp","entityType":"device","observations":["on"]}',
        b'{"from":"a","to":"b","relationType":"uses"}',
    ],
)
def test_a_record_without_a_type_is_known_by_its_keys(raw: bytes) -> None:
    assert len(read_line(raw).records) == 1


@pytest.mark.parametrize(
    "keys",
    [
        {"source": "a", "target": "b", "relationType": "uses"},
        {"from_entity": "a", "to_entity": "b", "relationType": "uses"},
        {"from_entity": "a", "to_entity": "b", "relation_type": "uses"},
        {"from": "a", "to": "b", "relation": "uses"},
    ],
)
def test_unambiguous_spellings_of_a_relation_are_read(keys: dict[str, str]) -> None:
    raw = json.dumps({"type": "relation", **keys}).encode()
    assert read_line(raw).records == (Relation("a", "b", "uses", UNTAGGED),)


def test_the_type_of_an_entity_is_read_in_the_spelling_of_python_too() -> None:
    raw = b'{"name":"Lamp","entity_type":"device","observations":[]}'
    assert read_line(raw).records == (Entity("Lamp", "device", (), UNTAGGED),)


def test_tags_of_another_shape_are_no_tags() -> None:
    tags = entity_of(added_at=7, agent=["x"], priority="urgent", sources=[]).tags
    assert tags == ObservationTags(None, None)


def test_halves_of_a_character_from_javascript_are_replaced() -> None:
    raw = b'{"type":"entity","name":"a\\ud83d","observations":["\\udca1\\ud83d","\\ud83d\\udca1"]}'
    record = Entity("a\ufffd", None, ("\ufffd\ufffd", "\U0001f4a1"), UNTAGGED)
    assert read_line(raw).records == (record,)


def test_other_line_separators_are_part_of_a_text() -> None:
    assert entity_of(observations=["a\u2028b\u0085c"]).observations == ("a\u2028b\u0085c",)
    raw = '{"type":"entity","name":"Lamp","observations":["a\u2028b\u0085c"]}'.encode()
    assert read_line(raw).records == (Entity("Lamp", None, ("a\u2028b\u0085c",), UNTAGGED),)


def test_a_header_of_a_newer_format_is_read() -> None:
    raw = b'{"type":"header","format":2,"repo":{"name":"shop","id":7},"era":"next"}'
    (header,) = read_line(raw).records
    assert isinstance(header, Header)
    assert (header.format, header.repo.name, header.repo.commit) == (2, "shop", None)


@pytest.mark.parametrize("spelling", [b'"continues":true', b'"continues" : true'])
def test_continues_is_read_however_it_is_spelt(spelling: bytes) -> None:
    assert read_line(LAMP[:-1] + b"," + spelling + b"}").continues
    assert read_line(b"{" + spelling + b"," + LAMP[1:]).continues


@pytest.mark.parametrize("value", [b"false", b"1", b'"true"', b"null"])
def test_only_true_continues(value: bytes) -> None:
    assert not read_line(LAMP[:-1] + b',"continues":' + value + b"}").continues


def test_only_a_line_of_our_types_continues() -> None:
    assert not read_line(b'{"type":"_aim","continues":true}').continues
    assert not read_line(LAMP + b'{"type":"_aim","continues":true}').continues


# --- what only others understand -----------------------------------------------------------------


@pytest.mark.parametrize(
    "keys",
    [
        {"createdAt": "2025-03-18"},
        {"type": "_aim"},
        {"type": ["entity"]},
        {"type": {"a": 1}},
        {"_type": "entity"},
    ],
)
def test_keys_that_are_not_ours_are_noticed(keys: dict[str, object]) -> None:
    assert has_foreign_keys({"type": "entity", "name": "Lamp", **keys})


@given(histories.records, st.booleans())
def test_lines_of_ours_have_no_foreign_keys(record: Record, continues: bool) -> None:  # noqa: FBT001 - drawn
    assert not has_foreign_keys(json.loads(encode(record, continues=continues)))


@given(histories.written_logs)
def test_each_line_of_a_log_says_what_its_writer_meant(lines: list[WrittenLine]) -> None:
    for line in lines:
        assert read_line(line.raw.removesuffix(b"\n")).records == line.records


def test_a_tombstones_lists_are_read_as_they_are() -> None:
    record = Tombstone("entity", None, None, "Lamp", ())
    assert read_line(encode(record)[:-1]).records == (record,)


def test_tags_of_a_relation_are_the_plain_ones() -> None:
    raw = encode(Relation("a", "b", "uses", Tags("2026-01-02T03:04:05+01:00", "codex")))
    assert b"edited_at" not in raw
