"""Our server behind real pipes in a thread of this process: no start to wait for."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import anyio

from mnemolog.server.app import Service
from mnemolog.server.wire import stdio_wire
from mnemolog.store.location import Settings
from stdio_client import StdioClient


@contextmanager
def our_server(memory_file: Path) -> Iterator[StdioClient]:
    """Serve a memory file for the length of a `with`, and give the client."""
    request_source, request_sink = os.pipe()
    answer_source, answer_sink = os.pipe()
    thread = Thread(target=_serve, args=(memory_file, request_source, answer_sink))
    thread.start()
    client = StdioClient(answer_source, request_sink)
    try:
        client.open()
        yield client
    finally:
        os.close(request_sink)
        thread.join()
        os.close(answer_source)


def _serve(memory_file: Path, request_source: int, answer_sink: int) -> None:
    async def serve() -> None:
        server = Service(Settings(str(memory_file), None), memory_file.parent).server()
        with os.fdopen(request_source, "rb") as source, os.fdopen(answer_sink, "wb") as sink:
            async with stdio_wire(source, sink) as (incoming, wire):
                await server.run(incoming, wire, server.create_initialization_options())

    anyio.run(serve)
