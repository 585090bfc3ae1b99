"""What is read from mem0's exports, in each of the shapes that its interfaces give."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mnemolog.errors import UnreadableSource
from mnemolog.interchange.mem0 import FORMAT
from mnemolog.interchange.sources import Found, Item, Reached, Refused
from mnemolog.records import UNTAGGED, Entity, ObservationTags, Relation, Superseded

AT = "2026-10-02T09:00:00-07:00"
LATER = "2026-10-05T10:00:00-07:00"


def memory(text: str, **fields: Any) -> dict[str, Any]:
    known = {"id": f"id of {text}", "hash": "eae2b89f", "created_at": AT, "updated_at": None}
    return {**known, "memory": text, "metadata": None, "user_id": "jose", **fields}


def said(place: str, text: str, *, more: bool = False, agent: str | None = None) -> Found:
    return Found(place, Entity("jose", "user", (text,), ObservationTags(AT, agent)), more)


@pytest.fixture
def export(tmp_path: Path) -> Path:
    return tmp_path / "get_all.json"


def read(path: Path, value: Any) -> list[Item]:
    content = value if isinstance(value, bytes) else json.dumps(value).encode()
    path.write_bytes(content)
    return [item for item in FORMAT.read(path) if not isinstance(item, Reached)]


def records(path: Path, value: Any) -> list[Any]:
    return [item.record for item in read(path, value) if isinstance(item, Found)]


MEMORIES = [memory("Prefers tabs"), memory("José vive en Madrid 喜", agent_id="claude-code")]
AS_FOUND = [
    said("memory 1", "Prefers tabs"),
    said("memory 2", "José vive en Madrid 喜", more=True, agent="claude-code"),
]


@pytest.mark.parametrize(
    "value",
    [
        MEMORIES,
        {"results": MEMORIES},
        {"count": 2, "next": None, "previous": None, "results": MEMORIES},
        {"results": MEMORIES, "relations": []},
        json.dumps(MEMORIES, indent=4, ensure_ascii=False).encode(),
        b"\xef\xbb\xbf" + json.dumps(MEMORIES).encode(),
    ],
    ids=["list", "results", "page", "graph", "pretty", "bom"],
)
def test_memories_are_observations_of_their_user(export: Path, value: Any) -> None:
    assert read(export, value) == AS_FOUND
    assert FORMAT.recognises(export)


def test_the_graph_comes_along(export: Path) -> None:
    relations = [
        {"source": "jose", "relationship": "lives_in", "target": "madrid"},
        {"source": "madrid", "relationship": "in", "destination": "spain"},
        {"source": "jose"},
        "odd",
    ]
    missing = "it lacks source, relationship or target"
    assert read(export, {"relations": relations, "results": MEMORIES[:1]}) == [
        Found("relation 1", Entity("jose", None, (), UNTAGGED)),
        Found("relation 1", Entity("madrid", None, (), UNTAGGED)),
        Found("relation 1", Relation("jose", "madrid", "lives_in", UNTAGGED)),
        Found("relation 2", Entity("spain", None, (), UNTAGGED)),
        Found("relation 2", Relation("madrid", "spain", "in", UNTAGGED)),
        Refused("relation 3", missing, "skipped"),
        Refused("relation 4", missing, "skipped"),
        said("memory 1", "Prefers tabs", more=True),
    ]


@pytest.mark.parametrize(
    ("fields", "name", "kind"),
    [
        ({"user_id": None, "agent_id": "codex"}, "codex", "agent"),
        ({"user_id": None, "app_id": "shop"}, "shop", "app"),
        ({"user_id": " ", "run_id": "r1"}, "r1", "session"),
        ({"user_id": None, "session_id": "s1"}, "s1", "session"),
        ({"user_id": None, "userId": "jose"}, "jose", "user"),
        ({"user_id": None, "metadata": {"userId": "jose"}}, "jose", "user"),
        ({"user_id": None}, "mem0", None),
        ({"agent_id": "codex"}, "jose", "user"),
    ],
)
def test_a_memory_is_about_its_user_or_else_the_nearest_to_that(
    export: Path, fields: dict[str, Any], name: str, kind: str | None
) -> None:
    (found,) = records(export, [memory("a", **fields)])
    assert (found.name, found.entity_type) == (name, kind)


@pytest.mark.parametrize(
    ("fields", "tags"),
    [
        ({"updated_at": LATER}, ObservationTags(AT, None, edited_at=LATER)),
        ({"updated_at": AT}, ObservationTags(AT, None)),
        (
            {"created_at": "2026-10-02T09:00:00.123456Z"},
            ObservationTags("2026-10-02T09:00:00+00:00", None),
        ),
        ({"created_at": None, "createdAt": AT}, ObservationTags(AT, None)),
        ({"created_at": "soon"}, UNTAGGED),
    ],
)
def test_dates_are_kept(export: Path, fields: dict[str, Any], tags: ObservationTags) -> None:
    assert [found.tags for found in records(export, [memory("a", **fields)])] == [tags]


def test_a_memory_that_was_replaced_is_history(export: Path) -> None:
    old = memory("Uses npm", updated_at=LATER, replaced_by="id of Uses pnpm")
    lost = memory("Uses make", replaced_by="gone")
    at = ObservationTags(AT, None)
    assert records(export, [old, memory("Uses pnpm"), lost]) == [
        Entity("jose", "user", (), ObservationTags(AT, None, edited_at=LATER)),
        Entity("jose", "user", ("Uses pnpm",), at),
        Entity("jose", "user", (), at),
        Superseded("jose", "Uses npm", at, LATER, None, "Uses pnpm"),
        Superseded("jose", "Uses make", at, None, None, None),
    ]


def test_a_memory_that_expires_says_so(export: Path) -> None:
    (found,) = records(export, [memory("Is on leave", expiration_date="2026-12-31")])
    assert found.observations == ("Is on leave (expires 2026-12-31)",)


@pytest.mark.parametrize("bad", [{"memory": ""}, {"memory": None}, {"id": "x"}, "text", [], None])
def test_a_memory_without_text_is_skipped_and_the_others_are_read(export: Path, bad: Any) -> None:
    assert read(export, [memory("a"), bad, memory("b")]) == [
        said("memory 1", "a"),
        Refused("memory 2", "it has no text under 'memory'", "skipped"),
        said("memory 3", "b", more=True),
    ]


@pytest.mark.parametrize(
    "rest",
    [
        b'{"memory": "b"',
        b'{"memory": ]',
        b'{"n": ' + b"1" * 5000 + b"}]",
        b"[" * 100_000,
        b'"\xff"]',
        b'{"memory": "\\ud83d\\ude00 \\udc00"}]',
    ],
    ids=["cut", "fault", "number", "deep", "bytes", "half a character"],
)
def test_what_cannot_be_parsed_is_an_error_after_what_could(export: Path, rest: bytes) -> None:
    found, refused = read(export, b"[" + json.dumps(memory("a")).encode() + b"," + rest)
    assert found == said("memory 1", "a")
    assert isinstance(refused, Refused)
    assert (refused.place, refused.kind) == ("behind value 1", "error")
    assert refused.reason.isprintable()


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"results": []}', b"\xff"])
def test_a_file_without_memories_is_an_error(export: Path, content: bytes) -> None:
    with pytest.raises(UnreadableSource, match="get_all"):
        read(export, content)
    assert not FORMAT.recognises(export)


def test_lists_that_stand_elsewhere_are_no_memories(export: Path) -> None:
    with pytest.raises(UnreadableSource, match="holds no memories"):
        read(export, {"results": {"a": [memory("a")]}})
    assert not FORMAT.recognises(export)


@pytest.mark.parametrize(
    "value",
    [
        {"history": [memory("a")]},
        {"entities": [{"name": "a", "entityType": "b", "observations": ["c"]}], "relations": []},
        [{"type": "entity", "name": "a", "entityType": "b", "observations": ["c"]}],
        [{"memory": "a"}],
        {"memory": "a", "id": "b"},
        b'{"type":"entity","name":"a","entityType":"b","observations":["memory"]}\n' * 2,
        b"SQLite format 3\0",
        b"# Notes\n\n[memory](a.md)\n",
        b"1" * 5000,
    ],
)
def test_stores_of_others_are_not_recognised(export: Path, value: Any) -> None:
    export.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    assert not FORMAT.recognises(export)


def test_a_folder_is_not_recognised(tmp_path: Path) -> None:
    assert not FORMAT.recognises(tmp_path)


def test_a_large_export_is_recognised_and_reports_its_progress(export: Path) -> None:
    many = [memory(f"fact {number}", metadata={"x": "y" * 100}) for number in range(2500)]
    assert len(read(export, {"count": 2500, "results": many})) == 2500
    assert FORMAT.recognises(export)
    parts = [item.part for item in FORMAT.read(export) if isinstance(item, Reached)]
    assert len(parts) == 2
    assert 0 < parts[0] < parts[1] <= 1


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)
KEYS = st.sampled_from(
    ["id", "memory", "user_id", "created_at", "updated_at", "metadata", "replaced_by", "source"]
)
MEMBERS = st.lists(st.dictionaries(KEYS, JSON) | JSON, min_size=1)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(MEMBERS | st.fixed_dictionaries({"results": MEMBERS, "relations": MEMBERS}))
def test_no_member_is_beyond_reading(export: Path, value: Any) -> None:
    try:
        items = read(export, value)
    except UnreadableSource:
        return
    for item in items:
        assert isinstance(item, Found | Refused)
        str(item).encode()
    assert FORMAT.recognises(export) in {True, False}
