"""What an import did, counted as it goes: numbers of any size, and lists of the first few."""

from __future__ import annotations

from typing import Final

from mnemolog.halves import without_halves
from mnemolog.importing.intake import Taken
from mnemolog.interchange.sources import Found, Item, Reached, Refused
from mnemolog.records import Entity
from mnemolog.results import FactWarning, ImportProblem, ImportReport
from mnemolog.screener import about_text

LISTED: Final = 50
"""How many problems of a kind, and how many warnings, a report lists."""

_LONGEST_PLACE: Final = 300


class Counts:
    """The numbers of one import."""

    def __init__(self) -> None:
        self.records = 0
        self.part: float | None = None
        self._entities = 0
        self._created = 0
        self._observations = 0
        self._relations = 0
        self._lines = 0
        self._errors = _Problems()
        self._skipped = _Problems()
        self._warnings: list[FactWarning] = []
        self._warned = {"secret": 0, "instruction_like": 0}

    def note(self, item: Item) -> None:
        """Count something that was read."""
        if isinstance(item, Reached):
            self.part = item.part
        elif isinstance(item, Refused):
            (self._errors if item.kind == "error" else self._skipped).add(item)
        else:
            self._count(item)

    def _count(self, found: Found) -> None:
        self.records += 1
        self._entities += isinstance(found.record, Entity) and not found.more

    def add(self, taken: Taken) -> None:
        """Count what was new in a batch, and look at it."""
        self._created += taken.entities
        self._observations += len(taken.facts)
        self._relations += taken.relations
        self._lines += taken.lines
        for name, text in taken.facts:
            for warning in about_text(name, text):
                self._warned[warning.kind] += 1
                if len(self._warnings) < LISTED:
                    self._warnings.append(warning)

    def report(self, source: str, format_name: str, *, dry_run: bool) -> ImportReport:
        """Return what has been counted."""
        errors, skipped = self._errors, self._skipped
        return ImportReport(
            source=without_halves(source),
            format=format_name,
            dry_run=dry_run,
            entities_imported=self._entities,
            entities_created=self._created,
            observations_imported=self._observations,
            relations_imported=self._relations,
            errors=errors.count,
            skipped=skipped.count,
            lines_added=self._lines,
            error_list=tuple(errors.first) or None,
            skipped_list=tuple(skipped.first) or None,
            problems_omitted=errors.omitted + skipped.omitted or None,
            warnings=tuple(self._warnings) or None,
            secrets=self._warned["secret"] or None,
            instruction_like=self._warned["instruction_like"] or None,
        )


class _Problems:
    def __init__(self) -> None:
        self.count = 0
        self.first: list[ImportProblem] = []

    @property
    def omitted(self) -> int:
        return self.count - len(self.first)

    def add(self, refused: Refused) -> None:
        self.count += 1
        if len(self.first) < LISTED:
            place = without_halves(refused.place)[:_LONGEST_PLACE]
            self.first.append(ImportProblem(place, without_halves(refused.reason)[:_LONGEST_PLACE]))
