"""One client's config in one project: read, changed by exactly one entry, written as a whole."""

from __future__ import annotations

import os
import stat
from codecs import BOM_UTF8
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemolog import jsonc
from mnemolog.clients import json_config, toml_config
from mnemolog.clients.known import SERVER, Client, Json
from mnemolog.errors import ConfigLeftAlone
from mnemolog.store import files
from mnemolog.store.location import belongs_to


@dataclass(frozen=True, slots=True)
class _Format:
    parse: Callable[[str], Json]
    created: Callable[[Mapping[str, Json]], str]
    added: Callable[[str, str, str, Mapping[str, Json]], str]
    without: Callable[[str, str, str], Iterator[str]]


_SHARED_MODE: Final = 0o666
"""A config is committed and read by others, unlike a memory: the umask says by whom."""

_TOML: Final = _Format(
    toml_config.parse, toml_config.created, toml_config.added, toml_config.without
)
_JSON: Final = _Format(
    json_config.parse, json_config.created, json_config.added, json_config.without
)


def format_of(name: str) -> _Format:
    """Return how a config of this name is written."""
    return _TOML if name.endswith(".toml") else _JSON


def new_config(client: Client) -> str:
    """Return the config that is created where a project has none; the README shows the same."""
    content = {**client.preamble, client.section: {SERVER: client.entry}}
    return format_of(client.files[0]).created(content)


def servers_in(text: str, name: str, section: str) -> Mapping[str, Json]:
    """Return the servers that the text of a config lists, by name.

    Raises:
        ConfigLeftAlone: it cannot be read, or lists them in another way.
    """
    return _listed(format_of(name).parse(text), section)


def _listed(content: Json, section: str) -> Mapping[str, Json]:
    servers = content.get(section, {}) if isinstance(content, Mapping) else None
    if not isinstance(servers, Mapping):
        raise ConfigLeftAlone(f"its {section!r} does not list servers by their names")
    return servers


def refused_by(client: Client, text: str) -> str | None:
    """Return why a client cannot read the text of its config, though we can."""
    if not client.refuses:
        return None
    found = ((kind, line) for kind, line in jsonc.beyond_json(text) if kind in client.refuses)
    return next((f"{client.title} takes no {kind} in it, see line {n}" for kind, n in found), None)


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A config as it was read; `text` is null where there is no file, or an empty one."""

    client: Client
    name: str
    path: Path
    text: str | None
    raw: bytes | None

    @classmethod
    def of(cls, client: Client, root: Path, name: str | None = None) -> ConfigFile:
        """Return the client's config of this name in a project, else the first that is there.

        Raises:
            ConfigLeftAlone: it cannot be read.
        """
        there = (name for name in client.files if os.path.lexists(root / name))
        name = name or next(there, client.files[0])
        path = _resolved(root, name)
        try:
            raw = path.read_bytes()
        except FileNotFoundError:
            return cls(client, name, path, None, None)
        except OSError as problem:
            raise ConfigLeftAlone(f"it cannot be read ({problem.strerror})") from problem
        return cls(client, name, path, decoded(raw), raw)

    @property
    def servers(self) -> Mapping[str, Json]:
        """The servers that it lists, by name."""
        if self.text is None:
            return {}
        return servers_in(self.text, self.name, self.client.section)

    def add(self) -> None:
        """Write the config with the client's entry for mnemolog.

        Raises:
            ConfigLeftAlone: that cannot be done without touching something else.
        """
        if self.text is None:
            self._write(new_config(self.client))
        else:
            self._write(with_entry(self.text, self.name, self.client.section, self.client.entry))

    def remove(self, server: str) -> bool:
        """Write the config without an entry; return whether the whole file went with it.

        Raises:
            ConfigLeftAlone: that cannot be done without touching something else.
        """
        if server == SERVER and self.text == new_config(self.client):
            self._delete()
            return True
        self._write(without_entry(self.text or "", self.name, self.client.section, server))
        return False

    def replace(self) -> None:
        """Write the config with that entry in place of one of the same name."""
        section = self.client.section
        rest = without_entry(self.text or "", self.name, section, SERVER)
        self._write(with_entry(rest, self.name, section, self.client.entry))

    def _write(self, text: str) -> None:
        try:
            self._require_writable()
            self.path.parent.mkdir(parents=True, exist_ok=True)
            mark = BOM_UTF8 if (self.raw or b"").startswith(BOM_UTF8) else b""
            content = mark + text.encode("utf-8")
            files.replace(self.path, content, self._require_writable, mode=_SHARED_MODE)
        except OSError as problem:
            raise ConfigLeftAlone(f"it cannot be written ({problem.strerror})") from problem

    def _delete(self) -> None:
        try:
            self._require_writable()
            self.path.unlink()
            if self.path.parent.name.startswith(".") and not any(self.path.parent.iterdir()):
                self.path.parent.rmdir()
        except OSError as problem:
            raise ConfigLeftAlone(f"it cannot be removed ({problem.strerror})") from problem

    def _require_writable(self) -> None:
        if self.raw is None:
            return
        if not self.path.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
            raise ConfigLeftAlone("it is read-only")
        if self.path.read_bytes() != self.raw:
            raise ConfigLeftAlone("something else has just changed it; try again")


def _resolved(root: Path, name: str) -> Path:
    """Return the file behind symlinks: a clone must not choose which file we write to."""
    try:
        path = (root / name).resolve()
    except (OSError, RuntimeError) as problem:  # RuntimeError: a loop of symlinks, before 3.13
        raise ConfigLeftAlone("it is a symlink that leads nowhere") from problem
    if not belongs_to(root, path):
        raise ConfigLeftAlone(f"it is a symlink to {path}, which is none of the project's files")
    return path


def decoded(raw: bytes) -> str | None:
    """Return the text of a config; None if it is empty.

    Raises:
        ConfigLeftAlone: it is no text.
    """
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise ConfigLeftAlone("it is not written in UTF-8") from problem
    return text if text.strip() else None


def with_entry(text: str, name: str, section: str, entry: Mapping[str, Json]) -> str:
    """Return the text with our entry, once it is sure that it says nothing else that is new."""
    written = format_of(name)
    expected = deepcopy(written.parse(text))
    if not isinstance(expected, dict):
        raise ConfigLeftAlone("it holds no object")
    expected.setdefault(section, {})[SERVER] = dict(entry)
    changed = written.added(text, section, SERVER, entry)
    if written.parse(changed) != expected:
        raise ConfigLeftAlone("no entry can be added to it without changing something else")
    return changed


def without_entry(text: str, name: str, section: str, server: str) -> str:
    """Return the text before the entry came; that is what becomes this text by adding it.

    Where nothing does, somebody has written around the entry: then whatever can stay stays.
    """
    written = format_of(name)
    entry = written.parse(text)[section][server]
    expected = _rest(written.parse(text), section, server)
    sound: list[str] = []

    def becomes_it(rest: str) -> bool:
        with suppress(ConfigLeftAlone):
            return written.added(rest, section, server, entry) == text
        return False

    for rest in written.without(text, section, server):
        with suppress(ConfigLeftAlone):
            if _rest(written.parse(rest), section, server) == expected:
                sound.append(rest)
    if not sound:
        raise ConfigLeftAlone("the entry cannot be taken out without changing something else")
    return next(filter(becomes_it, reversed(sound)), sound[0])


def _rest(content: Json, section: str, server: str) -> Json:
    """Return what a config says besides an entry; a section that lists nothing says nothing."""
    others = {name: held for name, held in _listed(content, section).items() if name != server}
    rest = {name: held for name, held in content.items() if name != section}
    return rest | ({section: others} if others else {})
