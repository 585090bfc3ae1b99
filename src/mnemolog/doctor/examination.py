"""What the checks look at: the place, the file's bytes and what they add up to, each read once."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from mnemolog.clients.project import project_root
from mnemolog.errors import LocationRefused
from mnemolog.graph import Graph
from mnemolog.interchange import records_of_document
from mnemolog.store import files, git
from mnemolog.store.location import Location, Settings, locate
from mnemolog.store.reading import Reading


@dataclass(frozen=True)
class Examination:
    """One look at the memory of a folder. Nothing is written."""

    settings: Settings
    start: Path
    home: Path
    environment: Mapping[str, str]
    """What a server is started with."""
    mounts: Path = Path("/proc/self/mounts")
    """The list of mounted file systems, where there is one."""

    @cached_property
    def project(self) -> Path:
        """The root of the checkout around the folder, whose configs the clients read."""
        return project_root(self.start)

    @cached_property
    def located(self) -> Location | LocationRefused:
        """Where the memory is, or why it can be nowhere."""
        try:
            return locate(self.settings, self.start, self.home)
        except LocationRefused as refusal:
            return refusal

    @property
    def location(self) -> Location:
        """Where the memory is.

        Raises:
            LocationRefused: It can be nowhere.
        """
        if isinstance(self.located, LocationRefused):
            raise self.located
        return self.located

    @property
    def path(self) -> Path:
        """The memory file, which need not exist."""
        return self.location.path

    @cached_property
    def read(self) -> bytes | OSError:
        """The file's bytes, none while there is no file; or why it cannot be read."""
        try:
            with files.opened(self.path, os.O_RDONLY) as descriptor:
                return files.read_from(descriptor, 0)
        except FileNotFoundError:
            return b""
        except OSError as error:
            return error

    @property
    def content(self) -> bytes:
        """The file's bytes, as far as they can be had."""
        return b"" if isinstance(self.read, OSError) or self.location.refusal else self.read

    @cached_property
    def reading(self) -> Reading:
        """What the bytes say."""
        return Reading.of(self.content, records_of_document)

    @property
    def graph(self) -> Graph:
        """What the file adds up to, whosever memory it is."""
        return self.reading.graph

    @cached_property
    def is_tracked(self) -> bool:
        """Whether git tracks the memory, or may."""
        return git.is_tracked(self.path, self.location.repository) is not False

    @cached_property
    def folder_files(self) -> Mapping[Path, os.stat_result]:
        """The files in the memory's folder, by name; none while there is no such folder.

        A symlink is none: a clone can bring one along that leads to any file, and --fix changes
        the modes of these.
        """
        found: dict[Path, os.stat_result] = {}
        with suppress(FileNotFoundError, NotADirectoryError):
            for place in sorted(self.path.parent.iterdir()):
                with suppress(FileNotFoundError):  # running servers come and go with their files
                    status = place.lstat()
                    if stat.S_ISREG(status.st_mode):
                        found[place] = status
        return found
