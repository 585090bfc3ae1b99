"""Whatever bytes are in the file: it is read as far as it goes, and nothing of it is lost."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import histories
from foreign_files import (
    BOAT,
    PIER,
    create_oar,
    each_strange_line,
    log_at,
    memory_at,
    problems_in,
    said,
    texts_in,
)
from histories import AnyFile, json_line
from mnemolog.errors import MnemologError, NewerFormat, UnreadableMemory
from mnemolog.jsonl import encode_call
from mnemolog.records import Record
from mnemolog.requests import NewObservations, ObservationDeletion
from standing import standing_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "memory.jsonl"


def everything_set_aside(path: Path) -> bytes:
    asides = [p for p in sorted(path.parent.iterdir()) if p != path and p.suffix != ".lock"]
    return b"\n".join(aside.read_bytes() for aside in asides)


# --- kinds of files --------------------------------------------------------------------------


@each_strange_line
def test_a_strange_line_is_reported_and_its_neighbours_are_read(strange: bytes, path: Path) -> None:
    path.write_bytes(BOAT + strange + PIER)
    assert texts_in(path) == {"Boat": ("is red",), "Pier": ("of stone",)}
    assert [number for number, _ in problems_in(path)] == list(range(2, 2 + strange.count(b"\n")))


@each_strange_line
def test_a_strange_line_stays_through_writes_and_compaction(strange: bytes, path: Path) -> None:
    path.write_bytes(BOAT + strange + PIER)
    create_oar(path)
    memory_at(path).delete_entities(["Boat"], "codex")
    memory_at(path).upkeep.compact()
    assert path.read_bytes().startswith(strange + PIER)
    assert texts_in(path) == {"Pier": ("of stone",), "Oar": ("is new",)}


@each_strange_line
def test_a_strange_last_line_swallows_no_write(strange: bytes, path: Path) -> None:
    path.write_bytes(BOAT + PIER + strange)
    create_oar(path)
    assert texts_in(path) == {"Boat": ("is red",), "Pier": ("of stone",), "Oar": ("is new",)}
    assert strange in path.read_bytes()


@pytest.mark.parametrize("tail", [b"\0" * 4096, b'{"type":"entity","na' + b"\0" * 100, b"# a note"])
def test_a_tail_without_a_newline_is_set_aside_by_the_next_write(tail: bytes, path: Path) -> None:
    path.write_bytes(BOAT + tail)
    assert [number for number, _ in problems_in(path)] == [2]
    create_oar(path)
    assert texts_in(path) == {"Boat": ("is red",), "Oar": ("is new",)}
    (aside,) = path.parent.glob("memory.jsonl.torn-*")
    assert aside.read_bytes() == tail


NO_MEMORIES = {
    "a text": b"Remember the milk.\nAnd the bread.\n",
    "a text of one line": b"Remember the milk.",
    "UTF-16": (BOAT + PIER).decode().encode("utf-16"),
    "UTF-16 of one line": BOAT.decode().strip().encode("utf-16"),
    "rows of another tool": b'{"entityName":"Boat","observation":"is red"}\n',
    "a JSON text": b'"a string"',
    "a JSON number": b"5\n",
    "an empty list": b"[]\n",
    "an object of something else": b'{"version": 3,\n "packages": {}}\n',
    "a torn line of another tool": b'{"id": 1, "text": "unfinis',
    "zeros and a line end": b"\0" * 100 + b"\n",
    "conflict markers": b"<<<<<<< HEAD\n=======\n>>>>>>> feature\n",
}
each_no_memory = pytest.mark.parametrize("content", NO_MEMORIES.values(), ids=NO_MEMORIES)


@each_no_memory
def test_a_file_without_a_record_is_empty_and_is_never_written_to(
    content: bytes, path: Path
) -> None:
    path.write_bytes(content)
    assert texts_in(path) == {}
    (problem, *_) = memory_at(path).read_graph().problems or ()
    with pytest.raises(UnreadableMemory) as refused:
        create_oar(path)
    assert problem.line == 1
    assert problem.reason in str(refused.value)
    assert (refused.value.path, refused.value.line_number) == (path, 1)
    assert "cut off" not in str(refused.value)
    with pytest.raises(UnreadableMemory):
        memory_at(path).upkeep.compact()
    assert path.read_bytes() == content
    assert everything_set_aside(path) == b""


@pytest.mark.parametrize(
    "content", [b"", b"\n", b" \r\n\n", b"\xef\xbb\xbf", b"\0" * 512, b'{"type":"ent', b"{"]
)
def test_a_file_that_says_nothing_yet_is_a_memory(content: bytes, path: Path) -> None:
    path.write_bytes(content)
    create_oar(path)
    assert texts_in(path) == {"Oar": ("is new",)}
    assert content.strip() in path.read_bytes() + everything_set_aside(path)


def test_lines_that_end_as_on_windows_are_read_and_kept(path: Path) -> None:
    path.write_bytes((BOAT + PIER).replace(b"\n", b"\r\n"))
    create_oar(path)
    memory_at(path).upkeep.compact()
    assert texts_in(path) == {"Boat": ("is red",), "Pier": ("of stone",), "Oar": ("is new",)}
    assert path.read_bytes().startswith((BOAT + PIER).replace(b"\n", b"\r\n"))
    assert problems_in(path) == []


def test_a_call_is_whole_though_an_editor_changed_its_line_ends(path: Path) -> None:
    path.write_bytes(encode_call((said("Boat"), said("Pier"))).replace(b"\n", b"\r\n"))
    assert list(texts_in(path)) == ["Boat", "Pier"]


def test_half_a_character_from_javascript_can_be_read_and_removed(path: Path) -> None:
    path.write_bytes(BOAT + b'{"type":"entity","name":"Gull","observations":["a\\ud83d","b"]}\n')
    assert texts_in(path)["Gull"] == ("a\ufffd", "b")
    deletion = ObservationDeletion("Gull", ("a\ufffd",))
    memory_at(path).delete_observations([deletion], "codex")
    assert texts_in(path)["Gull"] == ("b",)
    memory_at(path).upkeep.compact()
    assert texts_in(path)["Gull"] == ("b",)


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x1c"])
def test_other_line_separators_end_no_line(separator: str, path: Path) -> None:
    text = f"one{separator}two"
    # Python's own escapes are switched off, as JavaScript writes it.
    raw = f'{{"type":"entity","name":"Boat","observations":["{text}"]}}\n'.encode()
    is_control = separator < " "
    path.write_bytes(PIER + (json_line("Boat", text) if is_control else raw))
    assert texts_in(path)["Boat"] == (text,)
    create_oar(path)
    memory_at(path).upkeep.compact()
    assert texts_in(path)["Boat"] == (text,)


def test_a_line_of_a_megabyte_is_a_line(path: Path) -> None:
    text = "x" * 1_000_000
    path.write_bytes(json_line("Boat", text))
    create_oar(path)
    memory_at(path).add_observations([NewObservations("Boat", ("y" * 200_000,))], "codex")
    assert [len(t) for t in texts_in(path)["Boat"]] == [1_000_000, 200_000]


def test_several_records_glued_with_blanks_are_all_read(path: Path) -> None:
    path.write_bytes(b" ".join([BOAT.strip(), PIER.strip(), BOAT.strip()]) + b"\n")
    create_oar(path)
    assert texts_in(path) == {"Boat": ("is red",), "Pier": ("of stone",), "Oar": ("is new",)}


def test_relations_may_come_before_their_entities(path: Path) -> None:
    moored = b'{"type":"relation","from":"Boat","to":"Pier","relationType":"is_moored_at"}\n'
    path.write_bytes(moored + BOAT + PIER)
    create_oar(path)
    graph = memory_at(path).open_nodes(["Pier"])
    assert [r.key for r in graph.relations] == [("Boat", "Pier", "is_moored_at")]


HEADER = (
    b'{"type":"header","format":%d,"repo":{"name":"shop","commit":null,"root":null},'
    b'"added_at":null,"agent":null}\n'
)


def test_a_file_with_only_a_header_is_an_empty_memory(path: Path) -> None:
    path.write_bytes(HEADER % 1)
    assert texts_in(path) == {}
    create_oar(path)
    assert path.read_bytes().startswith(HEADER % 1)


def test_a_file_of_a_newer_format_is_read_and_keeps_what_we_do_not_know(path: Path) -> None:
    news = (
        HEADER % 2,
        b'{"type":"entity","name":"Boat","observations":["is red"],"shade":{"hue":0}}\n',
        b'{"type":"epoch","number":2}\n',
    )
    path.write_bytes(b"".join(news))
    assert texts_in(path) == {"Boat": ("is red",)}
    for write in (lambda: create_oar(path), memory_at(path).upkeep.compact):
        with pytest.raises(NewerFormat):
            write()
    assert path.read_bytes() == b"".join(news)


# --- logs of plain-text-memory-mcp -----------------------------------------------------------


TAGS: dict[str, Any] = {"added_at": "2026-11-29T19:41:32+00:00", "agent": "claude-code"}


def plain_text_log() -> bytes:
    def entity(name: str, *observations: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": "entity",
            "name": name,
            "entityType": "k",
            **TAGS,
            "observations": observations,
        }

    values = [
        {"type": "header", "repo_name": "shop", "repo_root": "/home/dev/shop", **TAGS},
        entity("Boat", {"text": "is red", **TAGS}),
        entity("Buoy", {"text": "floats", **TAGS}),
        # A later line takes the place of the earlier one.
        entity("Boat", {"text": "is blue", **TAGS}, {"text": "has oars", **TAGS}),
        {"type": "relation", "from": "Boat", "to": "Buoy", "relationType": "passes", **TAGS},
        {"type": "tombstone", "entity": "Buoy"},
    ]
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def test_a_plain_text_memory_log_is_read_as_its_own_server_would(path: Path) -> None:
    path.write_bytes(plain_text_log())
    assert texts_in(path) == {"Boat": ("is blue", "has oars")}
    assert path.read_bytes() == plain_text_log()


def test_the_first_write_converts_a_plain_text_memory_log_and_keeps_the_original(
    path: Path,
) -> None:
    path.write_bytes(plain_text_log())
    memory_at(path).upkeep.compact()
    assert path.read_bytes() == plain_text_log()
    create_oar(path)
    (backup,) = path.parent.glob("memory.jsonl.bak-*")
    assert backup.read_bytes() == plain_text_log()
    assert texts_in(path) == {"Boat": ("is blue", "has oars"), "Oar": ("is new",)}
    # From now on it is a log of ours: a second write converts nothing.
    memory_at(path).delete_entities(["Oar"], "codex")
    assert list(path.parent.glob("memory.jsonl.bak-*")) == [backup]
    assert texts_in(path) == {"Boat": ("is blue", "has oars")}


# --- any bytes -------------------------------------------------------------------------------


@given(histories.any_files())
def test_whatever_is_in_a_file_the_good_lines_are_read(file: AnyFile) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.jsonl"
        path.write_bytes(file.content)
        assert texts_in(path).items() >= file.good.items()
        assert path.read_bytes() == file.content


@given(histories.any_files())
def test_whatever_is_in_a_file_a_write_is_done_or_refused_and_loses_nothing(file: AnyFile) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.jsonl"
        path.write_bytes(file.content)
        if not is_written(path):
            assert not file.good
            assert path.read_bytes() == file.content
            return
        expected = {**file.good, "Oar": ("is new",)}
        assert texts_in(path).items() >= expected.items()
        assert_all_there(file.content.split(b"\n"), path)
        memory_at(path).upkeep.compact()
        assert texts_in(path).items() >= expected.items()
        assert_all_there(file.strangers, path)


def is_written(path: Path) -> bool:
    try:
        create_oar(path)
    except MnemologError:
        return False
    return True


def assert_all_there(lines: Sequence[bytes], path: Path) -> None:
    in_file, aside = path.read_bytes().split(b"\n"), everything_set_aside(path).split(b"\n")
    for line in lines:
        assert line in in_file or line in aside


@given(
    st.lists(
        st.one_of(histories.any_files().map(lambda file: file.content), st.binary(max_size=20))
    )
)
def test_a_file_that_others_append_to_is_read_as_if_it_had_always_been_so(
    parts: list[bytes],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.jsonl"
        path.write_bytes(b"")
        log = log_at(path)
        for part in parts:
            with path.open("ab") as file:
                file.write(part)
            fresh = log_at(path)
            assert standing_of(log.read()) == standing_of(fresh.read())
            assert log.problems == fresh.problems


@given(st.lists(histories.records, min_size=1, max_size=6), st.data())
def test_a_call_that_others_see_growing_counts_once_it_is_whole(
    records: list[Record], data: st.DataObject
) -> None:
    call = encode_call(tuple(records))
    cut = data.draw(st.integers(0, len(call)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.jsonl"
        path.write_bytes(BOAT + call[:cut])
        log = log_at(path)
        standing = standing_of(log.read())
        path.write_bytes(BOAT)
        without = standing_of(log_at(path).read())
        path.write_bytes(BOAT + call)
        whole = standing_of(log_at(path).read())
        assert standing in (without, whole)
        assert standing_of(log.read()) == whole
