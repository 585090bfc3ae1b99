"""What must hold for any line that a client sends."""

from __future__ import annotations

import logging

from mcp_types import JSONRPCMessage

from mnemolog.server import wire


def check_message(raw: bytes) -> None:
    """A line is a message, which can be sent on, or is left out."""
    logging.getLogger(wire.__name__).setLevel(logging.ERROR)
    for line in raw.split(b"\n"):
        message = wire._message(line)  # noqa: SLF001 - what reads what a client sends
        assert message is None or isinstance(message, JSONRPCMessage)
