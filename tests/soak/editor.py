"""A person with an editor: lines of their own, saved as editors save."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from merging import Side
from mnemolog.interchange import records_of_document
from mnemolog.store.reading import Reading
from model import State, Thing

OWNER: Final = "Editor"
_NAME: Final = f"{OWNER} notes"
_LOOKS: Final = 100
_STRANGERS: Final = (
    '{"type":"_aim","source":"mcp-knowledge-graph","n":%d}',
    "<<<<<<< branch-%d",
    '{"type":"gotchas","items":{"g%d":"check the fuse"}}',
    "# a remark, number %d",
)


@dataclass(frozen=True, slots=True)
class Edit:
    """Lines to add."""

    lines: bytes
    said: State
    """What our programs read of them."""
    stranger: bytes
    """The line among them that only others can read."""


class Editor:
    """Adds lines, good ones and ones that no program of ours can read, to the memory file."""

    def __init__(self, path: Path, seed: int) -> None:
        self.side = Side({})
        self.strangers: list[bytes] = []
        """The lines of others that must be in the file for good."""
        self._path = path
        self._dice = random.Random(f"{seed} {OWNER}")  # noqa: S311 - a seed makes it repeatable
        self._number = 0

    def compose(self) -> Edit:
        """Return something to add."""
        self._number += 1
        text = f"{OWNER} fact {self._number}"
        entity = {"type": "entity", "name": _NAME, "entityType": "notes", "observations": [text]}
        stranger = (self._dice.choice(_STRANGERS) % self._number).encode()
        said: dict[Thing, str] = {(_NAME,): "notes", (_NAME, text): "true"}
        return Edit(json.dumps(entity).encode() + b"\n" + stranger + b"\n", said, stranger)

    def take_in(self, edit: Edit) -> None:
        """Take for granted that the edit is in the file from now on."""
        self.side.touched |= edit.said.keys()
        self.side.state = {**self.side.state, **edit.said}
        self.strangers.append(edit.stranger)

    def save_by_renaming(self, lines: bytes) -> None:
        """Write the whole content anew, to a file that takes the place of the old one."""
        content = self._loaded()
        new = self._path.with_name("memory.jsonl.swp")
        new.write_bytes(content + b"\n" * (not content.endswith(b"\n")) + lines)
        new.chmod(0o600)
        new.replace(self._path)

    def append_in_place(self, lines: bytes) -> None:
        """Append, without any lock."""
        with self._path.open("ab", buffering=0) as file:
            file.write(lines)

    def save_in_place(self, lines: bytes) -> None:
        """Write the whole content anew over the old one: for a moment the file is cut."""
        content = self._loaded()
        self._path.write_bytes(content + b"\n" * (not content.endswith(b"\n")) + lines)

    def _loaded(self) -> bytes:
        """Return the content, when no call is half written: a person reads it again till then."""
        for _ in range(_LOOKS):
            content = self._path.read_bytes()
            if not Reading.of(content, records_of_document).torn:
                return content
        raise AssertionError("a call stays half written though nobody was killed")
