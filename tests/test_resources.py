"""Resources answer what they promise, also where the memory cannot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import (
    EmptyResult,
    SubscribeRequest,
    SubscribeRequestParams,
    TextResourceContents,
)

from mcp_client import ERAS, Era, connected
from mnemolog.server.resources import RESOURCES
from mnemolog.taxonomy.published import published_taxonomy, published_text

TAXONOMY_URI = "memory://taxonomy"
UNREADABLE = "${workspaceFolder}/m.jsonl"


@pytest.mark.anyio
@pytest.mark.parametrize("era", ERAS)
async def test_the_taxonomy_is_the_packaged_file(tmp_path: Path, era: Era) -> None:
    async with connected(tmp_path, era) as client:
        (contents,) = (await client.read_resource(TAXONOMY_URI)).contents
    assert isinstance(contents, TextResourceContents)
    assert (contents.uri, contents.mime_type) == (TAXONOMY_URI, "application/json")
    assert contents.text == published_text()
    assert json.loads(contents.text)["taxonomy_version"]


@pytest.mark.anyio
@pytest.mark.parametrize("era", ERAS)
async def test_the_taxonomy_answers_where_the_memory_cannot(tmp_path: Path, era: Era) -> None:
    async with connected(tmp_path, era, MEMORY_FILE_PATH=UNREADABLE) as client:
        assert (await client.read_resource(TAXONOMY_URI)).contents
        with pytest.raises(MCPError, match="workspaceFolder"):
            await client.read_resource("memory://knowledge-graph")


@pytest.mark.anyio
async def test_what_cannot_change_cannot_be_subscribed_to(tmp_path: Path) -> None:
    subscribe = SubscribeRequest(params=SubscribeRequestParams(uri=TAXONOMY_URI))
    async with connected(tmp_path) as client:
        with pytest.raises(MCPError, match=r"Subscribe to memory://knowledge-graph"):
            await client.session.send_request(subscribe, EmptyResult)


@pytest.mark.anyio
async def test_what_is_listed_is_what_the_taxonomy_lists(tmp_path: Path) -> None:
    async with connected(tmp_path) as client:
        listed = (await client.list_resources()).resources
    said = published_taxonomy()["resources"]
    assert [resource.uri for resource in listed] == [*said] == [*RESOURCES]
    for resource in listed:
        assert said[resource.uri] == {
            "name": resource.name,
            "title": resource.title,
            "description": resource.description,
            "mime_type": resource.mime_type,
            "can_change": resource.uri != TAXONOMY_URI,
        }
