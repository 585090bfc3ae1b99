"""Start mnemolog in real clients, from the configs that init writes, and print what each shows.

    uv run python scripts/check_clients.py [FOLDER]

`mnemolog init` registers every client in a fresh git repository; only the published name gives way
to the wheel that this checkout builds. The clients come from npm into FOLDER (else into a folder
for temporary files), which is kept for the next run. None has a login; each one is started with a
home of its own, and with nothing to reach beyond this machine. The plugin and the bundle are
started too. The last thing printed is the README's table. Exits with 1 if something fails.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Timer
from typing import Any, Final
from zipfile import ZipFile

from build_mcpb import arguments, build
from session_hooks import check_codex_hook, check_gemini_hook
from workplace import (
    CLAUDE,
    CODEX,
    GEMINI,
    INSPECTOR,
    MCPB,
    OPENCODE,
    PROJECT,
    TIMEOUT_SECONDS,
    VERSIONS,
    NotShown,
    Workplace,
    install,
    prepare,
    require,
    write,
    write_plugin,
)

from mnemolog.server.prompts import PROMPTS
from mnemolog.server.tools import TOOLS

TOOL_COUNT: Final = len(TOOLS)
FACT: Final = "deploys on every merge"

_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")


# --- what each client shows --------------------------------------------------------------------


def check_inspector(work: Workplace, era: str) -> str:
    """Return what the Inspector shows in a protocol era: the tools, a write, a read of it."""
    inspect = inspector(work, work.repository / ".mcp.json", era, work.repository)
    tools = inspect("--method", "tools/list", "--strict")["tools"]
    require(len(tools) == TOOL_COUNT, f"{len(tools)} tools: {tools}")
    name = f"{era} era"
    arguments = {"entities": [new_entity(name)]}
    inspect(*tool_call("create_entities"), "--tool-args-json", json.dumps(arguments))
    return f"{TOOL_COUNT} tools, a write, a read, {agent_of(name, inspect)}"


def check_editor(work: Workplace, config: str, servers: str, folder: Path) -> str:
    """Return what an editor would get that starts the server of its config in a folder."""
    server = json.loads((work.repository / config).read_text(encoding="utf-8"))[servers]
    agent_of("legacy era", inspector_of(work, server, folder))
    return "no command line; Inspector starts the server of its config: the same memory"


def inspector_of(work: Workplace, servers: object, folder: Path) -> Callable[..., Any]:
    plain = work.home / "editor.json"
    write(plain, json.dumps({"mcpServers": servers}))
    return inspector(work, plain, "legacy", folder)


def inspector(work: Workplace, config: Path, era: str, folder: Path) -> Callable[..., Any]:
    """Return a function that gives the result of one request that the Inspector makes."""
    words = ["mcp-inspector", "--cli", "--config", str(config), "--server", "mnemolog"]
    words += ["--protocol-era", era, "--format", "json"]

    def inspect(*request: str) -> Any:  # noqa: ANN401 - a JSON value
        return json.loads(work.run(*words, *request, folder=folder).stdout)["result"]

    return inspect


def tool_call(name: str) -> tuple[str, ...]:
    return "--method", "tools/call", "--tool-name", name


def new_entity(name: str) -> Mapping[str, object]:
    return {"name": name, "entityType": "check", "observations": [FACT]}


def agent_of(name: str, inspect: Callable[..., Any]) -> str:
    """Return which agent an entity in the graph is from; it has to be there."""
    result = inspect(*tool_call("read_graph"))
    graph = result["structuredContent"]
    require(json.loads(result["content"][0]["text"]) == graph, "text and structured content differ")
    agents = [entity["agent"] for entity in graph["entities"] if entity["name"] == name]
    require(len(agents) == 1, f"read_graph does not show {name!r}: {graph}")
    return f"agent {agents[0]}"


def check_list(work: Workplace, client: str, shown: str) -> str:
    """Return what the client's own list of servers says about ours."""
    done = work.run(client, "mcp", "list")
    printed = _COLOUR.sub("", done.stdout + done.stderr)
    ours = [line.strip() for line in printed.splitlines() if "mnemolog" in line]
    require(any(line.endswith(shown) for line in ours), printed)
    return f"`{client} mcp list`: {shown}"


def check_claude(work: Workplace) -> str:
    """Return what a session of Claude Code has of the server, before it would need a login."""
    listed = check_list(work, "claude", "✔ Connected")
    start = next(e for e in session(work) if e.get("subtype") == "init")
    tools = [name for name in start["tools"] if name.startswith("mcp__mnemolog__")]
    require(len(tools) == TOOL_COUNT, f"{len(tools)} tools: {start}")
    prompts = [f"mcp__mnemolog__{name}" for name in PROMPTS]
    require(set(prompts) <= set(start["slash_commands"]), f"{prompts}: {start}")
    return f"{listed}; in a session {TOOL_COUNT} tools, and the prompts as `/{prompts[0]}`"


def check_plugin(work: Workplace, folder: Path) -> str:
    """Return what a session has of the plugin: its server, and what its hook brings in."""
    plugin = write_plugin(work, folder / "plugin")
    work.run("claude", "plugin", "validate", "--strict", str(plugin))
    install_as_documented(work)
    config, aside = work.repository / ".mcp.json", folder / "mcp.json"
    config.rename(aside)  # else its tools come twice
    try:
        events = [*session(work, "--plugin-dir", str(plugin), "--include-hook-events")]
    finally:
        aside.rename(config)
    start = next(e for e in events if e.get("subtype") == "init")
    tools = [name for name in start["tools"] if "mnemolog" in name]
    require(len(tools) == TOOL_COUNT, f"{len(tools)} tools: {start}")
    said = "".join(e["stdout"] for e in events if e.get("subtype") == "hook_response")
    require(FACT in said, f"the session's hook did not recall {FACT!r}: {events}")
    return f"`claude plugin validate`: passed; in a session {TOOL_COUNT} tools, and the facts"


def install_as_documented(work: Workplace) -> None:
    """Carry out what the plugin's README says, word by word, and take it back."""
    said = re.findall(
        "^claude .+$", (PROJECT / "plugin/README.md").read_text("utf-8"), re.MULTILINE
    )
    require(len(said) == 2, f"other commands than two: {said}")  # noqa: PLR2004 - add and install
    for line in (*said, "claude plugin uninstall mnemolog@mnemolog"):
        work.run(*line.split(), folder=PROJECT)


def session(work: Workplace, *words: str) -> Iterator[Any]:
    """Yield what happens in a session of Claude Code; without a login it ends at the first turn."""
    variables = {
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_MAX_RETRIES": "0",
        "MCP_CONNECTION_NONBLOCKING": "false",
    }
    seen = Workplace(work.repository, work.home, work.wheel, {**work.environment, **variables})
    asked = ("claude", "-p", "hello", "--output-format", "stream-json", "--verbose", *words)
    for line in seen.run(*asked, may_fail=True).stdout.splitlines():
        yield json.loads(line)


def check_bundle(work: Workplace, folder: Path) -> str:
    """Return what the bundle shows once an app has unpacked it and filled in its variables."""
    unpacked = folder / "bundle"
    shutil.rmtree(unpacked, ignore_errors=True)
    with ZipFile(build(folder / "dist")) as archive:
        archive.extractall(unpacked)
    work.run("mcpb", "validate", str(unpacked / "manifest.json"))
    values = {"${__dirname}": str(unpacked), "${user_config.project}": str(work.repository)}
    words = [values.get(word, word) for word in arguments()]
    # The packages are in the cache already, but for those that only a build needs.
    server = {"command": "uv", "args": words}
    subprocess.run(["uv", *words, "--version"], check=True, capture_output=True)
    agent_of("legacy era", inspector_of(work, {"mnemolog": server}, work.home))
    return "`mcpb validate`: passed; unpacked, and started by Inspector: the same memory"


def check_codex(work: Workplace) -> str:
    """Return what Codex's app server, which needs no login, shows of the server in a thread."""
    check_list(work, "codex", "Unsupported")  # its last column: no login to offer
    with app_server(work) as ask:
        ask("initialize", {"clientInfo": {"name": "check", "version": "0"}})
        thread = {"threadId": ask("thread/start", {"cwd": str(work.repository)})["thread"]["id"]}
        servers = ask("mcpServerStatus/list", thread)["data"]
        tools = {s["name"]: s["tools"] for s in servers}.get("mnemolog", {})
        require(len(tools) == TOOL_COUNT, f"{len(tools)} tools: {servers}")
        call = {**thread, "server": "mnemolog"}
        new = {"entities": [new_entity("from codex")]}
        ask("mcpServer/tool/call", {**call, "tool": "create_entities", "arguments": new})

        def read(*_: str) -> Any:  # noqa: ANN401 - a JSON value
            return ask("mcpServer/tool/call", {**call, "tool": "read_graph", "arguments": {}})

        agent = agent_of("from codex", read)
    check_codex_hook(work, FACT)
    shown = f"{TOOL_COUNT} tools, a write, a read, {agent}, and the facts by its hook"
    return f"`codex mcp list`: enabled; {shown}"


def check_gemini(work: Workplace) -> str:
    """Return what Gemini CLI shows of the server, and what its hook brings in."""
    listed = check_list(work, "gemini", "Connected")
    check_gemini_hook(work, FACT)
    return f"{listed}; in a session the facts by its hook"


@contextmanager
def app_server(work: Workplace) -> Iterator[Callable[[str, object], Any]]:
    """Give a function that asks Codex's app server for something, and returns its answer."""
    process = subprocess.Popen(
        ["codex", "app-server"],
        cwd=work.repository,
        env=work.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    # Reading an answer waits for a line: this ends the wait for one that doesn't come.
    watch = Timer(TIMEOUT_SECONDS, process.kill)
    watch.start()
    with process:
        try:
            yield lambda method, parameters: ask(process, method, parameters)
        finally:
            watch.cancel()
            process.terminate()


def ask(process: subprocess.Popen[str], method: str, parameters: object) -> Any:  # noqa: ANN401 - a JSON value
    """Return the app server's answer to a request; what it says meanwhile is passed over."""
    assert process.stdin  # noqa: S101 - it has both pipes
    assert process.stdout  # noqa: S101
    request = {"id": method, "method": method, "params": parameters}
    print(json.dumps(request), file=process.stdin, flush=True)
    for line in process.stdout:
        answer = json.loads(line)
        if answer.get("id") == method and "method" not in answer:
            require("result" in answer, f"{method}: {answer}")
            return answer["result"]
    raise NotShown(f"{method}: no answer")


@dataclass(frozen=True, slots=True)
class Check:
    """One client, and what shows that it has the server."""

    label: str
    package: str
    show: Callable[[Workplace], str]

    @property
    def version(self) -> str:
        """The version of what is started; of an editor, that of what is started in its place."""
        return VERSIONS[self.package]


def checks(folder: Path) -> tuple[Check, ...]:
    return (
        Check("Inspector, until 2025-11-25", INSPECTOR, lambda w: check_inspector(w, "legacy")),
        Check("Inspector, 2026-07-28", INSPECTOR, lambda w: check_inspector(w, "modern")),
        Check("Claude Code", CLAUDE, check_claude),
        Check("Claude Code, plugin", CLAUDE, lambda work: check_plugin(work, folder)),
        Check("Codex", CODEX, check_codex),
        Check("Gemini CLI", GEMINI, check_gemini),
        Check("opencode", OPENCODE, lambda work: check_list(work, "opencode", "connected")),
        # Cursor may start a server anywhere, VS Code starts it in the folder of the config.
        Check("Cursor", INSPECTOR, check_cursor),
        Check("VS Code", INSPECTOR, check_vscode),
        Check("Bundle (.mcpb)", MCPB, lambda work: check_bundle(work, folder)),
    )


def check_cursor(work: Workplace) -> str:
    return check_editor(work, ".cursor/mcp.json", "mcpServers", work.home)


def check_vscode(work: Workplace) -> str:
    return check_editor(work, ".vscode/mcp.json", "servers", work.repository)


def shown_by(check: Check, work: Workplace) -> str | None:
    """Return what the client showed, if that is all it has to, and print it."""
    try:
        shown = check.show(work)
    except (NotShown, subprocess.SubprocessError, OSError) as problem:
        print(f"FAIL  {check.label:28} {check.version:8} {problem}", flush=True)
        return None
    print(f"ok    {check.label:28} {check.version:8} {shown}", flush=True)
    return shown


def table(shown: Mapping[Check, str | None]) -> Iterator[str]:
    """Yield the lines of the README's table."""
    yield "| tried | version | what it showed |"
    yield "|---|---|---|"
    for check, said in shown.items():
        version = check.version if check.package != INSPECTOR else f"Inspector {check.version}"
        yield f"| {check.label} | {version} | {said or 'failed'} |"


def main() -> int:
    if shutil.which("npm") is None:
        print("skipped: npm is not on the PATH")
        return 0
    default = Path(tempfile.gettempdir()) / "mnemolog-clients"
    folder = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else default
    print(f"clients, repository and home are in {folder}", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    work = prepare(folder, install(folder))
    shown = {check: shown_by(check, work) for check in checks(folder)}
    print("", *table(shown), sep="\n")
    return 0 if all(shown.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
