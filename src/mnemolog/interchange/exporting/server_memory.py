"""The file of @modelcontextprotocol/server-memory, as that server writes it itself.

One line for each entity, since it shows an entity for each line, and no key that it does not know:
its older versions hand extra keys on to clients that refuse them. So dates, agents and what was
superseded stay behind.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from mnemolog.results import GraphResult


def pieces(graph: GraphResult) -> Iterator[str]:
    """Yield the lines of the file."""
    for entity in graph.entities:
        yield _line(
            type="entity",
            name=entity.name,
            entityType=entity.entity_type,
            observations=entity.observations,
        )
    for relation in graph.relations:
        source, target, relation_type = relation.key
        yield _line(type="relation", **{"from": source, "to": target}, relationType=relation_type)


def _line(**members: object) -> str:
    return _ENCODER.encode(members) + "\n"


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
