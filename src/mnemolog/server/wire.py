"""The wire: JSON-RPC lines on stdin and stdout, as the pair of streams that the SDK serves.

The SDK's own `stdio_server` would do, but it drops a request that holds half a character without
an answer, throws away the answers of requests that came just before the end of the input, takes
three thread changes per message, and passes a large result through the validator three times.

Here the event loop itself reads and writes whatever it can without waiting: a change of threads
takes as long as a small call.
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, BinaryIO, Final, Self, TypeAlias

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
from msgspec import Raw
from msgspec.json import Encoder
from pydantic import ValidationError

logger = logging.getLogger(__name__)

Incoming: TypeAlias = MemoryObjectReceiveStream[SessionMessage | Exception]

_NEVER_ANSWERED: Final = "subscriptions/listen"
"""Its answer is a stream that lasts as long as the connection."""

_LAST_WORDS_SECONDS: Final = 2.0
"""How long the end waits for a client that has stopped reading."""

_READ_BYTES: Final = 1 << 16
"""As much as a pipe holds."""

_WITHOUT_WAITING: Final[int | None] = getattr(os, "RWF_NOWAIT", None)
"""Lets one write fail rather than wait; Linux only. Whoever shares the pipe knows nothing of it."""

_encode_into: Final = Encoder().encode_into


@asynccontextmanager
async def stdio_wire(source: BinaryIO, sink: BinaryIO) -> AsyncIterator[tuple[Incoming, Wire]]:
    """Yield what comes in from `source` and the wire that answers to `sink`."""
    wire = Wire(source, sink)
    wire.listen()
    writer = Thread(target=wire.write_lines, name="stdout", daemon=True)
    writer.start()
    try:
        yield wire.incoming, wire
    finally:
        wire.stop_listening()
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
        self._parts_of_a_line: list[bytes] = []
        self._outgoing = SimpleQueue[bytes | bytearray | memoryview | None]()
        self._count_queued = 0
        self._count_written = 0
        """How many of them; each count is raised by one thread only."""
        self._unanswered: set[RequestId] = set()
        self._has_ended = False

    def listen(self) -> None:
        """Let what comes in be read: on the event loop if it can wait for this kind of input."""
        try:
            self._loop.add_reader(self._source, self._read_what_is_there)
        except (NotImplementedError, OSError):  # Windows; a regular file
            Thread(target=self.read_lines, name="stdin", daemon=True).start()

    def stop_listening(self) -> None:
        """Leave the rest of the input unread."""
        with suppress(NotImplementedError):
            self._loop.remove_reader(self._source)

    def _read_what_is_there(self) -> None:
        try:
            part = os.read(self._source.fileno(), _READ_BYTES)
        except BlockingIOError:  # woken for nothing
            return
        except OSError:  # a terminal or a socket that is gone, which is an end too
            part = b""
        self._parts_of_a_line.append(part)
        if part and b"\n" not in part:
            return
        *lines, rest = b"".join(self._parts_of_a_line).split(b"\n")
        self._parts_of_a_line = [rest]
        for line in lines if part else (rest,):
            if (message := _message(line)) is not None:
                self._arrive(message)
        if not part:
            self.stop_listening()
            self._end()

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
                self._count_written += 1
        except OSError:  # the client is gone, and nobody is left to be told
            self._on_loop(self._arrivals.close)

    async def send(self, item: SessionMessage, /) -> None:
        """Send a message to the client; it never waits for the client to read."""
        line = memoryview(_line(item.message))
        if left := line[self._written_at_once(line) :]:
            self._count_queued += 1
            self._outgoing.put(left)
        if isinstance(item.message, JSONRPCResponse | JSONRPCError):
            await self._settle(item.message.id)

    def _written_at_once(self, line: memoryview) -> int:
        """Write what the client's end has room for, and return how many bytes that was."""
        if _WITHOUT_WAITING is None or self._count_written < self._count_queued:
            return 0
        try:
            return os.pwritev(self._sink.fileno(), [line], -1, _WITHOUT_WAITING)
        except OSError:  # no room, no client, or a system that does not know how
            return 0

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


def _line(message: JSONRPCMessage) -> bytes | bytearray:
    try:
        if isinstance(message, JSONRPCResponse) and message.result.get("structuredContent") == {}:
            return _spliced(message.id, message.result)
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
    except ValueError:
        return _escaped(message)


def _spliced(request_id: RequestId, result: Mapping[str, Any]) -> bytearray:
    """Return a tool result with its text, which is JSON, as the structured content too.

    The two are then the same object whatever happens in between, and it is encoded only once.
    """
    text = Raw(result["content"][0]["text"].encode())
    answer = {**result, "structuredContent": text}
    line = bytearray()
    _encode_into({"jsonrpc": "2.0", "id": request_id, "result": answer}, line)
    line += b"\n"
    return line


def _escaped(message: JSONRPCMessage) -> bytes:
    """Return a message that holds half a character, of an id or a name that the client has sent."""
    said = message.model_dump(by_alias=True, exclude_unset=True)
    result = said.get("result", {})
    if result.get("structuredContent") == {}:
        result["structuredContent"] = json.loads(result["content"][0]["text"])
    return json.dumps(said).encode() + b"\n"
