"""The clients that `mnemolog init` knows: where each keeps a repository's config, and its entry.

Everything that is said about an entry follows from here: what `init` writes, the README's snippets
and the install links.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from mnemolog.jsonc import COMMENTS, TRAILING_COMMAS

Json: TypeAlias = Any
"""A value as JSON and TOML know it."""

SERVER: Final = "mnemolog"
"""What the entry is called in every config."""

COMMAND: Final = "uvx"
PACKAGE: Final = "mnemolog"


@dataclass(frozen=True, slots=True)
class Client:
    """One client. Paths are relative to the repository's root or to the home folder."""

    name: str
    """What `--client` calls it."""
    title: str
    """What a sentence calls it."""
    files: tuple[str, ...]
    """Its configs in a repository; the first one is created where there is none."""
    section: str
    """The key under which a config lists its servers."""
    entry: Mapping[str, Json]
    """What the config says of mnemolog."""
    traces: tuple[str, ...]
    """What its users have in a repository."""
    home_traces: tuple[str, ...]
    """What its users have in their home folder."""
    commands: tuple[str, ...]
    """What its users have on the PATH."""
    home_files: tuple[str, ...]
    """Its configs for every repository; they are only read."""
    afterwards: str
    """What the user still has to do."""
    preamble: Mapping[str, Json] = field(default_factory=dict)
    """What a new config begins with."""
    environment: str = "env"
    """The key under which an entry sets environment variables."""
    refuses: tuple[str, ...] = ()
    """What, anywhere in a config, keeps it from reading it: tried with the client."""


def _started(*words: str) -> dict[str, Json]:
    return {"command": COMMAND, "args": [*words, PACKAGE]}


_CODE_FOLDERS: Final = (".config/Code", "Library/Application Support/Code", "AppData/Roaming/Code")

CLIENTS: Final[Mapping[str, Client]] = {
    client.name: client
    for client in (
        Client(
            name="claude-code",
            title="Claude Code",
            files=(".mcp.json",),
            section="mcpServers",
            entry=_started(),
            traces=("CLAUDE.md", "CLAUDE.local.md", ".claude", ".mcp.json"),
            home_traces=(".claude", ".claude.json"),
            commands=("claude",),
            home_files=(".claude.json",),
            afterwards="it asks once whether it may start the server",
            refuses=(COMMENTS, TRAILING_COMMAS),
        ),
        Client(
            name="codex",
            title="Codex",
            files=(".codex/config.toml",),
            section="mcp_servers",
            entry=_started(),
            traces=(".codex",),
            home_traces=(".codex",),
            commands=("codex",),
            home_files=(".codex/config.toml",),
            afterwards="it reads the file once you have trusted the folder",
        ),
        Client(
            name="cursor",
            title="Cursor",
            files=(".cursor/mcp.json",),
            section="mcpServers",
            # Cursor may start a server anywhere, so the folder is part of the command.
            entry=_started("--directory", "${workspaceFolder}"),
            traces=(".cursor", ".cursorrules", ".cursorignore"),
            home_traces=(".cursor",),
            commands=("cursor", "cursor-agent"),
            home_files=(".cursor/mcp.json",),
            afterwards="switch the server on in its settings, under MCP",
        ),
        Client(
            name="vscode",
            title="VS Code",
            files=(".vscode/mcp.json",),
            section="servers",
            entry={"type": "stdio", **_started()},
            traces=(".vscode", ".github/copilot-instructions.md"),
            home_traces=_CODE_FOLDERS,
            commands=("code", "code-insiders"),
            home_files=tuple(f"{folder}/User/mcp.json" for folder in _CODE_FOLDERS),
            afterwards="it asks once whether you trust the server",
        ),
        Client(
            name="gemini-cli",
            title="Gemini CLI",
            files=(".gemini/settings.json",),
            section="mcpServers",
            entry=_started(),
            traces=("GEMINI.md", ".gemini"),
            home_traces=(".gemini",),
            commands=("gemini",),
            home_files=(".gemini/settings.json",),
            afterwards="it reads the file once you have trusted the folder",
            refuses=(TRAILING_COMMAS,),
        ),
        Client(
            name="opencode",
            title="opencode",
            files=(
                "opencode.json",
                "opencode.jsonc",
                ".opencode/opencode.json",
                ".opencode/opencode.jsonc",
            ),
            section="mcp",
            entry={"type": "local", "command": [COMMAND, PACKAGE], "enabled": True},
            traces=("opencode.json", "opencode.jsonc", ".opencode"),
            home_traces=(".config/opencode", ".local/share/opencode"),
            commands=("opencode",),
            home_files=(".config/opencode/opencode.json", ".config/opencode/opencode.jsonc"),
            afterwards="start it again",
            preamble={"$schema": "https://opencode.ai/config.json"},
            environment="environment",
        ),
    )
}
"""The clients, by the name that `--client` calls them."""
