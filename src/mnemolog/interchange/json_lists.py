"""The lists of a JSON document, member by member, for documents that one program has written whole.

What people have edited is read by `json_stream`, which goes on behind a fault; this one is for
documents whose lists may have any name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO, Final

import ijson

from mnemolog.jsonl import BOM

_STARTS: Final = frozenset({"start_map", "start_array"})
_ENDS: Final = frozenset({"end_map", "end_array"})


class NotJson(ValueError):
    """What follows cannot be read; the message says why."""


def members(file: BinaryIO) -> Iterator[tuple[str, Any]]:
    """Yield each member of the lists at the top, with its list's key; of a bare list that is "".

    Raises:
        NotJson: The document breaks off or is no JSON, after the members before that.
    """
    list_depth = 0
    key = ""
    member = None
    for event, value, depth in _events(file):
        if member is not None or (list_depth and depth == list_depth and event not in _ENDS):
            member = member or ijson.ObjectBuilder()
            member.event(event, value)
            if depth == list_depth and event not in _STARTS:
                yield key, member.value
                member = None
        elif event == "map_key" and depth == 1:
            key = value
        elif event == "start_array" and depth <= 1:
            list_depth = depth + 1
        elif event == "end_array" and depth < list_depth:
            list_depth = 0


def _events(file: BinaryIO) -> Iterator[tuple[str, Any, int]]:
    """Yield what a parser meets, and how deep inside it stands; an end stands beside its start."""
    file.seek(0)
    if file.read(len(BOM)) != BOM:
        file.seek(0)
    depth = 0
    try:
        # Not ijson's ready-made items: they build a path for each value, gigabytes for a small file
        # of brackets. And without `use_float` a number of a thousand digits crashes the parser.
        for event, value in ijson.basic_parse(file, use_float=True):
            depth -= event in _ENDS
            yield event, value, depth
            depth += event in _STARTS
    except UnicodeDecodeError:
        raise NotJson("it is not UTF-8 text") from None
    except ijson.JSONError as error:
        raise NotJson(f"it is not valid JSON ({str(error).partition(chr(10))[0]})") from None
