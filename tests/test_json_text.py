from __future__ import annotations

import json

from hypothesis import given

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
    assert len(texts._kept) < 5_000  # noqa: SLF001 - nothing else shows what is kept


def test_a_large_answer_finds_all_its_texts_again() -> None:
    texts = KeptTexts()
    records = [Entity(f"Lamp {number}", "device", (), UNTAGGED) for number in range(6_000)]
    texts.make_room(len(records))
    first = [texts.of(record) for record in records]
    assert all(text is texts.of(record) for record, text in zip(records, first, strict=True))
