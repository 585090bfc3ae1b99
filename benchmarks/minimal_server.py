"""The least that a server on the same SDK has to be: what its start takes is not ours to save."""

from __future__ import annotations

from mcp.server import MCPServer

server = MCPServer("minimal")


@server.tool()
def echo(text: str) -> str:
    """Return the text."""
    return text


if __name__ == "__main__":
    server.run("stdio")
