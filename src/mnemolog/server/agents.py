"""Which agent is speaking: the name that goes into the tags."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mnemolog.halves import without_halves

UNKNOWN: Final = "unknown"
"""The agent of a client that does not say its name."""

_LONGEST: Final = 100
"""Characters of a client's own name: it is written into every line."""

_SHORT_NAMES: Final[Mapping[str, str]] = {
    "codex-mcp-client": "codex",
    "gemini-cli-mcp-client": "gemini-cli",
    "cursor-vscode": "cursor",
    "Visual Studio Code": "vscode",
}
"""What people call the clients whose protocol name says something else."""


def normalise(client_name: str | None) -> str:
    """Return the agent's name for what a client calls itself."""
    # A name comes from outside and ends up in a UTF-8 file: half a character must not stop a write.
    name = without_halves((client_name or "").strip())[:_LONGEST]
    return _SHORT_NAMES.get(name, name) or UNKNOWN
