"""What should be looked at in an edit: each kind of warning, over the candidates for it.

Facts are saved whatever is found; a warning only says so, at the moment when it is cheap to act.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import nlargest
from itertools import islice, takewhile
from typing import Final, TypeAlias, TypeVar
from weakref import ref

from mnemolog.edits.curation import FactsResultT, retire_contradicted
from mnemolog.edits.edit import Edit, Fact
from mnemolog.errors import UnreadableTaxonomy
from mnemolog.graph import Graph, GraphWatcher
from mnemolog.records import Entity, Kind, Record, Relation, Superseded, Tags, Tombstone
from mnemolog.results import (
    CreatedRelations,
    DeletedEntities,
    DeletedObservations,
    EditedObservation,
    FactWarning,
    Resembling,
    SupersededObservation,
)
from mnemolog.screening import conflict, instruction_like, near_duplicate, secret, type_variant
from mnemolog.screening.claims import (
    READ,
    Claim,
    Comparison,
    Term,
    compare,
    keys,
    read_claim,
)
from mnemolog.taxonomy.shared import NOTHING_AGREED, SharedFile, presentable
from mnemolog.text import fold, tokens

WarnedT = TypeVar("WarnedT", CreatedRelations, EditedObservation, SupersededObservation)
DeletedT = TypeVar("DeletedT", DeletedEntities, DeletedObservations)

CandidateSource: TypeAlias = Callable[[Graph, str], Collection[Fact]]
"""Finds the facts that a new text may repeat or contradict."""

_Pair: TypeAlias = tuple[conflict.Difference | None, Fact]
"""How a fact is contradicted, or None where it is only reworded; and that fact."""

MOST_COMPARED: Final = 200
"""How many facts of one call are compared with others; more are a migration, not a note."""

_MOST_LATER: Final = 32
"""How many facts that others have said meanwhile are each compared; for more, all begins anew."""

_MOST_OWN: Final = 10
"""How many facts of its own entity a new one is compared with, besides those found by words."""

_MOST_LATEST: Final = 200
"""How many of them, the latest, are looked at for that."""

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
        self._last: _Comparison | None = None

    def screen(self, graph: Graph, records: Sequence[Record]) -> Screening:
        """Return what is noticed about lines that are about to be saved."""
        new = tuple(dict.fromkeys(_new_facts(graph, records)))
        compared = self._compared(graph, new, frozenset(_gone_facts(records)))
        warnings = [*self._vocabulary(graph, records)]
        for fact in new:
            warnings += compared.about[fact]
            warnings += (_about_pair(kind, fact, old) for kind, old in compared.telling(fact))
        return Screening(tuple(warnings), tuple(compared.contradicted()))

    def warned(self, graph: Graph, edit: Edit[WarnedT]) -> Edit[WarnedT]:
        """Return the edit with what is noticed about it."""
        warnings = self.screen(graph, edit.records).warnings
        return replace(edit, result=replace(edit.result, warnings=warnings or None))

    def settled(self, graph: Graph, edit: Edit[FactsResultT], tags: Tags) -> Edit[FactsResultT]:
        """Return the edit with what is noticed about it and what its facts retire."""
        screening = self.screen(graph, edit.records)
        result = replace(edit.result, warnings=screening.warnings or None)
        settled = replace(edit, result=result)
        return retire_contradicted(graph, settled, screening.contradicted, tags)

    def told_of_secrets(self, edit: Edit[DeletedT]) -> Edit[DeletedT]:
        """Return a deletion that says, if it removes what looks like a secret, where that is."""
        if not any(secret.looks_secret(text) for _, text in _gone_facts(edit.records)):
            return edit
        message = f"{edit.result.message}. {_STILL_THERE}"
        return replace(edit, result=replace(edit.result, message=message))

    def _compared(self, graph: Graph, new: tuple[Fact, ...], gone: frozenset[Fact]) -> _Comparison:
        """Return the new facts beside what they may repeat or contradict.

        A call is planned in front of the lock and, where others have written meanwhile, once more
        behind it. There they wait, so that it is compared only with what they have said.
        """
        last = self._last
        if last is not None and last.still_holds(graph, new, gone):
            last.go_on()
            return last
        comparison = _Comparison(graph, new, gone)
        for fact in new[:MOST_COMPARED]:
            known = (*self._candidates(graph, fact[1]), *_own_like(graph, fact))
            comparison.compare(fact, dict.fromkeys(known))
        graph.watch(comparison)
        self._last = comparison
        return comparison

    def _vocabulary(self, graph: Graph, records: Sequence[Record]) -> Iterator[FactWarning]:
        """Yield warnings about new types and names that resemble known ones."""
        entities = [r for r in records if isinstance(r, Entity) and r.name not in graph.entities]
        types: dict[Kind, list[str]] = {
            "entity": [r.entity_type for r in entities if r.entity_type is not None],
            "relation": [r.relation_type for r in records if isinstance(r, Relation)],
        }
        if any(types.values()):
            yield from self._about_types(graph, types)
        for name in dict.fromkeys(r.name for r in entities):
            yield from self._about_name(graph, name)

    def _about_types(
        self, graph: Graph, types: Mapping[Kind, Collection[str]]
    ) -> Iterator[FactWarning]:
        """Yield warnings about types not agreed on or, if none are, resembling known ones."""
        agreed = NOTHING_AGREED
        try:
            agreed = self._shared.read()
        except UnreadableTaxonomy as broken:
            yield FactWarning("type_variant", f"Types were not compared with it: {broken}")
        for kind, names in types.items():
            new = [*dict.fromkeys(names)]
            if allowed := agreed.types(kind):
                messages = _outside(new, allowed, self._shared.path.name)
            else:
                messages = _unfamiliar(new, dict.fromkeys(graph.types_of(kind) if new else ()))
            for message in messages:
                yield FactWarning("type_variant", f"{kind.capitalize()} type: {message}")

    def _about_name(self, graph: Graph, name: str) -> Iterator[FactWarning]:
        twin = type_variant.look_alike(name, self._names.like(graph, name))
        if twin is not None:
            message = type_variant.look_alike_message(name, twin)
            yield FactWarning("type_variant", message, name, resembles=Resembling(twin))


_STILL_THERE: Final = (
    "What was deleted looks like a secret: it stays readable in the file's dead lines until "
    "'mnemolog compact' drops them, in files set aside beside it, and in git if it was committed. "
    "Rotate it."
)


class _Comparison(GraphWatcher):
    """The new facts of a call, each beside what it may repeat or contradict; follows the graph."""

    def __init__(self, graph: Graph, new: tuple[Fact, ...], gone: frozenset[Fact]) -> None:
        self._graph = ref(graph)
        self._call = new, gone
        self._gone = gone
        self._known: set[Fact] = set()
        self._later: list[Fact] = []
        self._is_over = False
        self.about = {fact: tuple(about_text(*fact)) for fact in new}
        """What is noticed about each new fact by itself."""
        self.pairs: dict[Fact, list[_Pair]] = {fact: [] for fact in new}
        """What each new fact rewords or contradicts."""

    def contradicted(self) -> Iterator[tuple[Fact, Fact]]:
        """Yield the new facts and the facts of the same entity that they contradict."""
        for new, pairs in self.pairs.items():
            yield from ((new, old) for kind, old in pairs if kind is not None and old[0] == new[0])

    def telling(self, new: Fact) -> list[_Pair]:
        """Return what a new fact rewords or contradicts, of other entities one rewording.

        What many say of themselves, such as their default branch, fills an answer otherwise.
        """
        elsewhere = [pair for pair in self.pairs[new] if pair[0] is None and pair[1][0] != new[0]]
        return [pair for pair in self.pairs[new] if pair not in elsewhere[1:]]

    def compare(self, new: Fact, known: Collection[Fact]) -> None:
        """Hold a new fact against facts of the graph."""
        said = _words(new[1])
        likely = [
            old
            for old in known
            if old not in self._gone and old != new and _share_words(said, _words(old[1]))
        ]
        if likely:
            self._read_both(new, likely)
        self._known.update(known)

    def _read_both(self, new: Fact, likely: Iterable[Fact]) -> None:
        claim = _claim(new)
        for old in likely:
            pair = compare(claim, _claim(old))
            if near_duplicate.resemblance(pair) is not None:
                self.pairs[new].append((None, old))
            elif _are_of_one_thing(pair, new[0], old[0]) and (
                difference := conflict.contradiction(pair)
            ):
                self.pairs[new].append((difference, old))

    def still_holds(self, graph: Graph, new: tuple[Fact, ...], gone: frozenset[Fact]) -> bool:
        """Return whether this call, as it is now, needs only be held against what came later."""
        return not self._is_over and (new, gone) == self._call and graph is self._graph()

    def go_on(self) -> None:
        """Hold the new facts against what has been said since."""
        later = [fact for fact in dict.fromkeys(self._later) if fact not in self._known]
        self._later.clear()
        for new in tuple(self.pairs)[:MOST_COMPARED]:
            self.compare(new, later)

    def observation_said(self, name: str, text: str) -> None:
        """Take in what others have said meanwhile, unless that is a lot."""
        self._later.append((name, text))
        if len(self._later) > _MOST_LATER:
            self._is_over = True
            self._later.clear()

    def observation_gone(self, name: str, text: str) -> None:
        """Be over if it was compared: what is next like it was not."""
        if (name, text) in self._known or (name, text) in self._later:
            self._is_over = True


class _NamesByKey(GraphWatcher):
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


def _own_like(graph: Graph, new: Fact) -> list[Fact]:
    """Return the facts of its own entity that share most words with a new one.

    Where many entities say the like of themselves, few of those found by their words are its own.
    """
    name, entity = new[0], graph.entities.get(new[0])
    if entity is None or len(new[1]) > _LONGEST_KEPT:
        return []
    said = _words(new[1])
    latest = islice(reversed(entity.observations), _MOST_LATEST)
    # Long ones hardly conflict, and to read two hundred of them takes as long as all else.
    short = (text for text in latest if len(text) <= _LONGEST_KEPT)
    likest = nlargest(_MOST_OWN, short, key=lambda text: len(said & _words(text)))
    return [(name, text) for text in likest]


def _words(text: str) -> frozenset[str]:
    # A cache counts what it holds, not how long that is: thousands of pages would fill the memory.
    return _kept_words(text) if len(text) <= _LONGEST_KEPT else _read_words(text[:READ])


def _read_words(text: str) -> frozenset[str]:
    return frozenset(tokens(fold(text)))


_kept_words: Final = lru_cache(maxsize=4096)(_read_words)


def _share_words(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether it is worth reading both: what rewords or contradicts shares more."""
    return len(one & other) >= LEAST_SHARED * min(len(one), len(other))


def _claim(fact: Fact) -> Claim:
    name, text = fact
    return (_kept_claim if len(text) <= _LONGEST_KEPT else read_claim)(text, name)


_kept_claim: Final = lru_cache(maxsize=4096)(read_claim)

_LONGEST_KEPT: Final = 1_000
"""Characters."""


def _are_of_one_thing(pair: Comparison, new_name: str, old_name: str) -> bool:
    """Return whether both are of one entity, or one of them names the entity of the other.

    `Default branch is main` of one repository and `Default branch is develop` of another are true.
    """
    if new_name == old_name:
        return True
    ours, theirs = (frozenset(keys(_claim((name, name)).terms)) for name in (new_name, old_name))
    return _names(pair.new, theirs - ours) or _names(pair.old, ours - theirs)


def _names(terms: Iterable[Term], name: frozenset[str]) -> bool:
    return bool(name) and name.issubset(keys(terms))


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
        yield FactWarning("secret", secret.message(found), name)
    cue = instruction_like.cue(text)
    if cue is not None:
        yield FactWarning("instruction_like", instruction_like.message(cue), name, text)


def _about_pair(difference: conflict.Difference | None, new: Fact, old: Fact) -> FactWarning:
    if difference is None:
        message = near_duplicate.message(old[1], old[0])
        return FactWarning("near_duplicate", message, *new, Resembling(*old))
    message = conflict.message(difference, old[1], old[0])
    return FactWarning("conflict", message, *new, Resembling(*old))


def _outside(types: Iterable[str], allowed: Mapping[str, str], agreed_in: str) -> Iterator[str]:
    shown = presentable(allowed)
    for name in types:
        if name not in allowed:
            yield type_variant.outside_message(name, type_variant.closest(name, shown), agreed_in)


def _unfamiliar(types: Iterable[str], known: Collection[str]) -> Iterator[str]:
    new = [name for name in types if name not in known]
    spellings = type_variant.by_key([*known, *new]) if new else {}
    for name in new:
        alike = spellings[type_variant.type_key(name)]
        variant = type_variant.variant_of(name, [*takewhile(name.__ne__, alike)])
        if variant is not None:
            yield type_variant.variant_message(name, variant)
        elif suggestions := type_variant.nearest(name, known):
            yield type_variant.nearest_message(name, suggestions)
