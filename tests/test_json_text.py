"""A kept text is the JSON form of its record, and follows every change."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import histories
from mnemolog.declarations import to_wire
from mnemolog.json_text import KeptTexts, json_text
from mnemolog.records import UNTAGGED, Entity, Record


@given(histories.records)
def test_the_text_of_a_record_is_its_json_form(record: Record) -> None:
    assert json.loads(json_text(record)) == to_wire(record)


def test_what_is_shown_again_is_not_encoded_again() -> None:
    texts, record = KeptTexts(), Entity("Lamp", "device", ("is on",), UNTAGGED)
    assert texts.of(record) is texts.of(record)


def test_records_that_differ_have_texts_that_differ() -> None:
    texts = KeptTexts()
    one, other = (Entity("Lamp", "device", (text,), UNTAGGED) for text in ("is on", "is off"))
    assert texts.of(one) != texts.of(other)


def test_texts_of_what_is_gone_are_not_kept_for_ever() -> None:
    texts = KeptTexts()
    for number in range(20_000):
        texts.of(Entity(f"Lamp {number}", "device", (), UNTAGGED))
    assert len(texts._kept) < 17_000  # noqa: SLF001 - nothing else shows what is kept


@pytest.mark.parametrize("count", [0, 1, 255, 256, 257, 1_000])
def test_a_list_is_the_texts_of_its_records(count: int) -> None:
    texts, records = KeptTexts(), lamps(count)
    assert json.loads(f"[{texts.joined(records)}]") == to_wire(records)


@given(
    st.lists(st.tuples(st.sampled_from(("change", "drop", "add")), st.integers(0, 599)), max_size=4)
)
def test_a_list_follows_every_change_of_its_records(changes: list[tuple[str, int]]) -> None:
    texts, records = KeptTexts(), lamps(600)
    texts.joined(records)
    for what, place in changes:
        new = () if what == "drop" else (Entity("Lamp", "device", (what,), UNTAGGED),)
        records = (*records[:place], *new, *records[place + (what != "add") :])
        assert texts.joined(records) == ",".join(map(json_text, records))


def test_most_of_a_list_that_is_shown_again_is_not_encoded_again() -> None:
    texts, records = KeptTexts(), lamps(1_000)
    texts.joined(records)
    before = blocks(texts)
    texts.joined((*records[:300], *lamps(1), *records[301:]))
    assert [old is new for old, new in zip(before, blocks(texts), strict=True)] == [
        True,
        False,
        True,
        True,
    ]


def lamps(count: int) -> tuple[Entity, ...]:
    return tuple(Entity(f"Lamp {number}", "device", (), UNTAGGED) for number in range(count))


def blocks(texts: KeptTexts) -> list[str]:
    return [text for _, text in texts._blocks.values()]  # noqa: SLF001 - nothing else shows them
