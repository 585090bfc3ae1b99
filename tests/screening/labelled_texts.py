"""Labelled texts, all invented, and how well a warning does on them.

A text belongs to the part that was looked at while building or to the one that was held out, by a
hash of itself. Texts that say `"part": "unseen"` were written when the patterns were finished.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal, TypeAlias

FOLDER = Path(__file__).parent

Row: TypeAlias = dict[str, str]
Part: TypeAlias = Literal["looked at", "held out", "unseen"]


def labelled(file: str) -> list[Row]:
    lines = (FOLDER / file).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def part_of(row: Row) -> str:
    text = row["text"] if "text" in row else f"{row['old']}\n{row['new']}"
    is_held_out = sha256(text.encode()).digest()[0] % 2 == 1
    return row.get("part", "held out" if is_held_out else "looked at")


@dataclass(frozen=True, slots=True)
class Score:
    hits: int
    misses: int
    false_alarms: int
    passed: int

    @property
    def precision(self) -> float:
        return self.hits / (self.hits + self.false_alarms)

    @property
    def recall(self) -> float:
        return self.hits / (self.hits + self.misses)

    @property
    def false_alarm_rate(self) -> float:
        return self.false_alarms / (self.false_alarms + self.passed)


def score(rows: Iterable[Row], label: str, warns: Callable[[Row], bool]) -> Score:
    verdicts = [(row["label"] == label, warns(row)) for row in rows]
    count = verdicts.count
    return Score(
        count((True, True)), count((True, False)), count((False, True)), count((False, False))
    )
