"""Types and names in another spelling are found, and those that are both meant are not."""

from __future__ import annotations

from difflib import get_close_matches
from itertools import permutations

import pytest

from mnemolog.screening.type_variant import (
    closest,
    families,
    look_alike,
    look_alike_message,
    name_key,
    nearest,
    nearest_message,
    type_key,
    variant_message,
    variant_of,
)
from type_names import (
    DISTINCT_ENTITY_TYPES,
    DISTINCT_RELATION_TYPES,
    LOOKING_ALIKE,
    LOOKING_DIFFERENT,
    NEAR,
    SPELLINGS,
    listed,
)

VOCABULARIES = [listed(DISTINCT_ENTITY_TYPES), listed(DISTINCT_RELATION_TYPES)]


@pytest.mark.parametrize("types", VOCABULARIES, ids=["entity types", "relation types"])
def test_types_that_differ_raise_no_alarm(types: list[str]) -> None:
    assert len(set(types)) == len(types) > 100
    assert families(types) == []
    for new in types:
        others = [other for other in types if other != new]
        assert variant_of(new, others) is None
        assert nearest(new, others) == ()


@pytest.mark.parametrize("spellings", SPELLINGS, ids=lambda row: row[0])
def test_every_spelling_is_known_as_the_type_it_spells(spellings: tuple[str, ...]) -> None:
    first, *others = spellings
    for other in others:
        assert variant_of(other, ["zebra", first]) == first
        assert variant_of(first, [other, "zebra"]) == other


def test_families_list_each_spelling_once_as_it_came() -> None:
    types = ["UI Component", "uiComponent", "ui_component", "Project", "project", "project", "User"]
    assert families(types) == [
        ("UI Component", "uiComponent", "ui_component"),
        ("Project", "project"),
    ]
    relations = ["uses component", "uses_component", "DEPENDS_ON", "depends-on"]
    assert families(relations) == [
        ("uses component", "uses_component"),
        ("DEPENDS_ON", "depends-on"),
    ]


def test_a_type_that_is_there_as_it_stands_is_no_variant() -> None:
    assert variant_of("dependsOn", ["depends_on", "dependsOn"]) is None


@pytest.mark.parametrize(("new", "existing"), NEAR)
def test_the_nearest_types_are_suggested(new: str, existing: str) -> None:
    assert nearest(new, ["zebra", existing]) == (existing,)


@pytest.mark.parametrize(
    ("new", "existing"),
    [("uses", "used by"), ("not used by", "used by"), ("task", "mask"), ("contact", "contract")],
)
def test_what_means_something_else_is_not_suggested(new: str, existing: str) -> None:
    assert nearest(new, [existing]) == ()


def test_the_nearest_suggestion_comes_first() -> None:
    assert nearest("backend web service", ["service", "web service"]) == ("web service", "service")


def test_the_closest_allowed_types_are_some_however_far_they_are() -> None:
    allowed = ["service", "web service", "person", "place"]
    assert closest("Web Services", allowed) == ("web service",)
    assert closest("servcie", allowed) == ("service",)
    assert len(closest("qqq", allowed)) == 3
    assert closest("qqq", []) == ()


def test_the_closest_are_those_that_a_comparison_with_each_finds() -> None:
    words = ("queue", "table", "view", "index", "cache", "token", "rule", "plan", "alert", "topic")
    allowed = [" ".join(pair) for pair in permutations(words, 2)]
    for new in ("quark queue7", "xtable plan", "viewindexcache", "q", "zzz"):
        assert list(closest(new, allowed)) == get_close_matches(new, allowed, 3, cutoff=0.0)


@pytest.mark.parametrize(("name", "existing"), LOOKING_ALIKE, ids=ascii)
def test_names_that_look_alike_are_found(name: str, existing: str) -> None:
    assert look_alike(name, ["zebra", existing]) == existing
    assert look_alike(existing, [name]) == name


@pytest.mark.parametrize(("name", "existing"), LOOKING_DIFFERENT, ids=ascii)
def test_names_that_look_different_are_left_alone(name: str, existing: str) -> None:
    assert look_alike(name, [existing]) is None


def test_a_name_that_is_there_as_it_stands_looks_like_none() -> None:
    assert look_alike("api", ["API", "api"]) is None


def test_keys_can_be_kept_in_a_dictionary() -> None:
    assert type_key("DEPENDS_ON") == type_key("dependsOn")
    assert name_key("User Service") == name_key("userService")
    assert name_key("users") != name_key("user")


def test_the_messages_name_both_and_what_to_do() -> None:
    assert "Use 'depends_on'" in variant_message("dependsOn", "depends_on")
    assert "'service', 'server'" in nearest_message("servce", ["service", "server"])
    assert "merge_entities" in look_alike_message("API", "api")
