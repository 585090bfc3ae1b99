"""What the hooks that docs/clients.md has for Codex and Gemini CLI bring to a model.

No client has a login here. In place of the model they ask a server on this machine, which notes
what it is sent and refuses it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from workplace import PROJECT, Workplace, require, write


def check_codex_hook(work: Workplace, fact: str) -> None:
    """Let a session of Codex begin, and require that the model is told a fact."""
    write(work.repository / ".codex" / "hooks.json", json.dumps(documented("Codex", work)))
    with model() as (address, sent):
        retries = "request_max_retries=0, stream_max_retries=0"
        provider = f'model_providers.none={{name="none", base_url="{address}", {retries}}}'
        settings = ("-c", provider, "-c", 'model_provider="none"')
        asked = ("codex", "exec", "--dangerously-bypass-hook-trust", *settings, "hello")
        with_variables(work).run(*asked, may_fail=True)
    require_told(fact, sent)


def check_gemini_hook(work: Workplace, fact: str) -> None:
    """Let a session of Gemini CLI begin, and require that the model is told a fact."""
    config = work.repository / ".gemini" / "settings.json"
    settings = json.loads(config.read_text(encoding="utf-8"))
    write(config, json.dumps(settings | documented("Gemini CLI", work)))
    key = {"security": {"auth": {"selectedType": "gemini-api-key"}}}
    write(work.home / ".gemini" / "settings.json", json.dumps(key))
    with model() as (address, sent):
        variables = {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": address}
        asked = ("gemini", "-m", "gemini-2.5-flash", "-p", "hello")
        with_variables(work, **variables).run(*asked, may_fail=True)
    require_told(fact, sent)


def documented(client: str, work: Workplace) -> Any:  # noqa: ANN401 - a JSON value
    """Return the hooks that the documents show for a client, with the wheel as what they start."""
    page = (PROJECT / "docs" / "clients.md").read_text(encoding="utf-8")
    _, section = page.split("\n## Sessions begin with memory\n")
    blocks = re.findall(
        rf"^\*\*{client}\*\*.*?```json\n(.*?)```", section, re.DOTALL | re.MULTILINE
    )
    require(len(blocks) == 1 and "uvx mnemolog " in blocks[0], f"no hook for {client}")
    return json.loads(blocks[0].replace("uvx mnemolog ", f"uvx {' '.join(work.from_wheel)} "))


@contextmanager
def model() -> Iterator[tuple[str, list[str]]]:
    """Give the address of a server, and what it has been sent."""
    sent: list[str] = []

    class Refusing(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sent.append(self.rfile.read(int(self.headers["content-length"])).decode())
            self.send_error(400)

        def log_message(self, *_: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", sent
        server.shutdown()


def with_variables(work: Workplace, **variables: str) -> Workplace:
    environment = {**work.environment, "NO_PROXY": "127.0.0.1", **variables}
    return replace(work, environment=environment)


def require_told(fact: str, sent: list[str]) -> None:
    require(any(fact in text for text in sent), f"the model was not told {fact!r}: {sent}")
