"""What people wrote around an entry stays when the entry is taken out of a client's config."""

from __future__ import annotations

import pytest

from mnemolog.clients.config_file import without_entry

TOML_BEFORE_A_REMARK = """\
model = "x"

[mcp_servers.memory]
command = 'npx'
args = [
  "-y",  # never ask
  "@modelcontextprotocol/server-memory",
]

[mcp_servers.memory.env]
A = "b"

# The browser that all of us share.
[mcp_servers.browser]
command = "b"
"""

TOML_AFTER = """\
model = "x"

# The browser that all of us share.
[mcp_servers.browser]
command = "b"
"""

TOML_AT_THE_END = """\
[mcp_servers.browser]
command = "b"

[mcp_servers."memory"] # old
command = "npx"
# To do: tools.
"""


def without_memory(text: str, name: str) -> str:
    section = "mcp_servers" if name.endswith(".toml") else "mcpServers"
    return without_entry(text, name, section, "memory")


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_remark_above_the_next_table_stays(newline: str) -> None:
    text = TOML_BEFORE_A_REMARK.replace("\n", newline)
    assert without_memory(text, "config.toml") == TOML_AFTER.replace("\n", newline)


def test_a_remark_at_the_end_stays() -> None:
    assert without_memory(TOML_AT_THE_END, "config.toml").endswith("\n# To do: tools.\n")


def test_a_table_whose_lines_do_not_tell_where_it_ends_goes_whole() -> None:
    text = "[mcp_servers.memory]\nargs = [\n[1],\n[2]]\n\n[tools]\nweb = true\n"
    assert without_memory(text, "config.toml").strip() == "[tools]\nweb = true"


@pytest.mark.parametrize(
    "remark", ["// our servers\n", "// only this one", "// more to come\n", "/* hm */"]
)
def test_the_remarks_around_the_only_server_stay(remark: str) -> None:
    text = """\
{
  // our servers
  "mcpServers": {
    // only this one
    "memory": { "command": "npx" } /* hm */
    // more to come
  }
}
"""
    assert remark in without_memory(text, "mcp.json")
