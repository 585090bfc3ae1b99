"""Vaults in which many notes have one title, and many links call it."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from types import FrameType

import vaults
from mnemolog.interchange.markdown.markdown_notes import FORMAT
from mnemolog.interchange.sources import Found
from mnemolog.records import Relation
from vaults import Write

vault = vaults.vault
write = vaults.write


def test_a_title_of_many_notes_is_looked_for_once_in_a_folder(vault: Path, write: Write) -> None:
    for number in range(100):
        write(f"{number % 2}/{number}.md", "---\ntitle: Daily\n---\n" + "- [[Daily]]\n\n" * 10)
    calls: Counter[str] = Counter()

    def count(frame: FrameType, event: str, _: object) -> None:
        calls[frame.f_code.co_name] += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        found = [item.record for item in FORMAT.read(vault) if isinstance(item, Found)]
    finally:
        sys.setprofile(before)
    assert {r.target for r in found if isinstance(r, Relation)} == {"Daily", "Daily (1)"}
    assert 0 < calls["distance"] <= 2 * 100
