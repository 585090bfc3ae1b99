"""Importing: a store is read as a stream, and what is new of it written in calls of some thousand.

Each call is whole: an import that is interrupted has taken in what its calls said, and running it
again brings the rest. It holds a batch at a time, and the relations whose ends have not come yet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from mnemolog.edits.edit import LARGEST_CALL_BYTES
from mnemolog.errors import UnreadableSource
from mnemolog.graph import Graph
from mnemolog.importing.checks import checked, size_of
from mnemolog.importing.destination import Destination
from mnemolog.importing.intake import Batch, Taken, batch_of
from mnemolog.importing.report import Counts
from mnemolog.interchange.formats import format_of
from mnemolog.interchange.sources import Format, Found, Item, Refused, refusal
from mnemolog.records import Relation
from mnemolog.results import ImportProgress, ImportSteps

CALL_RECORDS: Final = 4000
"""How many records are written at once: each call is synced, and held whole."""


def import_steps(
    path: Path, destination: Destination, *, format_name: str | None = None, dry_run: bool = False
) -> ImportSteps:
    """Take in a store step by step; in a dry run nothing is saved.

    Raises:
        UnreadableSource: There is no store that can be read.
        InvalidRequest: There is no such format.
    """
    path = _expanded(path)
    chosen = format_of(path, format_name)
    destination.refuse_itself(path)
    counts = Counts()
    save = destination.rehearse if dry_run else destination.save
    run = Run(save, counts, CALL_RECORDS, rehearsed=Graph() if dry_run else None)
    for batch in run.batches(_items(path, chosen)):
        run.take(batch)
        yield ImportProgress(counts.records, counts.part)
    run.refuse_waiting()
    return counts.report(str(path), chosen.name, dry_run=dry_run)


def _expanded(path: Path) -> Path:
    try:
        return path.expanduser()
    except RuntimeError as error:  # the home folder of somebody who is not there
        raise UnreadableSource(path, f"{error} Write its path out.") from error


def _items(path: Path, chosen: Format) -> Iterator[Item]:
    """Yield what a store holds; where it cannot be read to its end, that is a problem of it."""
    has_begun = False
    try:
        for item in chosen.read(path):
            has_begun = True
            yield item
    except UnreadableSource as error:
        if not has_begun:
            raise
        yield Refused("the rest", error.reason, "error")
    except OSError as error:
        if not has_begun:
            raise UnreadableSource(path, refusal(error)) from error
        yield Refused("the rest", refusal(error), "error")


class Run:
    """One import: its batches, and the relations that wait for their ends."""

    def __init__(
        self,
        save: Callable[[Batch], Taken],
        counts: Counts,
        call_records: int,
        *,
        rehearsed: Graph | None = None,
    ) -> None:
        self._save = save
        self._counts = counts
        self._call_records = call_records
        self._rehearsed = rehearsed
        self._waiting: list[Found] = []
        self._missing: frozenset[str] = frozenset()

    def batches(self, source: Iterator[Item]) -> Iterator[list[Found]]:
        """Yield the records of each call; last the relations whose ends had not come yet."""
        while batch := self._next_batch(source):
            yield batch
        late, self._waiting = self._waiting[::-1], []
        self._missing = frozenset()
        while late:
            yield [late.pop() for _ in range(min(self._call_records, len(late)))]

    def take(self, batch: list[Found]) -> None:
        """Save what a batch says that is new."""
        taken = self._save(batch_of([found.record for found in batch], self._rehearsed))
        self._counts.add(taken)
        self._waiting += (batch[place] for place in taken.waiting)
        self._missing |= taken.missing

    def refuse_waiting(self) -> None:
        """Report the relations whose ends have never come."""
        for found in self._waiting:
            ends = found.record.key[:2] if isinstance(found.record, Relation) else ()
            missing = " and ".join(repr(e[:60]) for e in dict.fromkeys(ends) if e in self._missing)
            self._counts.note(Refused(found.place, f"no entity is named {missing}", "skipped"))

    def _next_batch(self, source: Iterator[Item]) -> list[Found]:
        batch: list[Found] = []
        size = 0
        for item in source:
            for kept in checked(item):
                self._counts.note(kept)
                if isinstance(kept, Found):
                    batch.append(kept)
                    size += size_of(kept.record)
            if len(batch) >= self._call_records or size >= LARGEST_CALL_BYTES:
                break
        return batch
