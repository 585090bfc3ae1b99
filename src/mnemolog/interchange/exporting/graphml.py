"""GraphML 1.0, for Gephi, yEd, Cytoscape, networkx and igraph: valid against its schema.

What XML cannot hold (control characters) is shown as its Unicode picture. An end of a relation
that is no entity becomes a node without a type, since an edge must have both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias
from xml.sax.saxutils import escape

from mnemolog.interchange.exporting.characters import pictured
from mnemolog.records import Relation
from mnemolog.results import EntityResult, GraphResult

Values: TypeAlias = Mapping[str, str | int | None]

_KEYS: Final[Mapping[str, Mapping[str, str]]] = {
    "node": {
        "label": "string",  # what Gephi shows beside a node or an edge
        "type": "string",
        "observations": "string",
        "observation_count": "int",
        "superseded": "string",
        "added_at": "string",
        "agent": "string",
    },
    "edge": {"label": "string", "added_at": "string", "agent": "string"},
}
"""What is said of each node and edge; the key of a `label` of a node is `node_label`."""

_HEAD: Final = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
    xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns \
http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"""


def pieces(graph: GraphResult) -> Iterator[str]:
    """Yield the document, a node or an edge at a time."""
    yield _HEAD
    for kind, keys in _KEYS.items():
        for name, value_type in keys.items():
            yield (
                f'  <key id="{kind}_{name}" for="{kind}" attr.name="{name}" '
                f'attr.type="{value_type}"/>\n'
            )
    yield '  <graph id="memory" edgedefault="directed">\n'
    numbers = {entity.name: number for number, entity in enumerate(graph.entities)}
    for entity in graph.entities:
        yield _element("node", f'id="n{numbers[entity.name]}"', _of_entity(entity))
    for number, relation in enumerate(graph.relations):
        for end in relation.key[:2]:
            if end not in numbers:
                numbers[end] = len(numbers)
                yield _element("node", f'id="n{numbers[end]}"', {"label": end})
        source, target, _ = relation.key
        ends = f'id="e{number}" source="n{numbers[source]}" target="n{numbers[target]}"'
        yield _element("edge", ends, _of_relation(relation))
    yield "  </graph>\n</graphml>\n"


def _of_entity(entity: EntityResult) -> Values:
    return {
        "label": entity.name,
        "type": entity.entity_type,
        "observations": _lines(entity.observations),
        "observation_count": len(entity.observations),
        "superseded": _lines(tuple(s.text for s in entity.superseded or ())),
        "added_at": entity.tags.added_at,
        "agent": entity.tags.agent,
    }


def _of_relation(relation: Relation) -> Values:
    tags = relation.tags
    return {"label": relation.relation_type, "added_at": tags.added_at, "agent": tags.agent}


def _lines(texts: tuple[str, ...]) -> str | None:
    """Return the texts, each from the start of a line on; a further line of one is indented."""
    return "\n".join(text.replace("\n", "\n  ") for text in texts) if texts else None


def _element(kind: str, attributes: str, values: Values) -> str:
    said = "".join(
        f'<data key="{kind}_{name}">{_text(value)}</data>'
        for name, value in values.items()
        if value is not None
    )
    return f"    <{kind} {attributes}>{said}</{kind}>\n"


def _text(value: str | int) -> str:
    # Read back, a bare carriage return would be a newline.
    return escape(pictured(str(value)), {"\r": "&#13;"})
