"""The memory that an import goes to."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

from mnemolog.errors import UnreadableSource
from mnemolog.importing.intake import Batch, Taken
from mnemolog.store.memory_file import MemoryFile
from mnemolog.writer import Writer


@dataclass(frozen=True, slots=True)
class Destination:
    """One memory file; other calls may come between those of an import."""

    path: Path
    file: MemoryFile
    writer: Writer
    turn: threading.RLock
    agent: str
    """Who imports: what comes along has agents of its own, but a header may be due."""

    def save(self, batch: Batch) -> Taken:
        """Save what a batch says that is new, as one call."""
        with self.turn:
            taken = self.file.save(batch, self.writer.tags(self.agent))
            if taken.lines:
                # What this process saved before is not the last call any more, and an import is
                # too much to take back: the graph may have grown on it.
                self.writer.forget_steps()
            return taken

    def rehearse(self, batch: Batch) -> Taken:
        """Return what `save` would, and leave everything as it is."""
        with self.turn:
            return batch(self.file.read()).result

    def refuse_itself(self, source: Path) -> None:
        """Refuse to import a memory into itself.

        Raises:
            UnreadableSource: The source is the file that the import would write to.
        """
        if self.path.exists() and source.exists() and self.path.samefile(source):
            raise UnreadableSource(source, "it is this memory itself, so there is nothing to do.")
