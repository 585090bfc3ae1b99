"""What a short text claims, as terms that can be held against the terms of another text.

A rewording changes articles, auxiliaries, endings and order; a claim leaves those out, so that what
is left of two texts can be compared word by word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

import Stemmer

from mnemolog.screening import vocabulary
from mnemolog.text import fold, tokens, words

READ: Final = 4_000
"""Characters of a text that are looked at: what repeats or contradicts shows in its beginning."""

_LONGEST_WORD: Final = 80
_LONGEST_QUOTED: Final = 200
"""Characters."""

_SHORTEST_DENIED: Final = 3
"""Letters. `include` is not the opposite of `clude`."""

_LONGEST_SWAP: Final = 12
"""Terms between which two claims may have changed places."""

_SPELLED_OUT: Final = re.compile(
    r"(?i)\b(c\+\+|[cf]#|rather than|instead of|no longer|on by default|needs? to\b|asked to\b"
    r"|(?:is|are|turned|switched) on(?=\W*$|[.,;)]| (?:in|for|on|by|again|now|at)\b))|%"
)
_SPELLINGS: Final = {
    "c++": "cpp",
    "c#": "csharp",
    "f#": "fsharp",
    "%": " percent",
    "on by default": "enabled by default",
    "is on": "enabled",
    "are on": "enabled",
    "turned on": "enabled",
    "switched on": "enabled",
    # One negation each, before the word that they deny.
    "rather than": "not",
    "instead of": "not",
    "no longer": "not",
    "need to": "must",
    "needs to": "must",
    # Who asked for a thing once wants it.
    "asked to": "wants to",
}
_NEGATED: Final = re.compile(r"(?i)(?:n['\u2019]t|^cannot)$")
_GENITIVE: Final = re.compile(r"['\u2019]s?$")
_COMPOUND: Final = re.compile(r"[^\W\d_]{2,}(?:[-/][^\W\d_]{2,})+")
_NAME_INSIDE: Final = re.compile(r"[a-zß-ÿ][A-ZÀ-Þ]|\w[./_:@\\]\w|\d[-.:]?\w|\w-?\d")
_NUMBER: Final = re.compile(r"v?\d+(?:[.,:/-]\d+)*[a-z]{0,3}$")

_stem = Stemmer.Stemmer("english").stemWord


class Term(NamedTuple):
    """A word that says something."""

    key: str
    """What it is compared by: folded, stemmed, one for all words of the same meaning."""
    written: str
    is_number: bool
    """Whether it is a number, a version, a time, or a number word."""
    is_name: bool
    """It is spelled as names are: a capital that opens no sentence, digits or dots inside."""
    before: str = ""
    """The little words, folded, that lead to it: `to`, `is the`."""
    is_negated: bool = False


class Claim(NamedTuple):
    """A text as what it says about what."""

    terms: tuple[Term, ...]
    subject: tuple[Term, ...]
    """The name of the entity, for a text that leaves out whom it speaks of; else empty."""
    is_passive: bool
    """Something in it is, or is done by somebody: what stands first need not be who acts."""


def read_claim(text: str, entity_name: str = "") -> Claim:
    """Return what a text about an entity claims."""
    written = tokens(_SPELLED_OUT.sub(_spelled_out, text[:READ]))
    terms = tuple(_terms(written))
    subject = () if _names_its_subject(written) else tuple(_terms(tokens(entity_name)))
    is_passive = not vocabulary.PASSIVE.isdisjoint(map(fold, written))
    return Claim(terms, subject, is_passive)


class Comparison(NamedTuple):
    """Two claims side by side."""

    new: tuple[Term, ...]
    old: tuple[Term, ...]
    only_new: tuple[Term, ...]
    only_old: tuple[Term, ...]
    shared: AbstractSet[str]
    """The keys that both have."""
    is_passive: bool
    """In one of them what stands first need not be who acts."""

    @property
    def denied(self) -> Term | None:
        """The term that both have, and that one of them denies."""
        denials = {term.key: term.is_negated for term in self.old if term.key in self.shared}
        for term in self.new:
            if denials.get(term.key, term.is_negated) != term.is_negated:
                return term
        return None

    @property
    def is_replaced(self) -> bool:
        """Whether all that differs are words of one that stand in the place of the other's."""
        if not (self.only_new and self.only_old):
            return False
        return _around(self.only_new, self.new) == _around(self.only_old, self.old)

    @property
    def swapped(self) -> tuple[str, str, str] | None:
        """What stands before and after the same words, and the other way round in the old claim."""
        ours, theirs = _without_common_ends(keys(self.new), keys(self.old))
        if not len(ours) == len(theirs) <= _LONGEST_SWAP:
            return None
        for start in range(1, len(ours) - 1):
            for end in range(start + 1, len(ours)):
                if theirs == [*ours[end:], *ours[start:end], *ours[:start]]:
                    return _joined(ours[:start]), _joined(ours[start:end]), _joined(ours[end:])
        return None

    @property
    def is_led_otherwise(self) -> bool:
        """Whether little words say the opposite: `from a to b`, `from b to a`; `must`, `may`."""
        # `May not` is no weaker than `must not`.
        new, old = ([t for t in terms if not t.is_negated] for terms in (self.new, self.old))
        theirs = {term.key: frozenset(term.before.split()) for term in old}
        led = [(frozenset(t.before.split()), theirs[t.key]) for t in new if t.key in theirs]
        ways = {(one & vocabulary.DIRECTIONS, other & vocabulary.DIRECTIONS) for one, other in led}
        return any(one != other and (other, one) in ways for one, other in ways) or any(
            one & vocabulary.OBLIGING and other & vocabulary.PERMITTING
            for pair in led
            for one, other in (pair, pair[::-1])
        )


def compare(new: Claim, old: Claim) -> Comparison:
    """Return the claims side by side, with the subjects they leave out where these differ.

    `Uses Redis` of one service and `Uses Redis` of another are two facts.
    """
    ours, theirs = new.terms, old.terms
    if keys(new.subject) != keys(old.subject):
        ours, theirs = new.subject + ours, old.subject + theirs
    our_keys, their_keys = set(keys(ours)), set(keys(theirs))
    return Comparison(
        ours,
        theirs,
        tuple(term for term in ours if term.key not in their_keys),
        tuple(term for term in theirs if term.key not in our_keys),
        our_keys & their_keys,
        new.is_passive or old.is_passive,
    )


def _joined(sequence: list[str]) -> str:
    return " ".join(sequence)


def keys(terms: Iterable[Term]) -> list[str]:
    """Return what the terms are compared by."""
    return [term.key for term in terms]


def _around(differing: tuple[Term, ...], terms: tuple[Term, ...]) -> set[tuple[str, str]]:
    """Return the shared words before and after each place where the terms differ."""
    apart = set(keys(differing))
    places, before = set[tuple[str, str]](), ""
    for key, following in pairwise([*keys(terms), ""]):
        if key not in apart:
            before = key
        elif following not in apart:
            places.add((before, following))
    return places


def quoted(text: str) -> str:
    """Return the text as a message quotes it: on one line, and not all of a long one."""
    return repr(text if len(text) <= _LONGEST_QUOTED else f"{text[:_LONGEST_QUOTED]}…")


def _without_common_ends(ours: list[str], theirs: list[str]) -> tuple[list[str], list[str]]:
    start = 0
    while start < min(len(ours), len(theirs)) and ours[start] == theirs[start]:
        start += 1
    ours, theirs = ours[start:], theirs[start:]
    while ours and theirs and ours[-1] == theirs[-1]:
        ours, theirs = ours[:-1], theirs[:-1]
    return ours, theirs


def are_opposites(one: str, other: str) -> bool:
    """Return whether two keys deny each other."""
    if frozenset((one, other)) in _opposites():
        return True
    short, long = sorted((one, other), key=len)
    return len(short) > _SHORTEST_DENIED and any(
        long.startswith(prefix + short[:-1]) and len(long) <= len(prefix + short)
        for prefix in vocabulary.DENYING_PREFIXES
    )


@lru_cache(maxsize=1)
def _opposites() -> frozenset[frozenset[str]]:
    return frozenset(
        frozenset((key_of(one), key_of(other)))
        for left, right in vocabulary.OPPOSITES
        for one in left.split()
        for other in right.split()
    )


def _spelled_out(match: re.Match[str]) -> str:
    return f" {_SPELLINGS[match[0].lower()]} "


class _Word(NamedTuple):
    """What one word contributes to a claim, whatever stands before it."""

    folded: str
    terms: tuple[Term, ...]
    is_negation: bool = False
    is_little: bool = False


def _terms(written: list[str]) -> Iterator[Term]:
    before, is_negated = "", False
    for at, word in enumerate(written):
        # A cache counts what it holds, not how long that is.
        read = (_kept_word if len(word) <= _LONGEST_WORD else _read_word)(word, opens=at == 0)
        if read.is_negation:
            is_negated = True
        elif read.is_little:
            before = f"{before} {read.folded}".lstrip()
        elif before or is_negated:
            for term in read.terms:
                yield term._replace(before=before, is_negated=is_negated)
                before, is_negated = "", False
        else:
            yield from read.terms


def _read_word(word: str, *, opens: bool) -> _Word:
    folded = fold(word)
    if _NEGATED.search(folded) or folded in vocabulary.NEGATIONS:
        return _Word(folded, (), is_negation=True)
    if folded in vocabulary.LITTLE_WORDS and not _is_spelled_as_name(word, opens=opens):
        return _Word(folded, (), is_little=True)
    is_name = _is_name(word, opens=opens)
    keys = _keys_of(word[:_LONGEST_WORD])
    return _Word(folded, tuple([Term(key, word, _is_number(key), is_name) for key in keys]))


_kept_word: Final = lru_cache(maxsize=16384)(_read_word)


def _is_spelled_as_name(word: str, *, opens: bool) -> bool:
    opening = opens and word in ("A", "Go")
    return word in vocabulary.NAMES_LIKE_LITTLE_WORDS and not opening


def _is_number(key: str) -> bool:
    return bool(_NUMBER.match(key))


def _is_name(word: str, *, opens: bool) -> bool:
    return bool(_NAME_INSIDE.search(word)) or (
        word[:1].isupper() and (not opens or word[1:].isupper())
    )


def _keys_of(word: str) -> tuple[str, ...]:
    """Return the keys of a word: of each part of a plain compound, `soft-delete`."""
    if not word.isascii() and len(pairs := words(word).wholes) > 1:
        return pairs  # of a script without spaces
    folded = fold(word)
    if word.isalnum() or folded in vocabulary.UNDIVIDED or not _COMPOUND.fullmatch(word):
        return (key_of(folded),)
    parts = folded.replace("/", "-").split("-")
    return tuple(key_of(part) for part in parts if part not in vocabulary.LITTLE_WORDS)


def key_of(folded: str) -> str:
    """Return what a folded word is compared by."""
    plain = _GENITIVE.sub("", folded)
    same = vocabulary.SAME.get(plain)
    if same is None and plain.isascii() and plain.isalpha():
        stem = _stem(plain)
        same = _same_stems().get(stem, stem)
    return same if same is not None else plain


@lru_cache(maxsize=1)
def _same_stems() -> dict[str, str]:
    return {_stem(word): meant for word, meant in vocabulary.SAME.items() if word.isalpha()}


def _names_its_subject(written: list[str]) -> bool:
    """Return whether a text says whom it speaks of; `Listens on 8080` does not."""
    folded = map(fold, written)
    first = next((word for word in folded if word not in vocabulary.ADVERBS), "")
    if first in vocabulary.AUXILIARIES or first in vocabulary.PARTICIPLES:
        return False
    is_verb = first.endswith("s") and key_of(first[:_LONGEST_WORD]) in _verbs()
    return not (is_verb or first.endswith("ed"))


@lru_cache(maxsize=1)
def _verbs() -> frozenset[str]:
    return frozenset(map(key_of, vocabulary.VERBS))


def keyed(listed: str) -> frozenset[str]:
    """Return the keys of words between spaces."""
    return frozenset(map(key_of, listed.split()))
