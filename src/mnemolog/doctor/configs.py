"""Checks of the clients' configs: whether all lead to this memory, and to no other server."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

from mnemolog.clients.entries import Entry, Unreadable, entries
from mnemolog.clients.server_memory import configured_servers
from mnemolog.doctor.examination import Examination
from mnemolog.doctor.finding import Finding
from mnemolog.errors import LocationRefused
from mnemolog.store.location import Settings, locate


def registrations(examination: Examination) -> Iterator[Entry]:
    """Yield the entries that start mnemolog, here and in the home folder."""
    for entry in entries(examination.project, examination.home):
        if isinstance(entry, Entry) and entry.runs_mnemolog and not entry.is_off:
            yield entry


def broken_configs(examination: Examination) -> Iterator[Finding]:
    """Yield configs that their clients cannot read."""
    for config in entries(examination.project, examination.home):
        if isinstance(config, Unreadable):
            yield Finding(
                "problem",
                "broken_config",
                f"The config of {config.client.title} cannot be read: {config.reason}.",
                str(config.config),
                "Mend it: the client may start no server at all.",
            )


def other_paths(examination: Examination) -> Iterator[Finding]:
    """Yield clients that keep their facts in another file."""
    ours = examination.path
    for entry in registrations(examination):
        try:
            theirs = _path_of(entry, examination)
        except LocationRefused as refusal:
            yield Finding(
                "problem",
                "refused_path",
                f"{entry.client.title} starts mnemolog where no memory can be kept: {refusal}",
                str(entry),
                "Correct the entry, or take MEMORY_FILE_PATH out of it.",
            )
            continue
        if theirs != ours:
            yield Finding(
                "problem",
                "other_path",
                f"{entry.client.title} keeps its facts in {theirs}, but here they are in {ours}"
                f"{_because(examination)}.",
                str(entry),
                _one_file(entry, shlex.quote(str(theirs)), examination),
            )


def _one_file(entry: Entry, theirs: str, examination: Examination) -> str:
    """Return how both come to use one file; a team's config names it, and the shell does not."""
    along = f"bring the other one's facts along: mnemolog import {theirs}"
    is_named = entry.memory_setting(examination.project, examination.home) is not None
    if is_named and examination.settings.memory_file_path is None:
        return (
            f"If that file is meant, tell the shell too: export MEMORY_FILE_PATH={theirs}. Else "
            f"take MEMORY_FILE_PATH out of the entry, then {along}"
        )
    return f"Set MEMORY_FILE_PATH to the same file everywhere, or nowhere; then {along}"


def _path_of(entry: Entry, examination: Examination) -> Path:
    root, home = examination.project, examination.home
    settings = Settings(entry.memory_setting(root, home), None)
    return locate(settings, entry.folder(root, home), home).path


def _because(examination: Examination) -> str:
    is_set = examination.settings.memory_file_path is not None
    return ", as MEMORY_FILE_PATH says" if is_set else ""


def missing_programs(examination: Examination) -> Iterator[Finding]:
    """Yield entries that start a program which is not there."""
    for entry in registrations(examination):
        program = next(iter(entry.words), "")
        if program and "${" not in program and not _is_there(program, entry, examination):
            hint = " It comes with uv: https://docs.astral.sh/uv/" if program == "uvx" else ""
            yield Finding(
                "problem",
                "missing_program",
                f"{entry.client.title} is to start {program!r}, which is not on this PATH.",
                str(entry),
                f"Install it, or name the program by its whole path.{hint}",
            )


def _is_there(program: str, entry: Entry, examination: Examination) -> bool:
    # A client looks for a name on the PATH, and for a path from where it starts the server.
    if Path(program).name != program:
        program = str(entry.folder(examination.project, examination.home) / program)
    return shutil.which(program) is not None


def other_servers(examination: Examination) -> Iterator[Finding]:
    """Yield entries for server-memory, which offers the same tools on a memory of its own."""
    ours = examination.path
    for old in configured_servers(examination.project, examination.home):
        client = old.entry.client.title
        if ours in old.memories:
            yield Finding(
                "problem",
                "same_file",
                f"{client} also lets server-memory write to this file. That drops dates "
                "and agents, brings removed facts back, and overwrites what is saved at the same "
                "moment.",
                str(old.entry),
                "Take that entry out; 'mnemolog init' offers to.",
            )
            continue
        come_along = "".join(
            f" Bring its facts along first: mnemolog import {shlex.quote(str(memory))}"
            for memory in old.memories[:1]
        )
        yield Finding(
            "remark",
            "other_server",
            f"{client} also starts server-memory: its agents see the same tools twice, "
            "and keep facts in two places.",
            str(old.entry),
            f"Take that entry out; 'mnemolog init' offers to.{come_along}",
        )
