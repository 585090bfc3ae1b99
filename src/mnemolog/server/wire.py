"""The wire: JSON-RPC lines on stdin and stdout, as the pair of streams that the SDK serves.

The SDK's own `stdio_server` would do, but it drops a request that holds half a character without
an answer, throws away the answers of requests that came just before the end of the input, takes
three thread changes per message, and passes a large result through the validator three times.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO, Final, Self, TypeAlias

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import (
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError
from pydantic_core import to_json

logger = logging.getLogger(__name__)

Incoming: TypeAlias = MemoryObjectReceiveStream[SessionMessage | Exception]

_NEVER_ANSWERED: Final = "subscriptions/listen"
"""Its answer is a stream that lasts as long as the connection."""

_LAST_WORDS_SECONDS: Final = 2.0
"""How long the end waits for a client that has stopped reading."""


@asynccontextmanager
async def stdio_wire(source: BinaryIO, sink: BinaryIO) -> AsyncIterator[tuple[Incoming, Wire]]:
    """Yield what comes in from `source` and the wire that answers to `sink`."""
    wire = Wire(source, sink)
    Thread(target=wire.read_lines, name="stdin", daemon=True).start()
    writer = Thread(target=wire.write_lines, name="stdout", daemon=True)
    writer.start()
    try:
        yield wire.incoming, wire
    finally:
        await wire.aclose()
        writer.join(_LAST_WORDS_SECONDS)


class Wire:
    """Both directions of one connection; towards the SDK, the stream that it writes to."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source = source
        self._sink = sink
        self._loop = asyncio.get_running_loop()
        self._arrivals, self.incoming = anyio.create_memory_object_stream[
            SessionMessage | Exception
        ](math.inf)
        self._outgoing = SimpleQueue[bytes | None]()
        self._unanswered: set[RequestId] = set()
        self._has_ended = False

    def read_lines(self) -> None:
        """Hand every line to the event loop, until the input ends. Runs in its own thread."""
        for line in self._source:
            if (message := _message(line)) is not None:
                self._on_loop(partial(self._arrive, message))
        self._on_loop(self._end)

    def write_lines(self) -> None:
        """Write what is to be sent, until there is no more. Runs in its own thread."""
        try:
            while (line := self._outgoing.get()) is not None:
                self._sink.write(line)
                self._sink.flush()
        except OSError:  # the client is gone, and nobody is left to be told
            self._on_loop(self._arrivals.close)

    async def send(self, item: SessionMessage, /) -> None:
        """Queue a message to the client; it never waits for the client to read."""
        self._outgoing.put(_line(item.message))
        if isinstance(item.message, JSONRPCResponse | JSONRPCError):
            await self._settle(item.message.id)

    async def aclose(self) -> None:
        """Let the writer end once everything is out."""
        self._outgoing.put(None)

    async def __aenter__(self) -> Self:
        """Return the wire."""
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def _on_loop(self, callback: Callable[[], object]) -> None:
        try:
            self._loop.call_soon_threadsafe(callback)
        except RuntimeError:
            logger.debug("The server has ended; what still comes in is left unread")

    def _arrive(self, message: JSONRPCMessage) -> None:
        metadata = None
        if isinstance(message, JSONRPCRequest) and message.method != _NEVER_ANSWERED:
            self._unanswered.add(message.id)
            settle = partial(self._settle, message.id)
            metadata = ServerMessageMetadata(on_request_unanswered=settle)
        self._arrivals.send_nowait(SessionMessage(message, metadata))

    def _end(self) -> None:
        # The SDK cancels what is under way when its input ends: a client that sends its calls
        # and closes the pipe would get no answers. So the end waits until all are answered.
        self._has_ended = True
        if not self._unanswered:
            self._arrivals.close()

    async def _settle(self, request_id: RequestId | None) -> None:
        if request_id is not None:  # it may well be 0
            self._unanswered.discard(request_id)
        if self._has_ended and not self._unanswered:
            self._arrivals.close()


def _message(line: bytes) -> JSONRPCMessage | None:
    try:
        return jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        return _broken_text(line)


def _broken_text(line: bytes) -> JSONRPCMessage | None:
    """Read a line that holds half a character: the tool refuses it by its place, with an answer."""
    try:
        loose = json.loads(line.decode("utf-8", "surrogateescape"))
        return jsonrpc_message_adapter.validate_python(loose, by_name=False)
    except (ValueError, RecursionError):
        if line.strip():
            logger.warning("Ignored a line that is no JSON-RPC message")
        return None


def _line(message: JSONRPCMessage) -> bytes:
    if isinstance(message, JSONRPCResponse) and message.result.get("structuredContent") == {}:
        return _spliced(message)
    return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"


def _spliced(message: JSONRPCResponse) -> bytes:
    """Return a tool result with its text, which is JSON, as the structured content too.

    The two are then the same object whatever happens in between, and it is encoded only once.
    """
    result = {key: value for key, value in message.result.items() if key != "structuredContent"}
    line = to_json({"jsonrpc": "2.0", "id": message.id, "result": result})
    text = result["content"][0]["text"].encode()
    return b'%b,"structuredContent":%b}}\n' % (line.removesuffix(b"}}"), text)
