"""Files that other memory servers leave, as records of ours; one module per foreign format."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from mnemolog import json_document
from mnemolog.interchange.json_logs import plain_text_memory
from mnemolog.interchange.json_logs.final_state import final_state
from mnemolog.interchange.json_logs.values import (
    first_line,
    readable_records,
    values_in,
    values_of_lines,
)
from mnemolog.records import Record

__all__ = ["Document", "read_document", "records_of_document"]


@dataclass(frozen=True, slots=True)
class Document:
    """What a file holds that is no log of ours or server-memory's."""

    format: str
    """The name of its format, for a sentence: "a JSON document"."""
    records: tuple[Record, ...]
    """The graph that it ends in: a header, if it has one, then lines without removals."""


def read_document(content: bytes) -> Document | None:
    """Return what a memory file holds if it is a document, or None if it is read line by line.

    The first line decides, so an ordinary log is not parsed here.
    """
    line, end = first_line(content)
    values = values_in(line)
    if values is None and line.startswith((b"{", b"[")):
        values = values_in(content)
        if values is not None:
            return _document(values)
    if values and json_document.is_document(values[0]) and not content[end:].strip():
        return _document(values)
    if values and plain_text_memory.is_ours(values[0]):
        return None
    if plain_text_memory.appears_in(content):
        return _plain_text_memory(json_document.members(values_of_lines(content)))
    return None


def records_of_document(content: bytes) -> tuple[Record, ...] | None:
    """Return the records of a document, or None if the file is read line by line."""
    document = read_document(content)
    return document.records if document else None


def _document(values: list[Any]) -> Document | None:
    found = list(json_document.members(values))
    if any(plain_text_memory.is_theirs(value) for value in found):
        document = _plain_text_memory(found)
        if document is not None:
            return document
    records = final_state(r for value in found for r in readable_records(value))
    return Document(json_document.FORMAT, records) if records else None


def _plain_text_memory(values: Iterable[Any]) -> Document | None:
    records = final_state(plain_text_memory.read(values) or ())
    return Document(plain_text_memory.FORMAT, records) if records else None
