"""Flat rows, one observation each: `{"entityName": ..., "entityType": ..., "observation": ...}`.

Only an import that somebody asks for reads them: a memory file of rows is left alone.
"""

from __future__ import annotations

from typing import Any

from mnemolog.interchange.values import readable_records
from mnemolog.records import Record


def records_of_row(value: Any) -> tuple[Record, ...]:  # noqa: ANN401 - any JSON value
    """Return the entity line that a row says, or nothing if the value is no row."""
    if not isinstance(value, dict) or "entityName" not in value or "observation" not in value:
        return ()
    line = {
        "type": "entity",
        "name": value["entityName"],
        "entityType": value.get("entityType"),
        "observations": [value["observation"]],
    }
    return readable_records(line)
