"""What a reading takes in as its file grows is what it would take in at once."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemolog.graph import Graph
from mnemolog.jsonl import encode_call
from mnemolog.records import UNKNOWN, Entity, Tombstone
from mnemolog.store.compaction import compact
from mnemolog.store.files import Identity
from mnemolog.store.reading import Reading
from mnemolog.store.runs import runs_in

_ENTITY = b'{"type":"entity","name":"Ada","entityType":"person","observations":[]}'


def _identity_of(content: bytes) -> Identity:
    return Identity(device=1, inode=1, size=len(content), mtime_ns=len(content))


def test_line_numbers_hold_across_a_newline_that_came_later() -> None:
    rest = b"\n" + _ENTITY + b"\nrubbish\n"
    reading = Reading(lambda _content: None)
    reading.start(_ENTITY, _identity_of(_ENTITY))
    sample_size = reading.sample_size
    assert reading.grow(_ENTITY[-sample_size:], rest, _identity_of(_ENTITY + rest))
    at_once = Reading(lambda _content: None)
    at_once.start(_ENTITY + rest, _identity_of(_ENTITY + rest))
    assert reading.problems == at_once.problems
    assert [problem.line for problem in reading.problems] == [3]


_LINES = (
    _ENTITY,
    b'{"type":"entity","name":"Ada","entityType":"x","observations":["said"],"continues":true}',
    b'{"type":"entity","name":"Bob","entityType":"x","observations":["said"],"added_at":"2026"}',
    b'{"type":"relation","from":"Ada","to":"Bob","relationType":"knows"}',
    b'{"type":"tombstone","of":"observation","name":"Bob","observations":["said"]}',
    b'{"type":"entity","name":"Eve","entityType":"x","observations":[],"colour":"red"}',
    b"rubbish",
    b"\0\0\0",
    b"",
)


@given(st.lists(st.sampled_from(_LINES), max_size=8), st.sampled_from([b"", b"\n"]))
def test_every_call_but_a_torn_last_one_counts(lines: list[bytes], end: bytes) -> None:
    content = b"\n".join(lines) + end
    runs = list(runs_in(content))
    torn = runs.pop() if runs and runs[-1].is_torn else None
    expected = Graph()
    expected.apply_all(record for run in runs for record in run.records)
    reading = Reading(lambda _content: None)
    reading.start(content, _identity_of(content))
    assert _shown(reading.graph) == _shown(expected)
    assert reading.size == (torn.lines[0].start if torn else len(content))
    assert reading.torn == content[reading.size :]
    unread = [p.number for run in runs for p in run.lines if p.line.problem]
    unread += [torn.lines[0].number] if torn else []
    assert [problem.line for problem in reading.problems] == unread


_RENAMED = encode_call(
    (
        Entity("Eve", "person", ("said",), UNKNOWN),
        Tombstone("observation", None, None, "Bob", ("said",)),
        Tombstone("entity", None, None, "Bob", ("said",)),
    )
)


@pytest.mark.parametrize("line_end", [b"\n", b""])
def test_zeros_in_place_of_any_part_of_a_write_are_no_half_call(line_end: bytes) -> None:
    """What the disk never got of a write reads as zeros; it may have got the rest."""
    before = b"\n".join((_ENTITY, _LINES[2])) + line_end
    written = _RENAMED if line_end else b"\n" + _RENAMED
    expected = _reading_of(before)
    for start, end in combinations(range(0, len(written) + 1, 3), 2):
        if written[end:].startswith((b"}\n", b"\n")):
            continue  # too little to see whether the call went on
        holed = written[:start] + bytes(end - start) + written[end:]
        reading = _reading_of(before + holed)
        assert _shown(reading.graph) == _shown(expected.graph), holed
        assert all(problem.line in {2, 3} for problem in reading.problems)
        assert reading.problems


def test_zeros_behind_a_line_cost_it_nothing_and_are_counted_to_it() -> None:
    reading = _reading_of(_ENTITY + b"\0\0\0\n" + _LINES[3] + b"\nrubbish\n")
    assert list(reading.graph.entities) == ["Ada"]
    assert [problem.line for problem in reading.problems] == [1, 3]


def test_zeros_behind_a_line_keep_their_place_in_a_compaction() -> None:
    log = _ENTITY + b"\0\0\0\n" + _LINES[3] + b"\0\0\0"
    assert compact(log).content == log + b"\n"


def test_a_compaction_makes_no_torn_call_of_one_with_a_hole() -> None:
    """The lines behind it, which show that it is not the last call, may say nothing any more."""
    hole = b'\0\0\0,"continues":true}\n'
    gone = encode_call((Entity("Bob", "person", (), UNKNOWN),)) + encode_call(
        (Tombstone("entity", None, None, "Bob", ()),)
    )
    for call in (_ENTITY + b"\n", gone + _ENTITY + b"\n", gone):
        log = _ENTITY + b"\n" + hole + call + gone
        compacted = compact(log).content
        assert _shown(_reading_of(compacted).graph) == _shown(_reading_of(log).graph)
        assert not _reading_of(compacted).torn
        assert compact(compacted).content == compacted


def _reading_of(content: bytes) -> Reading:
    return Reading.of(content, lambda _content: None)


def _shown(graph: Graph) -> object:
    return [entity.result for entity in graph], list(graph.relations.values())
