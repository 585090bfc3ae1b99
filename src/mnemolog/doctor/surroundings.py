"""Checks of what lies beside the memory file, and of other memories of the same project."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from mnemolog.doctor.examination import Examination
from mnemolog.doctor.finding import Finding
from mnemolog.store.access import AccessLog
from mnemolog.store.files import is_temporary_of
from mnemolog.store.location import FILE, FOLDER

TEMPORARIES: Final = "temporary_file"

OLD_SECONDS: Final = 600
"""No write takes so long that its temporary file is still needed."""

# What stands between a file's stem and its suffix in a copy of it.
_CONFLICT_WORDS: Final = re.compile("conflict|konflikt|conflit|conflicto|conflitto", re.IGNORECASE)
_NUMBERED: Final = re.compile(r" \d{1,3}| \(\d{1,3}\)")
_COMPUTER: Final = re.compile(r"-[\w-]{1,63}")
_ONEDRIVE: Final = re.compile(r"onedrive\b", re.IGNORECASE)


def torn_files(examination: Examination) -> Iterator[Finding]:
    """Yield the calls that were cut off and set aside."""
    prefix = f"{examination.path.name}.torn-"
    for place, status in examination.folder_files.items():
        if place.name.startswith(prefix):
            yield Finding(
                "remark",
                "torn_file",
                f"{status.st_size:,} bytes of a call that was cut off were set aside. Nobody "
                "was told that it was saved.",
                str(place),
                "Look whether something in it is worth saving again; then delete the file.",
            )


def temporaries(examination: Examination) -> Iterator[Finding]:
    """Yield what killed writers have left."""
    for place in old_temporaries(examination):
        yield Finding(
            "remark",
            TEMPORARIES,
            "A program was killed here while it wrote, before its file had its name.",
            str(place),
            "Delete it, as --fix does and the next write to the memory may do.",
            is_fixable=True,
        )


def old_temporaries(examination: Examination) -> Iterator[Path]:
    """Yield the temporary files that nobody is writing any more."""
    memory = examination.path
    for place, status in examination.folder_files.items():
        is_ours = any(is_temporary_of(p, place.name) for p in (memory, AccessLog(memory).path))
        if is_ours and time.time() - status.st_mtime > OLD_SECONDS:
            yield place


def conflicted_copies(examination: Examination) -> Iterator[Finding]:
    """Yield the copies that sync services make when two machines have written."""
    for place, status in examination.folder_files.items():
        if status.st_size and _is_conflicted_copy(place, examination.path):
            yield Finding(
                "problem",
                "conflicted_copy",
                "A sync service has made a copy, as it does when two machines have written. Its "
                "facts are not in the memory.",
                str(place),
                f"Bring them along with 'mnemolog import {shlex.quote(str(place))}', then delete "
                "the copy.",
            )


def _is_conflicted_copy(place: Path, memory: Path) -> bool:
    name, stem, suffix = place.name, memory.stem, memory.suffix
    if not name.startswith(stem) or not name.endswith(suffix) or name == memory.name:
        return False
    between = name[len(stem) : len(name) - len(suffix)]
    if _CONFLICT_WORDS.search(between) or _NUMBERED.fullmatch(between):
        return True
    # OneDrive adds the computer's name, which elsewhere is how people tell their files apart.
    is_in_onedrive = any(_ONEDRIVE.match(part) for part in memory.parts)
    return is_in_onedrive and _COMPUTER.fullmatch(between) is not None


def other_memories(examination: Examination) -> Iterator[Finding]:
    """Yield memories in the default place that are of this project, and not the one in use."""
    start = examination.start.resolve()
    folders = [f for f in (start, *start.parents) if f.is_relative_to(examination.project)]
    if repository := examination.location.repository:
        folders.append(repository)
    for folder in dict.fromkeys(folders):
        place = folder / FOLDER / FILE
        if place.is_file() and place.stat().st_size and place.resolve() != examination.path:
            yield Finding(
                "remark",
                "other_memory",
                f"Another memory of this project lies here, which is not read: {examination.path} "
                "is in use.",
                str(place),
                f"Bring it along with 'mnemolog import {shlex.quote(str(place))}', then delete it.",
            )
