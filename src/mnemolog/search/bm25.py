"""BM25: how well a document fits the words of a query.

S. Robertson, H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009). For a
word t that occurs f times in a document D of length |D|, among N documents of which n have it:

    idf(t) · f · (k1 + 1) / (f + k1 · (1 - b + b · |D| / avgdl))
    idf(t) = ln(1 + (N - n + 0.5) / (n + 0.5))

This idf, Lucene's, is never negative: of three documents, any match must still score above zero.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np
from rank_bm25 import BM25

from mnemolog.search.columns import BoolArray, Column, FloatArray, IntArray

K1: Final = 0.9
"""How soon more occurrences of a word stop to count for more."""

B: Final = 0.4
"""How much a long document is held against it."""

Document: TypeAlias = Iterable[Hashable]
Postings: TypeAlias = tuple[IntArray, IntArray]
"""The slots of the documents that have a word, rising, and how often each has it."""

_NO_SLOTS: Final = np.zeros(0, np.int64)


class BM25Postings(BM25):  # type: ignore[misc] # rank-bm25 has no type hints
    """A rank-bm25 variant that visits only documents with a word of the query, and can change.

    A document has a slot, from 1 on, that is never used again. Words are whatever can be hashed.
    """

    corpus_size: int
    idf: dict[Hashable, float]

    def __init__(self, corpus: Iterable[Document] = (), *, k1: float = K1, b: float = B) -> None:
        self.k1 = k1
        self.b = b
        self._length = Column(np.zeros(1))
        self._is_live = Column(np.zeros(1, np.bool_))
        self._total_length = 0
        self._loaded: tuple[IntArray, IntArray] = (_NO_SLOTS, _NO_SLOTS)
        self._starts = np.zeros(1, np.int64)
        self._added: dict[Hashable, tuple[array[int], array[int]]] = {}
        super().__init__(corpus)

    # --- the hooks of rank-bm25 ------------------------------------------------------------------

    def _initialize(self, corpus: Iterable[Document]) -> dict[Hashable, int]:
        for document in corpus:
            self.add(document)
        return {}  # a word's idf changes with each document: it is worked out when asked for

    def _calc_idf(self, nd: Mapping[Hashable, int]) -> None:
        for word, n in nd.items():
            self.idf[word] = math.log(1 + (self.corpus_size - n + 0.5) / (n + 0.5))

    def get_scores(self, query: Iterable[Hashable]) -> FloatArray:
        """Return the score of each document, in the order they were added."""
        scores = np.zeros(self._length.size)
        for word in query:
            slots, of_word = self.score_word(word)
            scores[slots] += of_word
        live: FloatArray = scores[self._is_live.values]
        return live

    def get_batch_scores(self, query: Iterable[Hashable], doc_ids: Sequence[int]) -> list[float]:
        """Return the scores of some documents."""
        scores: list[float] = self.get_scores(query)[list(doc_ids)].tolist()
        return scores

    # --- changing --------------------------------------------------------------------------------

    def add(self, document: Document) -> int:
        """Add a document, and return its slot."""
        slot = self._length.size
        frequencies = Counter(document)
        for word, frequency in frequencies.items():
            slots, counts = self._added.setdefault(word, (array("q"), array("q")))
            slots.append(slot)
            counts.append(frequency)
        length = frequencies.total()
        self._length.append(length)
        self._is_live.append(value=True)
        self._note(1, length)
        return slot

    def load(self, words: IntArray, slots: IntArray, documents: int) -> None:
        """Fill an empty index with so many documents, in the slots from 1 on.

        `words` and `slots` say which word occurs where, once for each occurrence, in any order.
        Words are numbers from 0 on here, with few gaps.
        """
        count = documents + 1
        keys, counts = np.unique(words * count + slots, return_counts=True)
        self._loaded = keys % count, counts
        # A word's postings lie between where it starts and where the next one does. An array, since
        # a dictionary of pairs would take more memory than all postings.
        self._starts = np.append(0, np.cumsum(np.bincount(keys // count)))
        self._length = Column(np.bincount(slots, minlength=count).astype(np.float64))
        self._is_live = Column(np.arange(count) > 0)
        self._note(documents, len(slots))

    def remove(self, slot: int) -> None:
        """Remove a document; its postings stay until the index is built anew, and count no more."""
        self._is_live[slot] = False
        self._note(-1, -int(self._length[slot]))

    def _note(self, documents: int, length: int) -> None:
        self.corpus_size += documents
        self._total_length += length
        self.avgdl = self._total_length / max(1, self.corpus_size)

    # --- asking ----------------------------------------------------------------------------------

    @property
    def slot_count(self) -> int:
        """How many slots there are, slot 0 and those of removed documents included."""
        return self._length.size

    @property
    def is_live(self) -> BoolArray:
        """Whether each slot has a document."""
        return self._is_live.values

    @property
    def doc_len(self) -> list[int]:
        """The length of each document."""
        lengths: list[int] = self._length.values[self.is_live].astype(np.int64).tolist()
        return lengths

    @doc_len.setter
    def doc_len(self, value: list[int]) -> None:
        """Leave out the list that rank-bm25 would start."""

    @property
    def doc_freqs(self) -> list[dict[Hashable, int]]:
        """The words of each document and how often it has them; slow, and not used here."""
        by_slot: dict[int, dict[Hashable, int]] = {
            slot: {} for slot in np.flatnonzero(self.is_live).tolist()
        }
        for word in {*range(len(self._starts) - 1), *self._added}:
            for slot, frequency in zip(*self.postings(word), strict=True):
                by_slot[int(slot)][word] = int(frequency)
        return list(by_slot.values())

    @doc_freqs.setter
    def doc_freqs(self, value: list[dict[Hashable, int]]) -> None:
        """Leave out the list that rank-bm25 would start."""

    def postings(self, word: Hashable) -> Postings:
        """Return the documents that have the word."""
        start, end = self._span(word)
        slots, counts = self._loaded[0][start:end], self._loaded[1][start:end]
        if word in self._added:
            added = self._added[word]
            slots = np.concatenate((slots, np.frombuffer(added[0], np.int64)))
            counts = np.concatenate((counts, np.frombuffer(added[1], np.int64)))
        if self.corpus_size + 1 == self.slot_count:
            return slots, counts
        is_live = self.is_live[slots]
        return slots[is_live], counts[is_live]

    def _span(self, word: Hashable) -> tuple[int, int]:
        """Return where the loaded postings of a word start and end."""
        if isinstance(word, int) and 0 <= word < len(self._starts) - 1:
            return int(self._starts[word]), int(self._starts[word + 1])
        return 0, 0

    def score_word(
        self, word: Hashable, postings: Postings | None = None
    ) -> tuple[IntArray, FloatArray]:
        """Return the slots of the documents that have the word, and what it earns each of them.

        Whoever has its postings already hands them over.
        """
        slots, counts = self.postings(word) if postings is None else postings
        self._calc_idf({word: len(slots)})
        return slots, self._earned(self.idf[word], slots, counts)

    def score_words(self, postings: Mapping[Hashable, Postings]) -> tuple[IntArray, FloatArray]:
        """Return the slots of some words, given by their postings, and what each earns there.

        One word after the other; a slot comes once for each of them that it has.
        """
        sizes = [len(slots) for slots, _ in postings.values()]
        self._calc_idf(dict(zip(postings, sizes, strict=True)))
        slots = np.concatenate([slots for slots, _ in postings.values()])
        counts = np.concatenate([counts for _, counts in postings.values()])
        idf = np.repeat([self.idf[word] for word in postings], sizes)
        return slots, self._earned(idf, slots, counts)

    def _earned(self, idf: float | FloatArray, slots: IntArray, f: IntArray) -> FloatArray:
        k1, b = self.k1, self.b
        length = self._length.values[slots]
        earned: FloatArray = idf * (f * (k1 + 1) / (f + k1 * (1 - b + b * length / self.avgdl)))
        return earned
