"""The MCP server: what agents read and call, over stdio."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnemolog.collector import made_to_stay

if TYPE_CHECKING:
    from pathlib import Path

    from mnemolog.store.location import Settings


def run(settings: Settings, start: Path) -> None:
    """Serve one client on stdin and stdout, until the input ends or a signal comes."""
    # The SDK's modules live as long as the process. Collecting garbage while they are built
    # takes a tenth of the start.
    with made_to_stay():
        from mnemolog.server import app  # noqa: PLC0415 - the expensive import, put off to here

    app.run(settings, start)
