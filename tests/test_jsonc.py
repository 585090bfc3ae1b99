"""JSON with comments is read, and edited so that all that people wrote stays, to the byte."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hostile_texts import seconds_for
from jsonc_texts import is_subsequence, json_values, remarks, texts, written
from mnemolog import jsonc
from mnemolog.taxonomy.shared import in_order

SECTION = "held here"

members = st.dictionaries(texts, json_values, max_size=4)
contents = members.flatmap(
    lambda rest: members.map(lambda held: rest | {SECTION: held}) | st.just(rest)
)


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """Give a document, and what it says."""
    content = draw(contents)
    text = draw(remarks) + draw(written(content)) + draw(remarks)
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"]))), content


@given(documents())
def test_comments_and_trailing_commas_do_not_matter(document: tuple[str, Any]) -> None:
    text, content = document
    assert jsonc.load(text) == content
    assert not jsonc.is_json5(text)


manners = st.sampled_from(
    [{}, {"order": in_order}, {"opens": True}, {"order": in_order, "opens": True}]
)


@given(documents(), members, manners)
def test_members_are_added_to_what_is_said_and_no_byte_is_lost(
    document: tuple[str, Any], added: dict[str, Any], manner: dict[str, Any]
) -> None:
    text, content = document
    held = content.get(SECTION, {})
    new = {name: value for name, value in added.items() if name not in held}
    after = jsonc.with_added(text, SECTION, new, **manner)
    assert jsonc.load(after) == content | ({SECTION: held | new} if new else {})
    assert is_subsequence(text, after)
    if "\r\n" in text:
        assert after.count("\n") == after.count("\r\n")


@given(documents(), texts, json_values, st.booleans())
def test_taking_out_what_was_added_brings_back_every_byte(
    document: tuple[str, Any], name: str, value: Any, opens: Any
) -> None:
    text, content = document
    if name not in content.get(SECTION, {}):
        after = jsonc.with_added(text, SECTION, {name: value}, opens=opens)
        assert text in jsonc.without(after, SECTION, name)


@given(members, members, st.data())
def test_what_is_in_order_stays_in_order(
    held: dict[str, Any], added: dict[str, Any], data: st.DataObject
) -> None:
    text = data.draw(written({SECTION: {name: held[name] for name in sorted(held, key=in_order)}}))
    new = {name: value for name, value in added.items() if name not in held}
    names = list(jsonc.load(jsonc.with_added(text, SECTION, new, in_order))[SECTION])
    assert names == sorted({*held, *new}, key=in_order)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ('// remark\n{\n  "a": 1 /* and\n another */ "b": 2\n}', 4, 13),
        ('{\r\n  "a": 1,\r\n  // to do\r\n', 4, 1),
        ('{"a": 1}\n<<<<<<< HEAD\n', 2, 1),
        ('{"a": 1}\n/* to do', 2, 9),
        ("", 1, 1),
        ("[" * 100_000, 1, 1),
        (f'{{"a": {"1" * 5000}}}', 1, 1),
    ],
)
def test_what_is_broken_is_said_with_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(jsonc.NotJsonc) as broken:
        jsonc.load(text)
    assert (broken.value.line, broken.value.column) == (line, column)


def test_the_config_of_a_client_that_keeps_megabytes_in_it_is_not_gone_through() -> None:
    text = json.dumps({"history": [{"display": "do it", "pasted": {}}] * 100_000})
    looking = seconds_for(lambda: list(jsonc.beyond_json(text)))
    assert looking < 3 * seconds_for(lambda: json.loads(text))


def test_what_only_json5_allows_is_told_apart() -> None:
    assert jsonc.load("{a: 'x'}") == {"a": "x"}
    assert jsonc.is_json5("{a: 'x'}")
    assert not jsonc.is_json5('{"a": "it\'s // {x: 1}",} // \'y\'')


def test_a_member_that_is_not_there_leaves_nothing_to_take_out() -> None:
    for text in ("{}", '{"held here": {}}', json.dumps({SECTION: {"b": {"a": 1}}})):
        assert list(jsonc.without(text, SECTION, "a")) == []
