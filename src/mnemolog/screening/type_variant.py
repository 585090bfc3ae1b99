"""Whether a type or a name is one that is already there, in another spelling.

Spellings of one type share a key: `Depends on`, `dependsOn` and `DEPENDS_ON` are `depend on`. Names
have a stricter key, since two entities may well be called `user` and `users`. A dictionary from
keys to spellings finds both without a comparison with each.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from typing import Final

import Stemmer

from mnemolog.screening.look_alikes import INVISIBLE, as_latin
from mnemolog.text import HUMP, fold

_SEPARATORS: Final = re.compile(r"[\s_\-\u2010-\u2015\u2212.:/]+")
_GLUE: Final = re.compile(
    r"(?<!\d)[\s_\-\u2010-\u2015\u2212]+|[\s_\-\u2010-\u2015\u2212]+(?!\d)",
)

_NO_PLURAL: Final = {
    *("news", "series", "species", "redis", "aws", "dns", "css", "sms", "ios", "kubernetes"),
    *("devops", "gitops", "canvas", "atlas", "alias", "bias", "iris", "travis", "debris"),
    *("always", "various"),
}
"""Words that end like a plural and are none; those on -ss, -us and -sis need no mention."""

_SHORTEST_PLURAL: Final = 4
"""Letters. `os` and `js` are no plurals."""

_SHORTEST_SWAPPED: Final = 5
_SHORTEST_MISTYPED: Final = 8
"""Letters. Shorter words are often one letter apart and both meant: `contact`, `contract`."""

_MOST: Final = 3
_MOST_COMPARED: Final = 1000
"""Types that one is compared with letter by letter."""

_CUTOFFS: Final = (0.6, 0.4, 0.0)
"""Likenesses tried in turn: what cannot reach a high one is passed over without a comparison."""

_NEGATIONS: Final = frozenset(("not", "no", "non", "anti"))

_stem = Stemmer.Stemmer("english", 0).stemWord  # no cache: it would keep words of any length


def type_key(type_name: str) -> str:
    """Return what spellings of a type share, whatever their case, separators, plural and form."""
    # A cache counts what it holds, not how long that is.
    return (_kept_key if len(type_name) <= _LONGEST_KEPT else _key_of)(type_name)


def _key_of(type_name: str) -> str:
    visible = INVISIBLE.sub("", unicodedata.normalize("NFKC", type_name))
    words = _SEPARATORS.split(HUMP.sub(" ", visible))
    return " ".join(_singular(fold(word)) for word in words if word)


_kept_key: Final = lru_cache(maxsize=8192)(_key_of)
_LONGEST_KEPT: Final = 256


def name_key(name: str) -> str:
    """Return what names that look alike have in common; numbers stay apart: `v1-1` is not `v11`."""
    if not name.isascii():
        name = INVISIBLE.sub("", unicodedata.normalize("NFKC", name))
    return as_latin(_GLUE.sub("", name.casefold())) or name


def families(types: Iterable[str]) -> list[tuple[str, ...]]:
    """Return the types that are spelled in several ways, each with its spellings as they came."""
    return [tuple(spellings) for spellings in by_key(types).values() if len(spellings) > 1]


def by_key(types: Iterable[str]) -> Mapping[str, Collection[str]]:
    """Return the spellings of each type, as they came, by what they share."""
    spellings: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for type_name in types:
        spellings[type_key(type_name)][type_name] = None
    return spellings


def variant_of(new: str, existing: Iterable[str]) -> str | None:
    """Return the existing type that the new one spells in another way; None if it is spelled so."""
    return _other_spelling(new, existing, type_key)


def look_alike(name: str, existing: Iterable[str]) -> str | None:
    """Return the existing name that the new one can be taken for; None if it is that name."""
    return _other_spelling(name, existing, name_key)


def nearest(new: str, existing: Iterable[str]) -> tuple[str, ...]:
    """Return the types that a new one may be meant as, nearest first: for a type used nowhere yet.

    Of very many, only the first are looked at.

    `servcie` is near to `service`, and so is `web service`; `uses` is not near to `used by`.
    """
    key = type_key(new)
    others = dict.fromkeys(islice(existing, _MOST_COMPARED))
    distances = ((_distance(key, type_key(other)), other) for other in others)
    near = sorted((distance, other) for distance, other in distances if distance is not None)
    return tuple(other for _, other in near[:_MOST])


def closest(new: str, allowed: Iterable[str]) -> tuple[str, ...]:
    """Return the allowed types that are closest to one that is not: some, however far they are."""
    first: dict[str, str] = {}
    for other in islice(allowed, _MOST_COMPARED):
        first.setdefault(type_key(other), other)
    key = type_key(new)
    if key in first:
        return (first[key],)
    if near := nearest(new, first.values()):
        return near
    return tuple(first[found] for found in _most_alike(key, first))


def _most_alike(key: str, others: Collection[str]) -> Sequence[str]:
    """Return the keys most like one, however little that is, best first."""
    alike: Sequence[str] = ()
    for cutoff in _CUTOFFS:
        if len(alike) < _MOST:
            alike = get_close_matches(key, others, _MOST, cutoff)
    return alike


def variant_message(new: str, existing: str) -> str:
    """Return what an agent reads about a type that exists in another spelling."""
    return f"The type {new!r} is {existing!r} in another spelling. Use {existing!r}."


def nearest_message(new: str, suggestions: Sequence[str]) -> str:
    """Return what an agent reads about a type that is used nowhere else, where others are near."""
    names = ", ".join(map(repr, suggestions))
    return f"The type {new!r} is used nowhere else. If you mean an existing one, use that: {names}."


def outside_message(new: str, near: Sequence[str], agreed_in: str) -> str:
    """Return what an agent reads about a type that is none of those agreed on."""
    use = f"Use the one that fits: {', '.join(map(repr, near))}. " if near else ""
    return (
        f"The type {new!r} is not in {agreed_in}, the types agreed on here. {use}If none does, ask "
        "the user to add it there."
    )


def look_alike_message(name: str, existing: str) -> str:
    """Return what an agent reads about a name that can be taken for another one."""
    return (
        f"The name {name!r} looks like {existing!r}, which exists. If they are the same thing, use "
        f"{existing!r}, or join the two with merge_entities."
    )


def _other_spelling(new: str, existing: Iterable[str], key: Callable[[str], str]) -> str | None:
    wanted, found = key(new), None
    for other in existing:
        if other == new:
            return None
        if found is None and key(other) == wanted:
            found = other
    return found


def _singular(word: str) -> str:
    """Return the word without the ending of a plural, or of a verb: `depends`, `depend`."""
    is_plural = word.endswith("s") and not word.endswith(("ss", "us", "sis", "xis"))
    if len(word) < _SHORTEST_PLURAL or not is_plural or word in _NO_PLURAL:
        return word
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    return word[:-1]


def _distance(new: str, other: str) -> int | None:
    """Return how far two keys are from each other, None if they are too far."""
    if new == other:
        return 0
    # Whatever follows needs one or the other, and most types have neither.
    if new[:1] != other[:1] and not new.endswith(other):
        return None
    ours, theirs = new.split(), other.split()
    if len(ours) == len(theirs) and list(map(_stem, ours)) == list(map(_stem, theirs)):
        return 1
    if _is_mistyped(new, other):
        return 1
    is_kind_of = bool(theirs) and ours[-len(theirs) :] == theirs
    return 1 + len(ours) - len(theirs) if is_kind_of and _NEGATIONS.isdisjoint(ours) else None


def _is_mistyped(one: str, other: str) -> bool:
    """Return whether one letter is wrong, missing or too many, or two have changed places."""
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1 or len(short) < _SHORTEST_SWAPPED or short[0] != long[0]:
        return False
    at = next(
        (at for at, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short)
    )
    if len(short) == len(long) and short[at + 1 : at + 2] + short[at] == long[at : at + 2]:
        return short[at + 2 :] == long[at + 2 :]
    if len(short) < _SHORTEST_MISTYPED or at == len(short):
        return False
    return short[at + (len(short) == len(long)) :] == long[at + 1 :]
