"""What the documents say of speed is what a run wrote there; nothing here measures anything."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="the benchmarks ask the system what a process used")
pytest.importorskip("fcntl", reason="the benchmarks lock a file as Unix does")

import over_mcp
from dataset import Dataset
from figures import Figures, Shape
from peers import OURS, Peer, minimal_server
from publish import wanted_by, write_into
from speed_tables import causes, goal_table, tables
from workload import SEARCH

from documents import DOCUMENTS, PROJECT, README, text_of

SPEED = PROJECT / "docs" / "speed.md"


def fail() -> None:
    raise OSError("it is not there")


def test_every_mark_in_the_documents_names_a_table() -> None:
    wanted = {name for document in DOCUMENTS for name in wanted_by(document)}
    assert wanted - {"summary"} == tables(Figures()).keys() - {"summary"}


def test_every_mark_has_its_end() -> None:
    for document in (SPEED, README):
        text = text_of(document)
        assert text.count("<!-- measured: ") == text.count("<!-- end of measured -->")


def test_a_table_replaces_what_stood_between_its_marks_and_nothing_else(tmp_path: Path) -> None:
    document = tmp_path / "speed.md"
    text = "before\n<!-- measured: a -->\nold\n<!-- end of measured -->\nafter 1 | 2\n"
    document.write_text(text, encoding="utf-8")
    assert wanted_by(document) == ["a"]
    write_into(document, {"a": "| 1 |\n|---|", "b": "not asked for"})
    once = document.read_text(encoding="utf-8")
    assert once == (
        "before\n<!-- measured: a -->\n\n| 1 |\n|---|\n\n<!-- end of measured -->\nafter 1 | 2\n"
    )
    write_into(document, {"a": "| 1 |\n|---|"})
    assert document.read_text(encoding="utf-8") == once


def test_a_document_that_wants_an_unknown_table_is_left_as_it_is(tmp_path: Path) -> None:
    document = tmp_path / "speed.md"
    document.write_text("<!-- measured: x -->\n<!-- end of measured -->\n", encoding="utf-8")
    with pytest.raises(KeyError):
        write_into(document, {})
    assert document.read_text(encoding="utf-8").startswith("<!-- measured: x -->")


def test_figures_are_kept_as_they_come_and_read_back(tmp_path: Path) -> None:
    kept = Figures(tmp_path / "figures.json")
    kept.note("a call", "mnemolog", [0.001] * 99 + [0.1], Shape(100, is_scattered=True))
    with kept.attempt("another"):
        fail()
    read = Figures.load(tmp_path / "figures.json")
    assert list(read) == list(kept)
    assert read.gaps == ["another: it is not there"]


def test_a_percentile_is_not_told_of_a_few_calls() -> None:
    figures = Figures()
    figures.note("few", "mnemolog", [0.001] * 99)
    figures.note("enough", "mnemolog", [float(number) for number in range(100)])
    assert [figure.p99 for figure in figures] == [None, 98]


@pytest.mark.parametrize(("theirs", "verdict"), [(0.0079, "**missed**"), (0.0081, "met")])
def test_a_goal_is_met_or_missed_by_what_was_measured(theirs: float, verdict: str) -> None:
    figures = Figures()
    figures.note(SEARCH, "mnemolog", [0.001], Shape(10_000))
    figures.note(SEARCH, "server-memory", [theirs], Shape(10_000))
    (row,) = list(goal_table(figures))[2:]
    assert row.endswith(f"| {verdict} |")
    assert len(list(causes(figures))) == (verdict != "met")


def test_a_shape_that_fails_for_one_server_keeps_the_figures_of_the_others(tmp_path: Path) -> None:
    figures, shape = Figures(), Shape(100)
    ours = Peer(OURS, (str(Path(sys.executable).with_name("mnemolog")),), Dataset.write_ours)
    broken = Peer("server-memory", (sys.executable, "-c", "pass"), Dataset.write_theirs)
    effort = over_mcp.Effort(launches=1, turns=1, seconds_per_row=1.0)
    trial = over_mcp.Trial(figures, [broken, ours], minimal_server(), shape, tmp_path, effort)
    over_mcp.measure_calls(trial)
    assert figures.find("open_nodes", OURS, shape) is not None
    assert figures.find(over_mcp.FIRST_ANSWER, "minimal server", shape) is not None
    assert figures.find("open_nodes", "server-memory", shape) is None
    assert any("server-memory" in gap for gap in figures.gaps)
