"""Checks of the clients' configs: whether all lead to this memory, and to no other server."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mnemolog.clients.config_file import servers_in
from mnemolog.clients.known import CLIENTS, Client, Json
from mnemolog.clients.registration import is_off, runs_mnemolog, words_of
from mnemolog.clients.server_memory import (
    configs_of,
    configured_servers,
    entries_in,
    filled_in,
    memory_setting,
)
from mnemolog.doctor.examination import Examination
from mnemolog.doctor.finding import Finding
from mnemolog.errors import ConfigLeftAlone, LocationRefused
from mnemolog.store.location import Settings, locate


@dataclass(frozen=True, slots=True)
class Registration:
    """An entry that starts mnemolog."""

    client: Client
    config: Path
    name: str
    entry: Json


def registrations(examination: Examination) -> Iterator[Registration]:
    """Yield the entries that start mnemolog, here and in the home folder."""
    root = examination.project
    for client in CLIENTS.values():
        for config, _ in configs_of(client, root, examination.home):
            for name, entry in entries_in(client, config, root):
                if runs_mnemolog(entry) and not is_off(entry):
                    yield Registration(client, config, name, entry)


def broken_configs(examination: Examination) -> Iterator[Finding]:
    """Yield configs that cannot be read, by their client neither."""
    for client in CLIENTS.values():
        for config, _ in configs_of(client, examination.project, examination.home):
            if reason := _why_unreadable(client, config):
                yield Finding(
                    "problem",
                    "broken_config",
                    f"The config of {client.title} cannot be read: {reason}.",
                    str(config),
                    "Mend it: the client may start no server at all.",
                )


def _why_unreadable(client: Client, config: Path) -> str | None:
    try:
        text = config.read_bytes().decode("utf-8-sig")
        if text.strip():
            servers_in(text, config.name, client.section)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        return error.strerror
    except UnicodeDecodeError:
        return "it is not written in UTF-8"
    except ConfigLeftAlone as problem:
        return str(problem)
    return None


def other_paths(examination: Examination) -> Iterator[Finding]:
    """Yield clients that keep their facts in another file."""
    ours = examination.path
    for of in registrations(examination):
        try:
            theirs = _path_of(of, examination)
        except LocationRefused as refusal:
            yield Finding(
                "problem",
                "refused_path",
                f"{of.client.title} starts mnemolog where no memory can be kept: {refusal}",
                _where(of),
                "Correct the entry, or take MEMORY_FILE_PATH out of it.",
            )
            continue
        if theirs != ours:
            yield Finding(
                "problem",
                "other_path",
                f"{of.client.title} keeps its facts in {theirs}, but here they are in {ours}"
                f"{_because(examination)}.",
                _where(of),
                "Set MEMORY_FILE_PATH to the same file everywhere, or nowhere; then bring the "
                f"other one's facts along: mnemolog import {shlex.quote(str(theirs))}",
            )


def _path_of(of: Registration, examination: Examination) -> Path:
    root, home = examination.project, examination.home
    settings = Settings(memory_setting(of.client, of.entry, root, home), None)
    return locate(settings, _start_of(of.entry, root, home), home).path


def _start_of(entry: Json, root: Path, home: Path) -> Path:
    """Return the folder that an entry starts the server in."""
    words = words_of(entry)
    named = entry.get("cwd")
    if "--directory" in words[:-1]:  # an option of uvx
        named = words[words.index("--directory") + 1]
    return root / filled_in(named, root, home) if isinstance(named, str) else root


def _because(examination: Examination) -> str:
    is_set = examination.settings.memory_file_path is not None
    return ", as MEMORY_FILE_PATH says" if is_set else ""


def missing_programs(examination: Examination) -> Iterator[Finding]:
    """Yield entries that start a program which is not there."""
    for of in registrations(examination):
        program = next(iter(words_of(of.entry)), "")
        if program and "${" not in program and not _is_there(program, of, examination):
            hint = " It comes with uv: https://docs.astral.sh/uv/" if program == "uvx" else ""
            yield Finding(
                "problem",
                "missing_program",
                f"{of.client.title} is to start {program!r}, which is not on this PATH.",
                _where(of),
                f"Install it, or name the program by its whole path.{hint}",
            )


def _is_there(program: str, of: Registration, examination: Examination) -> bool:
    # A client looks for a name on the PATH, and for a path from where it starts the server.
    if Path(program).name != program:
        start = _start_of(of.entry, examination.project, examination.home)
        program = str(start / program)
    return shutil.which(program) is not None


def other_servers(examination: Examination) -> Iterator[Finding]:
    """Yield entries for server-memory, which offers the same tools on a memory of its own."""
    ours = examination.path
    for old in configured_servers(examination.project, examination.home):
        where = f"{old.name!r} in {old.config}"
        if ours in old.memories:
            yield Finding(
                "problem",
                "same_file",
                f"{old.client.title} also lets server-memory write to this file. That drops dates "
                "and agents, brings removed facts back, and overwrites what is saved at the same "
                "moment.",
                where,
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
            f"{old.client.title} also starts server-memory: its agents see the same tools twice, "
            "and keep facts in two places.",
            where,
            f"Take that entry out; 'mnemolog init' offers to.{come_along}",
        )


def _where(of: Registration) -> str:
    return f"{of.name!r} in {of.config}"
