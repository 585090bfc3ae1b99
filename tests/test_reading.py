"""What a reading takes in as its file grows is what it would take in at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mnemolog.graph import Graph
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


def _shown(graph: Graph) -> object:
    return [entity.result for entity in graph], list(graph.relations.values())
