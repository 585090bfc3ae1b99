"""What an edit is: the lines to write, and what to answer; and what no edit may write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Generic, TypeAlias, TypeVar

from mnemolog.errors import InvalidRequest
from mnemolog.graph import Graph
from mnemolog.records import Entity, Record, RelationKey, Superseded, Tags, Tombstone

ResultT = TypeVar("ResultT")

Fact: TypeAlias = tuple[str, str]
"""An entity's name and one of its observations."""

LARGEST_TEXT_BYTES: Final = 256 * 1024
LARGEST_CALL_BYTES: Final = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Edit(Generic[ResultT]):
    """The lines that carry out a call, additions first, and what it answers."""

    records: tuple[Record, ...]
    result: ResultT
    retiring: frozenset[Fact] = frozenset()
    """The facts that shall retire what they contradict."""


class PlannedOnce(Generic[ResultT]):
    """A plan that is made once for each state of a graph, however often it is asked for."""

    def __init__(self, plan: Callable[[Graph], Edit[ResultT]]) -> None:
        self._plan = plan
        self._edit: Edit[ResultT] | None = None
        self._graph: Graph | None = None
        self._size = 0

    def __call__(self, graph: Graph) -> Edit[ResultT]:
        """Return the edit for the graph as it is."""
        if self._edit is None or graph is not self._graph or graph.said_size != self._size:
            self._graph, self._size = graph, graph.said_size
            self._edit = self._plan(graph)
        return self._edit


def as_history(graph: Graph, line: Superseded, entity_type: str | None) -> Iterator[Record]:
    """Yield the lines that make an observation history in the graph."""
    if graph.was_removed(line.entity, line.observation):
        # What a tombstone lists cannot be superseded before it is said again.
        yield Entity(line.entity, entity_type, (line.observation,), line.tags)
    yield line


def revived_by(graph: Graph, name: str, new: Iterable[str]) -> tuple[str, ...] | None:
    """Return those of an entity's new texts that are history until now; None if none is."""
    history = graph.superseded.get(name, {})
    return tuple(text for text in new if text in history) or None


def relation_tombstone(key: RelationKey, tags: Tags) -> Tombstone:
    """Return the line that removes a relation."""
    return Tombstone(
        "relation",
        tags.added_at,
        tags.agent,
        source=key.source,
        target=key.target,
        relation_type=key.relation_type,
    )


def refuse_unkeepable(texts: Iterable[str]) -> None:
    """Refuse texts that no file can keep, or that no reader could use.

    Raises:
        InvalidRequest: A text holds half of a character, or is too large, or all are together.
    """
    total = 0
    for text in texts:
        try:
            size = len(text.encode())
        except UnicodeEncodeError:
            raise InvalidRequest(
                f"{text[:100]!a} holds half of a character (a lone surrogate), which no UTF-8 file "
                "can keep. Nothing was saved: send the whole character, or leave it out."
            ) from None
        total += size
        if size > LARGEST_TEXT_BYTES:
            raise InvalidRequest(
                f"A text of {size:,} bytes is too large ({text[:60]!r}...): at most "
                f"{LARGEST_TEXT_BYTES:,} are kept. Nothing was saved: save what matters of it, or "
                "keep it in a file and save where that is."
            )
    if total > LARGEST_CALL_BYTES:
        raise InvalidRequest(
            f"The call holds {total:,} bytes of text; at most {LARGEST_CALL_BYTES:,} are taken at "
            "once. Nothing was saved: send it in several calls."
        )
