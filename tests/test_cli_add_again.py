"""`mnemolog add` says what became of everything it was told, also of what was there already."""

from __future__ import annotations

import pytest

from command_line import folder, invoke, run

__all__ = ["folder"]

pytestmark = pytest.mark.usefixtures("folder")


def test_a_relation_that_is_there_is_said_to_be() -> None:
    run("add", "api", "--type", "service", "--relation", "calls", "api")
    assert run("add", "api", "--relation", "calls", "api") == "api calls api: It exists already.\n"


def test_a_priority_that_changes_nothing_is_said_to() -> None:
    run("add", "api", "Runs on port 8080", "--type", "service")
    result = invoke("add", "api", "Runs on port 8080", "Is in Go", "--priority", "high")
    assert result.exit_code == 0
    assert "keeps its priority: 'mnemolog edit' changes it." in result.stderr
    assert "keeps its priority" not in run("add", "api", "Is fast", "--priority", "high")


def test_the_help_says_that_what_is_there_is_no_error() -> None:
    said = " ".join(run("add", "--help").split())
    assert "What is there already is no error" in said
    assert "Exits with 1 if nothing was saved" not in said
