"""Reading the log back takes twice as long for twice as much, whatever a call did."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from lines_run import lines_run
from mnemolog.history.calls import calls_in
from mnemolog.jsonl import encode, encode_call
from mnemolog.records import Entity, ObservationTags, Tombstone

AT = "2026-02-01T12:00:00+00:00"


def much_deleted(size: int) -> bytes:
    """Return a log in which one call deletes many entities."""
    names = [f"entity {number}" for number in range(size)]
    said = [Entity(name, "thing", ("is there",), ObservationTags(AT, "ada")) for name in names]
    gone = [Tombstone("entity", AT, "ada", name, ("is there",)) for name in names]
    return b"".join((*map(encode, said), encode_call(tuple(gone))))


def much_edited(size: int) -> bytes:
    """Return a log in which the priority of one fact is changed again and again."""
    return b"".join(
        encode(Entity("api", "service", ("is fast",), ObservationTags(AT, "ada", f"{n}", "bob")))
        for n in range(size)
    )


def changes(log: bytes) -> int:
    return sum(len(call.changes) for call in calls_in(log))


def test_a_call_that_deletes_much_is_looked_through_once() -> None:
    assert changes(much_deleted(50)) == 50 * 2 + 50 * 2
    few, many = (lines_run(partial(changes, much_deleted(size))) for size in (50, 200))
    assert many < 6 * few


def test_what_a_fact_has_been_before_is_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0
    real: Callable[[object, object], bool] = ObservationTags.__eq__

    def note(one: object, other: object) -> bool:
        nonlocal compared
        compared += 1
        return real(one, other)

    monkeypatch.setattr(ObservationTags, "__eq__", note)
    assert changes(much_edited(200)) >= 200
    assert compared < 200 * 10
