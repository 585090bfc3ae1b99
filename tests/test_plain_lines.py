"""The short cut reads what the tolerant reader reads, or leaves the line to it."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import histories
from mnemolog.jsonl import Line, encode, read_any
from mnemolog.plain_lines import read_plain
from mnemolog.records import UNTAGGED, Entity, ObservationTags, Record, Relation, Tags

LAMP = b'{"type":"entity","name":"Lamp","entityType":"device","observations":["on"]}'
DESK = b'{"type":"relation","from":"Lamp","to":"Desk","relationType":"stands_on"}'

_keys = st.sampled_from(
    (
        *("type", "name", "entityType", "observations", "added_at", "agent", "continues"),
        *("from", "to", "relationType", "priority", "edited_at", "source", "of"),
    )
)
_values = st.one_of(
    st.sampled_from(("entity", "relation", "tombstone", "Lamp", 'a ":" b', "", "\ud83d", None)),
    st.booleans(),
    st.integers(),
    st.lists(st.sampled_from(("on", "off", "", "\u2028", 'say "x":', None, 7)), max_size=3),
)


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """Objects of our keys and others, with some keys twice, in JSON of any spelling."""
    pairs = draw(st.lists(st.tuples(_keys, _values), max_size=9))
    if draw(st.booleans()):
        pairs = [*json.loads(LAMP).items(), *pairs]
    is_ascii, comma, colon = draw(st.booleans()), *draw(st.sampled_from(((",", ":"), (", ", ": "))))
    members = (f"{json.dumps(k)}{colon}{json.dumps(v, ensure_ascii=is_ascii)}" for k, v in pairs)
    return f"{{{comma.join(members)}}}".encode("utf-8", "surrogatepass")


@st.composite
def damaged_lines(draw: st.DrawFn) -> bytes:
    raw = bytearray(encode(draw(histories.records))[:-1])
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(raw) - 1))
        raw[place : place + draw(st.integers(0, 2))] = draw(st.binary(max_size=2))
        raw = raw or bytearray(b" ")
    return bytes(raw)


def check(raw: bytes) -> None:
    plain = read_plain(raw)
    if plain is not None:
        record, continues = plain
        line = read_any(raw)
        assert line == Line((record,), continues=continues)
        # Two values that are equal: what another server wrote is told from tags that are null.
        (other,) = line.records
        assert isinstance(other, Entity | Relation)
        assert (record.tags is UNTAGGED) == (other.tags is UNTAGGED)


@given(lines())
@example(b'{"type":"entity","name":"Lamp","name":"Desk","entityType":"device","observations":[]}')
@example(b'{"type":"entity","name":"Lamp","n\\u0061me":"A","entityType":"a","observations":[]}')
@example(b'{"type":"relation","from":"A","to":"B","to" :"C","relationType":"on"}')
@example(b'{"type":"relation","from":"A","to":"B","to"\r:"C","relationType":"on"}')
@example(LAMP[:-1] + b',"agent":"ada"}')
@example(LAMP[:-1] + b',"added_at":"2026-01-02"}')
@example(LAMP[:-1] + b',"added_at":null}')
@example(LAMP[:-1] + b',"agent":null}')
@example(DESK)
@example(DESK[:-1] + b',"agent":"ada"}')
@example(DESK[:-1] + b',"added_at":"2026-01-02"}')
@example(DESK[:-1] + b',"added_at":null}')
@example(DESK[:-1] + b',"agent":null}')
@example(LAMP + b"\r")
@example(LAMP + LAMP)
def test_the_short_cut_agrees_with_the_tolerant_reader(raw: bytes) -> None:
    check(raw)


@given(damaged_lines())
def test_the_short_cut_agrees_on_damaged_lines(raw: bytes) -> None:
    check(raw)


@pytest.mark.parametrize(
    "record",
    [
        Entity("Lamp", "device", ("is on",), ObservationTags("2026-01-02T03:04:05+01:00", "codex")),
        Entity("Lamp", "device", ("is on", "is off"), UNTAGGED),
        Relation("Lamp", "Desk", "stands_on", Tags("2026-01-02T03:04:05+01:00", "codex")),
        Relation("Lamp", "Desk", "stands_on", UNTAGGED),
    ],
)
@pytest.mark.parametrize("continues", [False, True])
def test_what_most_lines_are_takes_the_short_cut(record: Record, *, continues: bool) -> None:
    assert read_plain(encode(record, continues=continues)[:-1]) == (record, continues)


def test_a_line_without_tags_counts_as_written_by_another_server() -> None:
    plain = read_plain(LAMP)
    assert plain is not None
    assert plain[0].tags is UNTAGGED
