"""The YAML block that a note can open with: its title, its type, its dates, and what else it says.

    ---
    title: Coffee Brewing
    type: note
    tags: [coffee, howto]
    ---

Known are the keys of basic-memory, of Claude Code's memory (newer versions keep some of them below
`metadata`) and of Obsidian; any other key becomes an observation of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import yaml

from mnemolog.halves import without_halves
from mnemolog.interchange.markdown.dates import as_tag
from mnemolog.records import UNTAGGED, ObservationTags

_BLOCK: Final = re.compile(r"---[ \t]*\n((?:.*\n)*?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_PLAIN_LINE: Final = re.compile(r"^(\w[\w .-]*):[ \t]+(\S.*)$", re.MULTILINE)
_UNQUOTED_LINE: Final = re.compile(r"""^(\w[\w .-]*:[ \t]+)([^\s"'\[{|>&!#].*)$""", re.MULTILINE)
_NOT_YAML: Final = (yaml.YAMLError, ValueError, OverflowError, RecursionError)
# YAML is read at some 100 kB a second; a block that long is no front matter.
_LONGEST: Final = 100_000

_TITLE: Final = ("title", "name")
_CREATED: Final = ("created", "created_at", "date created", "date_created", "date")
_MODIFIED: Final = ("modified", "modified_at", "updated", "updated_at", "date modified", "lastmod")
_ALIASES: Final = ("aliases", "alias")
_DESCRIPTION: Final = "description"
# What means something only to the program that wrote it, or is said by the entity itself.
_BOOKKEEPING: Final = frozenset(
    {"type", "permalink", "metadata", "id", "uid", "uuid", "node_type", "originsessionid"}
    | {"schema", "cssclass", "cssclasses", "publish", "layout", "exported_by"}
)


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a note says about itself."""

    title: str | None = None
    kind: str | None = None
    permalink: str | None = None
    aliases: tuple[str, ...] = ()
    tags: ObservationTags = UNTAGGED
    observations: tuple[str, ...] = ()
    problem: str | None = None
    """Why some of it could not be read."""


def split(text: str) -> tuple[FrontMatter, str, int]:
    """Return the front matter of a note, its body, and the number of lines before the body."""
    block = _BLOCK.match(text)
    if block is None:
        return FrontMatter(), text, 0
    said, problem, written = _load(block[1])
    if not said:  # a note can open with a line of dashes
        return FrontMatter(), text, 0
    front = _read(said, problem, _nested(said, written))
    return front, text[block.end() :], block[0].count("\n")


def _load(block: str) -> tuple[Mapping[str, Any], str | None, str]:
    """Return what a block says, what is wrong with it, and the YAML that it was read as."""
    try:
        return _parsed(block), None, block
    except _NOT_YAML as error:
        problem = f"its front matter is not valid YAML ({_reason(error)}), read line by line"
    # Mostly a description with a colon in it: one line of many.
    quoted = _UNQUOTED_LINE.sub(_quoted, block)
    try:
        return _parsed(quoted), problem, quoted
    except _NOT_YAML:
        plain = {key: value.strip("\"' ") for key, value in _PLAIN_LINE.findall(block)}
        return plain, problem, block


def _quoted(line: re.Match[str]) -> str:
    return line[1] + "'" + line[2].rstrip().replace("'", "''") + "'"


def _parsed(block: str) -> Mapping[str, Any]:
    if len(block) > _LONGEST:
        raise ValueError("it is too long")
    # Beyond being safe, this loader leaves every scalar a string: a version 1.10 stays 1.10, and a
    # day that no calendar has is no error.
    said = yaml.load(block, Loader=yaml.BaseLoader)  # noqa: S506 - builds str, list and dict only
    return said if isinstance(said, dict) else {}


def _reason(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error).partition("\n")[0]
    # The block starts behind the line of dashes, and YAML counts from zero.
    return f"line {mark.line + 2}: {problem}" if mark else problem


def _nested(said: Mapping[str, Any], block: str) -> tuple[str, ...]:
    """Return the lines of keys that hold more than a list of texts, as they are written."""
    keys = {k for k, value in said.items() if _is_nested(value) and k.lower() not in _BOOKKEEPING}
    if not keys:
        return ()
    root: Any = yaml.compose(block, Loader=yaml.BaseLoader)
    return tuple(
        block[key.start_mark.index : value.end_mark.index].rstrip()
        for key, value in root.value
        if key.value in keys
    )


def _is_nested(value: Any) -> bool:  # noqa: ANN401 - any YAML value
    values = value if isinstance(value, list) else [value]
    return any(isinstance(item, (dict, list)) for item in values)


def _read(said: Mapping[str, Any], problem: str | None, nested: Iterable[str]) -> FrontMatter:
    metadata = said.get("metadata")
    merged = {**(metadata if isinstance(metadata, dict) else {}), **said}
    texts = {
        key: text
        for key, value in merged.items()
        if not _is_nested(value) and (text := _text(value)) is not None
    }
    keys = {key.lower(): key for key in texts}
    title = _first(keys, _TITLE)
    created = _first(keys, _CREATED, lambda key: as_tag(texts[key]) is not None)
    modified = _first(keys, _MODIFIED, lambda key: as_tag(texts[key]) is not None)
    used = {title, created, modified, *(keys.get(key) for key in _BOOKKEEPING)}
    return FrontMatter(
        texts.get(title or ""),
        texts.get(keys.get("type", "")),
        texts.get(keys.get("permalink", "")),
        tuple(alias for key in _ALIASES for alias in _texts(merged.get(keys.get(key, "")))),
        _tags(texts.get(created or "", ""), texts.get(modified or "", "")),
        (*_observations(texts, used), *nested),
        problem,
    )


def _first(
    keys: Mapping[str, str], wanted: Iterable[str], serves: Callable[[str], bool] = bool
) -> str | None:
    """Return the first wanted key that is there and serves, as it is written."""
    return next((keys[key] for key in wanted if key in keys and serves(keys[key])), None)


def _tags(created: str, modified: str) -> ObservationTags:
    added_at, edited_at = as_tag(created), as_tag(modified)
    if added_at is None and edited_at is None:
        return UNTAGGED
    return ObservationTags(added_at, None, edited_at if edited_at != added_at else None)


def _observations(texts: Mapping[str, str], used: Container[str | None]) -> Iterator[str]:
    for key, text in texts.items():
        if key not in used:
            yield text if key.lower() == _DESCRIPTION else f"{key}: {text}"


def _text(value: Any) -> str | None:  # noqa: ANN401 - any YAML value
    return ", ".join(_texts(value)) or None


def _texts(value: Any) -> list[str]:  # noqa: ANN401 - any YAML value
    values = value if isinstance(value, list) else [value]
    written = (without_halves(item) for item in values if isinstance(item, str))
    texts = (" ".join(text.split()).removeprefix("#") for text in written)
    return [text for text in texts if text not in {"", "~", "null"}]
