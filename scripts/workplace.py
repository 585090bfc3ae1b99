"""Where real clients are started: a fresh repository and home, and the clients themselves.

Everything lies in one folder, which is kept for the next run. No client has a login, and nothing
beyond this machine can be reached once they are installed.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from mnemolog.clients.known import CLIENTS

PROJECT: Final = Path(__file__).resolve().parent.parent
TIMEOUT_SECONDS: Final = 120.0

INSPECTOR: Final = "@modelcontextprotocol/inspector"
CLAUDE: Final = "@anthropic-ai/claude-code"
GEMINI: Final = "@google/gemini-cli"
CODEX: Final = "@openai/codex"
OPENCODE: Final = "opencode-ai"
MCPB: Final = "@anthropic-ai/mcpb"
# Pinned, so that a check that fails has failed because of us.
VERSIONS: Final = {
    INSPECTOR: "2.12.0",
    CLAUDE: "2.1.332",
    GEMINI: "0.61.0",
    CODEX: "0.171.0",
    OPENCODE: "1.18.33",
    MCPB: "2.1.2",
}
NODE_MAJOR: Final = 24


class NotShown(Exception):
    """A client did not show what it has to."""


@dataclass(frozen=True, slots=True)
class Workplace:
    """A repository in which `mnemolog init` was called, a home, and the wheel that is started."""

    repository: Path
    home: Path
    wheel: Path
    environment: Mapping[str, str]

    def run(
        self, *words: str, folder: Path | None = None, may_fail: bool = False
    ) -> subprocess.CompletedProcess[str]:
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
        is_right = may_fail or not done.returncode
        require(is_right, f"exit code {done.returncode}: {done.stdout}{done.stderr}")
        return done

    @property
    def from_wheel(self) -> tuple[str, ...]:
        """What stands for the published name behind `uvx`: the wheel, from this disk alone."""
        return "--offline", "--from", str(self.wheel), "mnemolog"


def require(is_shown: bool, otherwise: str) -> None:  # noqa: FBT001 - it reads like assert
    if not is_shown:
        raise NotShown(otherwise[-3000:])


# --- the configs ---------------------------------------------------------------------------------


def write_configs(work: Workplace) -> None:
    """Let init register every client, then put the wheel in place of the published name."""
    everyone = [word for name in CLIENTS for word in ("--client", name)]
    work.run("uvx", *work.from_wheel, "init", *everyone)
    for client in CLIENTS.values():
        path = work.repository / client.files[0]
        write(path, with_wheel(path.read_text(encoding="utf-8"), work))


def with_wheel(config: str, work: Workplace) -> str:
    """Return the config with the wheel in place of the published name."""
    published = '"mnemolog"]'
    require(config.count(published) == 1, f"no {published} in the config:\n{config}")
    ours = ", ".join(json.dumps(word) for word in work.from_wheel)
    # Cursor would fill this in, but Cursor cannot be started without a window.
    return config.replace(published, f"{ours}]").replace("${workspaceFolder}", str(work.repository))


def write_plugin(work: Workplace, target: Path) -> Path:
    """Return a copy of the Claude Code plugin that starts the wheel."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(PROJECT / "plugin", target)
    config, hooks = target / ".mcp.json", target / "hooks" / "hooks.json"
    write(config, with_wheel(config.read_text(encoding="utf-8"), work))
    called = hooks.read_text(encoding="utf-8")
    published = "uvx mnemolog "
    require(called.count(published) == 1, f"no {published!r} in the hooks:\n{called}")
    write(hooks, called.replace(published, f"uvx {' '.join(work.from_wheel)} "))
    return target


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
    work = Workplace(repository, home, build_wheel(folder / "dist"), environment_for(home, path))
    subprocess.run(["git", "init", "--quiet", str(repository)], check=True)
    trust(home, repository)
    fill_cache(work, path)
    write_configs(work)
    return work


def trust(home: Path, repository: Path) -> None:
    """Answer in advance what each client asks a user about a repository's own config."""
    place = json.dumps(str(repository))
    write(home / ".claude/settings.json", '{"enableAllProjectMcpServers": true}')
    write(home / ".gemini/trustedFolders.json", f'{{{place}: "TRUST_FOLDER"}}')
    write(home / ".codex/config.toml", f'[projects.{place}]\ntrust_level = "trusted"\n')


def fill_cache(work: Workplace, path: str) -> None:
    """Fetch what the wheel depends on to where uv will look for it when this is the home."""
    cache = str(work.home / ".cache" / "uv")
    environment = {**os.environ, "HOME": str(work.home), "PATH": path, "UV_CACHE_DIR": cache}
    words = ["uvx", "--from", str(work.wheel), "mnemolog", "--version"]
    subprocess.run(words, cwd=work.home, env=environment, capture_output=True, check=True)


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
