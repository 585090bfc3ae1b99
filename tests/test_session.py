"""The session that the README shows is one that real clients and real servers have played."""

from __future__ import annotations

import re
from runpy import run_path
from typing import Final

from documents import PROJECT, README, blocks

MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d[+-]\d\d:\d\d)?")
BEGINNING: Final = "claude-code> create_entities"


def without_moments(text: str) -> str:
    return MOMENT.sub("<when>", text)


def test_the_session_in_the_readme_is_what_a_session_prints() -> None:
    (shown,) = (text for text in blocks(README, "text") if text.startswith(BEGINNING))
    played: str = run_path(str(PROJECT / "scripts" / "session.py"))["transcript"]()
    assert without_moments(shown) == without_moments(f"{played}\n")
