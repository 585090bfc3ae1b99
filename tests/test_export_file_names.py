"""Every entity gets a file name that every file system takes."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from exported_graphs import NAMES
from mnemolog.interchange.exporting.file_names import LONGEST_BYTES, file_stems

DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


def alike(stem: str) -> str:
    return unicodedata.normalize("NFD", stem).upper().lower()


@given(st.lists(st.text(max_size=150).filter(lambda t: t.isascii() or t.encode(errors="ignore"))))
@example(list(NAMES))
@example(["con", "CON.txt", "Lpt9", "com¹", "nul.", "a/b", "a:b", "a\\b", "A/B"])
def test_every_name_is_one_that_every_file_system_takes(names: list[str]) -> None:
    stems = file_stems(dict.fromkeys(names), taken=("index",))
    for stem in stems.values():
        assert stem
        assert len(f"{stem}.md".encode()) <= LONGEST_BYTES + 20
        assert not re.search(r'[\x00-\x1f<>:"/\\|?*\s\u202a-\u202e]', stem)
        assert not stem.startswith(("-", "."))
        assert not stem.endswith((".", " "))
        assert not DEVICES.fullmatch(stem)
    spelled = [alike(stem) for stem in stems.values()]
    assert len({*spelled, "index"}) == len(names and dict.fromkeys(names)) + 1


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("checkout", "checkout"),
        ("src/app.py", "src-app.py"),
        ("Lampe 💡", "Lampe-💡"),
        ("灯台", "灯台"),
        ("..", "entity"),
        ("nul.log", "_nul.log"),
        ("console", "console"),
        ("  two   words ", "two-words"),
    ],
)
def test_a_name_stays_as_readable_as_it_can(name: str, stem: str) -> None:
    assert file_stems([name]) == {name: stem}


def test_names_that_differ_only_in_case_are_counted() -> None:
    stems = file_stems(["README", "readme", "ReadMe", "readme-2"])
    assert [*stems.values()] == ["README", "readme-2", "ReadMe-3", "readme-2-2"]
