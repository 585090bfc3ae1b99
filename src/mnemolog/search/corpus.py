"""What there is to find: each observation is a document, with its entity's name and type.

A document's slot is its number in every column and in the postings. Slots rise in the order in
which the observations of one entity were first said.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Final

import numpy as np

from mnemolog.collector import collector_paused
from mnemolog.graph import EntityState, Graph
from mnemolog.records import GENERIC, UNTAGGED, ObservationTags
from mnemolog.search.activation import seconds
from mnemolog.search.bm25 import BM25Postings
from mnemolog.search.columns import Column, FloatArray, IntArray, Scratch
from mnemolog.search.lexicon import Lexicon, ranges
from mnemolog.search.names import NameBook
from mnemolog.search.neighbours import Places

NAME_WEIGHT: Final = 2
"""How often a word of the entity's name counts in each of its observations."""

AUTHORITY: Final[Mapping[str | None, float]] = {"high": 1.0, "medium": 0.6, None: 0.6, "low": 0.3}
"""What a fact's priority multiplies its relevance with: it never lifts one that does not match."""

_UNREAD: Final = -inf
_LAST: Final = 2**62


@dataclass(slots=True)
class Entry:
    """An entity, as the index knows it."""

    name: str
    entity_type: str
    position: int
    slots: dict[str, int] = field(default_factory=dict)
    """The slot of each observation."""
    bare_slot: int = 0
    """Its slot among the entities that have no observation; 0 if it has one."""
    heading: list[int] | None = None
    """The words of its name and type, once they have been needed."""


class Corpus:
    """The observations of a graph, in slots; and the entities that have none."""

    def __init__(self, graph: Graph, *, with_superseded: bool = False) -> None:
        self._graph = graph
        self._with_superseded = with_superseded
        self.lexicon = Lexicon()
        self.entries: dict[str, Entry] = {}
        self.observations = BM25Postings()
        self.bare = BM25Postings()
        self.places = Places()
        self.scratch = Scratch()
        self.owners: list[Entry] = [_NOBODY]
        self.texts: list[str] = [""]
        self.bare_owners: list[Entry] = [_NOBODY]
        with collector_paused():
            self._load()

    # --- filling ---------------------------------------------------------------------------------

    def _load(self) -> None:
        entries = [Entry(e.name, e.entity_type, e.position) for e in self._graph]
        if self._with_superseded:
            entries += _only_remembered(self._graph)
        self.entries = {entry.name: entry for entry in entries}
        tags = [self._tags_of(entry.name) for entry in entries]
        counts = np.fromiter(map(len, tags), np.int64, len(tags))
        firsts = 1 + np.cumsum(counts) - counts
        for entry, of_entry, first, count in zip(
            entries, tags, firsts.tolist(), counts.tolist(), strict=True
        ):
            entry.slots = dict(zip(of_entry, range(first, first + count), strict=True))
            self.texts += of_entry
            self.owners += [entry] * count
            if not count:
                entry.bare_slot = len(self.bare_owners)
                self.bare_owners.append(entry)
        self._load_words(entries, firsts, counts)
        self.places.load(firsts[counts > 0], len(self.texts))
        self._load_columns(tags, entries, counts)
        self.names = NameBook(self.lexicon, list(self.entries))

    def _load_words(self, entries: list[Entry], firsts: IntArray, counts: IntArray) -> None:
        words, sizes = self.lexicon.numbers_of_all(self.texts)
        in_text = np.repeat(np.arange(len(sizes)), sizes)
        headings, of_entry = self._headings(entries)
        repeats = counts[of_entry]
        self.observations.load(
            np.concatenate((words, np.repeat(headings, repeats))),
            np.concatenate((in_text, ranges(firsts[of_entry], repeats))),
            len(self.texts) - 1,
        )
        bare_slots = np.fromiter((entry.bare_slot for entry in entries), np.int64, len(entries))
        in_bare = bare_slots[of_entry]
        self.bare.load(headings[in_bare > 0], in_bare[in_bare > 0], len(self.bare_owners) - 1)

    def _headings(self, entries: list[Entry]) -> tuple[IntArray, IntArray]:
        names, name_sizes = self.lexicon.numbers_of_all(entry.name for entry in entries)
        types, type_sizes = self.lexicon.numbers_of_all(entry.entity_type for entry in entries)
        of_name = np.repeat(np.arange(len(entries)), name_sizes)
        of_type = np.repeat(np.arange(len(entries)), type_sizes)
        headings = np.concatenate((*[names] * NAME_WEIGHT, types))
        return headings, np.concatenate((*[of_name] * NAME_WEIGHT, of_type))

    def _load_columns(
        self,
        tags: list[Mapping[str, ObservationTags]],
        entries: list[Entry],
        counts: IntArray,
    ) -> None:
        positions = np.fromiter((entry.position for entry in entries), np.int64, len(entries))
        bare_positions = [entry.position for entry in self.bare_owners]
        self._bare_position = Column(np.array(bare_positions, np.int64))
        self._position = Column(np.append(0, np.repeat(positions, counts)))
        authorities = (AUTHORITY[t.priority] for of_entry in tags for t in of_entry.values())
        self._authority = Column(np.fromiter((0.0, *authorities), np.float64))
        self.highest_authority = float(self._authority.values.max())
        """At least the highest of any observation."""
        self._added = Column(np.full(len(self.texts), _UNREAD))
        self._edited = Column(np.full(len(self.texts), _UNREAD))

    def _tags_of(self, name: str) -> Mapping[str, ObservationTags]:
        state = self._graph.entities.get(name)
        current: Mapping[str, ObservationTags] = state.observations if state else {}
        if not self._with_superseded or name not in self._graph.superseded:
            return current
        superseded = self._graph.superseded[name]
        return {**current, **{text: record.tags for text, record in superseded.items()}}

    def _tags_at(self, slot: int) -> ObservationTags:
        name, text = self.owners[slot].name, self.texts[slot]
        state = self._graph.entities.get(name)
        if state is not None and text in state.observations:
            return state.observations[text]
        retired = self._graph.superseded.get(name, {}).get(text)
        return UNTAGGED if retired is None else retired.tags

    # --- following -------------------------------------------------------------------------------

    def enter(self, state: EntityState) -> None:
        """Take an entity in that is new, or whose type has changed."""
        entry = self.entries.get(state.name)
        if entry is None:
            entry = self.entries[state.name] = Entry(state.name, state.entity_type, state.position)
            self.names.add(entry.name)
            self._make_bare(entry)
        elif entry.entity_type != state.entity_type:
            entry.entity_type, entry.heading = state.entity_type, None
            self._enter_again(entry)

    def strike(self, name: str) -> None:
        """Take an entity out, with whatever is left of it."""
        entry = self.entries.pop(name, None)
        if entry is None:
            return
        for slot in entry.slots.values():
            self._remove_slot(slot)
        self._end_bare(entry)
        self.names.remove(name)

    def add(self, entry: Entry, text: str, tags: ObservationTags) -> None:
        """Take an observation in, or its new tags."""
        slot = entry.slots.get(text)
        if slot is None:
            self._end_bare(entry)
            self._append(entry, text, tags)
        else:
            self._authority[slot] = self._authority_of(tags)
            self._added[slot] = self._edited[slot] = _UNREAD

    def remove(self, entry: Entry, text: str) -> None:
        """Take an observation out."""
        slot = entry.slots.pop(text, None)
        if slot is not None:
            self._remove_slot(slot)
            if not entry.slots:
                self._make_bare(entry)

    def _append(self, entry: Entry, text: str, tags: ObservationTags) -> None:
        last = next(reversed(entry.slots.values()), 0)
        words = self.lexicon.numbers_of(text) + self._heading(entry)
        entry.slots[text] = self.observations.add(words)
        self.owners.append(entry)
        self.texts.append(text)
        self.places.append(last)
        self._position.append(entry.position)
        self._authority.append(self._authority_of(tags))
        self._added.append(_UNREAD)
        self._edited.append(_UNREAD)

    def _authority_of(self, tags: ObservationTags) -> float:
        authority = AUTHORITY[tags.priority]
        self.highest_authority = max(self.highest_authority, authority)
        return authority

    def _remove_slot(self, slot: int) -> None:
        self.observations.remove(slot)
        self.places.remove(slot)
        self.texts[slot] = ""
        self.owners[slot] = _NOBODY

    def _enter_again(self, entry: Entry) -> None:
        if entry.bare_slot:
            self._end_bare(entry)
            self._make_bare(entry)
        for text, slot in list(entry.slots.items()):
            self._remove_slot(slot)
            del entry.slots[text]
        for text, tags in self._tags_of(entry.name).items():
            self._append(entry, text, tags)

    def _heading(self, entry: Entry) -> list[int]:
        if entry.heading is None:
            name = self.lexicon.numbers_of(entry.name)
            entry.heading = name * NAME_WEIGHT + self.lexicon.numbers_of(entry.entity_type)
        return entry.heading

    def _make_bare(self, entry: Entry) -> None:
        entry.bare_slot = self.bare.add(self._heading(entry))
        self.bare_owners.append(entry)
        self._bare_position.append(entry.position)

    def _end_bare(self, entry: Entry) -> None:
        if entry.bare_slot:
            self.bare.remove(entry.bare_slot)
            entry.bare_slot = 0

    # --- asking ----------------------------------------------------------------------------------

    @property
    def is_worn(self) -> bool:
        """Whether more is dead than alive, so that building anew costs less than it saves."""
        indexes = (self.observations, self.bare)
        return any(index.slot_count > 2 * index.corpus_size + 1000 for index in indexes)

    def occurs(self, word: str) -> bool:
        """Return whether anything has the word now."""
        number = self.lexicon.find(word)
        return any(len(index.postings(number)[0]) for index in (self.observations, self.bare))

    def positions(self, slots: IntArray) -> IntArray:
        """Return where the entity of each slot stands in the file."""
        positions: IntArray = self._position.values[slots]
        return positions

    def bare_positions(self, slots: IntArray) -> IntArray:
        """Return where each entity without observations stands in the file, by its bare slot."""
        positions: IntArray = self._bare_position.values[slots]
        return positions

    def authorities(self, slots: IntArray) -> FloatArray:
        """Return what the priority of each slot multiplies its relevance with."""
        authorities: FloatArray = self._authority.values[slots]
        return authorities

    def times(self, slots: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return when each slot was added and edited, in seconds since 1970, NaN for never."""
        unread = slots[self._added.values[slots] == _UNREAD]
        for slot in unread.tolist():
            tags = self._tags_at(slot)
            self._added[slot] = seconds(tags.added_at)
            self._edited[slot] = seconds(tags.edited_at)
        return self._added.values[slots], self._edited.values[slots]


_NOBODY: Final = Entry("", "", 0)


def _only_remembered(graph: Graph) -> list[Entry]:
    gone = (name for name in graph.superseded if name not in graph.entities)
    return [Entry(name, GENERIC, _LAST + at) for at, name in enumerate(gone)]
