"""Each part imports only from the parts above it, and only the outermost ones know the SDK."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import mnemolog
from documents import PROJECT

SOURCE = Path(mnemolog.__file__).parent

LAYERS = (
    ("errors",),
    ("halves",),
    ("text",),
    ("jsonc",),
    ("collector",),
    ("declarations",),
    ("records",),
    ("subjects",),
    ("requests",),
    ("results",),
    ("json_text",),
    ("plain_lines",),
    ("json_document",),
    ("tagged_entities",),
    ("jsonl",),
    ("graph",),
    ("filters",),
    ("edits",),
    ("store",),
    ("clients",),
    ("history",),
    ("search",),
    ("screening",),
    ("taxonomy",),
    ("interchange",),
    ("answers",),
    ("screener",),
    ("writer",),
    ("importing",),
    ("upkeep",),
    ("memory",),
    ("doctor",),
    ("server",),
    ("cli",),
    ("catalogue",),
    ("__main__",),
)
LEVEL = {part: level for level, parts in enumerate(LAYERS) for part in parts}

MODULES = sorted(path.relative_to(SOURCE) for path in SOURCE.rglob("*.py"))
KNOW_THE_SDK = {"server", "cli/demo.py", "doctor/trial.py"}


def part_of(module: Path) -> str:
    return module.parts[0].removesuffix(".py")


def imports_of(module: Path) -> Iterator[str]:
    tree = ast.parse((SOURCE / module).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            assert node.module is not None
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def parts_used(module: Path) -> set[str]:
    names = (name.split(".") for name in imports_of(module))
    return {steps[1] for steps in names if steps[0] == "mnemolog" and len(steps) > 1} & set(LEVEL)


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_a_module_imports_only_from_the_layers_above_it(module: Path) -> None:
    part = part_of(module)
    if part == "__init__":
        assert not parts_used(module)
        return
    too_low = {used for used in parts_used(module) - {part} if LEVEL[used] >= LEVEL[part]}
    assert not too_low


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_only_the_server_and_the_demo_know_the_sdk(module: Path) -> None:
    tops = {name.split(".")[0] for name in imports_of(module)}
    knows = bool(tops & {"mcp", "mcp_types", "pydantic", "pydantic_core"})
    may_know = any(module.as_posix().startswith(place) for place in KNOW_THE_SDK)
    assert may_know or not knows


@pytest.mark.parametrize("folder", ["src", "tests", "benchmarks", "scripts"])
def test_a_file_can_be_read_in_one_sitting(folder: str) -> None:
    files = (PROJECT / folder).rglob("*.py")
    sizes = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in files}
    assert {file: size for file, size in sizes.items() if size > 400} == {}
