"""A folder of Markdown that people like to read: a page for each entity, and an index of them.

A page has what is true of its entity, each list below the day and the agent that it is from; what
the entity relates to, as links; what relates to it; and what is no longer true, if asked for.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Final
from urllib.parse import quote

from mnemolog.interchange.exporting.as_written import as_written, on_one_line
from mnemolog.interchange.exporting.file_names import file_stems
from mnemolog.records import ObservationTags, Relation, Tags
from mnemolog.results import EntityResult, GraphResult, SupersededResult
from mnemolog.text import counted, counted_graph

INDEX: Final = "index"

_MARK: Final = "<!-- exported by mnemolog -->"
_MARKED: Final = re.compile(rf"---\n(?:(?!---\n).*\n)*---\n{_MARK}\n")


def is_ours(text: str) -> bool:
    """Return whether the start of a file is that of a page that was exported."""
    return _MARKED.match(text) is not None


@dataclass(frozen=True, slots=True)
class Page:
    """One file of the folder."""

    name: str
    text: str


class Folder:
    """The pages of a graph; their names are known before any is written."""

    def __init__(self, graph: GraphResult) -> None:
        self._graph = graph
        self._stems = file_stems((entity.name for entity in graph.entities), taken=(INDEX,))
        self._from = defaultdict[str, list[Relation]](list)
        self._to = defaultdict[str, list[Relation]](list)
        for relation in graph.relations:
            self._from[relation.source].append(relation)
            self._to[relation.target].append(relation)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the files, the index last."""
        return tuple(f"{stem}.md" for stem in (*self._stems.values(), INDEX))

    def pages(self) -> Iterator[Page]:
        """Yield the pages, the index last, so that it leads to no page that is not there."""
        for entity in self._graph.entities:
            yield Page(f"{self._stems[entity.name]}.md", "".join(self._page(entity)))
        yield Page(f"{INDEX}.md", "".join(self._index()))

    def _page(self, entity: EntityResult) -> Iterator[str]:
        yield _front_matter(entity.name, entity.entity_type, entity.tags)
        yield f"# {on_one_line(entity.name)}\n"
        yield from _observations(entity)
        yield from _section("Relations", map(self._outgoing, self._from[entity.name]))
        incoming = (r for r in self._to[entity.name] if r.source != entity.name)
        yield from _section("Referred to by", map(self._incoming, incoming))
        yield from _section("No longer true", map(_superseded, entity.superseded or ()))

    def _index(self) -> Iterator[str]:
        yield _front_matter("Index", None, None)
        yield f"# Index\n\n{_counts(self._graph)}.\n"
        by_type = sorted(self._graph.entities, key=_type_then_name)
        for entity_type, entities in groupby(by_type, key=lambda entity: entity.entity_type):
            yield from _section(on_one_line(entity_type), map(self._entry, entities))
        loose = (r for r in self._graph.relations if r.source not in self._stems)
        yield from _section("Relations of what has no page", map(self._loose, loose))

    def _entry(self, entity: EntityResult) -> str:
        return f"{self._link(entity.name)}: {counted(len(entity.observations), 'observation')}"

    def _outgoing(self, relation: Relation) -> str:
        return f"{on_one_line(relation.relation_type)} {self._link(relation.target)}"

    def _incoming(self, relation: Relation) -> str:
        return f"{self._link(relation.source)} {on_one_line(relation.relation_type)}"

    def _loose(self, relation: Relation) -> str:
        return f"{on_one_line(relation.source)} {self._outgoing(relation)}"

    def _link(self, name: str) -> str:
        stem = self._stems.get(name)
        if stem is None:  # a relation of another tool can lead to what is no entity
            return f"{on_one_line(name)} (no page)"
        return f"[{on_one_line(name) or stem}]({quote(stem)}.md)"


def _front_matter(title: str, entity_type: str | None, tags: Tags | None) -> str:
    import yaml  # noqa: PLC0415 - the other formats need none

    said = {"title": title}
    if entity_type is not None:
        said["type"] = entity_type
    if tags and tags.added_at:
        said["created"] = tags.added_at  # the key that other programs have for it
    block = yaml.safe_dump(said, allow_unicode=True, sort_keys=False, width=_WIDE)
    return f"---\n{block}---\n{_MARK}\n\n"


_WIDE: Final = 1_000_000
"""Longer than any line, so that none is folded."""


def _observations(entity: EntityResult) -> Iterator[str]:
    """Yield lists of observations, each below a line that says when and by whom."""
    tags = entity.observation_tags or ()
    if not tags and (said := _said(entity.tags.added_at, entity.tags.agent)):
        yield f"\n*{said}*\n"
    noted = [(_note(of_one), text) for of_one, text in zip(tags, entity.observations, strict=True)]
    is_dated = any(note for note, _ in noted)
    for note, run in groupby(noted, key=lambda pair: pair[0]):
        if is_dated:
            yield f"\n*{note or 'date not known'}*\n"
        yield from _list(as_written(text) for _, text in run)


def _note(tags: ObservationTags) -> str:
    said = [_said(tags.added_at, tags.agent)]
    if tags.edited_at or tags.edited_by:
        said.append(f"edited {_said(tags.edited_at, tags.edited_by)}")
    if tags.priority:
        said.append(f"{tags.priority} priority")
    if tags.sources:
        said.append(f"derived from {counted(len(tags.sources), 'observation')}")
    return "; ".join(part for part in said if part)


def _said(at: str | None, agent: str | None) -> str:
    """Return the day and the agent, as far as they are known."""
    return ", ".join(on_one_line(part) for part in (at and at[:_DAY], agent) if part)


_DAY: Final = len("2026-10-01")


def _superseded(retired: SupersededResult) -> str:
    until = _said(retired.superseded_at, retired.superseded_by)
    replaced = f"; now: {on_one_line(retired.replaced_by)}" if retired.replaced_by else ""
    return f"{as_written(retired.text)} *(until {until or 'some day'}{replaced})*"


def _section(title: str, items: Iterable[str]) -> Iterator[str]:
    lines = list(_list(items))
    if lines:
        yield f"\n## {title}\n"
        yield from lines


def _list(items: Iterable[str]) -> Iterator[str]:
    for place, item in enumerate(items):
        yield ("" if place else "\n") + f"- {item}\n"


def _counts(graph: GraphResult) -> str:
    totals = graph.totals
    return counted_graph(totals.entities, totals.observations, totals.relations)


def _type_then_name(entity: EntityResult) -> tuple[str, str, str, str]:
    names = entity.entity_type, entity.name
    return (names[0].casefold(), names[0], names[1].casefold(), names[1])
