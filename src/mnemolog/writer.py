"""What every write goes through: planned once, screened, saved, and remembered for undo."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import datetime
from typing import Final, Generic, TypeAlias, TypeVar

from mnemolog.edits.curation import Fact, retire_contradicted
from mnemolog.edits.edit import Edit
from mnemolog.edits.undo import States, Step, states_of, subjects_of, take_back
from mnemolog.errors import InvalidRequest
from mnemolog.graph import Graph
from mnemolog.records import ObservationTags, Tags
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
from mnemolog.screener import DeletedT, Screener, told_of_secrets
from mnemolog.store.memory_file import MemoryFile

FactsResultT = TypeVar("FactsResultT", CreatedEntities, AddedObservations)
ScreenedResultT = TypeVar(
    "ScreenedResultT", CreatedRelations, EditedObservation, SupersededObservation
)
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


class Writer:
    """Saves the edits of one memory."""

    def __init__(self, file: MemoryFile, screener: Screener, clock: Callable[[], datetime]) -> None:
        self._file = file
        self._screener = screener
        self._clock = clock
        self._steps: deque[Step] = deque(maxlen=_STEPS_KEPT)
        self._has_told_of_other_writers = False

    def tags(self, agent: str) -> ObservationTags:
        """Return the tags of what an agent says now."""
        return ObservationTags(self._clock().isoformat(timespec="seconds"), agent)

    def write(self, title: str, agent: str, plan: Plan[WriteResultT]) -> WriteResultT:
        """Carry out the edit that `plan` makes of the current graph, whole or not at all."""
        tags = self.tags(agent)
        planned = _Planned(lambda graph: plan(graph, tags))
        result = self._file.save(planned, tags)
        if planned.before:
            after = states_of(self._file.look(), planned.before)
            self._steps.append(Step(title, planned.before, after))
        if self._has_told_of_other_writers or not self._file.has_untagged_lines:
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
                "There is nothing to take back: this server has saved nothing since it started, or "
                "since an import, that has not been taken back already."
            )
        step, tags = self._steps[-1], self.tags(agent)
        result = self._file.save(lambda graph: take_back(graph, step, tags), tags)
        self._steps.pop()
        return result

    def forget_steps(self) -> None:
        """Let nothing be taken back any more: the file is another one."""
        self._steps.clear()

    def screened(self, graph: Graph, edit: Edit[ScreenedResultT]) -> Edit[ScreenedResultT]:
        """Return the edit with warnings."""
        warnings = self._screener.screen(graph, edit.records).warnings
        return replace(edit, result=replace(edit.result, warnings=warnings or None))

    def told_of_secrets(self, edit: Edit[DeletedT]) -> Edit[DeletedT]:
        """Return a deletion that says where what looks like a secret still is."""
        return told_of_secrets(edit)

    def screened_facts(
        self,
        graph: Graph,
        edit: Edit[FactsResultT],
        retiring: Collection[Fact],
        tags: Tags,
    ) -> Edit[FactsResultT]:
        """Return the edit with warnings, where the `retiring` facts retire what they contradict."""
        screening = self._screener.screen(graph, edit.records)
        result = replace(edit.result, warnings=screening.warnings or None)
        contradicted = [(new, old) for new, old in screening.contradicted if new in retiring]
        return retire_contradicted(graph, replace(edit, result=result), contradicted, tags)


class _Planned(Generic[WriteResultT]):
    """A plan that is made once for each state of the graph, and what it is going to change."""

    def __init__(self, plan: Callable[[Graph], Edit[WriteResultT]]) -> None:
        self.before: States = {}
        self._plan: Callable[[Graph], Edit[WriteResultT]] = plan
        self._edit: Edit[WriteResultT] | None = None
        self._graph: Graph | None = None
        self._size = 0

    def __call__(self, graph: Graph) -> Edit[WriteResultT]:
        if self._edit is None or graph is not self._graph or graph.said_size != self._size:
            self._graph, self._size = graph, graph.said_size
            self._edit = self._plan(graph)
            self.before = states_of(graph, subjects_of(self._edit.records))
        return self._edit


OTHER_WRITERS: Final = (
    "This file also has facts that another memory server wrote; all of them are read. If that "
    "server still writes to the file, it keeps the facts, but drops dates and agents, brings "
    "removed facts back, and overwrites what is saved at the same moment: point every client at "
    "mnemolog."
)
