"""What the entity of a memory is called."""

from __future__ import annotations

import pytest

from mnemolog.interchange.sources import Found
from mnemolog.interchange.sqlite.memories import Memory, name_of, tagged
from mnemolog.records import ObservationTags

LONG = "The staging database is Postgres 17 and the production database is still Postgres 15"


def test_a_short_text_is_its_own_name() -> None:
    assert name_of("Deploys to\n  Fly.io ") == "Deploys to Fly.io"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (LONG, "The staging database is Postgres 17 and the production…"),
        (f"Use uv, and never poetry. {LONG}", "Use uv, and never poetry"),
        (
            f"## Decision: use uv\n\n- {LONG}",
            "Decision: use uv - The staging database is Postgres 17 and…",
        ),
        ("我喜欢简洁的回答" * 12, ("我喜欢简洁的回答" * 12)[:60] + "…"),
        ("x" * 200, "x" * 60 + "…"),
    ],
)
def test_a_long_text_is_called_by_its_first_words(text: str, words: str) -> None:
    name = name_of(text)
    assert name.startswith(f"{words} (")
    assert len(name) <= 72


def test_two_texts_that_begin_alike_have_two_names() -> None:
    assert name_of(f"{LONG}.") != name_of(f"{LONG}!")


def test_a_name_depends_on_nothing_but_the_text() -> None:
    # As it was when this was written: another name would import every memory once more.
    assert name_of(LONG) == "The staging database is Postgres 17 and the production… (07c718cc)"


def test_a_memory_does_not_lead_to_itself_as_its_tag() -> None:
    memory = Memory("row 1", "deploy", None, ObservationTags(None, None))
    assert list(tagged(memory, ["deploy", " "], set())) == []


def test_a_tag_given_twice_is_one() -> None:
    memory = Memory("row 1", "Deploys to Fly.io", None, ObservationTags(None, None))
    found = list(tagged(memory, ["deploy", " deploy"], set()))
    assert len(found) == 2  # the tag and the relation to it
    assert all(isinstance(item, Found) for item in found)
