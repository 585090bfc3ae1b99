"""What can be put right without a choice, and without any fact being lost."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from mnemolog.doctor import content, permissions, repository, surroundings
from mnemolog.doctor.examination import Examination
from mnemolog.doctor.finding import Finding
from mnemolog.errors import MnemologError
from mnemolog.interchange import records_of_document
from mnemolog.store.backups import back_up
from mnemolog.store.files import FILE_MODE
from mnemolog.store.guard import protect_from_commit
from mnemolog.store.lock import WriterLock
from mnemolog.store.log import Log


@dataclass(frozen=True, slots=True)
class Repair:
    """What came of it."""

    backup: str | None
    """The copy that was made before; null while there is nothing to copy."""
    refused: tuple[Finding, ...]


def repair(examination: Examination, kinds: Collection[str]) -> Repair:
    """Repair these kinds of findings, after a backup; without one nothing is repaired."""
    backup: str | None = None
    refused: list[Finding] = []
    try:
        if examination.content or isinstance(examination.read, OSError):
            backup = back_up(examination.location, None, records_of_document).backup
    except (OSError, MnemologError) as error:
        return Repair(None, (_refused(examination, "back up the memory", error),))
    for kind in _REPAIRS:
        if kind in kinds:
            try:
                _REPAIRS[kind](replace(examination))  # the backup has come, and others may have
            except (OSError, MnemologError) as error:
                refused.append(_refused(examination, f"repair this: {kind}", error))
    return Repair(backup, tuple(refused))


def _refused(examination: Examination, what: str, error: Exception) -> Finding:
    return Finding(
        "problem",
        "failed_repair",
        f"It was not possible to {what}. The reason: {error}",
        str(examination.path.parent),
        "Deal with the reason, then call doctor --fix again.",
    )


def _remove_temporaries(examination: Examination) -> None:
    with WriterLock(examination.path).held():
        for path in surroundings.old_temporaries(examination):
            path.unlink(missing_ok=True)


def _remove_markers(examination: Examination) -> None:
    log = Log(examination.path, read_document=records_of_document, may_compact=lambda: False)
    log.replace_by(content.without_markers)


def _ignore(examination: Examination) -> None:
    protect_from_commit(examination.location)


def _make_private(examination: Examination) -> None:
    for path in permissions.wide_files(examination):
        with suppress(FileNotFoundError):
            path.chmod(FILE_MODE)


_REPAIRS: Final[Mapping[str, Callable[[Examination], None]]] = {
    surroundings.TEMPORARIES: _remove_temporaries,
    content.CONFLICT_MARKERS: _remove_markers,
    repository.NOT_IGNORED: _ignore,
    permissions.WIDE_MODES: _make_private,  # last: what was set aside has the memory's mode
}
