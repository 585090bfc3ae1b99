"""What is read from logs of plain-text-memory-mcp, and which logs are taken for one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from imports import records_imported
from mnemolog.interchange import read_document
from mnemolog.jsonl import encode_call
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

T1: dict[str, Any] = {"added_at": "2026-11-29T19:41:32+00:00", "agent": "claude-code"}
T2: dict[str, Any] = {"added_at": "2026-11-30T08:00:00+00:00", "agent": "codex"}
TAGS_1, TAGS_2 = ObservationTags(**T1), ObservationTags(**T2)

HEADER = {"type": "header", "repo_name": "shop", "repo_root": "/home/dev/shop", **T1}
OUR_HEADER = Header(1, Repository("shop", None, "/home/dev/shop"), Tags(**T1))


def said(text: str, tags: dict[str, Any] = T1, **more: Any) -> dict[str, Any]:
    return {"text": text, **tags, **more}


def entity(name: str, *observations: Any, kind: str = "repo") -> dict[str, Any]:
    return {
        "type": "entity",
        "name": name,
        "entityType": kind,
        **T1,
        "observations": list(observations),
    }


def relation(source: str, target: str) -> dict[str, Any]:
    return {"type": "relation", "from": source, "to": target, "relationType": "uses", **T1}


def gone(name: str) -> dict[str, Any]:
    return {"type": "tombstone", "entity": name}


def gone_relation(source: str, target: str) -> dict[str, Any]:
    return {"type": "tombstone", "from": source, "to": target, "relationType": "uses"}


def log(*values: Any) -> bytes:
    return b"".join(json.dumps(v, ensure_ascii=False).encode() + b"\n" for v in values)


def read(*values: Any) -> tuple[Record, ...]:
    """Return the records behind the header of a log of theirs."""
    return read_bytes(log(HEADER, *values))


def read_bytes(content: bytes) -> tuple[Record, ...]:
    document = read_document(content)
    assert document is not None
    assert document.format == "log of plain-text-memory-mcp"
    assert document.records[0] == OUR_HEADER
    return document.records[1:]


TESTS, DEPLOYS, VIA = "Tests run with pytest through uv.", "Deploys on merge.", "Tests run via uv."
SAMPLE = [
    HEADER,
    entity("acme_api", said(TESTS), said(DEPLOYS)),
    entity("postgres", said("Version 16 in production."), kind="library"),
    relation("acme_api", "postgres"),
    entity("acme_api", said(TESTS), said(DEPLOYS), said(VIA)),
    gone("postgres"),
    gone_relation("acme_api", "postgres"),
    gone("acme_api"),
    entity("acme", said(TESTS), said(DEPLOYS), said(VIA)),
]


def test_a_log_with_a_merge_and_a_rename_ends_in_one_entity() -> None:
    document = read_document(log(*SAMPLE))
    assert document is not None
    assert document.records == (OUR_HEADER, Entity("acme", "repo", (TESTS, DEPLOYS, VIA), TAGS_1))


@pytest.mark.parametrize("begin", [b"", b"\xef\xbb\xbf", b"\n \n"], ids=["plain", "bom", "blank"])
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"], ids=["lf", "crlf"])
def test_the_bytes_around_the_lines_do_not_matter(begin: bytes, newline: bytes) -> None:
    content = begin + log(*SAMPLE).replace(b"\n", newline)
    assert read_document(content) == read_document(log(*SAMPLE))


def test_a_later_line_takes_the_place_of_an_earlier_one() -> None:
    assert read(
        entity("a", said("old"), said("kept")),
        entity("b", said("other")),
        entity("a", said("kept"), kind="service"),
    ) == (
        Entity("a", "service", ("kept",), TAGS_1),
        Entity("b", "repo", ("other",), TAGS_1),
    )


def test_an_entity_that_comes_back_stands_at_the_end() -> None:
    records = read(entity("a", said("x")), entity("b"), gone("a"), entity("a"))
    assert records == (Entity("b", "repo", (), TAGS_1), Entity("a", "repo", (), TAGS_1))


def test_a_removed_entity_leaves_the_relations_that_no_tombstone_names() -> None:
    records = read(relation("a", "b"), relation("b", "a"), gone("a"), gone_relation("a", "b"))
    assert records == (Relation("b", "a", "uses", Tags(**T1)),)


def test_each_observation_keeps_its_own_tags_and_its_place() -> None:
    edited: dict[str, Any] = {"edited_at": "2026-12-01T00:00:00+00:00", "edited_by": "cursor"}
    sources = [{"entityName": "a", "text": "one"}, {"entityName": "b", "text": "elsewhere"}]
    records = read(
        entity(
            "a",
            said("one"),
            said("two", T2),
            said("three"),
            said("four", **edited),
            said("five", sources=sources),
            "as server-memory left it",
        )
    )
    assert records == (
        Entity("a", "repo", ("one",), TAGS_1),
        Entity("a", "repo", ("two",), TAGS_2),
        Entity("a", "repo", ("three",), TAGS_1),
        Entity("a", "repo", ("four",), ObservationTags(**T1, **edited)),
        Entity("a", "repo", ("five",), ObservationTags(**T1, sources=("one", "elsewhere"))),
        Entity("a", "repo", ("as server-memory left it",), UNTAGGED),
    )


def test_an_entity_keeps_its_own_date_when_its_observations_are_younger() -> None:
    assert read(entity("a", said("one", T2))) == (
        Entity("a", "repo", (), TAGS_1),
        Entity("a", "repo", ("one",), TAGS_2),
    )


def test_superseded_observations_become_history() -> None:
    retired: dict[str, Any] = {"superseded_at": T2["added_at"], "superseded_by": "codex"}
    records = read(
        entity(
            "a",
            said("old", **retired, replaced_by="new"),
            said("over", superseded_at=None, superseded_by=None, replaced_by=None),
            said("new", T2),
        )
    )
    assert records == (
        Entity("a", "repo", (), TAGS_1),
        Entity("a", "repo", ("new",), TAGS_2),
        Superseded("a", "old", TAGS_1, T2["added_at"], "codex", "new"),
        Superseded("a", "over", TAGS_1, None, None),
    )


def test_an_observation_that_is_current_again_is_current() -> None:
    retired = entity("a", said("fact", superseded_at="2026-12-01", superseded_by="codex"))
    assert read(retired, entity("a", said("fact"))) == (Entity("a", "repo", ("fact",), TAGS_1),)


def test_odd_observations_are_kept_as_text() -> None:
    odd = [{"text": 5}, {"note": "x"}, 7, None, said("plain", sources="b")]
    assert read(entity("a", *odd)) == (
        Entity("a", "repo", (), TAGS_1),
        Entity("a", "repo", ('{"text":5}', '{"note":"x"}', "7"), UNTAGGED),
        Entity("a", "repo", ("plain",), TAGS_1),
    )
    assert read({**entity("a"), "observations": "wool"}) == (
        Entity("a", "repo", ("wool",), TAGS_1),
    )


@pytest.mark.parametrize("bad", [b'{"type": "entity", "na', b"<<<<<<< ours", b'{"a": NaN}', b"[]"])
def test_an_unreadable_line_costs_only_itself(bad: bytes) -> None:
    content = log(HEADER) + bad + b"\n" + log(entity("a", said("fact"))) + bad
    assert read_bytes(content) == (Entity("a", "repo", ("fact",), TAGS_1),)


def test_a_first_line_that_is_unreadable_does_not_hide_what_the_file_is() -> None:
    assert read_bytes(b"<<<<<<< ours\n" + log(*SAMPLE[:2]))


def test_an_empty_memory_is_still_theirs() -> None:
    assert read() == ()


SIGNS = {
    "an observation with tags": entity("a", said("fact")),
    "a tombstone of an entity": gone("b"),
    "a tombstone of a relation": gone_relation("a", "b"),
    "a header": HEADER,
}


@pytest.mark.parametrize("sign", SIGNS.values(), ids=SIGNS.keys())
def test_one_line_of_theirs_makes_a_log_theirs(sign: dict[str, Any]) -> None:
    odd = ["tombstone", {"text": "no date"}, {"repo_root": "/srv"}]
    plain = {"type": "entity", "name": "b", "entityType": "x", "observations": odd}
    for values in ([plain, sign, plain], [sign, plain]):
        document = read_document(log(*values))
        assert document is not None
        assert document.format == "log of plain-text-memory-mcp"


def test_compact_lines_of_theirs_are_recognised() -> None:
    lines = [json.dumps(value, separators=(",", ":")).encode() for value in SAMPLE[1:]]
    document = read_document(b"\n".join([b'{"type":"_aim"}', *lines]))
    assert document is not None
    assert document.records == (Entity("acme", "repo", (TESTS, DEPLOYS, VIA), TAGS_1),)


OURS: dict[str, Record] = {
    "a header": OUR_HEADER,
    "a tombstone of an entity": Tombstone("entity", "2026-12-01", "codex", "b", ()),
    "a tombstone of a relation": Tombstone(
        "relation", None, None, source="a", target="b", relation_type="uses"
    ),
    "a superseded observation": Superseded("a", "old", TAGS_1, None, None),
    "an entity with tags": Entity("b", "x", ("said by us",), TAGS_1),
}


@pytest.mark.parametrize("ours", OURS.values(), ids=OURS.keys())
def test_a_log_with_a_line_of_ours_is_read_as_ours(ours: Record) -> None:
    line, theirs = encode_call((ours,)), log(*SAMPLE)
    assert read_document(line) is None
    assert read_document(line + theirs) is None
    assert read_document(theirs + line) is None


def test_text_about_such_a_log_does_not_make_a_log_theirs() -> None:
    quoted = log(*SAMPLE).decode().splitlines()
    names = ["tombstone", "text", "repo_root", "header"]
    lines = [
        {"type": "entity", "name": n, "entityType": "text", "observations": quoted} for n in names
    ]
    others = [
        {"type": "tombstone", "at": "another tool's"},
        {"type": "entity", "name": "Lamp", "observations": [{"text": "no date"}, {"text": 7}]},
        {"type": "note", "repo_root": "/srv", "text": {"text": "x", "added_at": "y"}},
    ]
    assert read_document(log(*lines, *others)) is None


def test_what_their_tools_answered_is_read_as_theirs() -> None:
    answer = {"entities": [entity("a", said("one", T2))], "relations": [relation("a", "b")]}
    for content in (json.dumps(answer).encode(), json.dumps(answer, indent=2).encode()):
        document = read_document(content)
        assert document is not None
        assert document.format == "log of plain-text-memory-mcp"
        assert document.records == (
            Entity("a", "repo", (), TAGS_1),
            Entity("a", "repo", ("one",), TAGS_2),
            Relation("a", "b", "uses", Tags(**T1)),
        )


def test_an_import_leaves_their_repository_behind() -> None:
    assert records_imported(log(*SAMPLE)) == (
        Entity("acme", "repo", (TESTS, DEPLOYS, VIA), TAGS_1),
    )
