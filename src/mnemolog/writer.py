"""What every write goes through: planned once, saved, and remembered for undo."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import Final, TypeAlias, TypeVar

from mnemolog.edits.edit import Edit, PlannedOnce
from mnemolog.edits.undo import (
    States,
    Step,
    renamed_by,
    states_of,
    subjects_of,
    take_back,
    turns_since,
)
from mnemolog.errors import InvalidRequest, MnemologError, NotDurable
from mnemolog.graph import Graph
from mnemolog.records import ObservationTags
from mnemolog.results import (
    AddedObservations,
    CreatedEntities,
    CreatedRelations,
    DeletedEntities,
    DeletedObservations,
    DeletedRelations,
    EditedObservation,
    MergedEntities,
    RenamedEntity,
    SupersededObservation,
    Undone,
)
from mnemolog.store.access import AccessLog
from mnemolog.store.memory_file import MemoryFile

WriteResultT = TypeVar(
    "WriteResultT",
    CreatedEntities,
    CreatedRelations,
    AddedObservations,
    EditedObservation,
    SupersededObservation,
    RenamedEntity,
    MergedEntities,
    DeletedEntities,
    DeletedObservations,
    DeletedRelations,
)
Plan: TypeAlias = Callable[[Graph, ObservationTags], Edit[WriteResultT]]

_STEPS_KEPT: Final = 100
"""How many calls can be taken back."""

_SIZE_KEPT: Final = 16 * 1024 * 1024
"""How much text they may concern, in characters; the last one is kept whatever its size."""


class Writer:
    """Saves the edits of one memory."""

    def __init__(
        self,
        file: MemoryFile,
        access: AccessLog,
        clock: Callable[[], datetime],
    ) -> None:
        self._file = file
        self._access = access
        self._clock = clock
        self._steps: deque[tuple[Step, int]] = deque(maxlen=_STEPS_KEPT)
        self._has_told_of_other_writers = False

    def tags(self, agent: str) -> ObservationTags:
        """Return the tags of what an agent says now."""
        return ObservationTags(self._clock().isoformat(timespec="seconds"), agent)

    def write(self, title: str, agent: str, plan: Plan[WriteResultT]) -> WriteResultT:
        """Carry out the edit that `plan` makes of the current graph, whole or not at all."""
        tags = self.tags(agent)
        before: States = {}

        def noted(graph: Graph) -> Edit[WriteResultT]:
            nonlocal before
            edit = plan(graph, tags)
            before = states_of(graph, subjects_of(edit.records))
            return edit

        try:
            result = self._file.save(PlannedOnce(noted), tags)
        except NotDurable:
            # Its lines are in the file all the same: undo must not take back the call before it.
            with suppress(MnemologError):
                self._remember(title, before, self._file.look())
            raise
        graph = self._file.last_read
        self._remember(title, before, graph)
        if self._has_told_of_other_writers or not graph.has_untagged_lines:
            return result
        self._has_told_of_other_writers = True
        return replace(result, notice=OTHER_WRITERS)

    def undo(self, agent: str) -> Undone:
        """Take back the last call that was saved here; again, the one before.

        Raises:
            InvalidRequest: There is none, or something of it has changed since.
        """
        if not self._steps:
            raise InvalidRequest(
                "There is nothing to take back that this server remembers: it has saved nothing "
                "since it started, or since an import, that was not taken back already."
            )
        step, _size = self._steps[-1]
        try:
            result = self.take_back(step, agent)
        except NotDurable:
            self._steps.pop()
            raise
        self._steps.pop()
        return result

    def take_back(self, step: Step, agent: str) -> Undone:
        """Put everything that a call changed back as it was before, whoever made it.

        Raises:
            InvalidRequest: Something of it has changed since.
        """
        tags = self.tags(agent)
        result = self._file.save(lambda graph: take_back(graph, step, tags), tags)
        if names := renamed_by(step):
            old, new = names
            self._access.move(new, old, self._clock())
        return result

    def _remember(self, title: str, before: States, graph: Graph) -> None:
        """Note a call, and what it left: not what others have made of that since."""
        turns = turns_since(before, graph)
        if not turns:
            return
        size = sum(len(part) for subject in turns for part in subject)
        self._steps.append((Step(title, turns), size))
        while len(self._steps) > 1 and sum(size for _, size in self._steps) > _SIZE_KEPT:
            self._steps.popleft()

    def forget_steps(self) -> None:
        """Let nothing be taken back any more: the file is another one."""
        self._steps.clear()


OTHER_WRITERS: Final = (
    "This file also has facts that another memory server wrote; all of them are read. If that "
    "server still writes to the file, it keeps the facts, but drops dates and agents, brings "
    "removed facts back, and overwrites what is saved at the same moment: point every client at "
    "mnemolog."
)
