"""Everything that can go wrong, as one tree.

    MnemologError
    ├── InvalidRequest          the caller can correct its arguments
    │   ├── EntityNotFound      an entity that had to exist does not
    │   └── ObservationNotFound an observation that had to exist does not
    ├── LocationRefused         no memory may live where the settings point
    ├── OtherRepository         the file holds the memory of another repository
    ├── UnreadableMemory        the file is not a memory, so it is left alone
    ├── NewerFormat             a newer mnemolog wrote the file, so it is left alone
    ├── UnreadableSource        a store of another server cannot be read for an import
    ├── BackupRefused           a file cannot become the memory, which is as it was
    ├── UnreadableTaxonomy      a shared taxonomy is broken, so it is left alone
    ├── ConfigLeftAlone         a client's config cannot be changed safely, so it is left alone
    └── StorageError            the system refused: nothing of the call was saved
        ├── LockTimeout         another process held the lock for too long
        └── NotDurable          saved, but the system could not promise that it lasts

A message says what is wrong, where, and what to do next; the data it speaks of are attributes.
"""

from __future__ import annotations

from pathlib import Path


class MnemologError(Exception):
    """The base of every error that mnemolog raises on purpose."""


class InvalidRequest(MnemologError):
    """The arguments cannot be carried out as they are; nothing was saved."""


class EntityNotFound(InvalidRequest):
    """An entity that the call needs does not exist; nothing was saved."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"Entity with name {name} not found. Nothing was saved: create it with "
            "create_entities first, or look up its exact name with search_nodes."
        )
        self.name = name


class ObservationNotFound(InvalidRequest):
    """An observation that the call needs does not exist; nothing was saved."""

    def __init__(self, entity_name: str, text: str) -> None:
        super().__init__(
            f"{entity_name} has no observation {text[:200]!r}. Nothing was saved: copy its exact "
            "text from open_nodes."
        )
        self.entity_name = entity_name
        self.text = text


class LocationRefused(MnemologError):
    """No memory may be kept where the settings or the start folder point."""


class OtherRepository(MnemologError):
    """The memory file belongs to another repository than the one it lies in."""

    def __init__(self, path: Path, theirs: str, ours: str) -> None:
        super().__init__(
            f"{path} holds the memory of {theirs}, but it lies in {ours}. Call initialize_memory "
            'with mode "fresh" to set that memory aside and start empty, or with mode "adopt" to '
            "keep its facts for this repository. Ask the user which one if you cannot tell."
        )
        self.path = path
        self.theirs = theirs
        self.ours = ours


class UnreadableMemory(MnemologError):
    """A file that is not empty, yet holds no record: it is never written to."""

    def __init__(self, path: Path, line_number: int, reason: str) -> None:
        super().__init__(
            f"{path} is not empty, but no memory record was found in it (line {line_number}: "
            f"{reason}), so nothing is written to it. Move the file away, or set MEMORY_FILE_PATH "
            "to another one; then bring its content along with 'mnemolog import FILE'."
        )
        self.path = path
        self.line_number = line_number
        self.reason = reason


class NewerFormat(MnemologError):
    """A file whose lines may mean something that this version does not know: it is only read."""

    def __init__(self, path: Path, found: int, known: int) -> None:
        super().__init__(
            f"{path} was written by a newer mnemolog (format {found}; this one knows {known}), so "
            "nothing is written to it. Update mnemolog, then try again."
        )
        self.path = path
        self.found = found
        self.known = known


class UnreadableSource(MnemologError):
    """A store of another server cannot be read, or is no store; nothing was imported."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path} cannot be imported: {reason}")
        self.path = path
        self.reason = reason


class BackupRefused(MnemologError):
    """A file cannot become this memory; the memory is as it was."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path} cannot be restored: {reason} The memory is as it was.")
        self.path = path
        self.reason = reason


class UnreadableTaxonomy(MnemologError):
    """A shared taxonomy that cannot be read, so nothing is written to it."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"{path} cannot be used as a taxonomy: {reason}. It is left as it is: mend it, or "
            "move it away and export a new one."
        )
        self.path = path
        self.reason = reason


class ConfigLeftAlone(MnemologError):
    """A client's config cannot be read or changed safely; it is as it was."""


class StorageError(MnemologError):
    """The system refused to read or write; what was saved before is untouched."""


class LockTimeout(StorageError):
    """Another process held the lock longer than we are ready to wait."""


class NotDurable(StorageError):
    """The lines are in the file, but the system could not promise that they survive a power cut."""
