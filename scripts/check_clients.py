"""Start mnemolog in real clients, from the README's own configs, and print what each one shows.

    uv run python scripts/check_clients.py [FOLDER]

Each config is taken out of the README and laid in a fresh git repository; only the published name
gives way to the wheel that this checkout builds. The clients come from npm into FOLDER (else into
a folder for temporary files), which is kept for the next run. None has a login; each one is started
with a home of its own, and with nothing to reach beyond this machine. Exits with 1 if one fails.
"""

from __future__ import annotations

import json
import os
import platform
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
from typing import Any, Final, TypeAlias

from mnemolog.server.tools import TOOLS

PROJECT: Final = Path(__file__).resolve().parent.parent
TOOL_COUNT: Final = len(TOOLS)
TIMEOUT_SECONDS: Final = 120.0

INSPECTOR: Final = "@modelcontextprotocol/inspector"
CLAUDE: Final = "@anthropic-ai/claude-code"
GEMINI: Final = "@google/gemini-cli"
CODEX: Final = "@openai/codex"
OPENCODE: Final = "opencode-ai"
# Pinned, so that a check that fails has failed because of us.
VERSIONS: Final = {
    INSPECTOR: "2.12.0",
    CLAUDE: "2.1.332",
    GEMINI: "0.61.0",
    CODEX: "0.171.0",
    OPENCODE: "1.18.33",
}
NODE_MAJOR: Final = 24

_COLOUR: Final = re.compile(r"\x1b\[[0-9;]*m")
_SNIPPET: Final = re.compile(r"`([^`\s]+)`:\n\n```(?:json|toml)\n(.*?)```", re.DOTALL)


class NotShown(Exception):
    """A client did not show what it has to."""


@dataclass(frozen=True, slots=True)
class Workplace:
    """Where the clients are started: a repository with the README's configs, and a home."""

    repository: Path
    home: Path
    environment: Mapping[str, str]

    def run(self, *words: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Return what a command printed."""
        done = subprocess.run(
            words,
            cwd=folder or self.repository,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
        require(not done.returncode, f"exit code {done.returncode}: {done.stdout}{done.stderr}")
        return done


def require(is_shown: bool, otherwise: str) -> None:  # noqa: FBT001 - it reads like assert
    if not is_shown:
        raise NotShown(otherwise[-3000:])


# --- the README's configs ----------------------------------------------------------------------


def snippets_in(readme: str) -> Mapping[str, str]:
    """Return the first config shown for each file, by the file's name."""
    found: dict[str, str] = {}
    for name, text in _SNIPPET.findall(readme):
        found.setdefault(name, text)
    return found


def with_wheel(snippet: str, wheel: Path, repository: Path) -> str:
    """Return the config with the wheel in place of the published name, from this disk alone."""
    published = '"mnemolog"]'
    require(snippet.count(published) == 1, f"no {published} in the README's config:\n{snippet}")
    ours = f'"--offline", "--from", "{wheel}", "mnemolog"]'
    # Cursor would fill this in, but Cursor cannot be started without a window.
    return snippet.replace(published, ours).replace("${workspaceFolder}", str(repository))


def write_configs(wheel: Path, repository: Path) -> None:
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    for name, snippet in snippets_in(readme).items():
        write(repository / name, with_wheel(snippet, wheel, repository))


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


# --- what has to be there ----------------------------------------------------------------------


def install(folder: Path) -> str:
    """Install the clients, and node where it is too old; return the PATH that finds both."""
    path = os.environ["PATH"]
    if node_major() < NODE_MAJOR:
        path = os.pathsep.join([str(install_node(folder / "node")), path])
    target = folder / "clients"
    if installed_versions(target) != VERSIONS:
        packages = [f"{name}@{version}" for name, version in VERSIONS.items()]
        npm_install(target, path, *packages)
    return os.pathsep.join([str(target / "node_modules" / ".bin"), path])


def node_major() -> int:
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True)
    return int(version.stdout.strip().removeprefix("v").split(".")[0])


def install_node(target: Path) -> Path:
    machine = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    package = f"node-{sys.platform}-{machine}"
    found = target / "node_modules" / package / "bin"
    if not found.is_dir():
        npm_install(target, os.environ["PATH"], f"{package}@{NODE_MAJOR}")
    return found


def installed_versions(target: Path) -> Mapping[str, str]:
    manifests = {name: target / "node_modules" / name / "package.json" for name in VERSIONS}
    return {
        name: json.loads(manifest.read_text(encoding="utf-8"))["version"]
        for name, manifest in manifests.items()
        if manifest.is_file()
    }


def npm_install(target: Path, path: str, *packages: str) -> None:
    print(f"installing {', '.join(packages)} into {target}", flush=True)
    target.mkdir(parents=True, exist_ok=True)
    words = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(target), *packages]
    environment = {**os.environ, "PATH": path}
    done = subprocess.run(
        words, cwd=target, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    require(not done.returncode, f"npm install failed: {done.stderr}")


def build_wheel(target: Path) -> Path:
    shutil.rmtree(target, ignore_errors=True)
    words = ["uv", "build", "--quiet", "--wheel", "--out-dir", str(target), str(PROJECT)]
    subprocess.run(words, check=True)
    return next(target.glob("*.whl"))


def prepare(folder: Path, path: str) -> Workplace:
    """Return a fresh repository and a fresh home, in which the server starts without a network."""
    repository, home = folder / "repository", folder / "home"
    for place in (repository, home):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
    wheel = build_wheel(folder / "dist")
    subprocess.run(["git", "init", "--quiet", str(repository)], check=True)
    write_configs(wheel, repository)
    trust(home, repository)
    fill_cache(home, wheel, path)
    return Workplace(repository, home, environment_for(home, path))


def trust(home: Path, repository: Path) -> None:
    """Answer in advance what each client asks a user about a repository's own config."""
    place = json.dumps(str(repository))
    write(home / ".claude/settings.json", '{"enableAllProjectMcpServers": true}')
    write(home / ".gemini/trustedFolders.json", f'{{{place}: "TRUST_FOLDER"}}')
    write(home / ".codex/config.toml", f'[projects.{place}]\ntrust_level = "trusted"\n')


def fill_cache(home: Path, wheel: Path, path: str) -> None:
    """Fetch what the wheel depends on to where uv will look for it when this is the home."""
    cache = str(home / ".cache" / "uv")
    subprocess.run(
        ["uvx", "--from", str(wheel), "mnemolog", "where"],
        cwd=home,
        env={**os.environ, "HOME": str(home), "PATH": path, "UV_CACHE_DIR": cache},
        capture_output=True,
        check=True,
    )


def environment_for(home: Path, path: str) -> Mapping[str, str]:
    nobody = "http://127.0.0.1:9"  # the discard port: whoever calls home gets no answer
    return {
        "HOME": str(home),
        "PATH": path,
        "LANG": "C.UTF-8",
        "HTTP_PROXY": nobody,
        "HTTPS_PROXY": nobody,
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "MCP_INSPECTOR_SECRET_STORE": "memory",
    }


# --- what each client shows --------------------------------------------------------------------


def check_inspector(work: Workplace, era: str) -> str:
    """Return what the Inspector shows in a protocol era: the tools, a write, a read of it."""
    inspect = inspector(work, work.repository / ".mcp.json", era, work.repository)
    tools = inspect("--method", "tools/list", "--strict")["tools"]
    require(len(tools) == TOOL_COUNT, f"{len(tools)} tools: {tools}")
    name = f"{era} era"
    arguments = {"entities": [new_entity(name)]}
    inspect(*tool_call("create_entities"), "--tool-args-json", json.dumps(arguments))
    return f"{TOOL_COUNT} tools, create_entities, read_graph, {agent_of(name, inspect)}"


def check_editor(work: Workplace, config: str, servers: str, folder: Path) -> str:
    """Return what an editor would get that starts the server of its config in a folder."""
    server = json.loads((work.repository / config).read_text(encoding="utf-8"))[servers]
    plain = work.home / "editor.json"
    write(plain, json.dumps({"mcpServers": server}))
    inspect = inspector(work, plain, "legacy", folder)
    agent_of("legacy era", inspect)
    return "no command line: its config, started by Inspector, reads the same memory"


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
    return {"name": name, "entityType": "check", "observations": ["it was written"]}


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
    return f"{client} mcp list: {shown}"


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
    return f"codex mcp list: enabled; {TOOL_COUNT} tools, create_entities, read_graph, {agent}"


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


Check: TypeAlias = tuple[str, str, Callable[[Workplace], str]]

CHECKS: Final[tuple[Check, ...]] = (
    ("Inspector, legacy era", INSPECTOR, lambda work: check_inspector(work, "legacy")),
    ("Inspector, modern era", INSPECTOR, lambda work: check_inspector(work, "modern")),
    ("Claude Code", CLAUDE, lambda work: check_list(work, "claude", "✔ Connected")),
    ("Gemini CLI", GEMINI, lambda work: check_list(work, "gemini", "Connected")),
    ("Codex", CODEX, check_codex),
    ("opencode", OPENCODE, lambda work: check_list(work, "opencode", "connected")),
    # Cursor may start a server anywhere, VS Code starts it in the folder of the config.
    (
        "Cursor",
        INSPECTOR,
        lambda work: check_editor(work, ".cursor/mcp.json", "mcpServers", work.home),
    ),
    (
        "VS Code",
        INSPECTOR,
        lambda work: check_editor(work, ".vscode/mcp.json", "servers", work.repository),
    ),
)


def report(outcome: str, label: str, package: str, shown: str) -> None:
    print(f"{outcome:5} {label:22} {VERSIONS[package]:8} {shown}", flush=True)


def passes(check: Check, work: Workplace) -> bool:
    """Return whether the client showed what it has to, and print what it showed."""
    label, package, show = check
    try:
        report("ok", label, package, show(work))
    except (NotShown, subprocess.TimeoutExpired) as problem:
        report("FAIL", label, package, str(problem))
        return False
    return True


def main() -> int:
    if shutil.which("npm") is None:
        for label, package, _ in CHECKS:
            report("skip", label, package, "npm is not on the PATH")
        return 0
    default = Path(tempfile.gettempdir()) / "mnemolog-clients"
    folder = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else default
    print(f"clients, repository and home are in {folder}", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    work = prepare(folder, install(folder))
    failures = [check for check in CHECKS if not passes(check, work)]
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
