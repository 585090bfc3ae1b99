"""Whether the types in use are those agreed on, each in one spelling. It only looks.

Where nothing is agreed on, the spelling that is used most stands for its family.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from mnemolog.declarations import declared, described
from mnemolog.records import KINDS, Kind
from mnemolog.screening.type_variant import closest, families, nearest, type_key
from mnemolog.taxonomy.shared import NOTHING_AGREED, SharedTaxonomy
from mnemolog.taxonomy.usage import Count, Usage


@declared
class Violation:
    """A type in use that should be another one."""

    kind: Kind = described("What has the type")
    name: str = described("The type")
    count: int = described("How many have it")
    is_listed: bool = described("Whether types are agreed on; else it is only another spelling")
    use: tuple[str, ...] = described("What to use instead, nearest first")


@declared
class Near:
    """A type that is used once, and what it may be meant as."""

    name: str = described("The type")
    near: tuple[str, ...] = described("Other types in use, nearest first")


@declared
class Vocabulary:
    """The types of entities, or of relations, and what is odd about them."""

    kind: Kind = described("What has these types")
    types: int = described("How many are in use")
    used_once: tuple[str, ...] = described("Those that are used once")
    families: tuple[tuple[Count, ...], ...] = described(
        "Those that are one type in several spellings, the most used first"
    )
    near: tuple[Near, ...] = described("Those used once that others are near to")
    not_agreed: tuple[str, ...] = described("Those that are not in the shared taxonomy")
    unused: tuple[str, ...] = described("Those of the shared taxonomy that are not in use")


def violations(usage: Usage, agreed: SharedTaxonomy | None) -> tuple[Violation, ...]:
    """Return the types that are not agreed on; where none are, the rarer spellings of each."""
    return tuple(
        violation
        for kind in KINDS
        for violation in _violations_of(kind, usage.types(kind), (agreed or NOTHING_AGREED))
    )


def _violations_of(
    kind: Kind, counts: Iterable[Count], agreed: SharedTaxonomy
) -> Iterator[Violation]:
    allowed = agreed.types(kind)
    if allowed:
        for of in counts:
            if of.name not in allowed:
                use = closest(of.name, allowed)
                yield Violation(kind, of.name, of.count, is_listed=True, use=use)
        return
    for first, *others in _families(counts):
        for of in others:
            yield Violation(kind, of.name, of.count, is_listed=False, use=(first.name,))


def report(usage: Usage, agreed: SharedTaxonomy | None) -> tuple[Vocabulary, ...]:
    """Return what is odd about the types in use: of entities, then of relations."""
    return tuple(
        _vocabulary(kind, usage.types(kind), (agreed or NOTHING_AGREED).types(kind))
        for kind in KINDS
    )


def _vocabulary(kind: Kind, counts: tuple[Count, ...], allowed: Mapping[str, str]) -> Vocabulary:
    names = dict.fromkeys(of.name for of in counts)
    once = tuple(of.name for of in counts if of.count == 1)
    return Vocabulary(
        kind,
        len(names),
        once,
        tuple(_families(counts)),
        tuple(_near(counts)),
        tuple(name for name in names if allowed and name not in allowed),
        tuple(name for name in allowed if name not in names),
    )


def _families(counts: Iterable[Count]) -> Iterator[tuple[Count, ...]]:
    by_name = {of.name: of for of in counts}
    for spellings in families(by_name):
        yield tuple(sorted((by_name[name] for name in spellings), key=lambda of: -of.count))


def _near(counts: Iterable[Count]) -> Iterator[Near]:
    """Yield the types used once, in one spelling, with those that they may be meant as."""
    by_use = sorted(counts, key=lambda of: -of.count)
    spoken_for = {of.name for family in _families(counts) for of in family[1:]}
    known = dict.fromkeys(of.name for of in by_use if of.name not in spoken_for)
    named: set[str] = set()
    for of in by_use:
        if of.count == 1 and of.name in known:
            # Of two that are both used once, the second is not named again for the first.
            others = (name for name in known if name != of.name and name not in named)
            if near := nearest(of.name, others):
                named.add(of.name)
                yield Near(of.name, near)


def addable(usage: Usage, agreed: SharedTaxonomy | None) -> dict[Kind, tuple[str, ...]]:
    """Return the types in use that a shared taxonomy can take up: one spelling of each.

    A spelling that is listed stands for its family, else the one that is used most.
    """
    agreed = agreed or NOTHING_AGREED
    return {kind: tuple(_addable(usage.types(kind), agreed.types(kind))) for kind in KINDS}


def _addable(counts: Iterable[Count], allowed: Mapping[str, str]) -> Iterator[str]:
    taken = {type_key(name) for name in allowed}
    for of in sorted(counts, key=lambda of: -of.count):
        key = type_key(of.name)
        if of.name not in allowed and key not in taken:
            taken.add(key)
            yield of.name
