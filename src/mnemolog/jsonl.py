"""Bytes to records and back, one JSON object a line, tolerant of what other tools write.

A line that cannot be read is a value with a reason, never an exception: its neighbours must not
suffer, and the file keeps it as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from sys import intern
from typing import Any, Final, NamedTuple, cast, get_args

from mnemolog.declarations import to_wire, wire_fields
from mnemolog.json_document import is_document, members
from mnemolog.plain_lines import read_plain
from mnemolog.records import (
    RECORD_TYPES,
    UNKNOWN,
    UNTAGGED,
    Entity,
    Header,
    ObservationTags,
    Priority,
    Record,
    Relation,
    Removable,
    Repository,
    Superseded,
    Tags,
    Tombstone,
)
from mnemolog.tagged_entities import lines_of, says_more

BOM: Final = b"\xef\xbb\xbf"

_TYPE_NAMES: Final = {declaration: name for name, declaration in RECORD_TYPES.items()}
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class Line(NamedTuple):
    """What one line of a file says."""

    records: tuple[Record, ...] = ()
    problem: str | None = None
    is_garbage: bool = False
    continues: bool = False
    is_blank: bool = False
    has_unknown: bool = False
    """Whether something on it is of a kind that we don't know."""


class _Malformed(ValueError):
    """A record of a known type that lacks what makes it one."""


def encode(record: Record, *, continues: bool = False) -> bytes:
    """Return the record's line; `continues` says that more lines of the same call follow."""
    wire = {"type": _TYPE_NAMES[type(record)], **to_wire(record)}
    if continues:
        wire["continues"] = True
    return _ENCODER.encode(wire).encode() + b"\n"


def encode_call(records: tuple[Record, ...]) -> bytes:
    """Return the lines of one call, each but the last marked to continue."""
    last = len(records) - 1
    return b"".join(encode(r, continues=place < last) for place, r in enumerate(records))


def read_line(raw: bytes) -> Line:
    """Return what a line, given without its newline, says."""
    plain = read_plain(raw)
    return read_any(raw) if plain is None else Line((plain[0],), continues=plain[1])


def read_any(raw: bytes) -> Line:
    """Return what a line says, without the short cut that `read_line` takes for plain ones."""
    try:
        values = load_values(raw.removeprefix(BOM).decode())
    except UnicodeDecodeError:
        return Line(problem="it is not UTF-8 text", is_garbage=True)
    except ValueError as error:
        return Line(problem=str(error), is_garbage=True)
    if not values:
        return Line(is_blank=True)
    if len(values) == 1:
        return _line_of(values[0])
    return _glued([_line_of(value) for value in values])


def _glued(parts: Sequence[Line]) -> Line:
    records = tuple(record for part in parts for record in part.records)
    problem = next((part.problem for part in parts if part.problem), None)
    has_unknown = any(part.has_unknown for part in parts)
    return Line(records, problem, continues=parts[-1].continues, has_unknown=has_unknown)


def _line_of(value: Any) -> Line:  # noqa: ANN401 - any JSON value
    try:
        records = records_of(value)
    except _Malformed as error:
        return Line(problem=str(error))
    if records:
        return Line(records, continues=value.get("continues") is True)
    held = [] if _has_type(value) or not is_document(value) else list(members([value]))
    if not held:
        return Line(has_unknown=True)
    return _glued([_line_of(member) for member in held])._replace(continues=False)


def _has_type(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    return isinstance(value, dict) and not value.keys().isdisjoint(("type", "_type"))


# --- JSON ------------------------------------------------------------------------------------


def load_values(text: str) -> list[Any]:
    """Return the JSON values that stand one after the other in a text.

    Raises:
        ValueError: Something is not JSON, or is JSON that no other tool would read the same way.
    """
    if _is_nested_too_deeply(text):
        raise ValueError("it is nested too deeply")
    values = []
    place = _skip_blanks(text, 0)
    try:
        while place < len(text):
            value, place = _DECODER.raw_decode(text, place)
            values.append(value)
            place = _skip_blanks(text, place)
        return _without_lone_surrogates(values) if _SURROGATE.search(text) else values
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not valid JSON at column {error.pos + 1}") from None


_DEEPEST: Final = 100
# Far less than Python can follow: otherwise it would hang on the caller's own depth whether a line
# is read, and two processes would see different facts.
# A text that never ends is taken up to the end: trying again at each quote would take for ever. And
# nothing is given back (`*+`): to remember where it could be takes 35 times what the text takes.
_BRACKET: Final = re.compile(r'(?s)"[^"\\]*+(?:\\.[^"\\]*+)*+"?|[\[{]|[\]}]')


def _is_nested_too_deeply(text: str) -> bool:
    if text.count("[") + text.count("{") <= _DEEPEST:
        return False
    depth = 0
    for token in _BRACKET.finditer(text):
        depth += (token[0] in "[{") - (token[0] in "]}")
        if depth > _DEEPEST:
            return True
    return False


def _skip_blanks(text: str, place: int) -> int:
    # Ours ends right at the newline, so this loop seldom turns.
    while place < len(text) and text[place] in " \t\r\n":
        place += 1
    return place


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("it says the same key twice")
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _integer(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise ValueError("it holds a number that is too long") from None


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_constant=_refuse_constant, parse_int=_integer
)
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


def _without_lone_surrogates(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Replace halves of a character, which no file or wire of ours can carry, by U+FFFD."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, list):
        return [_without_lone_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {
            _without_lone_surrogates(key): _without_lone_surrogates(item)
            for key, item in value.items()
        }
    return value


# --- values to records -----------------------------------------------------------------------


def records_of(value: Any) -> tuple[Record, ...]:  # noqa: ANN401 - any JSON value
    """Return the records that a JSON value is, or nothing if it is of a kind we don't know.

    Raises:
        ValueError: It claims a type of ours and lacks what makes it one.
    """
    if not isinstance(value, dict):
        return ()
    kind = value.get("type", value.get("_type"))
    if kind is None:
        kind = _kind_by_shape(value)
    build = _BUILDERS.get(kind) if isinstance(kind, str) else None
    if build is None:
        return ()
    record = build(value)
    if isinstance(record, Entity) and says_more(value):
        return tuple([_BUILDERS[line["type"]](line) for line in lines_of(value)])
    return (record,)


def has_foreign_keys(value: Any) -> bool:  # noqa: ANN401 - any JSON value
    """Return whether a record carries keys that are not ours, so that dropping it loses them."""
    kind = value.get("type") if isinstance(value, dict) else None
    known = _KNOWN_KEYS.get(kind) if isinstance(kind, str) else None
    return known is None or not value.keys() <= known


def _kind_by_shape(value: Mapping[str, Any]) -> str | None:
    if "name" in value and ("entityType" in value or "observations" in value):
        return "entity"
    if {"from", "to", "relationType"} <= value.keys():
        return "relation"
    return None


def _entity(value: Mapping[str, Any]) -> Entity:
    name = value.get("name")
    if not isinstance(name, str):
        raise _Malformed("an entity without a name")
    kind = _first_text(value, _ENTITY_TYPE_KEYS)
    return Entity(
        name,
        intern(kind) if kind is not None else None,
        _observations(value.get("observations")),
        _observation_tags(value),
    )


def _observations(value: Any) -> tuple[str, ...]:  # noqa: ANN401 - any JSON value
    if value is None:
        return ()
    if not isinstance(value, list):
        return (_as_text(value),)
    return tuple([_as_text(item) for item in value if item is not None])


def _as_text(value: Any) -> str:  # noqa: ANN401 - any JSON value
    return value if isinstance(value, str) else _ENCODER.encode(value)


# The spellings that files use beside server-memory's.
_ENTITY_TYPE_KEYS: Final = ("entityType", "entity_type")
_SOURCE_KEYS: Final = ("from", "source", "from_entity")
_TARGET_KEYS: Final = ("to", "target", "to_entity")
_RELATION_TYPE_KEYS: Final = ("relationType", "relation_type", "relation")


def _relation(value: Mapping[str, Any]) -> Relation:
    source = _first_text(value, _SOURCE_KEYS)
    target = _first_text(value, _TARGET_KEYS)
    relation_type = _first_text(value, _RELATION_TYPE_KEYS)
    if source is None or target is None or relation_type is None:
        raise _Malformed("a relation without from, to or relationType")
    return Relation(source, target, intern(relation_type), _tags(value))


def _superseded(value: Mapping[str, Any]) -> Superseded:
    return Superseded(
        _required(value, "entity", "a superseded line"),
        _required(value, "observation", "a superseded line"),
        _observation_tags(value),
        _text(value, "superseded_at"),
        _text(value, "superseded_by"),
        _text(value, "replaced_by"),
    )


def _tombstone(value: Mapping[str, Any]) -> Tombstone:
    of: Any = value.get("of")
    if of not in get_args(Removable):
        raise _Malformed("a tombstone that does not say what it is of")
    at, agent = _text(value, "removed_at"), _text(value, "agent")
    if of == "relation":
        key = [_required(value, part, "a tombstone") for part in ("from", "to", "relationType")]
        return Tombstone(of, at, agent, source=key[0], target=key[1], relation_type=key[2])
    name = _required(value, "name", "a tombstone")
    return Tombstone(of, at, agent, name, _observations(value.get("observations")))


def _header(value: Mapping[str, Any]) -> Header:
    repo = value.get("repo")
    if not isinstance(value.get("format"), int) or not isinstance(repo, dict):
        raise _Malformed("a header that names no format or repository")
    repository = Repository(_text(repo, "name") or "", _text(repo, "commit"), _text(repo, "root"))
    return Header(value["format"], repository, _tags(value))


_BUILDERS: Final[Mapping[str, Callable[[Mapping[str, Any]], Record]]] = {
    "header": _header,
    "entity": _entity,
    "relation": _relation,
    "superseded": _superseded,
    "tombstone": _tombstone,
}

_KNOWN_KEYS: Final = {
    name: frozenset(f.key for f in wire_fields(cast("Hashable", declaration)))
    | {"type", "continues"}
    for name, declaration in RECORD_TYPES.items()
}


def _tags(value: Mapping[str, Any]) -> Tags:
    if "added_at" not in value and "agent" not in value:
        return UNTAGGED
    at, agent = _text(value, "added_at"), _text(value, "agent")
    return UNKNOWN if at is None and agent is None else Tags(at, agent and intern(agent))


def _observation_tags(value: Mapping[str, Any]) -> ObservationTags:
    if value.keys().isdisjoint(_OBSERVATION_TAG_KEYS):
        return UNTAGGED
    agent, edited_by = _text(value, "agent"), _text(value, "edited_by")
    priority, sources = value.get("priority"), value.get("sources")
    return ObservationTags(
        _text(value, "added_at"),
        agent and intern(agent),
        _text(value, "edited_at"),
        edited_by and intern(edited_by),
        cast("Priority", priority) if priority in _PRIORITIES else None,
        _observations(sources) if sources else None,
    )


_PRIORITIES: Final = get_args(Priority)
_OBSERVATION_TAG_KEYS: Final = frozenset(f.key for f in wire_fields(ObservationTags))


def _text(value: Mapping[str, Any], key: str) -> str | None:
    found = value.get(key)
    return found if isinstance(found, str) else None


def _first_text(value: Mapping[str, Any], keys: tuple[str, ...]) -> str | None:
    return next((found for key in keys if isinstance(found := value.get(key), str)), None)


def _required(value: Mapping[str, Any], key: str, where: str) -> str:
    if (found := _text(value, key)) is None:
        raise _Malformed(f"{where} without {key}")
    return found
