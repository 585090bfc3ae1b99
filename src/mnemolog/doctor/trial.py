"""A real start of the server over stdio, as a client makes it, with the time that it takes."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TextIO, cast

from mnemolog.doctor.examination import Examination
from mnemolog.doctor.finding import Fact, Finding

TIMEOUT_SECONDS: Final = 30.0
SLOW_START_SECONDS: Final = 10.0
"""What the least patient of the known clients waits for a server to start."""

_LONGEST_QUOTE: Final = 300


@dataclass(frozen=True, slots=True)
class Trial:
    """How a start went."""

    tools: int = 0
    listed_seconds: float = 0.0
    """From the start of the process to the list of its tools."""
    read_seconds: float = 0.0
    """What the first read took, which reads the whole memory."""
    failure: str | None = None

    @property
    def findings(self) -> Iterator[Finding]:
        """What is wrong with it."""
        command = f"{sys.executable} -P -m mnemolog"
        if self.failure is not None:
            yield Finding(
                "problem",
                "server_fails",
                f"The server cannot be started and asked: {self.failure}",
                command,
                "Call the command of the client's config by hand and see what it says; installing "
                "mnemolog again may help.",
            )
        elif self.listed_seconds > SLOW_START_SECONDS:
            yield Finding(
                "problem",
                "slow_start",
                f"The server needs {self.listed_seconds:.1f} s to list its tools, and some clients "
                "give up sooner.",
                command,
                "See what else keeps this machine busy; in Codex startup_timeout_sec gives it more "
                "time.",
            )

    @property
    def facts(self) -> Iterator[Fact]:
        """How long it took."""
        if self.failure is None:
            yield Fact(
                "server",
                f"lists {self.tools} tools {self.listed_seconds:.2f} s after its start; first read "
                f"{self.read_seconds:.2f} s",
            )


def try_server(examination: Examination) -> Trial:
    """Start the server in the folder, list its tools and read once; nothing is written."""
    import anyio  # noqa: PLC0415 - the SDK is slow to import, and only this needs its client
    from mcp.shared.exceptions import MCPError  # noqa: PLC0415

    with tempfile.TemporaryFile(mode="w+", encoding="utf-8", newline="\n", errors="replace") as log:
        try:
            return anyio.run(_try, examination, cast("TextIO", log))
        except TimeoutError:
            failure = f"it has not answered within {TIMEOUT_SECONDS:g} seconds."
        except (OSError, MCPError) as error:
            failure = f"{error}."
        except BaseExceptionGroup as group:
            known, other = group.split((OSError, MCPError))
            if other is not None:
                raise
            failure = f"{_first(known)}."
        log.seek(0)
        said = log.read().strip()[-_LONGEST_QUOTE:]
        return Trial(failure=f"{failure} It said: {said!r}." if said else failure)


async def _try(examination: Examination, log: TextIO) -> Trial:
    import anyio  # noqa: PLC0415
    from mcp import StdioServerParameters  # noqa: PLC0415
    from mcp.client import Client  # noqa: PLC0415
    from mcp.client.stdio import stdio_client  # noqa: PLC0415
    from mcp_types import Implementation  # noqa: PLC0415

    server = StdioServerParameters(
        command=sys.executable,
        args=["-P", "-m", "mnemolog"],  # -P: nothing that lies in the folder is imported
        cwd=examination.start,
        env=dict(examination.environment),
    )
    me = Implementation(name="mnemolog-doctor", version="1")
    with anyio.fail_after(TIMEOUT_SECONDS):
        started = time.perf_counter()
        async with Client(stdio_client(server, errlog=log), client_info=me) as client:
            tools = len((await client.list_tools()).tools)
            listed = time.perf_counter()
            # A refusal is an answer too; other checks say what it is about.
            await client.call_tool("read_graph", {"limit": 1})
            return Trial(tools, listed - started, time.perf_counter() - listed)


def _first(error: BaseException | None) -> BaseException | None:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
