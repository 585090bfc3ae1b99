"""Whether the types in use are those agreed on, each in one spelling. It only looks.

Where nothing is agreed on, the spelling that is used most stands for its family.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from mnemolog.declarations import declared, described
from mnemolog.records import Kind
from mnemolog.screening.type_variant import closest, families, nearest, type_key
from mnemolog.taxonomy.shared import SharedTaxonomy
from mnemolog.taxonomy.usage import Usage

MOST_HELPED: Final = 100
"""Types outside those agreed on for which the nearest are looked up: each may take 0.1 s."""


@declared
class Violation:
    """A type in use that should be another one."""

    kind: Kind = described("What has the type")
    name: str = described("The type")
    count: int = described("How many have it")
    is_listed: bool = described("Whether types are agreed on; else it is only another spelling")
    use: tuple[str, ...] = described(
        "What to use instead, nearest first; of very many types only the first are told"
    )


@declared
class Spelling:
    """One spelling of a type."""

    name: str = described("The type, spelled so")
    count: int = described("How many have it")


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
    families: tuple[tuple[Spelling, ...], ...] = described(
        "Those that are one type in several spellings, the most used first"
    )
    near: tuple[Near, ...] = described("Those used once that others are near to")
    not_agreed: tuple[str, ...] = described("Those that are not in the shared taxonomy")
    unused: tuple[str, ...] = described("Those of the shared taxonomy that are not in use")


def violations(usage: Usage, agreed: SharedTaxonomy) -> tuple[Violation, ...]:
    """Return the types that are not agreed on; where none are, the rarer spellings of each."""
    return tuple(
        violation
        for kind, counts in usage.types.items()
        for violation in _violations_of(kind, counts, agreed.types(kind))
    )


def _violations_of(
    kind: Kind, counts: Mapping[str, int], allowed: Mapping[str, str]
) -> Iterator[Violation]:
    if allowed:
        outside = [name for name in counts if name not in allowed]
        for place, name in enumerate(outside):
            use = closest(name, allowed) if place < MOST_HELPED else ()
            yield Violation(kind, name, counts[name], is_listed=True, use=use)
        return
    for first, *others in _families(counts):
        for of in others:
            yield Violation(kind, of.name, of.count, is_listed=False, use=(first.name,))


def report(usage: Usage, agreed: SharedTaxonomy) -> tuple[Vocabulary, ...]:
    """Return what is odd about the types in use: of entities, then of relations."""
    return tuple(
        _vocabulary(kind, counts, agreed.types(kind)) for kind, counts in usage.types.items()
    )


def _vocabulary(kind: Kind, counts: Mapping[str, int], allowed: Mapping[str, str]) -> Vocabulary:
    return Vocabulary(
        kind,
        len(counts),
        tuple(name for name, count in counts.items() if count == 1),
        tuple(_families(counts)),
        tuple(_near(counts)),
        tuple(name for name in counts if allowed and name not in allowed),
        tuple(name for name in allowed if name not in counts),
    )


def _families(counts: Mapping[str, int]) -> Iterator[tuple[Spelling, ...]]:
    for spellings in families(counts):
        yield tuple(Spelling(name, counts[name]) for name in _most_first(spellings, counts))


def _near(counts: Mapping[str, int]) -> Iterator[Near]:
    """Yield the types used once, in one spelling, with those that they may be meant as."""
    spoken_for = {of.name for family in _families(counts) for of in family[1:]}
    known = [name for name in _most_first(counts, counts) if name not in spoken_for]
    named: set[str] = set()
    for name in known:
        if counts[name] == 1:
            # Of two that are both used once, the second is not named again for the first.
            others = (other for other in known if other != name and other not in named)
            if near := nearest(name, others):
                named.add(name)
                yield Near(name, near)


def addable(usage: Usage, agreed: SharedTaxonomy) -> dict[Kind, tuple[str, ...]]:
    """Return the types in use that a shared taxonomy can take up: one spelling of each.

    A spelling that is listed stands for its family, else the one that is used most.
    """
    return {
        kind: tuple(_addable(counts, agreed.types(kind))) for kind, counts in usage.types.items()
    }


def _addable(counts: Mapping[str, int], allowed: Mapping[str, str]) -> Iterator[str]:
    taken = {type_key(name) for name in allowed}
    for name in _most_first(counts, counts):
        key = type_key(name)
        if name not in allowed and key not in taken:
            taken.add(key)
            yield name


def _most_first(names: Iterable[str], counts: Mapping[str, int]) -> list[str]:
    return sorted(names, key=counts.__getitem__, reverse=True)
