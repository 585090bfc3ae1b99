"""Build the .mcpb bundle: the server with a manifest, for apps that install it with a click.

    uv run python scripts/build_mcpb.py [FOLDER]

Writes mnemolog-VERSION.mcpb into FOLDER (else dist/). The bundle holds the source; the app's own uv
fetches what it depends on. Everything in the manifest comes from pyproject.toml and the tools.
Where npx is on the PATH, the format's own tool validates the manifest and reads the bundle back.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from mnemolog.server.tools import TOOLS

PROJECT: Final = Path(__file__).resolve().parent.parent
VALIDATOR: Final = "@anthropic-ai/mcpb@2.1.2"
BESIDE_THE_SOURCE: Final = ("pyproject.toml", "README.md", "LICENSE")
FIRST_DAY: Final = (1980, 1, 1, 0, 0, 0)
"""The time that every file gets, so that the same source makes the same bundle."""


def manifest() -> Mapping[str, Any]:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {
        "manifest_version": "0.4",
        "name": project["name"],
        "display_name": project["name"],
        "version": project["version"],
        "description": project["description"],
        "author": project["authors"][0],
        "license": project["license"],
        "keywords": project["keywords"],
        "server": {
            "type": "uv",
            "entry_point": "src/mnemolog/__main__.py",
            "mcp_config": {"command": "uv", "args": arguments()},
        },
        "tools": [
            {"name": tool.name, "description": tool.description.partition("\n")[0]}
            for tool in TOOLS.values()
        ],
        "prompts_generated": True,
        "user_config": {
            "project": {
                "type": "directory",
                "title": "Project",
                "description": "The folder whose memory is used, at best a git repository",
                "required": True,
            }
        },
        "compatibility": {"runtimes": {"python": project["requires-python"]}},
    }


def arguments() -> list[str]:
    """Return how uv starts the bundled server in the project that the user has chosen."""
    bundle, start = ("--project", "${__dirname}"), ("--directory", "${user_config.project}")
    return ["run", "--no-dev", *bundle, *start, "mnemolog"]


def content() -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of everything in the bundle."""
    yield "manifest.json", json.dumps(manifest(), indent=2).encode()
    source = sorted((PROJECT / "src").rglob("*"))
    files = (path for path in source if path.is_file() and "__pycache__" not in path.parts)
    for path in (*(PROJECT / name for name in BESIDE_THE_SOURCE), *files):
        yield path.relative_to(PROJECT).as_posix(), path.read_bytes()


def build(folder: Path) -> Path:
    """Return the bundle, written into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    bundle = folder / f"mnemolog-{manifest()['version']}.mcpb"
    with ZipFile(bundle, "w", ZIP_DEFLATED) as archive:
        for name, written in content():
            entry = ZipInfo(name, FIRST_DAY)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, written, ZIP_DEFLATED)
    return bundle


def validate(bundle: Path) -> None:
    """Let the format's own tool look at the manifest and at the bundle.

    Raises CalledProcessError if it refuses.
    """
    with tempfile.TemporaryDirectory() as folder, ZipFile(bundle) as archive:
        unpacked = archive.extract("manifest.json", folder)
        run_tool("validate", unpacked)
    run_tool("info", str(bundle))


def run_tool(*words: str) -> None:
    subprocess.run(["npx", "--yes", VALIDATOR, *words], check=True)


def main() -> int:
    bundle = build(Path(sys.argv[1]) if len(sys.argv) > 1 else PROJECT / "dist")
    print(f"{bundle}: {bundle.stat().st_size:,} bytes", flush=True)
    if shutil.which("npx") is None:
        print("not validated: npx is not on the PATH")
        return 0
    validate(bundle)
    return 0


if __name__ == "__main__":
    sys.exit(main())
