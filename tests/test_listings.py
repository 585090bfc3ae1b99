"""What registries, marketplaces and editors are told of mnemolog is what the code says."""

from __future__ import annotations

import json
import os
import re
import tomllib
from base64 import b64decode
from pathlib import Path
from runpy import run_path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from zipfile import ZipFile

import pytest

from documents import PROJECT, README, rows, text_of
from mnemolog import __version__
from mnemolog.cli import main
from mnemolog.clients.known import CLIENTS, COMMAND, PACKAGE, SERVER
from mnemolog.clients.links import cursor_link, vscode_link
from mnemolog.server.tools import TOOLS
from mnemolog.store.location import Settings

SCHEMA = "MNEMOLOG_SERVER_SCHEMA"


def read(name: str) -> Any:
    return json.loads(text_of(PROJECT / name))


def script(name: str) -> dict[str, Any]:
    return run_path(str(PROJECT / "scripts" / f"{name}.py"))


def test_every_listing_has_the_version_of_the_package() -> None:
    listed = read("server.json")
    versions = [listed["version"], *(package["version"] for package in listed["packages"])]
    versions += [read("plugin/.claude-plugin/plugin.json")["version"]]
    versions += [script("build_mcpb")["manifest"]()["version"]]
    versions += [tomllib.loads(text_of(PROJECT / "pyproject.toml"))["project"]["version"]]
    assert set(versions) == {__version__}


def test_the_registry_s_schema_accepts_server_json() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    listed = read("server.json")
    if SCHEMA not in os.environ:
        pytest.skip(f"{SCHEMA} does not name a copy of {listed['$schema']}")
    schema = json.loads(text_of(Path(os.environ[SCHEMA])))
    assert schema["$id"] == listed["$schema"]
    jsonschema.validate(listed, schema)


def test_server_json_keeps_to_what_the_registry_also_checks() -> None:
    listed = read("server.json")
    assert len(listed["description"]) <= 100
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", listed["name"])
    (package,) = listed["packages"]
    assert (package["identifier"], package["runtimeHint"]) == (PACKAGE, COMMAND)
    # The registry believes that a package is ours if its README says so.
    assert f"mcp-name: {listed['name']}" in text_of(README)


def test_server_json_names_every_environment_variable() -> None:
    asked: set[str] = set()

    class Noted(dict[str, str]):
        def get(self, name: str, default: Any = None) -> Any:
            asked.add(name)
            return default

    Settings.from_environment(Noted())
    (package,) = read("server.json")["packages"]
    assert {variable["name"] for variable in package["environmentVariables"]} == asked


def test_the_plugin_starts_the_server_and_recalls() -> None:
    client = CLIENTS["claude-code"]
    assert read("plugin/.mcp.json") == {client.section: {SERVER: client.entry}}
    (at_start,) = read("plugin/hooks/hooks.json")["hooks"]["SessionStart"]
    (hook,) = at_start["hooks"]
    command, package, verb = hook["command"].split()
    assert (command, package) == (COMMAND, PACKAGE)
    assert verb in main.list_commands(None)  # type: ignore[arg-type] # it looks at no context


def test_the_marketplace_offers_the_plugin() -> None:
    (offered,) = read(".claude-plugin/marketplace.json")["plugins"]
    plugin = read(f"{offered['source']}/.claude-plugin/plugin.json")
    assert offered["name"] == plugin["name"]


def test_the_bundle_holds_the_package_and_names_every_tool(tmp_path: Path) -> None:
    build = script("build_mcpb")["build"]
    bundle = build(tmp_path)
    with ZipFile(bundle) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        packed = set(archive.namelist())
    assert {tool["name"] for tool in manifest["tools"]} == set(TOOLS)
    source = (PROJECT / "src").rglob("*.py")
    assert packed >= {path.relative_to(PROJECT).as_posix() for path in source}
    assert {manifest["server"]["entry_point"], "pyproject.toml", "README.md", "LICENSE"} <= packed
    first = bundle.read_bytes()
    assert build(tmp_path).read_bytes() == first


def test_the_cursor_link_installs_cursor_s_entry() -> None:
    query = parse_qs(urlsplit(cursor_link()).query, strict_parsing=True)
    assert query["name"] == [SERVER]
    assert json.loads(b64decode(query["config"][0], validate=True)) == CLIENTS["cursor"].entry


@pytest.mark.parametrize("scheme", ["vscode", "vscode-insiders"])
def test_the_vs_code_link_installs_vs_code_s_entry(scheme: str) -> None:
    (address,) = parse_qs(urlsplit(vscode_link(scheme)).query, strict_parsing=True)["url"]
    place, _, config = address.partition("?")
    assert place == f"{scheme}:mcp/install"
    assert json.loads(unquote(config)) == {"name": SERVER, **CLIENTS["vscode"].entry}


def test_the_readme_has_the_install_links() -> None:
    links = (cursor_link(), vscode_link(), vscode_link("vscode-insiders"))
    assert set(links) <= set(re.findall(r"\]\((https://\S+)\)", text_of(README)))


def test_the_readme_says_which_versions_were_tried() -> None:
    tried = rows("tried")
    versions = script("workplace")["VERSIONS"]
    assert all(version in tried for version in versions.values())
    assert all(client.title in tried for client in CLIENTS.values())
    assert "failed" not in tried
