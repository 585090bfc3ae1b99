"""What a reading takes in as its file grows is what it would take in at once."""

from __future__ import annotations

from mnemolog.store.files import Identity
from mnemolog.store.reading import Reading

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
