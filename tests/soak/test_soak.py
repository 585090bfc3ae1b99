"""Processes that do everything at random to one memory lose nothing, and leave no half call."""

from __future__ import annotations

from pathlib import Path

from faultlab import IS_SOAK, needs_linux
from repositories import needs_git
from soaking import Extent, run

_SEED = 7
_SOAK_SECONDS = 180.0


@needs_linux
@needs_git
def test_nothing_is_lost_whatever_happens_meanwhile(tmp_path: Path) -> None:
    each_fault_once = Extent(operations_between_faults=(3, 3))
    extent = Extent(seconds=_SOAK_SECONDS) if IS_SOAK else each_fault_once
    figures = run(tmp_path, _SEED, extent, processes=8 if IS_SOAK else 6)
    assert figures["whole checks"] > 10
    assert figures["facts standing at the end"] > 0
    assert not [*tmp_path.iterdir()]
