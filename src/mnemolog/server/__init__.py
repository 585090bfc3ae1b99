"""The MCP server: what agents read and call, over stdio."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from mnemolog.store.location import Settings


def run(settings: Settings, start: Path) -> None:
    """Serve one client on stdin and stdout, until the input ends or a signal comes."""
    # The SDK's modules live as long as the process. Collecting garbage while they are built
    # takes a tenth of the start, and walking them again later lengthens every full collection.
    gc.disable()
    from mnemolog.server import app  # noqa: PLC0415 - the expensive import, put off to here

    gc.freeze()
    gc.enable()
    app.run(settings, start)
