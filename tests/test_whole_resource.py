"""The graph resource is the whole graph."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mcp_types import TextResourceContents

from mcp_client import ERAS, GRAPH_URI, Era, answer, connected


@pytest.mark.anyio
@pytest.mark.parametrize("era", ERAS)
async def test_the_resource_is_the_whole_graph_however_long_it_is(tmp_path: Path, era: Era) -> None:
    entities = [
        {"name": f"e{n}", "entityType": "thing", "observations": [f"{n} " + "word " * 100]}
        for n in range(200)
    ]
    async with connected(tmp_path, era) as client:
        await answer(client, "create_entities", entities=entities)
        assert (await answer(client, "read_graph"))["cursor"]
        (contents,) = (await client.read_resource(GRAPH_URI)).contents
        whole = await answer(client, "read_graph", max_chars=0)
    assert isinstance(contents, TextResourceContents)
    assert json.loads(contents.text) == whole
    assert len(whole["entities"]) == 200
