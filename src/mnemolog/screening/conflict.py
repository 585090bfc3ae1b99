"""Whether an observation says of the same thing what another one denies.

Two claims conflict if they differ in one place only, and that place holds a value: a number beside
another number, a word and its denial, a word and its opposite, or two names in a slot that has room
for one. Everything else that differs is taken for another subject, and is no conflict.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal, TypeAlias

from mnemolog.screening import vocabulary
from mnemolog.screening.claims import (
    Comparison,
    Term,
    are_opposites,
    keyed,
    keys,
    quoted,
)
from mnemolog.text import fold

Kind: TypeAlias = Literal["number", "negation", "opposite", "order", "name"]

_DONE_IN_ONE_PLACE: Final = keyed(vocabulary.DONE_IN_ONE_PLACE)
_CHOOSING: Final = keyed(vocabulary.CHOOSING)
_DONE_WITH_SEVERAL: Final = keyed(vocabulary.DONE_WITH_SEVERAL)
_ATTRIBUTES: Final = keyed(vocabulary.ATTRIBUTES)
_CLOSED_KINDS: Final = tuple(map(keyed, vocabulary.CLOSED_KINDS))
_LANGUAGES_AND_FORMATS: Final = tuple(map(keyed, vocabulary.LANGUAGES_AND_FORMATS))
_SIDE_BY_SIDE: Final = tuple(map(keyed, vocabulary.SIDE_BY_SIDE))
_UNITS: Final = keyed(vocabulary.UNITS)
_COUNTED: Final = keyed(vocabulary.COUNTED)
_COUNTED_AS_SUBJECT: Final = keyed(vocabulary.COUNTED_AS_SUBJECT)

_LONG: Final = 40
"""Terms. In a longer text a difference in one place says little.

A guess: no labelled text has half as many, and any bound from 15 on judges them alike.
"""

_ADDED: Final = 1
"""Terms that one of two conflicting claims may have on top of the other's."""

_LONGEST_NAME: Final = 3
"""Terms."""

_SAID_OF_ONE: Final = ("is the", "is used for", "are used for")
_DATE: Final = re.compile(r"\d{4}-\d\d")
"""Notes of a day begin so."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two claims about the same thing disagree."""

    kind: Kind
    new: str
    """What the new text says there."""
    old: str


def contradiction(pair: Comparison) -> Difference | None:
    """Return in what the new claim contradicts the old one, None if they can both be true."""
    if not pair.shared or max(len(pair.new), len(pair.old)) > _LONG:
        return None
    return _order(pair) or _denial(pair) or _opposite(pair) or _number(pair) or _name(pair)


def message(difference: Difference, old_text: str, old_entity: str) -> str:
    """Return what an agent reads about an observation that contradicts a saved one."""
    return (
        f"Says {difference.new!r} where an observation of {old_entity!r} says {difference.old!r}: "
        f"{quoted(old_text)}. If that is no longer true, retire it with supersede_observation "
        f"(entityName {old_entity!r}, oldText as quoted, newText the new one): it stays as history."
    )


def _order(pair: Comparison) -> Difference | None:
    swapped = pair.swapped
    if swapped is None or swapped[1] not in vocabulary.ORDERING:
        return None
    first, pivot, last = swapped
    return Difference("order", f"{first} {pivot} {last}", f"{last} {pivot} {first}")


def _denial(pair: Comparison) -> Difference | None:
    term = pair.denied
    if term is None or not _adds_little(pair.only_new, pair.only_old):
        return None
    plain, denied = term.written, f"not {term.written}"
    return Difference("negation", *((denied, plain) if term.is_negated else (plain, denied)))


def _opposite(pair: Comparison) -> Difference | None:
    if len(pair.only_new) + len(pair.only_old) > 2 + _ADDED:  # the two opposites, and little else
        return None
    for new in pair.only_new:
        for old in pair.only_old:
            if are_opposites(new.key, old.key) and _adds_little(
                _but(pair.only_new, new), _but(pair.only_old, old)
            ):
                return Difference("opposite", new.written, old.written)
    return None


def _number(pair: Comparison) -> Difference | None:
    """Return a number in the place of a number, each with its unit."""
    new, old = _values(pair.only_new, pair.new), _values(pair.only_old, pair.old)
    if not (new and old) or pair.denied or _is_event(pair):
        return None
    if len(_numbers(new)) != len(_numbers(old)):
        return None
    if not (_is_in_one_place(new, pair.new) and _is_in_one_place(old, pair.old)):
        return None
    if _counts(pair.new, new) or _counts(pair.old, old):
        return None
    if not _adds_little(_but(pair.only_new, *new), _but(pair.only_old, *old)):
        return None
    return Difference("number", _written(new), _written(old))


def _name(pair: Comparison) -> Difference | None:
    """Return another name in a slot for one: `Deploys to Fly.io`, `Deploys to AWS Lambda`."""
    new, old = pair.only_new, pair.only_old
    if not (0 < len(new) <= _LONGEST_NAME and 0 < len(old) <= _LONGEST_NAME):
        return None
    ours, theirs = _slot(pair.new, new), _slot(pair.old, old)
    if ours is None or ours != theirs:
        return None
    if _are_side_by_side(new, old) and not _names_one(ours):
        return None
    if not _has_room_for_one(ours, new, old):
        return None
    return Difference("name", _written(new), _written(old))


@dataclass(frozen=True, slots=True)
class _Slot:
    """What stands around a run of terms."""

    previous: str
    leading: str
    """The little words before the run, without articles."""
    following: str
    next: str


def _slot(terms: tuple[Term, ...], run: tuple[Term, ...]) -> _Slot | None:
    """Return the slot that the run fills; None if it is spread over the text."""
    if not _is_in_one_place(run, terms):
        return None
    start = terms.index(run[0])
    end = start + len(run)
    led_by = terms[start - 1 : start]
    leading = _without_articles(run[0].before)
    if led_by and led_by[0].key in vocabulary.PREPOSITIONS:
        leading = led_by[0].key
        led_by = terms[start - 2 : start - 1]
    previous = led_by[0].key if led_by else ""
    following = terms[end] if end < len(terms) else None
    return _Slot(
        previous,
        leading,
        following.before if following else "",
        # What follows in the same compound, as in db/migrations, is no next word.
        fold(following.written) if following and following.written != run[-1].written else "",
    )


def _is_in_one_place(run: tuple[Term, ...], terms: tuple[Term, ...]) -> bool:
    start = terms.index(run[0])
    return terms[start : start + len(run)] == run


def _has_room_for_one(slot: _Slot, new: tuple[Term, ...], old: tuple[Term, ...]) -> bool:
    if not slot.previous and not slot.leading:
        return slot.next in vocabulary.HELD_BY_ONE or slot.following in _SAID_OF_ONE
    leading = slot.leading.split()
    is_used = bool(leading) and leading[-1] in vocabulary.USES
    kinds = _CLOSED_KINDS if is_used else _CLOSED_KINDS + _LANGUAGES_AND_FORMATS
    is_one_of_a_kind = slot.previous not in _DONE_WITH_SEVERAL and _are_of_one_kind(new, old, kinds)
    if set(leading) & vocabulary.NAMING or is_one_of_a_kind:
        return True
    if leading and leading[-1] in vocabulary.PREPOSITIONS:
        return slot.previous in _DONE_IN_ONE_PLACE
    if leading in (["is"], ["are"]) and not slot.next:
        names = new[0].is_name and old[0].is_name
        return names or slot.previous in _ATTRIBUTES
    if is_used:
        return slot.following.split()[:1] in (["for"], ["as"])
    return not leading and slot.previous in _CHOOSING and len(new) == len(old) == 1


def _names_one(slot: _Slot) -> bool:
    """Return whether it is said which one: `the OS is macOS`, `prefers Firefox`."""
    is_value = slot.leading == "is" and not slot.next
    return slot.previous != "" and (is_value or (not slot.leading and slot.previous in _CHOOSING))


def _are_of_one_kind(
    new: tuple[Term, ...], old: tuple[Term, ...], kinds: tuple[frozenset[str], ...]
) -> bool:
    """Return whether both are a day of the week, or both a period, and so on."""
    ours, theirs = set(keys(new)), set(keys(old))
    return any(ours <= kind and theirs <= kind for kind in kinds)


def _are_side_by_side(new: tuple[Term, ...], old: tuple[Term, ...]) -> bool:
    """Return whether it is said of two platforms, or of two stages, and so on."""
    ours, theirs = set(keys(new)), set(keys(old))
    return any(ours & kind and theirs & kind for kind in _SIDE_BY_SIDE)


def _without_articles(little_words: str) -> str:
    return " ".join(word for word in little_words.split() if word not in vocabulary.ARTICLES)


def _adds_little(new: tuple[Term, ...], old: tuple[Term, ...]) -> bool:
    """Return whether at most one of the two claims says more, and not much more."""
    return not (new and old) and len(new) + len(old) <= _ADDED


def _but(terms: tuple[Term, ...], *without: Term) -> tuple[Term, ...]:
    return tuple(term for term in terms if term not in without)


def _values(differing: tuple[Term, ...], terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """Return the differing numbers and what they are counted in; empty without a number."""
    if not any(term.is_number for term in differing):
        return ()
    beside = {
        term.key
        for one, other in pairwise(terms)
        for term, neighbour in ((one, other), (other, one))
        if neighbour.is_number and term.key in _UNITS
    }
    return tuple(term for term in differing if term.is_number or term.key in beside)


def _numbers(terms: tuple[Term, ...]) -> list[Term]:
    return [term for term in terms if term.is_number]


def _counts(terms: tuple[Term, ...], values: tuple[Term, ...]) -> bool:
    """Return whether the number only tells things of a kind apart: `step 1`, `v2 API`."""
    at = terms.index(values[0])
    if at == 0:
        return values[0].key.startswith("v") and len(terms) > 1 and not terms[1].before
    noun = terms[at - 1]
    if _without_articles(values[0].before):
        return False
    # `Workers: 4` says how many there are, `Worker 4` which one it is.
    is_subject = at == 1 and noun.key in _COUNTED_AS_SUBJECT and not noun.written.endswith("s")
    return is_subject or noun.key in _COUNTED


def _is_event(pair: Comparison) -> bool:
    """Return whether it happened once: the next time, other numbers are true beside these."""
    is_dated = any(_DATE.match(terms[0].key) for terms in (pair.new, pair.old))
    return is_dated or any(
        term.written.lower() in vocabulary.HAPPENED for term in pair.new + pair.old
    )


def _written(terms: tuple[Term, ...]) -> str:
    return " ".join(term.written for term in terms)
