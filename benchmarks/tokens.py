"""Count the tokens that a session spends on a server before its first call, and print a table.

    MNEMOLOG_TOKENIZER=FOLDER uv run python benchmarks/tokens.py

Counted is what the server sends: the result of tools/list and the instructions, as compact JSON and
as text, with the public tokenizer gpt-tokenizer (o200k_base) of npm. It is looked for in the
folder's node_modules, or in what npx has fetched: `npx -y -p gpt-tokenizer node -e 0`. It ends with
1 when mnemolog needs more than the limit; without node or the tokenizer it says so and counts
nothing.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "conformance"))

from server_memory import PACKAGE, VERSION, NotInstalled, server_memory_command

OURS: Final = (str(Path(sys.executable).with_name("mnemolog")),)
LIMIT: Final = 4_000
"""Of tokens, for tools/list and the instructions together."""

TOKENIZER: Final = "gpt-tokenizer"
FOLDER_VARIABLE: Final = "MNEMOLOG_TOKENIZER"
_COUNT: Final = """
const { encode } = require(process.argv[1]);
const texts = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(texts.map((text) => encode(text).length)));
"""


def main() -> int:
    tokenizer = find_tokenizer()
    node = shutil.which("node")
    if node is None or tokenizer is None:
        print(f"Nothing is counted: it needs node and {TOKENIZER}; see the head of this file.")
        return 0
    print("| server | tools | of them the results | instructions | together |")
    print("|---|--:|--:|--:|--:|")
    ours = row("mnemolog", OURS, node, tokenizer)
    try:
        row(f"{PACKAGE} {VERSION}", server_memory_command(), node, tokenizer)
    except NotInstalled as reason:
        print(f"\nserver-memory is not counted: {reason}")
    print(f"\nmnemolog: {ours} of {LIMIT} tokens")
    return int(ours > LIMIT)


def row(name: str, command: Sequence[str], node: str, tokenizer: Path) -> int:
    """Print what a server costs, and return the tokens of all of it."""
    listed, said = first_words(command)
    without = [{k: v for k, v in tool.items() if k != "outputSchema"} for tool in listed["tools"]]
    texts = [compact(listed), compact({**listed, "tools": without}), said]
    all_tools, tools_without_results, instructions = count(texts, node, tokenizer)
    results = all_tools - tools_without_results
    together = all_tools + instructions
    print(
        f"| {name} ({len(without)} tools) | {all_tools} | {results} | {instructions} | {together} |"
    )
    return together


def first_words(command: Sequence[str]) -> tuple[dict[str, Any], str]:
    """Return the result of tools/list, and the instructions."""
    client = {"name": "benchmark", "version": "1"}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    with tempfile.TemporaryDirectory() as folder:
        settings = {"MEMORY_FILE_PATH": str(Path(folder, "memory.jsonl"))}
        server = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | settings,
            cwd=folder,
        )
        with server:
            greeting = ask(server, 1, "initialize", hello)
            listed = ask(server, 2, "tools/list", {})
    return listed, greeting.get("instructions", "")


def ask(
    server: subprocess.Popen[bytes], number: int, method: str, params: dict[str, Any]
) -> dict[str, Any]:
    """Return the result of a request; the handshake is completed by the way."""
    assert server.stdin is not None
    assert server.stdout is not None
    request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    server.stdin.write(compact(request).encode() + b"\n")
    server.stdin.flush()
    result: dict[str, Any] = json.loads(server.stdout.readline())["result"]
    if method == "initialize":
        server.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
    return result


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def count(texts: Sequence[str], node: str, tokenizer: Path) -> list[int]:
    """Return how many tokens each text has."""
    done = subprocess.run(
        [node, "-e", _COUNT, str(tokenizer)],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        check=True,
    )
    counted: list[int] = json.loads(done.stdout)
    return counted


def find_tokenizer() -> Path | None:
    """Return the folder of the tokenizer's package, if it is on this machine."""
    packages = (folder / "node_modules" / TOKENIZER for folder in _folders())
    return next((package for package in packages if package.is_dir()), None)


def _folders() -> Iterator[Path]:
    if named := os.environ.get(FOLDER_VARIABLE):
        yield Path(named)
    cache_folder = os.environ.get("npm_config_cache")  # noqa: SIM112 - npm's own spelling
    yield from Path(cache_folder or Path.home() / ".npm").glob("_npx/*")


if __name__ == "__main__":
    sys.exit(main())
