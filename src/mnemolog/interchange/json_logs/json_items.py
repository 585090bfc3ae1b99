"""A JSON value of a store as items: the record that it is, or why it is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from mnemolog.interchange.json_logs import plain_text_memory
from mnemolog.interchange.json_logs.observation_rows import is_row, line_of_row
from mnemolog.interchange.sources import Found, Item, Refused
from mnemolog.interchange.utc_dates import as_tag
from mnemolog.jsonl import records_of
from mnemolog.records import Entity, Header, Record, Tombstone

MARKER: Final = "_aim"
"""The type of the line with which mcp-knowledge-graph marks its files."""

_DATE_KEYS: Final = ("createdAt", "created_at", "_savedAt", "updatedAt", "updated_at")
"""What programs call the date of a record, the first of them that it has."""


class ValueReader:
    """Reads the values of one store, one after the other."""

    def __init__(self) -> None:
        self._row_of: object = None

    def items(self, value: Any, place: str) -> Iterator[Item]:  # noqa: ANN401 - any JSON value
        """Yield what a value says; nothing if it only describes its file."""
        if not isinstance(value, dict):
            yield Refused(place, "it is no record", "skipped")
            return
        more = self._goes_on(value)
        try:
            records = _records_of(value)
        except ValueError as error:
            yield Refused(place, str(error), "skipped")
            return
        for record in records:
            if isinstance(record, Tombstone):
                yield Refused(place, "it removes something, which an import never does", "skipped")
            elif not isinstance(record, Header):  # it says which file this is, and no more
                yield Found(place, record, more)
                more = True

    def _goes_on(self, value: Mapping[str, Any]) -> bool:
        """Return whether a row is about the same entity as the one before it."""
        before, self._row_of = self._row_of, value["entityName"] if is_row(value) else None
        return self._row_of is not None and self._row_of == before


def _records_of(value: dict[str, Any]) -> tuple[Record, ...]:
    """Return the records that a value is; none if it only describes its file.

    Raises:
        ValueError: It is no record, or lacks what makes it one.
    """
    if value.get("type") in ("header", MARKER):
        return ()
    dated = _with_date(value)
    records = records_of(dated)
    if not records and is_row(value):
        return records_of(line_of_row(dated))
    if records and isinstance(records[0], Entity) and plain_text_memory.is_theirs(value):
        return tuple(plain_text_memory.entity_records(records[0].name, value))
    if not records:
        raise ValueError(_stranger(value))
    return records


def _with_date(value: dict[str, Any]) -> dict[str, Any]:
    if "added_at" in value:
        return value
    said = next((date for key in _DATE_KEYS if (date := value.get(key)) is not None), None)
    if said is None:
        return value
    return {**value, "added_at": said if isinstance(said, str) else as_tag(said)}


def _stranger(value: Mapping[str, Any]) -> str:
    if isinstance(kind := value.get("type", value.get("_type")), str):
        return f"its type {kind[:60]!r} is not known"
    return "it is no record: it has no type, and not the keys of one"
