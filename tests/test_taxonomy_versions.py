"""What a change of the taxonomy means for its version."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mnemolog.taxonomy.published import published_taxonomy
from mnemolog.taxonomy.versions import (
    FIRST_VERSION,
    Change,
    Taxonomy,
    bumped,
    compare,
    largest,
    versioned,
)
from taxonomy_changes import (
    GIVEN,
    NAME,
    OLD,
    ONE_CHANGE,
    RESULTS,
    Edit,
    a_copy_of,
    at,
    drop,
    put,
)


@pytest.mark.parametrize(
    ("edit", "bump", "said"), [row[1:] for row in ONE_CHANGE], ids=[r[0] for r in ONE_CHANGE]
)
def test_what_a_change_means(edit: Edit, bump: str, said: str) -> None:
    (change,) = compare(OLD, edited(edit))
    assert (change.bump, str(change)) == (bump, said)


def edited(*edits: Edit) -> Taxonomy:
    new: Taxonomy = a_copy_of(OLD)
    for edit in edits:
        edit(new)
    return new


def said(*edits: Edit) -> dict[str, str]:
    return {str(change): change.bump for change in compare(OLD, edited(*edits))}


def test_arguments_of_a_command_that_change_places_are_a_major_change() -> None:
    taken = ("commands", "do retype", "parameters")
    assert said(put(*taken, "OLD", "place", to=2), put(*taken, "NEW", "place", to=1)) == {
        "commands.do retype.parameters.OLD.place: was 1, is 2": "major",
        "commands.do retype.parameters.NEW.place: was 2, is 1": "major",
    }


def test_a_shape_changes_wherever_it_is_used_and_means_there_what_it_means_there() -> None:
    assert said(put("shapes", "Thing", "age", "required", to=True)) == {
        "tools.make.parameters.things.fields.age.required: is now so": "major",
        "tools.make.results.made.fields.age.required: is now so": "minor",
    }
    assert said(put("shapes", "Thing", "size", to=NAME)) == {
        "tools.make.parameters.things.fields.size: is new, and required": "major",
        "tools.make.results.made.fields.size: is new": "minor",
    }


def test_the_name_of_a_shape_is_only_a_word() -> None:
    new = edited(
        put("shapes", to={"Object": OLD["shapes"]["Thing"]}),
        put(*GIVEN, "things", "shape", to="Object"),
        put(*RESULTS, "made", "shape", to="Object"),
    )
    assert [change.bump for change in compare(OLD, new)] == ["patch", "patch"]


def test_a_renamed_item_is_one_that_is_gone_and_one_that_is_new() -> None:
    assert said(drop("tools", "rest"), put("tools", "sleep", to=OLD["tools"]["rest"])) == {
        "tools.rest: is gone": "major",
        "tools.sleep: is new": "minor",
    }


def test_version_and_changelog_are_not_compared() -> None:
    assert compare({**OLD, "taxonomy_version": "9.9.9", "changelog": ["x"]}, OLD) == ()


@pytest.mark.parametrize(
    ("bump", "version"), [("major", "3.0.0"), ("minor", "2.4.0"), ("patch", "2.3.10")]
)
def test_a_bump_raises_one_number_and_restarts_those_behind_it(bump: Any, version: str) -> None:
    assert bumped("2.3.9", bump) == version


def test_many_changes_make_the_bump_of_the_largest() -> None:
    changes = [Change(bump, "here", "is new") for bump in ("patch", "major", "minor")]
    assert largest(changes) == "major"
    assert largest([changes[0], changes[2]]) == "minor"


def test_the_first_version_says_that_it_is_the_first() -> None:
    first = versioned(OLD, None)
    assert first["taxonomy_version"] == FIRST_VERSION
    assert first["changelog"][0]["changes"] == ["the first version"]


def test_an_unchanged_taxonomy_keeps_version_and_changelog() -> None:
    first = versioned(OLD, None)
    assert versioned(OLD, first) == first


def test_each_bump_adds_an_entry_on_top_that_lists_what_changed() -> None:
    first = versioned(OLD, None)
    second = versioned(edited(put("tools", "nap", to={}), drop("prompts")), first)
    assert second["taxonomy_version"] == "2.0.0"
    assert second["changelog"] == [
        {"version": "2.0.0", "bump": "major", "changes": ["prompts: is gone", "tools.nap: is new"]},
        *first["changelog"],
    ]


def test_several_edits_after_one_base_make_one_bump() -> None:
    first = versioned(OLD, None)
    half = versioned(edited(put("tools", "nap", to={})), first)
    whole = versioned(edited(put("tools", "nap", to={}), put("prompts", "sum", to={})), first)
    assert half["taxonomy_version"] == whole["taxonomy_version"] == "1.1.0"
    assert len(whole["changelog"]) == 2


# --- nothing in the real taxonomy can change unnoticed --------------------------------------------


def leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(value, dict) and value:
        for key, held in value.items():
            yield from leaves(held, (*path, key))
    else:
        yield path


def test_every_single_value_of_the_real_taxonomy_counts() -> None:
    published = published_taxonomy()
    described = {k: v for k, v in published.items() if k not in ("taxonomy_version", "changelog")}
    described = a_copy_of(described)
    unnoticed = []
    for path in leaves(described):
        holder = at(*path[:-1])(described)
        kept = holder[path[-1]]
        holder[path[-1]] = {"new": {}} if kept == {} else "something else"
        if not compare(published, described):
            unnoticed.append(path)
        holder[path[-1]] = kept
    assert unnoticed == []
    assert compare(published, described) == ()
