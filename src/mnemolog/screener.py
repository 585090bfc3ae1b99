"""What should be looked at in an edit: each kind of warning, over the candidates for it.

Facts are saved whatever is found; a warning only says so, at the moment when it is cheap to act.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, TypeAlias, TypeVar

from mnemolog.edits.curation import Fact
from mnemolog.edits.edit import Edit
from mnemolog.errors import UnreadableTaxonomy
from mnemolog.graph import Graph
from mnemolog.records import Entity, Record, Relation, Superseded, Tombstone
from mnemolog.results import DeletedEntities, DeletedObservations, FactWarning, Resembling
from mnemolog.screening import conflict, instruction_like, near_duplicate, secret, type_variant
from mnemolog.screening.claims import Claim, read_claim
from mnemolog.taxonomy.shared import NOTHING_AGREED, SharedFile, presentable
from mnemolog.text import fold, tokens

DeletedT = TypeVar("DeletedT", DeletedEntities, DeletedObservations)

CandidateSource: TypeAlias = Callable[[Graph, str], Iterable[Fact]]
"""Finds the facts that a new text may repeat or contradict."""

MOST_COMPARED: Final = 200
"""How many facts of one call are compared with others; more are a migration, not a note."""


LEAST_SHARED: Final = 0.3
"""The share of the shorter text's words, as they are written, that the other has to have too."""


@dataclass(frozen=True, slots=True)
class Screening:
    """What was found about an edit."""

    warnings: tuple[FactWarning, ...]
    contradicted: tuple[tuple[Fact, Fact], ...]
    """Pairs of a new fact and a fact of the same entity that it contradicts."""


class Screener:
    """Screens edits of one memory."""

    def __init__(self, candidates: CandidateSource, shared: SharedFile) -> None:
        self._candidates = candidates
        self._shared = shared
        self._names = _NamesByKey()

    def screen(self, graph: Graph, records: Sequence[Record]) -> Screening:
        """Return what is noticed about lines that are about to be saved."""
        new = tuple(_new_facts(graph, records))
        gone = set(_gone_facts(records))
        warnings = [*self._vocabulary(graph, records)]
        contradicted: list[tuple[Fact, Fact]] = []
        for place, (name, text) in enumerate(new):
            warnings += about_text(name, text)
            if place < MOST_COMPARED:
                for kind, old in self._compared(graph, name, text, gone):
                    warnings.append(_about_pair(kind, (name, text), old))
                    if kind is not None and old[0] == name:
                        contradicted.append(((name, text), old))
        return Screening(tuple(warnings), tuple(contradicted))

    def _compared(
        self, graph: Graph, name: str, text: str, gone: set[Fact]
    ) -> Iterator[tuple[conflict.Difference | None, Fact]]:
        """Yield the facts that a new one rewords (None) or contradicts (how)."""
        claim, said = _claim(text, name), _words(text)
        for old in self._candidates(graph, text):
            if old in gone or old == (name, text) or not _share_words(said, _words(old[1])):
                continue
            known = _claim(old[1], old[0])
            if near_duplicate.resemblance(claim, known) is not None:
                yield None, old
            elif (difference := conflict.contradiction(claim, known)) is not None:
                yield difference, old

    def _vocabulary(self, graph: Graph, records: Sequence[Record]) -> Iterator[FactWarning]:
        """Yield warnings about new types and names that resemble known ones."""
        entities = [r for r in records if isinstance(r, Entity) and r.name not in graph.entities]
        relations = [r for r in records if isinstance(r, Relation)]
        types = [r.entity_type for r in entities if r.entity_type is not None]
        if types or relations:
            yield from self._about_types(graph, types, [r.relation_type for r in relations])
        for name in dict.fromkeys(r.name for r in entities):
            yield from self._about_name(graph, name)

    def _about_types(
        self, graph: Graph, entity_types: Sequence[str], relation_types: Sequence[str]
    ) -> Iterator[FactWarning]:
        """Yield warnings about types not agreed on or, if none are, resembling known ones."""
        agreed = NOTHING_AGREED
        try:
            agreed = self._shared.read() or agreed
        except UnreadableTaxonomy as broken:
            yield FactWarning("type_variant", f"Types were not compared with it: {broken}")
        if agreed.entity_types:
            yield from self._outside(entity_types, agreed.entity_types, "Entity type")
        elif entity_types:
            known = {entity.entity_type for entity in graph}
            yield from _unfamiliar(entity_types, known, "Entity type")
        if agreed.relation_types:
            yield from self._outside(relation_types, agreed.relation_types, "Relation type")
        elif relation_types:
            known = {relation.relation_type for relation in graph.relations.values()}
            yield from _unfamiliar(relation_types, known, "Relation type")

    def _outside(
        self, kinds: Iterable[str], allowed: Mapping[str, str], what: str
    ) -> Iterator[FactWarning]:
        for kind in dict.fromkeys(kinds):
            if kind not in allowed:
                near = type_variant.closest(kind, presentable(allowed))
                message = type_variant.outside_message(kind, near, self._shared.path.name)
                yield FactWarning("type_variant", f"{what}: {message}")

    def _about_name(self, graph: Graph, name: str) -> Iterator[FactWarning]:
        twin = type_variant.look_alike(name, self._names.like(graph, name))
        if twin is not None:
            message = type_variant.look_alike_message(name, twin)
            yield FactWarning("type_variant", message, name, resembles=Resembling(twin))


def told_of_secrets(edit: Edit[DeletedT]) -> Edit[DeletedT]:
    """Return a deletion that says, if what it removes looks like a secret, where that still is."""
    if not any(secret.looks_secret(text) for _, text in _gone_facts(edit.records)):
        return edit
    message = f"{edit.result.message}. {_STILL_THERE}"
    return replace(edit, result=replace(edit.result, message=message))


_STILL_THERE: Final = (
    "What was deleted looks like a secret: it stays readable in the file's dead lines until "
    "'mnemolog compact' drops them, in files set aside beside it, and in git if it was committed. "
    "Rotate it."
)


class _NamesByKey:
    """The names of a graph's entities, by what look-alikes have in common; follows the graph."""

    def __init__(self) -> None:
        self._graph: Graph | None = None
        self._names: defaultdict[str, set[str]] = defaultdict(set)

    def like(self, graph: Graph, name: str) -> set[str]:
        """Return the names that may look like this one."""
        if graph is not self._graph:
            self._graph = graph
            self._names.clear()
            for entity in graph:
                self.entity_said(entity.name)
            graph.watch(self)
        return self._names.get(type_variant.name_key(name), set())

    def entity_said(self, name: str) -> None:
        """Take in a name."""
        self._names[type_variant.name_key(name)].add(name)

    def entity_gone(self, name: str) -> None:
        """Forget a name."""
        self._names[type_variant.name_key(name)].discard(name)

    def observation_said(self, name: str, text: str) -> None:
        """Do nothing: only names matter here."""

    def observation_gone(self, name: str, text: str) -> None:
        """Do nothing: only names matter here."""

    def relation_said(self, key: tuple[str, str, str]) -> None:
        """Do nothing: only names matter here."""

    def relation_gone(self, key: tuple[str, str, str]) -> None:
        """Do nothing: only names matter here."""


def _words(text: str) -> set[str]:
    return set(tokens(fold(text)))


def _share_words(one: set[str], other: set[str]) -> bool:
    """Return whether it is worth reading both: what rewords or contradicts shares more."""
    return len(one & other) >= LEAST_SHARED * min(len(one), len(other))


def _claim(text: str, entity_name: str) -> Claim:
    # A cache counts what it holds, not how long that is: thousands of pages would fill the memory.
    read = _kept_claim if len(text) <= _LONGEST_KEPT else read_claim
    return read(text, entity_name)


@lru_cache(maxsize=4096)
def _kept_claim(text: str, entity_name: str) -> Claim:
    return read_claim(text, entity_name)


_LONGEST_KEPT: Final = 4096


def _new_facts(graph: Graph, records: Iterable[Record]) -> Iterator[Fact]:
    for record in records:
        if isinstance(record, Entity):
            entity = graph.entities.get(record.name)
            known = entity.observations if entity else {}
            yield from ((record.name, text) for text in record.observations if text not in known)


def _gone_facts(records: Iterable[Record]) -> Iterator[Fact]:
    for record in records:
        if isinstance(record, Superseded):
            yield record.entity, record.observation
        elif isinstance(record, Tombstone) and record.name is not None:
            yield from ((record.name, text) for text in record.observations or ())


def about_text(name: str, text: str) -> Iterator[FactWarning]:
    """Yield what is noticed about an observation whatever else is saved."""
    for found in secret.find_secrets(text):
        yield FactWarning("secret", secret.message_for(found), name)
    cue = instruction_like.cue(text)
    if cue is not None:
        yield FactWarning("instruction_like", instruction_like.message(cue), name, text)


def _about_pair(difference: conflict.Difference | None, new: Fact, old: Fact) -> FactWarning:
    if difference is None:
        message = near_duplicate.message(old[1], old[0])
        return FactWarning("near_duplicate", message, *new, Resembling(*old))
    message = conflict.message(difference, old[1], old[0])
    return FactWarning("conflict", message, *new, Resembling(*old))


def _unfamiliar(kinds: Iterable[str], known: set[str], what: str) -> Iterator[FactWarning]:
    for kind in dict.fromkeys(kinds):
        if kind in known:
            continue
        variant = type_variant.variant_of(kind, known)
        suggestions = () if variant else type_variant.nearest(kind, known)
        if variant is not None:
            message = type_variant.variant_message(kind, variant)
        elif suggestions:
            message = type_variant.nearest_message(kind, suggestions)
        else:
            continue
        yield FactWarning("type_variant", f"{what}: {message}")
