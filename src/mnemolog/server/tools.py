"""All tools."""

from __future__ import annotations

from mnemolog.server import reads, writes
from mnemolog.server.tool import TOOLS, Tool

__all__ = ["TOOLS", "Tool", "reads", "writes"]
