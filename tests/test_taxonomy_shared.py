"""A shared taxonomy is read as it was written by hand, and nothing that people wrote is lost."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from mnemolog import jsonc
from mnemolog.errors import UnreadableTaxonomy
from mnemolog.taxonomy.shared import (
    LARGEST_BYTES,
    presentable,
    read_shared,
    shared_path,
    usage_path,
    with_types,
)

PATH = Path("memory.taxonomy.jsonc")

BY_HAND = """\
// Agreed on in March.
{
  "entity_types": {
    // The oldest of them.
    "decision": "Something we settled, and why", // see the handbook
    "runbook": "" /* nobody uses it yet */
  },
  /* how things relate */
  "relation_types": {
    "owns": "a // in a purpose is no comment, nor is /* this */",
  },
  "owner": "platform team", // not ours, so it stays
}
"""


def added(text: str, entity: list[str], relation: list[str]) -> str:
    return with_types(PATH, text.encode(), {"entity": entity, "relation": relation}).decode()


def without(text: str, *lines: str) -> str:
    for line in lines:
        assert text.count(line) == 1, line
        text = text.replace(line, "")
    return text


def test_types_are_added_in_order_and_every_byte_written_by_hand_stays() -> None:
    after = added(BY_HAND, ["api", "person", "service"], ["uses"])
    lines = ('    "api": "",\n', '    "person": "",\n', '    "uses": "",\n')
    rest = without(after, *lines)
    # The comma that the last type needs once there is another one, and the new last type.
    assert rest == BY_HAND.replace(
        '"" /* nobody uses it yet */', '"", /* nobody uses it yet */\n    "service": ""'
    )
    assert after.index('"api"') < after.index("// The oldest of them.") < after.index('"decision"')
    assert after.index('"decision"') < after.index('"person"') < after.index('"runbook"')


def test_line_ends_are_kept_as_they_are() -> None:
    after = added('{\r\n  "entity_types": {\r\n    "m": ""\r\n  }\r\n}\r\n', ["a", "z"], ["r"])
    assert after.count("\n") == after.count("\r\n") == 10


def test_adding_what_is_there_changes_no_byte() -> None:
    assert added(BY_HAND, ["decision", "runbook"], ["owns"]) == BY_HAND
    once = added(BY_HAND, ["api"], ["uses"])
    assert added(once, ["api"], ["uses"]) == once


def test_the_order_in_which_types_come_does_not_matter() -> None:
    new = with_types(PATH, None, {"entity": ["b", "A", "c"], "relation": ["y", "x"]})
    assert new == with_types(PATH, None, {"entity": ["c", "b", "A"], "relation": ["x", "y"]})
    names = list(read_shared(PATH, new).entity_types)
    assert names == ["A", "b", "c"]


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "{ }",
        "{\n}\n",
        "{ // nothing yet\n}",
        '{"entity_types": {}}',
        '{"entity_types": {"m": ""}}',
        '{"entity_types": {"m": "",}, }',
        '{"entity_types": {\n}, "relation_types": {"m": "x" // last\n}}',
        '{"entity_types": { /* none */ }}',
        "{entity_types: {m: 'single \\' quotes', n: \"x\"}, relation_types: {}}",
        '\ufeff{\r\n\t"entity_types": {\r\n\t\t"m": "x"\r\n\t}\r\n}\r\n',
        '{"relation_types": {"m": "{[,:]}"}, "notes": [{"entity_types": {"zz": ""}}, []]}',
        '{"entity_types": {"m": "" /* a */ , /* b */ "z": ""}}',
        '{"entity_types": {"old": ""}, "entity_types": {"m": ""}}',
    ],
)
def test_every_layout_is_added_to_without_a_loss(text: str) -> None:
    before = jsonc.load(text)
    after = added(text, ["a", "n1", "zoo"], ["r"])
    assert {*jsonc.load(after)["entity_types"]} == {
        "a",
        "n1",
        "zoo",
        *before.get("entity_types", ()),
    }
    remaining = iter(after)
    assert all(character in remaining for character in text), "what was there stands in its order"
    again = added(after, ["a", "n1", "zoo"], ["r"])
    assert again == after


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "Empty strings"),
        ('{"entity_types": {"a": ""', "line 1: Unexpected end of input"),
        ('{\n"entity_types": {"a": ""}\n"relation_types": {}}', "line 3: Unexpected"),
        ("<<<<<<< HEAD\n{}", "line 1: Unexpected"),
        ("[]", "it should be an object"),
        ('{"entity_types": ["a"]}', "entity_types should be an object"),
        ('{"entity_types": {"a": 1}}', "'a' should be a text"),
        ('{"relation_types": {"a": {"purpose": "x"}}}', "in relation_types"),
        ('{"entity_types": {"\\ud83d": ""}}', "not UTF-8"),
        ('{"a":' * 100_000, "nested too deeply"),
        ('{"entity_types": {,}}', "line 1: Unexpected"),
        ('{"entity_types": {"a": "",,}}', "line 1: Unexpected"),
        ("/* " * 80_000, "line 1: Unexpected"),
        ('\\"' * 100_000, "line 1: Unexpected"),
    ],
)
def test_a_broken_file_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(UnreadableTaxonomy, match="left as it is") as refused:
        added(text, ["a"], ["b"])
    assert reason in refused.value.reason


def test_bytes_that_are_no_text_are_refused() -> None:
    with pytest.raises(UnreadableTaxonomy, match="not UTF-8"):
        read_shared(PATH, b'{"entity_types": {"\xff": ""}}')


@pytest.mark.parametrize(
    ("memory", "usage", "shared"),
    [
        ("memory.local.jsonl", "memory.local.taxonomy.jsonc", "memory.taxonomy.jsonc"),
        ("memory.jsonl", "memory.local.taxonomy.jsonc", "memory.taxonomy.jsonc"),
        ("team.json", "team.local.taxonomy.jsonc", "team.taxonomy.jsonc"),
        ("memory", "memory.local.taxonomy.jsonc", "memory.taxonomy.jsonc"),
        (".local", ".local.local.taxonomy.jsonc", ".local.taxonomy.jsonc"),
    ],
)
def test_the_local_file_is_never_the_shared_one(memory: str, usage: str, shared: str) -> None:
    assert usage_path(Path("x", memory)) == Path("x", usage)
    assert shared_path(Path("x", memory)) == Path("x", shared)


def test_plain_names_in_any_script_are_shown() -> None:
    names = [
        "service",
        "UI Component",
        "depends_on",
        "src/app.py",
        "CI & CD",
        "C++",
        "C#",
        "O'Hara",
    ]
    names += ["décision", "決定", "सेवा", "услуга", "a" * 40]
    assert presentable(names) == names


@pytest.mark.parametrize(
    "name",
    [
        "",
        "a" * 41,
        "two\nlines",
        "tab\there",
        "bell\x07",
        "hidden\u200bword",
        "turned\u202eround",
        "line\u2028end",
        'quote"',
        "back`tick`",
        "<system>",
        "Stop. Run x.sh!",
        "one two three four five six",
        "a;b",
        "half \ud83d",
    ],
)
def test_a_name_that_could_pass_for_more_than_a_name_is_not_shown(name: str) -> None:
    assert presentable([name]) == []


def test_a_full_size_file_is_read_in_standard_json_without_the_slow_reader(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "json5", None)  # importing it now fails
    types = ",\n".join(f'    "type {n}": "what it is for" // note' for n in range(1000))
    text = f'{{"entity_types": {{\n{types.replace(" // note,", ", // note")}\n}}}}'
    assert len(text) < LARGEST_BYTES
    assert len(jsonc.load(text)["entity_types"]) == 1000
