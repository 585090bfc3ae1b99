"""All checks, each robust by itself: one that cannot be carried out is a finding too."""

from __future__ import annotations

import platform
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final, TypeAlias

from mnemolog import __version__
from mnemolog.doctor import configs, content, facts, permissions, place, repository, surroundings
from mnemolog.doctor.examination import Examination
from mnemolog.doctor.finding import Diagnosis, Fact, Finding
from mnemolog.doctor.repairs import repair
from mnemolog.doctor.trial import try_server
from mnemolog.errors import LocationRefused, MnemologError
from mnemolog.screening.secret import find_secrets
from mnemolog.store import git
from mnemolog.store.backups import backups_of

Check: TypeAlias = Callable[[Examination], Iterator[Finding]]

MOST_OF_A_KIND: Final = 20
"""Findings that are listed of one kind; of the others there is the number."""


def refused_location(examination: Examination) -> Iterator[Finding]:
    """Yield why there can be no memory here."""
    located = examination.located
    refusal = str(located) if isinstance(located, LocationRefused) else located.refusal
    if refusal is not None:
        yield Finding(
            "problem",
            "refused_location",
            refusal,
            str(examination.start),
            "Do what it says; until then nothing is read or saved here.",
        )


ANYWHERE: Final[tuple[Check, ...]] = (
    refused_location,
    configs.broken_configs,
    configs.missing_programs,
)
"""The checks that need no place for a memory."""

IN_PLACE: Final[tuple[Check, ...]] = (
    content.unreadable_file,
    content.newer_format,
    content.conflict_markers,
    content.unreadable_lines,
    surroundings.conflicted_copies,
    surroundings.other_memories,
    surroundings.torn_files,
    surroundings.temporaries,
    repository.missing_git,
    repository.wrong_repository,
    repository.tracked_by_accident,
    repository.not_ignored,
    repository.merged_by_lines,
    permissions.not_writable,
    permissions.wide_modes,
    permissions.other_owner,
    permissions.held_lock,
    place.synced_folder,
    place.network_drive,
    place.full_disk,
    configs.other_paths,
    configs.other_servers,
    facts.secrets,
    facts.instructions,
    facts.look_alike_names,
    facts.dangling_relations,
    facts.type_spellings,
)


def diagnose(examination: Examination, *, fix: bool = False) -> Diagnosis:
    """Return everything that is wrong, or that is left of it after what is safe was repaired."""
    found = list(_findings(examination))
    fixed: tuple[Finding, ...] = ()
    backup: str | None = None
    if fix and (fixable := [f for f in found if f.is_fixable]):
        done = repair(examination, {finding.kind for finding in fixable})
        examination = replace(examination)  # without what it had read
        found = [*done.refused, *_findings(examination)]
        left = {(finding.kind, finding.where) for finding in found}
        fixed = tuple(f for f in fixable if (f.kind, f.where) not in left)
        backup = done.backup
    trial = try_server(examination)
    path = None if isinstance(examination.located, LocationRefused) else str(examination.path)
    return Diagnosis(
        path,
        _in_order(_masked(f) for f in _bounded((*found, *trial.findings))),
        (*_facts(examination), *trial.facts),
        fixed or None,
        backup,
    )


def _findings(examination: Examination) -> Iterator[Finding]:
    located = examination.located
    has_place = not isinstance(located, LocationRefused) and located.refusal is None
    for check in (*ANYWHERE, *(IN_PLACE if has_place else ())):
        yield from _carried_out(check, examination)


def _carried_out(check: Check, examination: Examination) -> Iterator[Finding]:
    found: list[Finding] = []
    try:
        found.extend(check(examination))
    except (OSError, MnemologError, RuntimeError, UnicodeError) as error:
        name = check.__name__.replace("_", " ")
        where = getattr(error, "filename", None) or examination.start
        reason = getattr(error, "strerror", None) or str(error)
        found.append(
            Finding(
                "problem",
                "failed_check",
                f"Whether there is something of this kind could not be found out: {name}. The "
                f"reason: {reason}.",
                str(where),
                "Make the file or folder readable for yourself, then call doctor again.",
            )
        )
    yield from found


def _bounded(findings: Iterable[Finding]) -> Iterator[Finding]:
    listed = list(findings)
    counts = Counter(finding.kind for finding in listed)
    seen: Counter[str] = Counter()
    for finding in listed:
        seen[finding.kind] += 1
        if seen[finding.kind] <= MOST_OF_A_KIND:
            yield finding
        elif seen[finding.kind] == counts[finding.kind]:
            rest = counts[finding.kind] - MOST_OF_A_KIND
            what = f"There are {rest:,} more findings of the kind {finding.kind}."
            fix = "Deal with those that are listed, then call doctor again."
            yield replace(finding, what=what, where=f"up to {finding.where}", fix=fix)


def _masked(finding: Finding) -> Finding:
    """Return the finding without what looks like a secret, such as an entity's name may be."""
    return replace(
        finding,
        what=_without_secrets(finding.what),
        where=_without_secrets(finding.where),
        fix=_without_secrets(finding.fix),
    )


def _without_secrets(text: str) -> str:
    for found in reversed(find_secrets(text)):
        text = f"{text[: found.start]}[a secret]{text[found.end :]}"
    return text


def _in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=lambda finding: finding.severity != "problem"))


def _facts(examination: Examination) -> Iterator[Fact]:
    if not isinstance(examination.located, LocationRefused):
        yield from _memory_facts(examination)
    clients = dict.fromkeys(of.client.title for of in configs.registrations(examination))
    yield Fact("clients", ", ".join(clients) or "none is registered; 'mnemolog init' does that")
    versions = (
        f"mnemolog {__version__}",
        f"Python {platform.python_version()}",
        f"git {git.version() or 'is missing'}",
        _uv_version() or "uv is missing",
    )
    yield Fact("versions", ", ".join(versions))


def _memory_facts(examination: Examination) -> Iterator[Fact]:
    totals, path = examination.graph.totals, examination.path
    if not path.exists():
        yield Fact("memory", "there is none yet; the first write creates it")
        return
    yield Fact(
        "memory",
        f"entities: {totals.entities:,}, observations: {totals.observations:,}, "
        f"relations: {totals.relations:,}, bytes: {len(examination.content):,}",
    )
    if backups := backups_of(path):
        yield Fact("backups", f"{len(backups)} beside the memory, the newest {backups[-1].name}")


def _uv_version() -> str | None:
    program = shutil.which("uv")
    if program is None:
        return None
    try:
        done = subprocess.run(
            [program, "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=git.TIMEOUT,
            check=False,
            encoding="utf-8",
            errors="replace",
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.split("(")[0].strip() or None
