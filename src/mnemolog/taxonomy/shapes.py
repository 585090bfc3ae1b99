"""Shapes: what several items hold alike, stated once in a taxonomy and opened up to compare two.

An entity stands in the results of eight tools. Written out each time, a taxonomy would be longer
than what clients show of a resource.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

SHAPES: Final = "shapes"
"""The section in which the fields of each shape stand."""


def stated_once(described: Mapping[str, Any]) -> dict[str, Any]:
    """Return the description with the fields of each shape in a section of their own.

    Raises:
        ValueError: Two shapes have one name.
    """
    shapes: dict[str, Any] = {}
    sections = _stated_once(described, shapes)
    return {**sections, SHAPES: dict(sorted(shapes.items()))}


def opened_up(taxonomy: Mapping[str, Any]) -> dict[str, Any]:
    """Return the taxonomy with the fields of each shape wherever it is used, and no such section.

    A shape's name is then no more than a word about an item: when we rename a class, nobody who
    calls a tool has to change anything.
    """
    sections = {name: section for name, section in taxonomy.items() if name != SHAPES}
    opened: dict[str, Any] = _opened_up(sections, taxonomy.get(SHAPES, {}))
    return opened


def _stated_once(value: Any, shapes: dict[str, Any]) -> Any:  # noqa: ANN401 - any JSON value
    if not isinstance(value, Mapping):
        return value
    inner = {key: _stated_once(held, shapes) for key, held in value.items()}
    if _names_a_shape(inner):
        fields = inner.pop("fields")
        if shapes.setdefault(inner["shape"], fields) != fields:
            raise ValueError(f"Two different shapes are called {inner['shape']}: rename one.")
    return inner


def _opened_up(value: Any, shapes: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON value
    if not isinstance(value, Mapping):
        return value
    inner = {key: _opened_up(held, shapes) for key, held in value.items()}
    if _names_a_shape(inner):
        inner["fields"] = _opened_up(shapes.get(inner["shape"], {}), shapes)
    return inner


def _names_a_shape(item: Mapping[str, Any]) -> bool:
    """Return whether this is an item of a shape, and not fields of which one is called that."""
    return isinstance(item.get("shape"), str)
