"""Checks of what the memory says: names, relations, types, secrets, instructions."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from mnemolog.doctor.examination import Examination
from mnemolog.doctor.finding import Finding
from mnemolog.errors import UnreadableTaxonomy
from mnemolog.graph import Graph
from mnemolog.records import (
    Entity,
    ObservationTags,
    Record,
    Relation,
    Superseded,
    Tags,
    Tombstone,
)
from mnemolog.screening import instruction_like, secret
from mnemolog.screening.type_variant import name_key
from mnemolog.store.compaction import compact
from mnemolog.store.runs import lines_in
from mnemolog.taxonomy.consistency import violations
from mnemolog.taxonomy.shared import NOTHING_AGREED, SharedFile
from mnemolog.taxonomy.usage import usage_of


def look_alike_names(examination: Examination) -> Iterator[Finding]:
    """Yield names that can be taken for each other."""
    by_key: defaultdict[str, list[str]] = defaultdict(list)
    for name in examination.graph.entities:
        by_key[name_key(name)].append(name)
    for first, *others in by_key.values():
        merged = ("--merge-into", first)
        for other in others:
            yield Finding(
                "remark",
                "look_alike_name",
                f"{other!r} can be taken for {first!r}: what is known may be split between them.",
                _entity(other),
                f"If they are one, join them: {_command('edit', other, options=merged)}",
            )


def dangling_relations(examination: Examination) -> Iterator[Finding]:
    """Yield relations with an end that does not exist."""
    entities = examination.graph.entities
    for source, target, kind in examination.graph.relations:
        missing = [name for name in dict.fromkeys((source, target)) if name not in entities]
        if missing:
            create = _command("add", missing[0], options=("--type", "TYPE"))
            away = _command("delete", source, options=("--relation", kind, target))
            yield Finding(
                "remark",
                "dangling_relation",
                f"{source!r} {kind!r} {target!r}: there is no {' and no '.join(map(repr, missing))}"
                ". Another branch may still bring it.",
                _entity(source),
                f"Create it: {create}. Or remove the relation: {away}",
            )


def type_spellings(examination: Examination) -> Iterator[Finding]:
    """Yield types that should be others: not agreed on, or another spelling."""
    agreed = NOTHING_AGREED
    try:
        agreed = SharedFile(examination.location).read()
    except UnreadableTaxonomy as broken:
        yield Finding(
            "problem",
            "broken_taxonomy",
            f"The types that are agreed on cannot be read: {broken.reason}.",
            str(broken.path),
            "Mend it, or move it away and export a new one: mnemolog taxonomy export --shared",
        )
    for violation in violations(usage_of(examination.graph), agreed):
        why = "is not agreed on" if violation.is_listed else "is another spelling"
        named = " or ".join(map(repr, violation.use))
        new = violation.use[0] if len(violation.use) == 1 else None
        command = _command("taxonomy retype", violation.name, new or "TYPE")
        yield Finding(
            "remark",
            "type_spelling",
            f"The {violation.kind} type {violation.name!r} {why}"
            + (f"; near to it: {named}." if named else "."),
            f"{violation.count:,} of it",
            f"Give it the name that is meant: {command}",
        )


class _Place(NamedTuple):
    """Where a text stands first in the file; the line is null in another server's document."""

    line: int | None
    entity: str


def secrets(examination: Examination) -> Iterator[Finding]:
    """Yield what looks like a secret anywhere in the file, removed or not; never its value."""
    reading, content = examination.reading, examination.content
    kept = cache(lambda: _texts_in(compact(content[: reading.size]).content))
    for text, place in _texts(examination).items():
        for found in secret.find_secrets(text):
            yield Finding(
                "problem",
                "secret",
                f"This looks like {found.description} ({found.kind}).",
                _where(place),
                "Have it rotated, and note instead where it is kept. Then take it out of the file: "
                f"{_way_out(reading.graph, place.entity, text, kept)}. Files that were set aside "
                "beside it may have it too.",
            )


def _way_out(
    graph: Graph, name: str, text: str, kept_by_compaction: Callable[[], Mapping[str, _Place]]
) -> str:
    entity = graph.entities.get(name)
    if secret.looks_secret(name):
        return "rename or delete the entity, then mnemolog compact"
    if entity and text in entity.observations:
        number = [*entity.observations].index(text) + 1
        return f"{_command('delete', name, str(number))}, then mnemolog compact"
    if text in graph.superseded.get(name, {}):
        delete = _command("delete", name, "TEXT")
        return f"{delete}, with its text in the place of TEXT, then mnemolog compact"
    if text in kept_by_compaction():
        return (
            "it stands on a line that also says what is still true, so end the clients and take it "
            "out with a text editor, wherever the file has it"
        )
    return "it was removed already, and 'mnemolog compact' drops its line"


def instructions(examination: Examination) -> Iterator[Finding]:
    """Yield facts that speak to agents."""
    for entity in examination.graph:
        for number, text in enumerate(entity.observations, start=1):
            cue = instruction_like.cue(text)
            if cue is not None:
                yield Finding(
                    "remark",
                    "instruction_like",
                    f"Fact {number} reads like an instruction to an agent (cue: {cue}).",
                    _entity(entity.name),
                    f"Look at it: {_command('show', entity.name)}. If nobody meant to save it: "
                    + _command("delete", entity.name, str(number)),
                )


def _texts(examination: Examination) -> dict[str, _Place]:
    """Return every text of the file, with the place where it stands first."""
    document = examination.reading.document
    if document is None:
        return _texts_in(examination.content)
    texts: dict[str, _Place] = {}
    for record in document:
        _collect(texts, record, None)
    return texts


def _texts_in(log: bytes) -> dict[str, _Place]:
    texts: dict[str, _Place] = {}
    for placed in lines_in(log):
        for record in placed.line.records:
            _collect(texts, record, placed.number)
    return texts


def _collect(texts: dict[str, _Place], record: Record, line: int | None) -> None:
    match record:
        case Entity():
            said: tuple[str, ...] = (record.name, record.entity_type or "", *record.observations)
            said, name = (*said, *_sources(record.tags)), record.name
        case Tombstone() if record.name is not None:
            said, name = (record.name, *(record.observations or ())), record.name
        case Superseded():
            said = (record.observation, record.replaced_by or "", *_sources(record.tags))
            name = record.entity
        case Relation():
            said, name = record.key, record.source
        case _:
            return
    for text in said:
        texts.setdefault(text, _Place(line, name))


def _sources(tags: Tags) -> tuple[str, ...]:
    return tags.sources or () if isinstance(tags, ObservationTags) else ()


def _where(place: _Place) -> str:
    of = _entity(place.entity)
    return of if place.line is None else f"line {place.line}, {of}"


def _entity(name: str) -> str:
    return f"entity {name!r}"


def _command(verb: str, *operands: str, options: tuple[str, ...] = ()) -> str:
    """Return a command line on names that may look like options."""
    guard = ("--",) if any(operand.startswith("-") for operand in operands) else ()
    return shlex.join(("mnemolog", *verb.split(), *options, *guard, *operands))
