"""What an import reads from files of JSON: rows, logs, documents, and what is broken in them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import histories
from histories import WrittenLine
from imports import entity, items_of, json_lines, records_imported, refusals_of, relation
from mnemolog.interchange import read_document
from mnemolog.interchange.json_logs.final_state import final_state
from mnemolog.interchange.sources import Found
from mnemolog.jsonl import encode, encode_call
from mnemolog.records import (
    UNTAGGED,
    Entity,
    Header,
    ObservationTags,
    Record,
    Relation,
    Repository,
    Superseded,
    Tags,
    Tombstone,
)

LAMP = Entity("Lamp", "device", ("sits on the desk", "bulb changed"), UNTAGGED)
TAGS = ObservationTags("2026-01-05T10:00:00+01:00", "codex")
HEADER = Header(1, Repository("shop", "c0ffee", "/srv/shop"), Tags("2026-01-05", "codex"))


def row(text: Any, name: Any = "Lamp", **more: Any) -> dict[str, Any]:
    return {"entityName": name, "entityType": "device", "observation": text, **more}


ROWS = [row("sits on the desk", source="note"), row("bulb changed", version=2)]


# --- rows ------------------------------------------------------------------------------------


def test_rows_are_grouped_by_their_entity() -> None:
    oak = row("made of oak", "Desk")
    assert records_imported(json_lines(ROWS[0], oak, ROWS[1], ROWS[0])) == (
        LAMP,
        Entity("Desk", "device", ("made of oak",), UNTAGGED),
    )


def test_rows_of_one_entity_that_follow_on_one_another_count_as_one() -> None:
    found = [i for i in items_of(json_lines(*ROWS, row("oak", "Desk"))) if isinstance(i, Found)]
    assert [item.more for item in found] == [False, True, False]


def test_a_memory_file_of_rows_is_no_document() -> None:
    assert read_document(json_lines(*ROWS)) is None


@pytest.mark.parametrize(
    "content",
    [json.dumps(ROWS).encode(), json.dumps(ROWS, indent=1).encode(), b"oops\n" + json_lines(*ROWS)],
    ids=["array", "pretty array", "with an unreadable line"],
)
def test_rows_are_found_in_other_layouts(content: bytes) -> None:
    assert records_imported(content) == (LAMP,)


def test_odd_rows_cost_only_themselves() -> None:
    odd = [row("x", name=7), row("x", name=None), {"entityName": "Rug"}, row(None, "Vase"), 7]
    content = json_lines(*odd, row({"watts": 9}), row(7))
    assert records_imported(content) == (
        Entity("Vase", "device", (), UNTAGGED),
        Entity("Lamp", "device", ('{"watts":9}', "7"), UNTAGGED),
    )
    assert [(place, kind) for place, kind, _ in refusals_of(content)] == [
        ("line 1", "skipped"),
        ("line 2", "skipped"),
        ("line 3", "skipped"),
        ("line 5", "skipped"),
    ]


def test_rows_and_records_in_one_file_are_both_read() -> None:
    assert records_imported(json_lines(entity("Desk", kind="furniture"), *ROWS)) == (
        Entity("Desk", "furniture", (), UNTAGGED),
        LAMP,
    )


# --- what is broken --------------------------------------------------------------------------


def test_what_is_wrong_is_named_with_its_line_and_its_reason() -> None:
    content = json_lines(entity("Lamp"))
    content += b'{"type":"entity","name":"De\n\xff\xfe\n'
    content += json_lines(
        {"type": "relation", "from": "Lamp"}, {"type": "gotcha", "x": 1}, {"a": 1}, [1], "text"
    )
    assert refusals_of(content) == [
        ("line 2", "error", "it is not valid JSON at column 25"),
        ("line 3", "error", "it is not UTF-8 text"),
        ("line 4", "skipped", "a relation without from, to or relationType"),
        ("line 5", "skipped", "its type 'gotcha' is not known"),
        ("line 6", "skipped", "it is no record: it has no type, and not the keys of one"),
        ("line 7", "skipped", "it is no record"),
        ("line 8", "skipped", "it is no record"),
    ]


def test_the_lines_that_only_describe_a_file_are_no_problem() -> None:
    marker = {"type": "_aim", "source": "mcp-knowledge-graph"}
    assert refusals_of(json_lines(marker, entity("Lamp"))) == []


def test_glued_objects_are_all_read() -> None:
    glued = encode(LAMP).rstrip(b"\n") * 2 + json_lines(relation("Lamp", "Lamp"))
    assert records_imported(glued) == (LAMP, Relation("Lamp", "Lamp", "uses", UNTAGGED))


@pytest.mark.parametrize("keys", [("from_entity", "to_entity"), ("source", "target")])
def test_other_spellings_of_the_ends_of_a_relation_are_read(keys: tuple[str, str]) -> None:
    start, end = keys
    other = {"_type": "relation", start: "Lamp", end: "Lamp", "relationType": "uses"}
    (_, found) = records_imported(json_lines(entity("Lamp"), other))
    assert found == Relation("Lamp", "Lamp", "uses", UNTAGGED)


def test_a_creation_date_of_other_servers_is_kept() -> None:
    dated = {**entity("Lamp", "is on"), "createdAt": "2025-03-18T09:00:00.000Z", "version": 1}
    tags = ObservationTags("2025-03-18T09:00:00.000Z", None)
    assert records_imported(json_lines(dated)) == (Entity("Lamp", "device", ("is on",), tags),)


@pytest.mark.parametrize(
    ("dates", "added_at"),
    [
        ({"created_at": "2026-01-04", "updatedAt": "2026-01-05"}, "2026-01-04"),
        ({"createdAt": None, "_savedAt": "2026-01-05T10:00:00Z"}, "2026-01-05T10:00:00Z"),
        ({"updatedAt": "2026-01-05"}, "2026-01-05"),
        ({"createdAt": 1742288400000}, "2025-03-18T09:00:00+00:00"),
        ({"createdAt": [], "version": 1}, None),
    ],
)
def test_a_date_is_kept_however_it_is_called(dates: dict[str, Any], added_at: str | None) -> None:
    tags = ObservationTags(added_at, None)
    records = entity("Lamp", "sits on the desk"), row("sits on the desk")
    for record in records:
        (found,) = records_imported(json_lines({**record, **dates}))
        assert found == Entity("Lamp", "device", ("sits on the desk",), tags)


def test_a_torn_first_line_does_not_hide_the_others() -> None:
    for torn in (b'{"type":"entity","name":"La', b'{"type":"entity","name":', b'{"type":"entity",'):
        content = torn + b"\n" + json_lines(entity("Desk"), entity("Rug"))
        names = [r.name for r in records_imported(content) if isinstance(r, Entity)]
        assert names == ["Desk", "Rug"]
        assert [(place, kind) for place, kind, _ in refusals_of(content)] == [("line 1", "error")]


# --- logs that take things away --------------------------------------------------------------


def test_a_log_of_ours_is_imported_as_what_it_ends_in() -> None:
    records: tuple[Record, ...] = (
        HEADER,
        Entity("Lamp", "device", ("right", "wrong"), TAGS),
        Relation("Lamp", "Lamp", "lights", TAGS),
        Tombstone("observation", "2026-01-06", "codex", "Lamp", ("wrong",)),
    )
    assert records_imported(encode_call(records)) == (
        Entity("Lamp", "device", ("right",), TAGS),
        Relation("Lamp", "Lamp", "lights", Tags("2026-01-05T10:00:00+01:00", "codex")),
    )


def test_history_and_the_last_type_of_a_log_of_ours_come_along() -> None:
    records: tuple[Record, ...] = (
        Entity("Lamp", "device", ("is on",), TAGS),
        Superseded("Lamp", "is on", TAGS, "2026-01-07", "codex", "is off"),
        Entity("Lamp", "light", ("is off",), TAGS),
    )
    assert records_imported(b"".join(map(encode, records))) == (
        Entity("Lamp", "light", ("is off",), TAGS),
        records[1],
    )


def test_a_call_of_ours_that_was_cut_off_is_left_out_whole() -> None:
    whole = encode_call((HEADER, Entity("Desk", "furniture", (), TAGS)))
    call = encode_call((Entity("Lamp", "device", ("a",), TAGS), Entity("Lamp", None, ("b",), TAGS)))
    for end in range(len(call.split(b"\n")[0]) + 1, len(call) - 1):
        names = [r.name for r in records_imported(whole + call[:end]) if isinstance(r, Entity)]
        assert names == ["Desk"], call[:end]
    place, kind, reason = refusals_of(whole + call[:-20])[0]
    assert (place, kind) == ("line 4", "error") or "cut off" in reason


@pytest.mark.parametrize("line_end", [b"\n", b""])
def test_zeros_from_a_power_cut_in_a_log_of_ours_leave_its_last_call_out_whole(
    line_end: bytes,
) -> None:
    before = encode_call((HEADER, LAMP)).rstrip(b"\n") + line_end
    text = LAMP.observations[0]
    renamed = (Entity("Lantern", "light", (text,), TAGS), _gone(LAMP.name, text))
    call = encode_call(renamed) if line_end else b"\n" + encode_call(renamed)
    first_end = call.index(b"}\n")
    for start, end in ((0, 20), (0, first_end - 5), (30, 60), (first_end - 5, first_end + 9)):
        holed = call[:start] + bytes(end - start) + call[end:]
        assert records_imported(before + holed) == records_imported(before), holed


def _gone(name: str, text: str) -> Tombstone:
    return Tombstone("observation", None, None, name, (text,))


def test_a_log_of_ours_names_its_lines() -> None:
    content = encode(HEADER) + encode(LAMP) + encode(Relation("Lamp", "Desk", "on", TAGS))
    content += b"oops\n"
    assert [i.place for i in items_of(content) if isinstance(i, Found)] == ["line 2", "line 3"]
    assert refusals_of(content) == [("line 4", "error", "it is not valid JSON at column 1")]


@given(histories.written_logs)
def test_any_log_is_imported_as_what_it_ends_in(log: list[WrittenLine]) -> None:
    records = [record for line in log for record in line.records]
    taken = records_imported(encode(HEADER) + b"".join(line.raw for line in log))
    wanted = [r for r in final_state(records) if not isinstance(r, Header)]
    ends = {r.name for r in wanted if isinstance(r, Entity)}
    dangling = [r for r in wanted if isinstance(r, Relation) and not {r.source, r.target} <= ends]
    assert set(taken) == set(wanted) - set(dangling)


# --- documents -------------------------------------------------------------------------------

RECORDS = [entity("Lamp", "is on"), entity("Desk", "of oak"), relation("Lamp", "Desk")]


def compact(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


DOCUMENTS = {
    "compact array": compact(RECORDS),
    "pretty array": json.dumps(RECORDS, indent=2).encode(),
    "array with a record a line": b"[\n" + b",\n".join(map(compact, RECORDS)) + b"\n]\n",
    "compact graph": compact({"entities": RECORDS[:2], "relations": RECORDS[2:]}),
    "pretty graph": json.dumps(
        {"entities": RECORDS[:2], "relations": RECORDS[2:]}, indent=1
    ).encode(),
    "graph with other keys": compact(
        {
            "version": 2,
            "meta": {"by": "x"},
            "entities": RECORDS[:2],
            "n": [1],
            "relations": RECORDS[2:],
        }
    ),
    "pretty records": b"\n".join(json.dumps(r, indent=2).encode() for r in RECORDS),
}


def broken(document: bytes) -> bytes:
    """Return the document with a record that is no JSON in front of its second one."""
    place = document.index(b'"Desk"')
    start = document.rindex(b"{", 0, place)
    return document[:start] + b'{"type":"entity","name":}, ' + document[start:]


@pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS)
def test_one_broken_record_of_a_document_costs_only_itself(document: bytes) -> None:
    whole = records_imported(document)
    assert len(whole) == 3
    assert records_imported(broken(document)) == whole
    assert [kind for _, kind, _ in refusals_of(broken(document))] == ["error"]


@pytest.mark.parametrize("layout", DOCUMENTS)
def test_a_document_that_was_cut_off_gives_what_is_whole_and_says_so(layout: str) -> None:
    document = DOCUMENTS[layout]
    known = 0
    for end in range(2, len(document)):
        found = records_imported(document[:end])
        assert found == records_imported(document)[: len(found)]
        assert len(found) >= known
        known = len(found)
        assert known == 3 or refusals_of(document[:end]) or layout == "pretty records"


def test_behind_a_broken_record_the_next_list_is_known_by_its_key() -> None:
    broken_list = b'{"entities":[{"name":"Lamp"},{"name":],"relations":['
    content = broken_list + b'{"from":"Lamp","to":"Lamp","type":"lights"}]}'
    (_, found) = records_imported(content)
    assert found == Relation("Lamp", "Lamp", "lights", UNTAGGED)
    assert [kind for _, kind, _ in refusals_of(content)] == ["error"]


@given(st.binary(max_size=60), st.integers(0, 2), st.sampled_from(sorted(DOCUMENTS)))
def test_rubbish_between_records_never_ends_the_reading(
    rubbish: bytes, at: int, layout: str
) -> None:
    document = DOCUMENTS[layout]
    place = [i for i in range(len(document)) if document.startswith(b"{", i)][at]
    items_of(document[:place] + rubbish + document[place:])


def test_values_that_cross_the_window_are_whole() -> None:
    long = [entity(f"E{n}", f"{n} " + "x" * 150_000) for n in range(9)]
    for content in (json.dumps(long).encode(), json.dumps({"entities": long}, indent=1).encode()):
        texts = [r.observations for r in records_imported(content) if isinstance(r, Entity)]
        assert texts == [tuple(e["observations"]) for e in long]
        assert refusals_of(content) == []


def test_a_long_broken_document_is_read_on_behind_the_fault() -> None:
    many = [compact(entity(f"E{n}", "y" * 2000)) for n in range(600)]
    many[300] = many[300][:-900]
    content = b"[" + b",".join(many) + b"]"
    names = {r.name for r in records_imported(content) if isinstance(r, Entity)}
    assert len(names) >= 598
    assert "E599" in names


def test_the_last_type_of_a_bare_entity_is_imported_from_a_log_of_ours() -> None:
    tags = ObservationTags("2026-01-02T03:04:05+01:00", "codex")
    log = [Entity("Lamp", kind, (), tags) for kind in ("device", "light")]
    assert records_imported(b"".join(map(encode, log))) == (Entity("Lamp", "light", (), tags),)


def test_a_bare_entity_does_not_hide_whose_log_it_is() -> None:
    tags = {"added_at": "2026-01-02T03:04:05+01:00", "agent": "codex"}
    lamp = {"type": "entity", "name": "Lamp", "entityType": "device", **tags}
    said = [{"text": "bulb changed", **tags}]
    log = json_lines({**lamp, "observations": []}, {**lamp, "observations": said}, lamp)
    assert records_imported(log) == records_imported(json_lines(lamp))


def test_what_was_removed_behind_a_graph_on_a_line_is_not_imported() -> None:
    gone = Tombstone("entity", "2026-01-02T03:04:05+01:00", "codex", "Lamp", ("bulb changed",))
    graph = {"entities": [entity("Lamp", "bulb changed"), entity("Desk", "made of oak")]}
    records = records_imported(json_lines(graph) + encode(gone))
    assert records == (Entity("Desk", "device", ("made of oak",), UNTAGGED),)
