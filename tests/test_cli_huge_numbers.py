"""A number of any length is an answer or an error in words, never the end of a command."""

from __future__ import annotations

import pytest

from command_line import folder, invoke, run

__all__ = ["folder"]

pytestmark = pytest.mark.usefixtures("folder")


def test_a_limit_of_any_size_is_a_limit() -> None:
    run("add", "api", "Runs on port 8080", "--type", "service")
    assert "Runs on port 8080" in run("log", "--limit", "9" * 30)


@pytest.mark.parametrize("which", ["9" * 30, "9" * 5000])
def test_a_number_that_no_fact_has_is_said_to_be_none(which: str) -> None:
    run("add", "api", "Runs on port 8080", "--type", "service")
    result = invoke("edit", "api", which, "new")
    assert result.exit_code == 1
    assert "its numbers are 1 to 1" in result.output


def test_facts_that_are_numbers_go_by_their_text_first() -> None:
    run("add", "pi", "3", "14", "15", "--type", "number")
    assert run("edit", "pi", "3", "three") == "pi: three  (was: 3)\n"
    assert run("edit", "pi", "1", "fourteen") == "pi: fourteen  (was: 14)\n"
