"""How two taxonomies differ, and which version that makes: semantic, and bumped by itself.

A section, a record, a tool, a resource, a prompt, an enum, a command, an environment variable, and
every field, parameter and result of them, nested or not, is an *item*. What is said about an item
are its attributes. What a change of either means:

| change | bump |
|---|---|
| a section or an item is gone | major |
| a section or an item is new | minor |
| a new parameter, or a new field of a record, that is required | major |
| a parameter becomes required | major |
| a parameter becomes optional | minor |
| a result that was always there may be absent | major |
| a result that could be absent is always there | minor |
| a field of a record becomes required or optional: some write it, others read it | major |
| a type, a default, an effect, a media type or the place of an argument is another one | major |
| an allowed value is gone; what was free has listed values; others are allowed no more | major |
| an allowed value is new; others are allowed too | minor |
| a description, purpose or title, the name of a shape, the package's version | patch |
| the order of items or of allowed values | patch |

A renamed item is one that is gone and one that is new, hence major. A new item is one change,
whatever it holds. A shape is no item but a way to state fields once: what changes in it has changed
in each place that uses it, and may be major there and minor here. Its name is only a word.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from mnemolog.taxonomy.shapes import opened_up

Taxonomy: TypeAlias = dict[str, Any]
"""A taxonomy as its JSON file holds it."""

Bump: TypeAlias = Literal["major", "minor", "patch"]
Role: TypeAlias = Literal["sections", "fields", "parameters", "results"]

FIRST_VERSION: Final = "1.0.0"

_BUMPS: Final[tuple[Bump, ...]] = ("major", "minor", "patch")
_NO_SECTIONS: Final = ("taxonomy_version", "package_version", "changelog")
_WORDS: Final = ("description", "purpose", "title", "shape")
_LISTS: Final = ("enum", "values")
_ITEMS: Final[Mapping[str, Role]] = {r: r for r in ("fields", "parameters", "results")}


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two taxonomies."""

    bump: Bump
    place: str
    """The path of the item or attribute, joined by dots."""
    what: str

    def __str__(self) -> str:
        return f"{self.place}: {self.what}"


def compare(old: Taxonomy, new: Taxonomy) -> tuple[Change, ...]:
    """Return what changed, in the order of the new taxonomy; versions and changelog aside."""
    return tuple(_changes(opened_up(old), opened_up(new)))


def versioned(described: Taxonomy, base: Taxonomy | None) -> Taxonomy:
    """Return the taxonomy with its version and changelog, as they follow on those of `base`.

    Nothing of what is `described` changes; without a base it is the first version.
    """
    if base is None:
        version, changelog = FIRST_VERSION, [_entry(FIRST_VERSION, "major", ["the first version"])]
    else:
        version, changelog = base["taxonomy_version"], base["changelog"]
        if changes := compare(base, described):
            bump = largest(changes)
            version = bumped(version, bump)
            changelog = [_entry(version, bump, [str(change) for change in changes]), *changelog]
    return {"taxonomy_version": version, **described, "changelog": changelog}


def largest(changes: Iterable[Change]) -> Bump:
    """Return the bump that all the changes make together."""
    return min((change.bump for change in changes), key=_BUMPS.index)


def bumped(version: str, bump: Bump) -> str:
    """Return the next version: of three numbers, the one that is meant grows, the rest restart."""
    kept = [int(number) for number in version.split(".")][: _BUMPS.index(bump) + 1]
    kept[-1] += 1
    return ".".join(map(str, [*kept, 0, 0][:3]))


def _entry(version: str, bump: Bump, changes: list[str]) -> Taxonomy:
    return {"version": version, "bump": bump, "changes": changes}


def _changes(old: Taxonomy, new: Taxonomy) -> Iterator[Change]:
    if old.get("package_version") != new.get("package_version"):
        what = _was_and_is(old.get("package_version"), new.get("package_version"))
        yield Change("patch", "package_version", what)
    before, after = ({k: v for k, v in t.items() if k not in _NO_SECTIONS} for t in (old, new))
    yield from _gone_and_new(before, after, "", "sections")
    for section in _common(before, after):
        yield from _items(before[section], after[section], section, "sections")


def _items(old: Taxonomy, new: Taxonomy, place: str, role: Role) -> Iterator[Change]:
    """Compare the items of a section, or the fields, parameters or results of an item."""
    yield from _gone_and_new(old, new, place, role)
    for name in _common(old, new):
        yield from _item(old[name], new[name], f"{place}.{name}", role)


def _gone_and_new(old: Taxonomy, new: Taxonomy, place: str, role: Role) -> Iterator[Change]:
    for name in old:
        if name not in new:
            yield Change("major", _joined(place, name), "is gone")
    for name, item in new.items():
        if name not in old:
            is_demanded = role in ("fields", "parameters") and item.get("required", False)
            what = "is new, and required" if is_demanded else "is new"
            yield Change("major" if is_demanded else "minor", _joined(place, name), what)
    if _common(old, new) != _common(new, old):
        yield Change("patch", place or "sections", "stand in another order")


def _item(old: Taxonomy, new: Taxonomy, place: str, role: Role) -> Iterator[Change]:
    for attribute in dict.fromkeys([*new, *old]):
        before, after = old.get(attribute), new.get(attribute)
        inner = f"{place}.{attribute}"
        if attribute in _ITEMS:
            # What is nested in a parameter is asked for too, what is nested in a result is given.
            inner_role = _ITEMS[attribute] if role == "sections" else role
            yield from _items(before or {}, after or {}, inner, inner_role)
        elif before != after:
            yield from _attribute(attribute, before, after, inner, role)


def _attribute(name: str, old: Any, new: Any, place: str, role: Role) -> Iterator[Change]:  # noqa: ANN401 - JSON values
    if name in _WORDS:
        yield Change("patch", place, "says something else")
    elif name == "required":
        widens = (role == "parameters" and not new) or (role == "results" and new)
        yield Change("minor" if widens else "major", place, "is now so" if new else "is no more so")
    elif name == "others_allowed":
        yield Change("minor" if new else "major", place, "is now so" if new else "is no more so")
    elif name in _LISTS and old and new:
        yield from _values(old, new, place)
    else:
        yield Change("major", place, _was_and_is(old, new))


def _values(old: Sequence[str], new: Sequence[str], place: str) -> Iterator[Change]:
    for value in old:
        if value not in new:
            yield Change("major", place, f"{value} is gone")
    for value in new:
        if value not in old:
            yield Change("minor", place, f"{value} is new")
    if _common(old, new) != _common(new, old):
        yield Change("patch", place, "stand in another order")


def _common(first: Iterable[str], second: Iterable[str]) -> list[str]:
    """Return what is in both, in the order of the first."""
    others = set(second)
    return [name for name in first if name in others]


def _joined(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name


def _was_and_is(old: Any, new: Any) -> str:  # noqa: ANN401 - JSON values
    return f"was {_shown(old)}, is {_shown(new)}"


def _shown(value: Any) -> str:  # noqa: ANN401 - a JSON value
    return "not said" if value is None else str(value)
