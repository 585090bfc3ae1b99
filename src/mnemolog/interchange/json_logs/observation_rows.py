"""Flat rows, one observation each: `{"entityName": ..., "entityType": ..., "observation": ...}`.

Only an import that somebody asks for reads them: a memory file of rows is left alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def is_row(value: Mapping[str, Any]) -> bool:
    """Return whether an object is a row."""
    return "entityName" in value and "observation" in value


def line_of_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entity line that says what a row says; its tags stay."""
    return {
        **row,
        "type": "entity",
        "name": row["entityName"],
        "observations": [row["observation"]],
    }
