"""The resources: what a client can read without calling a tool."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from mnemolog.taxonomy.published import published_text


@dataclass(frozen=True, slots=True)
class Resource:
    """One resource, as it is listed; all of them are JSON."""

    uri: str
    name: str
    title: str
    description: str
    text: Callable[[], str] | None = None
    """Returns what it holds; None for the graph, which only the memory can tell."""
    mime_type: str = "application/json"

    @property
    def can_change(self) -> bool:
        """Whether there is anything to subscribe to."""
        return self.text is None


GRAPH: Final = Resource(
    "memory://knowledge-graph",
    "knowledge-graph",
    "Knowledge Graph",
    "The whole memory: every entity with its observations, every relation",
)
"""The whole graph, at server-memory's own address."""

TAXONOMY: Final = Resource(
    "memory://taxonomy",
    "taxonomy",
    "Taxonomy",
    "What mnemolog is made of: record types, tools, prompts, commands, allowed values; versioned",
    published_text,
)

RESOURCES: Final = {resource.uri: resource for resource in (GRAPH, TAXONOMY)}
"""Every resource by its address, in the order in which they are listed."""
