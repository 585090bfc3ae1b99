"""Where the time goes until a server can answer, import by import.

Python itself measures each import (`-X importtime`), which makes all of them a little slower: what
counts are the shares. Those of one package are added up; Python's own modules count as one.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from clock import cpu_of_children, seconds_of
from figures import Figures
from peers import MINIMAL, OURS

IMPORTED: Final = "imports of"
INTERPRETER: Final = "bare interpreter"
EVERYTHING: Final = "all imports of the server"
CPU: Final = "processor time"

_LINE: Final = re.compile(r"^import time:\s+(\d+) \|\s+\d+ \| +(\S+)$", re.MULTILINE)
_SERVER: Final = "mnemolog.cli", "mnemolog.cli.serve", "mnemolog.server.app"
_MINIMAL: Final = ("mcp.server",)
_PAUSED: Final = "import gc; gc.disable(); "
_FIRST_SEARCH: Final = (*_SERVER, "mnemolog.memory", "mnemolog.search.index")
SEARCHING: Final = f"{OURS}, first search"
_ACCOUNTS: Final = {OURS: _SERVER, SEARCHING: _FIRST_SEARCH, MINIMAL: _MINIMAL}


def measure_imports(figures: Figures, count: int) -> None:
    """Measure what is imported by the start, by package, and how long Python itself takes."""
    for who, modules in _ACCOUNTS.items():
        shares: defaultdict[str, list[float]] = defaultdict(list)
        with figures.attempt(f"imports of {who}"):
            for _ in range(count):
                for package, seconds in _by_package(modules).items():
                    shares[package].append(seconds)
        for package, times in shares.items():
            figures.note(f"{IMPORTED} {package}", who, times)
    _measure_interpreters(figures, count)


def _by_package(modules: Sequence[str]) -> dict[str, float]:
    """Return the seconds of each package's own code."""
    code = _PAUSED + "; ".join(f"import {module}" for module in modules)
    told = _run([sys.executable, "-X", "importtime", "-c", code]).stderr
    seconds: defaultdict[str, float] = defaultdict(float)
    for microseconds, module in _LINE.findall(told):
        seconds[_package_of(module)] += int(microseconds) / 1e6
    return seconds


def _package_of(module: str) -> str:
    package = module.partition(".")[0]
    return "Python's own modules" if package in sys.stdlib_module_names else package.lstrip("_")


def _measure_interpreters(figures: Figures, count: int) -> None:
    imports = "; ".join(f"import {module}" for module in _SERVER)
    commands = {
        (INTERPRETER, "Python"): [sys.executable, "-c", "pass"],
        (EVERYTHING, "collector paused"): [sys.executable, "-c", _PAUSED + imports],
        (EVERYTHING, "collector running"): [sys.executable, "-c", imports],
    }
    if node := shutil.which("node"):
        commands[INTERPRETER, "node"] = [node, "-e", "0"]
    took: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    cpu: defaultdict[tuple[str, str], list[float]] = defaultdict(list)
    for _ in range(count):
        for key, command in commands.items():
            used = cpu_of_children()
            took[key].append(seconds_of(partial(_run, command)))
            cpu[key].append(cpu_of_children() - used)
    for (what, who), times in took.items():
        figures.note(what, who, times)
        figures.note(f"{what}, {CPU}", who, cpu[what, who])


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=Path.home(), capture_output=True, text=True, check=True, timeout=60
    )
