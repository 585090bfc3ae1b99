"""What an edit is: the lines to write, and what to answer; and what no edit may write."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from mnemolog.errors import InvalidRequest
from mnemolog.records import (
    Record,
    RelationKey,
    Tags,
    Tombstone,
)

ResultT = TypeVar("ResultT")


LARGEST_TEXT_BYTES: Final = 256 * 1024
LARGEST_CALL_BYTES: Final = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Edit(Generic[ResultT]):
    """The lines that carry out a call, additions first, and what it answers."""

    records: tuple[Record, ...]
    result: ResultT


def relation_tombstone(key: RelationKey, tags: Tags) -> Tombstone:
    """Return the line that removes a relation."""
    source, target, relation_type = key
    return Tombstone(
        "relation",
        tags.added_at,
        tags.agent,
        source=source,
        target=target,
        relation_type=relation_type,
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
