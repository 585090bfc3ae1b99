"""Which clients are in use, and how that shows: in the project, in the home folder, on the PATH."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from mnemolog.clients.known import CLIENTS, Client


def clients_in_use(project: Path, home: Path) -> tuple[tuple[Client, str], ...]:
    """Return the clients that somebody uses here, each with what gives it away.

    One sign is enough: an entry too many does no harm, a missing one splits a memory in two.
    """
    found = ((client, next(_signs(client, project, home), None)) for client in CLIENTS.values())
    return tuple((client, sign) for client, sign in found if sign is not None)


def _signs(client: Client, project: Path, home: Path) -> Iterator[str]:
    yield from (f"{name} is here" for name in client.traces if (project / name).exists())
    yield from (f"~/{name} exists" for name in client.home_traces if (home / name).exists())
    yield from (f"{name} is on the PATH" for name in client.commands if shutil.which(name))
