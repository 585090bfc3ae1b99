"""The log read back as the calls that wrote it: when, who, and what was different afterwards.

A compaction drops lines that say nothing any more and takes calls apart into single lines, so what
stands in front of a call is not always what the call found. A call of several lines was written
after the last compaction, and so was everything behind it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeAlias

from mnemolog.collector import collector_paused
from mnemolog.declarations import declared, described
from mnemolog.edits.undo import (
    State,
    Step,
    Turns,
    is_mark,
    states_of,
    subjects_of,
    turns_since,
)
from mnemolog.filters import last_change, moment_of
from mnemolog.graph import Graph
from mnemolog.history.changes import Change, changes_of
from mnemolog.records import ObservationTags, Record, Superseded, Tombstone
from mnemolog.store.runs import Run, runs_in
from mnemolog.subjects import EntityKey, Subject, entities_of, mentioned_in

Stamp: TypeAlias = tuple[str | None, str | None]
"""When, and by whom."""


@dataclass(frozen=True, slots=True)
class Call:
    """One call, or a line that stands alone, and what it changed."""

    line: int
    """The number of its first line, from 1."""
    last_line: int
    stamp: Stamp
    """When its lines say that it was made, and by whom; what was there before keeps its own."""
    turns: Turns
    restored: frozenset[Subject]
    """What was there before in just this state."""
    is_whole: bool
    """Whether it is certain that all of it is here: no compaction has taken lines of it."""
    is_remnant: bool
    """Whether it looks like what a compaction has left of a call."""
    is_undo: bool
    """Whether it took another call back."""

    @property
    def changes(self) -> tuple[Change, ...]:
        """What it changed."""
        return changes_of(self.turns, self.restored)

    @property
    def step(self) -> Step:
        """What undo needs to take it back."""
        return Step(f"The call at line {self.line}", self.turns)

    def is_about(self, name: str) -> bool:
        """Return whether it changed an entity, or a relation of it."""
        return any(name in entities_of(subject) for subject in self.turns)

    def may_continue(self, previous: Call) -> bool:
        """Return whether the two may be lines of one call that a compaction has taken apart."""
        are_lines = self.line == self.last_line and previous.line == previous.last_line
        is_dated_alike = self.stamp[0] is not None and self.stamp == previous.stamp
        return are_lines and is_dated_alike and not self.is_whole

    def takes_back(self, other: Call) -> bool:
        """Return whether it is the undo of another call."""
        ours, theirs = self.turns, other.turns
        # An entity may outlive the call that created it, by what others have said of it since, and
        # go with the undo of the last of that.
        apart = {s: old for s, (old, _) in theirs.items() if s not in ours}
        apart |= {s: new for s, (_, new) in ours.items() if s not in theirs}
        if not self.is_undo or any(
            state is not None or not isinstance(s, EntityKey) for s, state in apart.items()
        ):
            return False
        shared = ours.keys() & theirs.keys()
        return bool(shared) and all(ours[s] == theirs[s][::-1] for s in shared)


def calls_in(content: bytes) -> Iterator[Call]:
    """Yield the calls of a log that changed something, in file order."""
    replay = _Replay()
    for run in _counted_runs(content):
        call = replay.follow(run)
        if call is not None:
            yield call


def whole_part(content: bytes) -> bytes:
    """Return the log without a last call that was cut off while it was written."""
    end = 0
    for run in _counted_runs(content):
        end = run.lines[-1].end
    return content[:end]


def _counted_runs(content: bytes) -> Iterator[Run]:
    last: Run | None = None
    for run in runs_in(content):
        if last is not None:
            yield last
        last = run
    if last is not None and not last.is_torn:
        yield last


class _Replay:
    """A graph that grows line by line, and what each thing in it has been."""

    def __init__(self) -> None:
        self._graph = Graph()
        self._past: dict[Subject, set[State]] = {}
        self._newest: datetime | None = None
        self._last: Call | None = None
        self._is_uncompacted = False

    def follow(self, run: Run) -> Call | None:
        """Let a run count, and return it as a call if it changed something."""
        records = tuple(run.records)
        is_run = sum(bool(placed.line.records) for placed in run.lines) > 1
        self._is_uncompacted = self._is_uncompacted or is_run
        turns = self._turns(records)
        if not turns:
            return None
        restored = frozenset(s for s, turn in turns.items() if turn[1] in self._past.get(s, ()))
        call = Call(
            run.lines[0].number,
            run.lines[-1].number,
            _latest(r for r in records if restored.isdisjoint(mentioned_in(r))),
            turns,
            restored,
            is_whole=self._is_uncompacted,
            is_remnant=False,
            is_undo=is_mark(records[-1]),
        )
        if not is_run and self._is_left_over(call):
            call = replace(call, is_remnant=True)
        self._remember(call)
        return call

    def _turns(self, records: tuple[Record, ...]) -> Turns:
        before = states_of(self._graph, subjects_of(records))
        self._graph.apply_all(records)
        return turns_since(before, self._graph)

    def _is_left_over(self, call: Call) -> bool:
        """Return whether a single line cannot have been a whole call, as far as one can tell."""
        if any(
            _has_lost_what_was_before(*call.turns[s]) for s in call.turns.keys() - call.restored
        ):
            return True
        last = self._last
        if last is not None and call.may_continue(last):
            return last.is_remnant or any(_takes_away(new) for _, new in call.turns.values())
        return not call.is_whole and self._is_late(call)

    def _is_late(self, call: Call) -> bool:
        """Return whether it brings something with an older date than what stands before it."""
        moment = moment_of(call.stamp[0])
        is_late = moment is not None and self._newest is not None and moment < self._newest
        return is_late and any(old is None for old, _ in call.turns.values())

    def _remember(self, call: Call) -> None:
        self._last = call
        for subject, (old, _) in call.turns.items():
            if old is not None:
                self._past.setdefault(subject, set()).add(old)
        moment = moment_of(call.stamp[0])
        if moment is not None and (self._newest is None or moment > self._newest):
            self._newest = moment


def _has_lost_what_was_before(old: State, new: State) -> bool:
    """Return whether something turns up that must have been there: edited, or no longer true."""
    is_edited = isinstance(new, ObservationTags) and new.edited_at is not None
    return old is None and (is_edited or isinstance(new, Superseded))


def _takes_away(new: State) -> bool:
    return new is None or isinstance(new, Superseded)


def _latest(records: Iterable[Record]) -> Stamp:
    """Return when a call was made, as its removals say, or else its latest line.

    What moves to another name keeps its own date, which a clock that is ahead may have given it.
    """
    said = tuple(records)
    removals = [r for r in said if isinstance(r, Tombstone) and moment_of(r.removed_at) is not None]
    stamps = [_stamp(record) for record in removals or said]
    dated = [(moment, s) for s in stamps if (moment := moment_of(s[0])) is not None]
    if not dated:
        return next((s for s in stamps if s[1] is not None), (None, None))
    return max(dated, key=lambda pair: pair[0])[1]


def _stamp(record: Record) -> Stamp:
    match record:
        case Tombstone():
            return record.removed_at, record.agent
        case Superseded():
            return record.superseded_at, record.superseded_by
        case _:
            return last_change(record.tags)


# --- the calls that people look at ---------------------------------------------------------------


@declared
class LoggedCall:
    """One call of the log."""

    line: int = described("The number of its first line in the file, from 1")
    last_line: int = described("The number of its last line")
    at: str | None = described("When; null where no line says so")
    agent: str | None = described("Which agent; null where no line says so")
    is_undo: bool = described("Whether it took another call back")
    changes: tuple[Change, ...] = described("What was different afterwards")


@declared
class History:
    """The newest calls of a log, and how far it reaches."""

    calls: tuple[LoggedCall, ...] = described("The calls that were asked for, the last one first")
    earlier: int = described("How many more of them are not shown")
    oldest: str | None = described("The earliest date in the log; null where it has none")
    whole_from: int | None = described(
        "The line from which on no compaction has dropped anything; null where none is known to be"
    )
    is_complete: bool = described("True where that is the first call that there is")


def about(changes: Iterable[Change], name: str) -> tuple[Change, ...]:
    """Return the changes of an entity and of its relations."""
    return tuple(change for change in changes if name in change.names)


Wanted: TypeAlias = Callable[[Call], bool]


def newest(calls: Iterable[Call], is_wanted: Wanted, limit: int | None) -> History:
    """Return the last calls that are wanted, the last one first; all of them without a limit."""
    kept: deque[Call] = deque(maxlen=limit)
    reach = _Reach()
    found = 0
    with collector_paused():
        for call in calls:
            reach.include(call)
            if is_wanted(call):
                kept.append(call)
                found += 1
        logged = tuple(_logged(call) for call in reversed(kept))
    whole_from = reach.whole_from
    return History(logged, found - len(kept), reach.oldest, whole_from, whole_from == reach.first)


class _Reach:
    """How far back calls go."""

    def __init__(self) -> None:
        self.oldest: str | None = None
        self.whole_from: int | None = None
        self.first: int | None = None
        self._moment: datetime | None = None

    def include(self, call: Call) -> None:
        if self.first is None:
            self.first = call.line
        if self.whole_from is None and call.is_whole:
            self.whole_from = call.line
        moment = moment_of(call.stamp[0])
        if moment is not None and (self._moment is None or moment < self._moment):
            self._moment, self.oldest = moment, call.stamp[0]


def _logged(call: Call) -> LoggedCall:
    return LoggedCall(call.line, call.last_line, *call.stamp, call.is_undo, call.changes)


# --- what undo takes back ------------------------------------------------------------------------


def not_taken_back(calls: Iterable[Call]) -> tuple[Call, ...]:
    """Return the calls without those that a later one has taken back, and without that one."""
    standing: dict[int, Call] = {}
    by_subjects: dict[frozenset[Subject], list[Call]] = {}
    for call in calls:
        fixed = frozenset(s for s in call.turns if not isinstance(s, EntityKey))
        alike = by_subjects.setdefault(fixed, [])
        earlier = reversed(alike) if call.is_undo else ()
        undone = next((one for one in earlier if call.takes_back(one)), None)
        if undone is None:
            alike.append(call)
            standing[call.line] = call
        else:
            alike.remove(undone)
            del standing[undone.line]
    return tuple(standing.values())
