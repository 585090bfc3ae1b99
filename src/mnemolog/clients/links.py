"""Links that install mnemolog in an editor with one click, made from the editor's entry."""

from __future__ import annotations

import json
from base64 import b64encode
from urllib.parse import quote

from mnemolog.clients.known import CLIENTS, SERVER, Json


def cursor_link() -> str:
    """Return the link that Cursor installs from: its name, and its entry in base64."""
    config = b64encode(_compact(CLIENTS["cursor"].entry).encode()).decode()
    return f"https://cursor.com/en-US/install-mcp?name={SERVER}&config={quote(config, safe='')}"


def vscode_link(scheme: str = "vscode") -> str:
    """Return the link that VS Code installs from, or with its scheme another edition of it.

    Pages such as a README on a forge cannot link to `vscode:`, so a page of VS Code's passes it on.
    """
    config = _compact({"name": SERVER, **CLIENTS["vscode"].entry})
    address = f"{scheme}:mcp/install?{quote(config, safe='')}"
    return f"https://insiders.vscode.dev/redirect?url={quote(address, safe='')}"


def _compact(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"))
