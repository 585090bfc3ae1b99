"""Random histories of a memory file; `standing` tells what must be true after them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from mnemolog.jsonl import encode
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

NAMES = ("Lamp", "Desk", "Café 💡")
TEXTS = ("stands on the desk", "bulb\u2028changed", 'says "on"', "9 W")
TYPES = ("device", "furniture")
RELATION_TYPES = ("stands_on", "lights")
TIME = "2026-01-02T03:04:05+01:00"
TAGS = (
    UNTAGGED,
    ObservationTags(TIME, "codex"),
    ObservationTags("2026-02-03T04:05:06+01:00", "cursor"),
    ObservationTags(TIME, "codex", TIME, "cursor", "high", ("9 W", "other")),
)


# --- records ---------------------------------------------------------------------------------

_names = st.sampled_from(NAMES)
_texts = st.sampled_from(TEXTS)
_tags = st.sampled_from(TAGS)
_plain_tags = st.sampled_from((UNTAGGED, Tags(TIME, "codex"), Tags(TIME, None)))
_some_texts = st.lists(_texts, max_size=3, unique=True).map(tuple)
_one_text = _texts.map(lambda text: (text,))
_times = st.sampled_from((None, TIME))

entities = st.builds(
    Entity, _names, st.sampled_from((*TYPES, None)), st.one_of(_one_text, _some_texts), _tags
)
relations = st.builds(Relation, _names, _names, st.sampled_from(RELATION_TYPES), _plain_tags)
superseded_lines = st.builds(
    Superseded, _names, _texts, _tags, _times, _times, st.one_of(st.none(), _texts)
)
entity_tombstones = st.builds(
    Tombstone, st.just("entity"), _times, _times, name=_names, observations=_some_texts
)
observation_tombstones = st.builds(
    Tombstone, st.just("observation"), _times, _times, name=_names, observations=_one_text
)
relation_tombstones = st.builds(
    Tombstone,
    st.just("relation"),
    _times,
    _times,
    source=_names,
    target=_names,
    relation_type=st.sampled_from(RELATION_TYPES),
)
headers = st.builds(Header, st.just(1), st.builds(Repository, _names, _times, _times), _plain_tags)
records: st.SearchStrategy[Record] = st.one_of(
    entities,
    entities,
    observation_tombstones,
    superseded_lines,
    entity_tombstones,
    relations,
    relation_tombstones,
    headers,
)
"""Any record, whether or not it makes sense where it comes: a merge brings all of them."""


# --- lines -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class WrittenLine:
    """A line as some tool wrote it, with its newline, and what must be read of it."""

    raw: bytes
    records: tuple[Record, ...] = ()
    foreign: tuple[bytes, ...] = ()
    """What is in it that only others understand; it has to outlive a compaction."""
    has_extra_keys: bool = False
    """Whether it carries keys that are not ours; they live as long as its subject."""


FOREIGN_LINES = (
    b'{"type":"_aim","source":"mcp-knowledge-graph"}',
    b'{"type":"gotchas","items":{"g1":"check the fuse"}}',
    b'{"type":["entity"],"name":"Lamp"}',
    b'"a string"',
    b"[1,2]",
    b"<<<<<<< HEAD",
    b"=======",
    b'{"type":"entity","name":"Lamp","name":"Desk"}',
    b'{"type":"entity","entityType":"device"}',
    b'{"type":"relation","from":"Lamp"}',
    b'{"type":"entity","name":NaN}',
    b"\xff\xfe{\x00",
    b"",
    b"  \r",
)
GLUED_VALUES = ('{"type":"_aim","source":"other"}', '{"type":[1]}', "5", '"a note"', "[]")
EXTRA_KEYS: tuple[dict[str, Any], ...] = (
    {"createdAt": "2025-03-18T09:00:00.000Z"},
    {"version": 3},
    {"meta": {"a": 1, "continues": True}},
)


@st.composite
def written_calls(draw: st.DrawFn) -> list[WrittenLine]:
    """Draw the lines of one call, as we, or somebody who reformats our lines, would write them."""
    drawn = draw(st.lists(records, min_size=1, max_size=3))
    last = len(drawn) - 1
    return [draw(_one_record_lines(record, continues=n < last)) for n, record in enumerate(drawn)]


@st.composite
def _one_record_lines(draw: st.DrawFn, record: Record, *, continues: bool) -> WrittenLine:
    style = draw(st.sampled_from(("ours", "ours", "spaced", "first", "extra")))
    ours = encode(record, continues=continues)
    value = json.loads(ours)
    if style == "ours":
        return WrittenLine(ours, (record,))
    if style == "first" and continues:
        value = {"continues": value.pop("continues"), **value}
    extra = draw(st.sampled_from(EXTRA_KEYS)) if style == "extra" else {}
    raw = json.dumps({**extra, **value}, ensure_ascii=draw(st.booleans())).encode() + b"\n"
    return WrittenLine(raw, (record,), has_extra_keys=bool(extra))


@st.composite
def _glued_lines(draw: st.DrawFn) -> WrittenLine:
    parts = draw(
        st.lists(st.one_of(records, st.sampled_from(GLUED_VALUES)), min_size=2, max_size=3)
    )
    texts = [p if isinstance(p, str) else encode(p).decode().rstrip("\n") for p in parts]
    begin, between, end = draw(st.sampled_from((("", "", ""), ("", " ", ""), ("[", ", ", "]"))))
    return WrittenLine(
        f"{begin}{between.join(texts)}{end}\n".encode(),
        tuple(part for part in parts if not isinstance(part, str)),
        tuple(part.encode() for part in parts if isinstance(part, str)),
    )


foreign_lines = st.sampled_from(FOREIGN_LINES).map(
    lambda raw: WrittenLine(raw + b"\n", (), (raw,) if raw.strip() else ())
)
written_logs: st.SearchStrategy[list[WrittenLine]] = st.lists(
    st.one_of(
        written_calls(),
        written_calls(),
        written_calls(),
        _glued_lines().map(lambda line: [line]),
        foreign_lines.map(lambda line: [line]),
    ),
    min_size=1,
    max_size=12,
).map(lambda calls: [line for call in calls for line in call])
"""Whole logs: calls of ours, some reformatted, with lines of others among them."""


# --- whole files -----------------------------------------------------------------------------


def json_line(name: str, *texts: str) -> bytes:
    value = {"type": "entity", "name": name, "entityType": "thing", "observations": texts}
    return json.dumps(value, ensure_ascii=False).encode() + b"\n"


@dataclass(frozen=True)
class AnyFile:
    """Good lines among any others, with or without a final newline."""

    content: bytes
    good: dict[str, tuple[str, ...]]
    strangers: tuple[bytes, ...]
    """Lines that no rule ever replaces."""


@st.composite
def any_files(draw: st.DrawFn) -> AnyFile:
    lines: list[bytes] = []
    good: dict[str, tuple[str, ...]] = {}
    strangers: list[bytes] = []
    for number in range(draw(st.integers(0, 10))):
        kind = draw(st.sampled_from(("good", "good", "bytes", "foreign", "call", "cut")))
        if kind == "good":
            good[f"Good {number}"] = (f"fact {number}",)
            lines.append(json_line(f"Good {number}", f"fact {number}").rstrip(b"\n"))
            strangers.append(lines[-1])
        elif kind == "call":
            lines += [line.raw.rstrip(b"\n") for line in draw(written_calls())]
        else:
            strangers += (strange := draw(_strangers(kind)).split(b"\n"))
            lines += strange
    content = b"\n".join(lines) + draw(st.sampled_from((b"\n", b"")))
    return AnyFile(content, good, tuple(line for line in strangers if line.strip(_BLANKS)))


_BLANKS = b" \t\r\xef\xbb\xbf"
_CUT_LINE = json_line("Boat", "is red")


def _strangers(kind: str) -> st.SearchStrategy[bytes]:
    if kind == "bytes":
        return st.binary(max_size=40)
    if kind == "foreign":
        return foreign_lines.map(lambda line: line.raw.rstrip(b"\n"))
    return st.integers(1, len(_CUT_LINE) - 2).map(lambda place: _CUT_LINE[:place])
