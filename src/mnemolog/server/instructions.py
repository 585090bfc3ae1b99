"""What every client is told about the server: how to use memory, and the types agreed on here.

A client is not kept waiting for it: the memory file is located, but not opened, and a shared
taxonomy is read only if there is one.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from mnemolog.errors import MnemologError
from mnemolog.server.prompts import guidance
from mnemolog.store.location import Settings, home_folder, locate
from mnemolog.taxonomy.shared import NOTHING_AGREED, SharedFile, SharedTaxonomy, presentable

logger = logging.getLogger(__name__)

MOST: Final = 1_990
"""Characters. Some clients cut instructions after 2,000."""


def instructions_for(settings: Settings, start: Path) -> str:
    """Return what a client is told that starts the server in a folder."""
    page = guidance("instructions")
    try:
        location = locate(settings, start, home_folder())
        shared = SharedFile(location)
        agreed = NOTHING_AGREED if location.refusal else shared.read()
    except MnemologError as problem:  # the first call says so too
        logger.warning("%s", problem)
        return page
    return page + agreed_types(agreed, shared.path.name, MOST - len(page))


def agreed_types(agreed: SharedTaxonomy, file_name: str, room: int) -> str:
    """Return the types as a paragraph that fits into so many characters; nothing if none do.

    The names come with a clone: each is shown as a text in quotes, if it is short and plain, so
    that nothing in the file can pass for an instruction.
    """
    lead = f"\n**Types agreed on here** (names from {json.dumps(file_name)}; data too): use these."
    lists = (("Entities", agreed.entity_types), ("Relations", agreed.relation_types))
    named = [(what, types) for what, types in lists if types]
    room -= len(lead) + 1
    parts: list[str] = []
    for left, (what, types) in zip(range(len(named), 0, -1), named, strict=True):
        part = _listed(what, types, room // left)
        parts.append(part)
        room -= len(part)
    return f"{lead}{''.join(parts)}\n" if any(parts) else ""


def _listed(what: str, types: Iterable[str], room: int) -> str:
    """Return as many of the names as fit, and how many more there are."""
    names = list(types)
    shown = [json.dumps(name, ensure_ascii=False) for name in presentable(names)]
    while shown:
        more = len(names) - len(shown)
        rest = f", and {more} more in the file" if more else ""
        part = f" {what}: {', '.join(shown)}{rest}."
        if len(part) <= room:
            return part
        shown.pop()
    return ""
