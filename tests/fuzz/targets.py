"""Everything that is fuzzed: what takes the bytes, and bytes to begin with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import sqlite_stores
from lines import check_file, check_line
from memory_files import check_memory_file
from messages import check_message
from openings import check_openings
from sources import check_database, check_json, check_notes, check_odd_rows, sound_database
from tool_calls import check_calls

CORPUS: Final = Path(__file__).with_name("corpus")
"""A folder for each target: where fuzzing begins, and everything that it once found."""


@dataclass(frozen=True, slots=True)
class Target:
    """Code that takes bytes from outside."""

    name: str
    check: Callable[[bytes], None]
    """Returns if everything holds that has to; raises whatever comes otherwise."""
    largest_bytes: int = 2048
    built: Callable[[], Iterator[bytes]] = lambda: iter(())
    """Makes inputs that are too large to lie in the corpus."""
    words: tuple[str, ...] = ()
    """What its inputs are made of."""

    def seeds(self) -> list[bytes]:
        """Return the inputs to begin with."""
        files = sorted((CORPUS / self.name).glob("*"))
        return [*(file.read_bytes() for file in files), *self.built()]


def _databases() -> Iterator[bytes]:
    yield from (sound_database(name) for name in sqlite_stores.STORES)


_KEYS: Final = tuple(
    f'"{key}":'
    for key in (
        *("type", "name", "entityType", "observations", "from", "to", "relationType", "of"),
        *("continues", "added_at", "agent", "edited_at", "edited_by", "priority", "sources"),
        *("entity", "observation", "superseded_at", "superseded_by", "replaced_by", "removed_at"),
        *("format", "repo", "commit", "root", "_type", "source", "target", "entities", "relations"),
    )
)
_VALUES: Final = (
    *('"entity"', '"relation"', '"tombstone"', '"superseded"', '"header"', '"Lamp"', '"is on"'),
    *("true", "null", "NaN", "1e999", "[]", "{}", "[[", "}{", "\n", "\r", "\\ud83d", "\\u0000"),
    *("\ufeff", "\u2028", "<<<<<<< HEAD\n", '"high"', "\x00"),
)
_OPENINGS: Final = (
    *('"at":', '"entity":', '"to":', '"Lamp"', '"Desk"', "T00:00:00", "+23:59", "-24:00", "Z"),
    *("0001-01-01", "9999-12-31", "1970-01-01", "2026-W01-1", "\n", "null", "[]", "1e999"),
)
_MARKDOWN: Final = (
    *("---\n", "title: ", "tags: [", "- [fact] ", "- uses [[", "]]", "# ", "## ", "\n\n", "```\n"),
    *("type: &a ", "*a", "permalink: ", "!!python/object:", "#tag", "(context)", "\n=====\n"),
    *("2026-11-29", "- ", "  - ", "> ", "[x](y.md)", "+++\n", "\ufeff", "\r\n"),
)

TARGETS: Final = {
    target.name: target
    for target in (
        Target("lines", check_line, words=_KEYS + _VALUES),
        Target("files", check_file, words=_KEYS + _VALUES),
        Target("memory_files", check_memory_file, words=_KEYS + _VALUES),
        Target("json", check_json, words=_KEYS + _VALUES),
        Target("notes", check_notes, words=_MARKDOWN),
        Target("databases", check_database, largest_bytes=64 * 1024, built=_databases),
        Target("odd_rows", check_odd_rows, largest_bytes=256),
        Target("calls", check_calls, largest_bytes=1024),
        Target("openings", check_openings, words=_OPENINGS),
        Target("messages", check_message, words=_KEYS),
    )
}
