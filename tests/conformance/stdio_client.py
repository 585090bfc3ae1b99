"""A bare MCP client that speaks JSON-RPC lines: the same for every server, and hiding nothing."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

CLIENT_NAME: Final = "conformance"
PROTOCOL: Final = "2025-06-18"
_PATIENCE_SECONDS: Final = 120.0


class ServerGone(Exception):
    """The server closed its output, or did not answer in time."""


class StdioClient:
    """One connection: writes requests to one descriptor, reads answers from another."""

    def __init__(self, source: int, sink: int) -> None:
        self._source = source
        self._sink = sink
        self._unread = bytearray()
        self._last_id = 0
        self.notifications: list[Any] = []
        """Every notification so far, in the order in which they came."""

    def open(self) -> Any:
        """Make the handshake and return what the server says about itself."""
        client = {"name": CLIENT_NAME, "version": "1"}
        offer = {"protocolVersion": PROTOCOL, "capabilities": {}, "clientInfo": client}
        answer = self.request("initialize", offer)
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer["result"]

    def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Send a request and return the answer, a JSON-RPC response or error."""
        return self.timed_request(method, params)[1]

    def timed_request(
        self, method: str, params: Mapping[str, Any] | None = None
    ) -> tuple[float, Any]:
        """Return also the seconds until the answer's last byte; decoding it is not among them."""
        self._last_id += 1
        message = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params or {}}
        start = time.perf_counter()
        self._write(message)
        while True:
            end = self._end_of_line()
            seconds = time.perf_counter() - start
            answer = json.loads(self._unread[:end])
            del self._unread[: end + 1]
            if answer.get("id") == self._last_id:
                return seconds, answer
            self.notifications.append(answer)

    def call(self, tool: str, arguments: Mapping[str, Any] | None) -> Any:
        """Call a tool and return the answer; None sends no arguments at all."""
        return self.timed_call(tool, arguments)[1]

    def timed_call(self, tool: str, arguments: Mapping[str, Any] | None) -> tuple[float, Any]:
        """Call a tool and return the seconds until its answer was there, and the answer."""
        given = {} if arguments is None else {"arguments": arguments}
        return self.timed_request("tools/call", {"name": tool, **given})

    def _write(self, message: Mapping[str, Any]) -> None:
        unwritten = memoryview(json.dumps(message).encode() + b"\n")
        while unwritten:
            unwritten = unwritten[os.write(self._sink, unwritten) :]

    def _end_of_line(self) -> int:
        searched = 0
        while (end := self._unread.find(b"\n", searched)) < 0:
            searched = len(self._unread)
            if not select.select([self._source], [], [], _PATIENCE_SECONDS)[0]:
                raise ServerGone(f"no answer in {_PATIENCE_SECONDS:g} seconds")
            part = os.read(self._source, 1 << 20)
            if not part:
                raise ServerGone("the server closed its output")
            self._unread += part
        return end


class ServerProcess:
    """A server started for one memory file, with a client at its pipes."""

    def __init__(self, command: Sequence[str], memory_file: Path, log: Path | None = None) -> None:
        with (log or Path(os.devnull)).open("ab") as errors:
            self._process = subprocess.Popen(
                command,
                cwd=memory_file.parent,
                env={**os.environ, "MEMORY_FILE_PATH": str(memory_file)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,
            )
        assert self._process.stdin
        assert self._process.stdout
        self.client = StdioClient(self._process.stdout.fileno(), self._process.stdin.fileno())

    @property
    def peak_memory_bytes(self) -> int | None:
        """The most memory it has ever had resident; None where the system doesn't say."""
        status = Path(f"/proc/{self._process.pid}/status")
        if not status.exists():
            return None
        lines = status.read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:"))

    def end(self) -> None:
        """Close its input, as a client does, and wait for it to go."""
        with self._process:
            assert self._process.stdin
            self._process.stdin.close()
            try:
                self._process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self._process.kill()


@contextmanager
def serving(
    command: Sequence[str], memory_file: Path, log: Path | None = None
) -> Iterator[StdioClient]:
    """Start a server, make the handshake, and give the client for the length of a `with`."""
    server = ServerProcess(command, memory_file, log)
    try:
        server.client.open()
        yield server.client
    finally:
        server.end()


def with_full_path(command: Sequence[str]) -> list[str]:
    """Return the command so that it can be started from any folder."""
    words = [shutil.which(command[0]) or command[0], *command[1:]]
    # Not resolved: a virtual environment's interpreter is a link, and knows where it is by that.
    return [str(Path(word).absolute()) if Path(word).is_file() else word for word in words]
