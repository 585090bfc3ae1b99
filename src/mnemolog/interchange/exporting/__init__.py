"""A graph as other tools read it: one module for each format, from the graph to pieces of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from mnemolog.interchange.exporting import graphml, json_graph, mermaid, server_memory
from mnemolog.results import GraphResult

__all__ = ["FOLDER", "FORMATS", "Exporter"]

Pieces: TypeAlias = Callable[[GraphResult], Iterator[str]]


@dataclass(frozen=True, slots=True)
class Exporter:
    """One format that is a single text."""

    pieces: Pieces
    """Yields the text, some lines at a time."""
    holds_superseded: bool
    """Whether it has a place for what is no longer true."""


FORMATS: Final[Mapping[str, Exporter]] = {
    "server-memory": Exporter(server_memory.pieces, holds_superseded=False),
    "json": Exporter(json_graph.pieces, holds_superseded=True),
    "graphml": Exporter(graphml.pieces, holds_superseded=True),
    "mermaid": Exporter(mermaid.pieces, holds_superseded=False),
}
"""The formats that are one file, by what `--to` calls them."""

FOLDER: Final = "markdown"
"""The format that is a folder; `markdown` and `placing` know it."""
