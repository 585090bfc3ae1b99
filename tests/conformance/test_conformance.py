"""Every answer is that of server-memory, or differs for a reason that the table gives."""

from __future__ import annotations

import json
import sys
from functools import partial
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]  # comes with the SDK, without types
import pytest

from documents import PROJECT
from in_process import our_server
from sequences import SEQUENCES
from server_memory import NotInstalled, server_memory_command
from stdio_client import serving
from steps import Call, CallSequence, answers

OURS = (sys.executable, "-m", "mnemolog")
OVER_STDIO = tuple(
    played
    for played in SEQUENCES
    if played.name
    in {
        "every kind of change survives a restart",
        "odd characters survive a restart",
        "subscribers hear of changes, and of nothing else",
        "one bad entity refuses the whole call",
        "nine tools with their keys and hints",
        "a torn last line",
    }
)


def name_of(played: CallSequence) -> str:
    return played.name


@pytest.mark.parametrize("played", SEQUENCES, ids=name_of)
def test_every_call_answers_as_server_memory_or_for_a_reason(
    played: CallSequence, tmp_path: Path
) -> None:
    for taken, answer in answers(played, our_server, tmp_path):
        assert answer == taken.ours, taken.reason or "as server-memory"


@pytest.mark.parametrize("played", OVER_STDIO, ids=name_of)
def test_a_real_process_answers_like_the_one_in_this_process(
    played: CallSequence, tmp_path: Path
) -> None:
    for taken, answer in answers(played, partial(serving, OURS), tmp_path):
        assert answer == taken.ours


@pytest.mark.parametrize("played", OVER_STDIO, ids=name_of)
def test_the_real_server_memory_answers_as_the_table_says(
    played: CallSequence, tmp_path: Path
) -> None:
    try:
        theirs = server_memory_command()
    except NotInstalled as absence:
        pytest.skip(str(absence))
    for taken, answer in answers(played, partial(serving, theirs), tmp_path):
        assert answer == taken.theirs


def test_the_table_gives_a_reason_for_every_difference_and_for_nothing_else() -> None:
    for taken in (taken for played in SEQUENCES for taken in played.steps):
        assert (taken.reason is not None) == (taken.ours != taken.theirs), taken


def test_every_reason_stands_on_the_page_of_differences() -> None:
    page = (PROJECT / "docs" / "differences.md").read_text(encoding="utf-8")
    reasons = {taken.reason for played in SEQUENCES for taken in played.steps if taken.reason}
    assert {reason for reason in reasons if reason not in page} == set()


@pytest.mark.parametrize("played", SEQUENCES, ids=name_of)
def test_an_answer_is_one_object_that_its_schema_admits(
    played: CallSequence, tmp_path: Path
) -> None:
    memory_file = tmp_path / "memory.jsonl"
    memory_file.write_bytes(played.content or b"")
    with our_server(memory_file) as client:
        listed = client.request("tools/list")["result"]["tools"]
        schemas = {tool["name"]: tool["outputSchema"] for tool in listed}
        for call in (taken.action for taken in played.steps if isinstance(taken.action, Call)):
            result = client.call(call.tool, call.arguments)["result"]
            (block,) = result["content"]
            if result.get("isError"):
                assert "structuredContent" not in result
            else:
                assert json.loads(block["text"]) == result["structuredContent"]
                jsonschema.validate(result["structuredContent"], schemas[call.tool])
