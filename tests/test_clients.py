"""A client's config gets our entry and loses it again, and nothing else in it ever changes."""

from __future__ import annotations

import json
import os
import stat
import tomllib
from pathlib import Path
from typing import Any

import json5
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jsonc_texts import is_subsequence, json_values, remarks, texts, written
from mnemolog.clients import json_config, toml_config
from mnemolog.clients.config_file import new_config, with_entry, without_entry
from mnemolog.clients.known import CLIENTS, SERVER, Client
from mnemolog.clients.registration import Outcome, register, unregister

CLAUDE, CODEX, VSCODE = CLIENTS["claude-code"], CLIENTS["codex"], CLIENTS["vscode"]
OPENCODE = CLIENTS["opencode"]

each_client = pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)


def put(root: Path, client: Client, content: str | bytes) -> Path:
    path = root / client.files[0]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def said(outcome: Outcome, change: str) -> str:
    assert outcome.change == change, outcome
    return outcome.message


def there_and_back(root: Path, client: Client, before: str) -> str:
    """Return the config with our entry, once a removal has brought back every byte."""
    path = put(root, client, before)
    said(register(client, root), "registered")
    after = path.read_bytes()
    said(register(client, root), "already registered")
    assert path.read_bytes() == after
    said(unregister(client, root), "removed")
    assert path.read_bytes() == before.encode()
    return after.decode()


@each_client
def test_a_missing_config_is_created_and_goes_again_with_its_folder(
    client: Client, tmp_path: Path
) -> None:
    said(register(client, tmp_path), "registered")
    assert (tmp_path / client.files[0]).read_text(encoding="utf-8") == new_config(client)
    said(register(client, tmp_path), "already registered")
    assert "held nothing else" in said(unregister(client, tmp_path), "removed")
    assert not list(tmp_path.iterdir())


@each_client
def test_a_new_config_says_nothing_but_the_entry(client: Client) -> None:
    text = new_config(client)
    content = tomllib.loads(text) if client is CODEX else json.loads(text)
    assert content == {**client.preamble, client.section: {SERVER: client.entry}}


def test_other_servers_keep_their_order_comments_and_indentation(tmp_path: Path) -> None:
    before = """\
// what the team uses
{
\t"inputs": [], /* none */
\t"servers": {
\t\t"zeta": { "command": "z" }, // first
\t\t"alpha": {"command": "a"} // last, without a comma
\t\t// "off": {}
\t}
}
"""
    after = there_and_back(tmp_path, VSCODE, before)
    assert '"alpha": {"command": "a"}, // last, without a comma\n\t\t// "off": {}\n' in after
    assert f'\n\t\t"{SERVER}": {{\n\t\t\t"type": "stdio",\n' in after
    assert list(json5.loads(after)["servers"]) == ["zeta", "alpha", SERVER]


@pytest.mark.parametrize(
    "before",
    [
        "{}",
        '{"a": 1}',
        '{"mcpServers":{"x":{"command":"x"}},"b":[1,2]}\n',
        '{\n  "mcpServers": {}\n}\n',
        '{\n  "mcpServers": { }, "b": 1\n}\n',
        '{\n  "mcpServers": {"x": {"command": "x"}, },\n}\n',
        '{\n    "mcpServers": {\n        "x": {}\n    }\n}',
        '{\n  "mcpServers": {\n    "x": {},\n  },\n  "b": 1,\n}\n',
        '\ufeff{\r\n  "mcpServers": {\r\n    "x": {}\r\n  }\r\n}\r\n',
        '{\r\n  "b": 1 // one\r\n  // two  \r\n}\r\n',
        '{\n  "b": "}, // no comment { \\" "\n}\n',
        '{"a": 1, // one\n}',
        "{\n  /* nothing yet */\n}\n",
    ],
)
def test_what_init_puts_into_json_it_takes_out_to_the_byte(before: str, tmp_path: Path) -> None:
    there_and_back(tmp_path, CLAUDE, before)


@pytest.mark.parametrize(
    "before",
    [
        'model = "x"\n',
        'model = "x"',
        "# only a comment\n\n",
        '\ufeffmodel = "x"\r\n\r\n[mcp_servers.other] # kept\r\ncommand = "o"\r\n',
        '[mcp_servers.other]\ncommand = "o"\n\n[profiles.fast]\nmodel = "y"\n\n\n',
        'mcp_servers.other.command = "o"\n',
        'mcp_servers = { other = { command = "o" } } # inline\n[tools]\nweb = true\n',
        "mcp_servers = {}\n",
    ],
)
def test_what_init_puts_into_toml_it_takes_out_to_the_byte(before: str, tmp_path: Path) -> None:
    after = there_and_back(tmp_path, CODEX, before)
    assert tomllib.loads(after.removeprefix("\ufeff"))["mcp_servers"][SERVER] == CODEX.entry


def test_tables_that_came_later_survive_a_removal(tmp_path: Path) -> None:
    path = put(tmp_path, CODEX, 'model = "x"\n')
    register(CODEX, tmp_path)
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write("\n[tools]\nweb = true  # mine\n")
    said(unregister(CODEX, tmp_path), "removed")
    assert path.read_text(encoding="utf-8") == 'model = "x"\n\n[tools]\nweb = true  # mine\n'


def test_an_entry_that_was_laid_out_anew_is_still_removed(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        CODEX,
        "[mcp_servers]\n  [mcp_servers.mnemolog]\n  args=['mnemolog']\n"
        "  command='uvx' # by hand\n\n[tools]\nweb = true\n",
    )
    said(unregister(CODEX, tmp_path), "removed")
    assert tomllib.loads(path.read_text(encoding="utf-8")).get("tools") == {"web": True}
    path = put(
        tmp_path,
        CLAUDE,
        '{"mcpServers": {"mnemolog": {"args": ["mnemolog"],\n"command": "uvx"}, "x": {}}}',
    )
    said(unregister(CLAUDE, tmp_path), "removed")
    assert json.loads(path.read_bytes()) == {"mcpServers": {"x": {}}}


def test_the_line_break_behind_a_remark_stays(tmp_path: Path) -> None:
    entry = json.dumps(CLAUDE.entry)
    path = put(tmp_path, CLAUDE, f'{{\n"mcpServers": {{"x": {{}}, // mine\n"{SERVER}": {entry}}}}}')
    said(unregister(CLAUDE, tmp_path), "removed")
    assert path.read_text(encoding="utf-8") == '{\n"mcpServers": {"x": {} // mine\n}}'


def test_of_two_sections_the_one_that_counts_gets_the_entry(tmp_path: Path) -> None:
    before = '{\n  "mcpServers": {"a": {}},\n  "mcpServers": {"b": {}}\n}\n'
    after = there_and_back(tmp_path, CLAUDE, before)
    assert list(json.loads(after)["mcpServers"]) == ["b", SERVER]


@pytest.mark.parametrize("first", ["[]", "null", '"none"'])
def test_a_section_that_did_not_count_does_not_come_to_count(first: str, tmp_path: Path) -> None:
    before = f'{{"mcpServers": {first}, "mcpServers": {{}}}}'
    entry = json.dumps({SERVER: CLAUDE.entry})
    path = put(tmp_path, CLAUDE, before.replace("{}", entry))
    said(unregister(CLAUDE, tmp_path), "removed")
    assert path.read_text(encoding="utf-8") == before


@pytest.mark.parametrize("client", [CLAUDE, CODEX], ids=["json", "toml"])
def test_line_endings_stay_those_of_the_file(client: Client, tmp_path: Path) -> None:
    path = put(tmp_path, client, '{\r\n  "a": 1\r\n}' if client is CLAUDE else "a = 1\r\n")
    said(register(client, tmp_path), "registered")
    assert b"\n" not in path.read_bytes().replace(b"\r\n", b"")


configs = st.dictionaries(texts, json_values, max_size=3).flatmap(
    lambda rest: st.dictionaries(texts, json_values, max_size=3).flatmap(
        lambda servers: st.sampled_from([rest, rest | {"mcpServers": servers}])
    )
)


@given(st.data())
def test_any_json_config_says_one_entry_more_and_then_again_what_it_said(
    data: st.DataObject,
) -> None:
    content = data.draw(configs)
    before = data.draw(remarks) + data.draw(written(content)) + data.draw(remarks)
    section, entry = CLAUDE.section, CLAUDE.entry
    after = with_entry(before, ".mcp.json", section, entry)
    assert json5.loads(after) == {**content, section: {**content.get(section, {}), SERVER: entry}}
    assert is_subsequence(before, after)
    again = without_entry(after, ".mcp.json", section, SERVER)
    # Where nothing was said, blanks may be lost.
    assert again == before or {} in (content, content.get(section))
    assert json_config.parse(again).get(section, {}) == content.get(section, {})
    assert {**json_config.parse(again), section: {}} == {**content, section: {}}


@pytest.mark.parametrize(
    ("client", "broken", "reason"),
    [
        (CLAUDE, '{\n  "mcpServers": {\n    "x": {}\n', "broken at line 4"),
        (CLAUDE, '// ours\n{\n  "a": 1,, "b": 2\n}', "broken at line 3"),
        (CLAUDE, f'{{"a": {"1" * 5000}}}', "Exceeds the limit"),
        (CLAUDE, "{'mcpServers': {}}", "JSON5"),
        (CLAUDE, '{"mcpServers": []}', "does not list servers"),
        (CLAUDE, '{"mcpServers": null}', "does not list servers"),
        (CLAUDE, "[]", "does not list servers"),
        (CLAUDE, "<<<<<<< HEAD\n{}\n=======\n", "broken at line 1"),
        (CLAUDE, b'{"mcpServers": {"x\xff": {}}}', "UTF-8"),
        (CLAUDE, "[" * 100_000, "nested too deeply"),
        (CODEX, "model = \n", "broken (Invalid value (at line 1"),
        (CODEX, 'mcp_servers = "none"\n', "does not list servers"),
        (CODEX, "[[mcp_servers]]\n", "does not list servers"),
    ],
)
def test_a_config_that_cannot_be_kept_is_left_alone_with_the_reason_and_the_snippet(
    client: Client, broken: str | bytes, reason: str, tmp_path: Path
) -> None:
    path = put(tmp_path, client, broken)
    before = path.read_bytes()
    outcome = register(client, tmp_path)
    assert reason in said(outcome, "left alone")
    assert outcome.snippet == new_config(client)
    assert unregister(client, tmp_path).change in {"left alone", "not registered"}
    assert path.read_bytes() == before
    assert [*path.parent.iterdir()] == [path]


def test_an_entry_with_other_settings_stays_until_somebody_says_otherwise(tmp_path: Path) -> None:
    entry = {**CLAUDE.entry, "env": {"MEMORY_FILE_PATH": ".agents/memory.jsonl"}}
    before = json.dumps({"mcpServers": {"a": {}, SERVER: entry, "z": {}}}, indent=2)
    path = put(tmp_path, CLAUDE, before)
    assert "starts mnemolog, with settings of its own" in said(register(CLAUDE, tmp_path), "kept")
    assert "by hand" in said(unregister(CLAUDE, tmp_path), "kept")
    assert path.read_text(encoding="utf-8") == before
    said(register(CLAUDE, tmp_path, replace=True), "replaced")
    servers = json.loads(path.read_bytes())["mcpServers"]
    assert servers == {"a": {}, "z": {}, SERVER: CLAUDE.entry}


def test_another_program_under_our_name_is_named_as_such(tmp_path: Path) -> None:
    put(tmp_path, CLAUDE, '{"mcpServers": {"mnemolog": {"command": "other"}}}')
    assert "starts something else" in said(register(CLAUDE, tmp_path), "kept")


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "uvx", "args": ["--directory", "/x", "mnemolog"]},
        {"command": "uvx", "args": ["mnemolog@0.1.0"]},
        {"command": "/home/me/.local/bin/mnemolog"},
        {"command": ["C:\\tools\\mnemolog.exe"]},
        {"command": "python", "args": ["-m", "mnemolog"]},
    ],
)
def test_mnemolog_under_another_name_is_not_registered_again(entry: Any, tmp_path: Path) -> None:
    before = json.dumps({"mcpServers": {"memory": entry}})
    path = put(tmp_path, CLAUDE, before)
    assert "as 'memory'" in said(register(CLAUDE, tmp_path), "already registered")
    assert path.read_text(encoding="utf-8") == before


def test_a_server_that_only_works_in_our_folder_is_another_one(tmp_path: Path) -> None:
    entry = {"command": "npx", "args": ["serve", "/home/me/mnemolog", "x-mnemolog"]}
    put(tmp_path, CLAUDE, json.dumps({"mcpServers": {"files": entry}}))
    said(register(CLAUDE, tmp_path), "registered")


def test_an_empty_config_is_filled(tmp_path: Path) -> None:
    path = put(tmp_path, CLAUDE, "\n")
    said(register(CLAUDE, tmp_path), "registered")
    assert path.read_text(encoding="utf-8") == new_config(CLAUDE)


def test_opencode_is_registered_in_the_config_that_it_has(tmp_path: Path) -> None:
    (tmp_path / "opencode.jsonc").write_text("{\n  // mine\n}\n", encoding="utf-8")
    outcome = register(OPENCODE, tmp_path)
    assert (outcome.file, outcome.change) == ("opencode.jsonc", "registered")
    assert not (tmp_path / "opencode.json").exists()


def test_a_symlink_stays_and_its_target_is_written(tmp_path: Path) -> None:
    (tmp_path / "shared.json").write_text("{}", encoding="utf-8")
    (tmp_path / ".mcp.json").symlink_to("shared.json")
    said(register(CLAUDE, tmp_path), "registered")
    assert (tmp_path / ".mcp.json").is_symlink()
    assert SERVER in (tmp_path / "shared.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("target", ["../outside.json", ".git/hooks/post-commit", ".mcp.json"])
def test_a_symlink_that_leads_elsewhere_is_left_alone(target: str, tmp_path: Path) -> None:
    root = tmp_path / "project"
    (root / ".git" / "hooks").mkdir(parents=True)
    (root / ".mcp.json").symlink_to(target)
    assert "symlink" in said(register(CLAUDE, root), "left alone")
    assert not (root / target).exists()


def test_a_read_only_config_is_left_alone(tmp_path: Path) -> None:
    path = put(tmp_path, CLAUDE, "{}")
    path.chmod(0o444)
    assert "read-only" in said(register(CLAUDE, tmp_path), "left alone")
    assert path.read_bytes() == b"{}"


def test_a_folder_in_the_way_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".mcp.json").mkdir()
    (tmp_path / ".cursor").write_bytes(b"")
    for client in (CLAUDE, CLIENTS["cursor"]):
        assert "cannot be" in said(register(client, tmp_path), "left alone")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="everything can be written")
def test_a_folder_that_cannot_be_written_to_is_left_alone(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    try:
        assert "cannot be written" in said(register(CLAUDE, tmp_path), "left alone")
    finally:
        tmp_path.chmod(0o755)


def test_a_config_keeps_its_mode(tmp_path: Path) -> None:
    path = put(tmp_path, CLAUDE, "{}")
    path.chmod(0o640)
    register(CLAUDE, tmp_path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_toml_that_lists_its_servers_in_braces_keeps_its_comments() -> None:
    before = 'mcp_servers = { other = { command = "o" } } # inline\n'
    after = toml_config.added(before, "mcp_servers", SERVER, CODEX.entry)
    assert after.endswith("# inline\n")
    assert [*tomllib.loads(after)["mcp_servers"]] == ["other", SERVER]
