"""The real server-memory in tests that hand it a file of ours; they skip where it is missing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from server_memory import NotInstalled, server_memory_command
from stdio_client import StdioClient


@pytest.fixture
def theirs() -> Sequence[str]:
    try:
        return server_memory_command()
    except NotInstalled as absence:
        pytest.skip(str(absence))


def add_a_shade(client: StdioClient, name: str) -> None:
    """Let a client write an entity, an observation of another one, and what relates the two."""
    new = {"name": "Shade", "entityType": "part", "observations": ["is green"]}
    more = {"entityName": name, "contents": ["has a shade"]}
    triple = {"from": name, "to": "Shade", "relationType": "carries"}
    for tool, arguments in (
        ("create_entities", {"entities": [new]}),
        ("add_observations", {"observations": [more]}),
        ("create_relations", {"relations": [triple]}),
    ):
        assert not client.call(tool, arguments)["result"].get("isError")
