"""The processes under test: servers behind their pipes, and commands that run once."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from stdio_client import ServerGone, StdioClient

_COMMAND: Final = (sys.executable, "-m", "mnemolog")
_PATIENCE_SECONDS: Final = 120.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a call."""

    kind: Literal["done", "refused", "gone"]
    text: str = ""
    value: Any = None


class Process:
    """One process at a time, which can be ended from another thread."""

    def __init__(self, memory: Path, log: Path) -> None:
        self.memory = memory
        self._log = log
        self._running: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The process that runs now, if one does."""
        running = self._running
        return running.pid if running is not None and running.poll() is None else None

    def send(self, number: signal.Signals) -> bool:
        """Send it a signal, and return whether it was there to get it."""
        running = self._running
        if running is None or running.poll() is not None:
            return False
        running.send_signal(number)
        return True

    @property
    def resident_bytes(self) -> int:
        """How much memory it holds now; 0 where the system does not say."""
        with suppress(OSError, ValueError, IndexError):
            pages = Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1]
            return int(pages) * os.sysconf("SC_PAGE_SIZE")
        return 0

    def _start(self, words: Sequence[str], **pipes: int) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [*_COMMAND, *words],
                cwd=self.memory.parent,
                env={**os.environ, "MEMORY_FILE_PATH": str(self.memory)},
                stdin=pipes.get("stdin", subprocess.DEVNULL),
                stdout=subprocess.PIPE,
                stderr=pipes.get("stderr", log),
                bufsize=0,
            )


class Server(Process):
    """A server and its one client."""

    def __init__(self, memory: Path, log: Path) -> None:
        super().__init__(memory, log)
        self._client: StdioClient | None = None

    def start(self) -> None:
        """Start it anew and make the handshake.

        Raises:
            ServerGone: It was ended before it could answer.
        """
        self.end()
        self._running = self._start((), stdin=subprocess.PIPE)
        assert self._running.stdin
        assert self._running.stdout
        self._client = StdioClient(self._running.stdout.fileno(), self._running.stdin.fileno())
        with _as_gone():
            self._client.open()

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool and return what came of it."""
        assert self._client
        try:
            with _as_gone():
                response = self._client.call(tool, arguments)
        except ServerGone as gone:
            if "no answer" in str(gone):
                raise
            return Answer("gone")
        result = response["result"]
        text = result["content"][0]["text"]
        if result.get("isError"):
            return Answer("refused", text)
        return Answer("done", text, result["structuredContent"])

    def end(self) -> None:
        """Close its input, as a client does, and wait for it to go."""
        running = self._running
        if running is None:
            return
        assert running.stdin
        with suppress(OSError):
            running.stdin.close()
        try:
            running.wait(timeout=_PATIENCE_SECONDS)
        finally:
            running.kill()
            running.wait()
            assert running.stdout
            running.stdout.close()
            self._running = None


class Command(Process):
    """Commands, one after the other."""

    def call(self, words: Sequence[str]) -> Answer:
        """Run a command to its end and return what came of it."""
        self._running = running = self._start(words, stderr=subprocess.PIPE)
        try:
            said, complaint = running.communicate(timeout=_PATIENCE_SECONDS)
        finally:
            running.kill()
            running.wait()
            self._running = None
        if running.returncode < 0:
            return Answer("gone")
        text = complaint.decode()
        assert "Traceback" not in text, text
        assert running.returncode in {0, 1}, text
        kind: Literal["done", "refused"] = "refused" if running.returncode else "done"
        return Answer(kind, text, said)


@contextmanager
def _as_gone() -> Iterator[None]:
    """Say that a server is gone, whichever end of the pipe noticed it."""
    try:
        yield
    except OSError as error:
        raise ServerGone("the server closed its input") from error
