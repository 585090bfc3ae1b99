"""A Mermaid flowchart, for pages that draw one: GitHub, GitLab, Obsidian, VS Code.

Mermaid refuses a text of more than 50,000 characters or 500 edges unless it is configured to take
more, and nobody can read such a picture; so `most_connected` chooses what to draw.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from heapq import heappop, heappush
from typing import Final

from mnemolog.interchange.exporting.characters import one_line, pictured
from mnemolog.records import GENERIC, Relation
from mnemolog.results import EntityResult, GraphResult

MOST_CHARACTERS: Final = 50_000
"""Mermaid's maxTextSize, in UTF-16 units, as JavaScript counts."""

MOST_EDGES: Final = 500
"""Mermaid's maxEdges."""

_ROOM_FOR_HEAD: Final = 200
_LONGEST_LABEL: Final = 60

# Mermaid gives these a meaning somewhere: in its own syntax, in directives, in the Markdown and
# HTML of labels. Between two letters those of the second row have none, and paths stay readable.
_ACTIVE: Final = re.compile(
    r"""["#$%&*+:;<=>@\[\\\]^`{|}~]"""
    r"|(?<![^\W_])[-./_]|[-./_](?![^\W_])|(?<=[0-9])\)"
)


def pieces(graph: GraphResult, whole: GraphResult | None = None) -> Iterator[str]:
    """Yield the flowchart of a graph, which may be the chosen part of a `whole` one."""
    yield "flowchart LR\n"
    if whole is not None and whole is not graph:
        yield f"  %% {share(graph, whole)}\n"
    ids = _Ids()
    for entity in graph.entities:
        yield _node(ids[entity.name], entity)
    for relation in graph.relations:
        yield _edge(relation, ids)


def share(graph: GraphResult, whole: GraphResult) -> str:
    """Return a sentence that says how much of a graph was chosen, and why not all."""
    return (
        f"The {len(graph.entities):,} most connected of {len(whole.entities):,} entities, with "
        f"{len(graph.relations):,} of {len(whole.relations):,} relations: Mermaid draws at most "
        f"{MOST_CHARACTERS:,} characters and {MOST_EDGES} edges unless it is configured to."
    )


def most_connected(graph: GraphResult) -> GraphResult:
    """Return the part that Mermaid draws unasked: all of it, or the entities most connected.

    From the entity with the most relations it goes on to the neighbour with the most, and so on.
    """
    if _fits(graph):
        return graph
    ids = _Ids()
    room, edges = MOST_CHARACTERS - _ROOM_FOR_HEAD, 0
    touching = _touching(graph)
    entities = {entity.name: entity for entity in graph.entities}
    chosen: set[str] = set()
    for name in _outwards(entities, touching):
        joining = [r for r in touching[name] if {*r.key[:2]} <= chosen | {name}]
        lines = [_node(ids[name], entities[name]), *(_edge(r, ids) for r in joining)]
        size = sum(map(_length, lines))
        if size > room or edges + len(joining) > MOST_EDGES:
            break
        room, edges = room - size, edges + len(joining)
        chosen.add(name)
    return GraphResult(
        tuple(entity for entity in graph.entities if entity.name in chosen),
        tuple(r for r in graph.relations if {*r.key[:2]} <= chosen),
    )


class _Ids(defaultdict[str, str]):
    """The id of each entity, made when it is first needed."""

    def __missing__(self, name: str) -> str:
        self[name] = f"n{len(self)}"
        return self[name]


def _fits(graph: GraphResult) -> bool:
    if len(graph.relations) > MOST_EDGES:
        return False
    room = MOST_CHARACTERS
    for piece in pieces(graph):
        room -= _length(piece)
        if room < 0:
            return False
    return True


def _touching(graph: GraphResult) -> Mapping[str, list[Relation]]:
    touching = defaultdict[str, list[Relation]](list)
    for relation in graph.relations:
        for end in {*relation.key[:2]}:
            touching[end].append(relation)
    return touching


def _outwards(names: Iterable[str], touching: Mapping[str, list[Relation]]) -> Iterator[str]:
    """Yield every name: next is always the most connected one beside those that came before."""
    left = dict.fromkeys(names)
    for start in sorted(left, key=lambda name: -len(touching[name])):
        waiting = [(0, start)]
        while waiting:
            _, name = heappop(waiting)
            if name not in left:
                continue
            del left[name]
            yield name
            ends = {end for relation in touching[name] for end in relation.key[:2]}
            for end in ends & left.keys():
                heappush(waiting, (-len(touching[end]), end))


def _node(node_id: str, entity: EntityResult) -> str:
    is_told = entity.entity_type != GENERIC
    entity_type = f"<br/>({_label(entity.entity_type)})" if is_told else ""
    return f'  {node_id}["{_label(entity.name)}{entity_type}"]\n'


def _edge(relation: Relation, ids: Mapping[str, str]) -> str:
    source, target, relation_type = relation.key
    return f'  {ids[source]} -->|"{_label(relation_type)}"| {ids[target]}\n'


def _label(text: str) -> str:
    text = pictured(one_line(text))
    if len(text) > _LONGEST_LABEL:
        text = f"{text[: _LONGEST_LABEL - 1]}…"
    # An empty label is a syntax error.
    return _ACTIVE.sub(lambda found: f"#{ord(found[0])};", text) or " "


def _length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
