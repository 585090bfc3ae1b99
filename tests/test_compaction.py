"""Compaction is a filter: the same graph from fewer lines, and nothing of others lost."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

import histories
from histories import WrittenLine
from mnemolog.graph import Graph
from mnemolog.jsonl import encode, read_line
from mnemolog.memory import Memory
from mnemolog.records import (
    UNTAGGED,
    Entity,
    Header,
    Record,
    Relation,
    Repository,
    Superseded,
    Tombstone,
)
from mnemolog.requests import NewEntity, NewObservations, ObservationDeletion
from mnemolog.store.compaction import compact
from mnemolog.store.location import Settings
from mnemolog.store.runs import lines_in
from standing import Standing, expected_standing, standing_of

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=timezone(timedelta(hours=1)))


def log_of(*records: Record) -> bytes:
    return b"".join(encode(record) for record in records)


def graph_in(content: bytes) -> Graph:
    graph = Graph()
    for placed in lines_in(content):
        graph.apply_all(placed.line.records)
    return graph


def said(name: str, *texts: str, kind: str | None = None) -> Entity:
    return Entity(name, kind, texts, UNTAGGED)


def gone(name: str, *texts: str) -> Tombstone:
    return Tombstone("observation", None, None, name, texts)


def entity_gone(name: str, *texts: str) -> Tombstone:
    return Tombstone("entity", None, None, name, texts)


def retired(name: str, text: str) -> Superseded:
    return Superseded(name, text, UNTAGGED, None, None)


RELATION = Relation("Lamp", "Desk", "stands_on", UNTAGGED)
RELATION_GONE = Tombstone(
    "relation", None, None, source="Lamp", target="Desk", relation_type="stands_on"
)


def kept_of(*records: Record) -> list[Record]:
    """Return the records that a compaction keeps of a log."""
    compacted = compact(log_of(*records)).content
    return [record for placed in lines_in(compacted) for record in placed.line.records]


# --- what goes -----------------------------------------------------------------------------------


def test_a_removed_observation_goes_with_its_tombstone() -> None:
    assert kept_of(said("Lamp"), said("Lamp", "a"), gone("Lamp", "a")) == [said("Lamp")]


def test_a_tombstone_stays_while_a_line_in_front_of_it_says_what_it_removes() -> None:
    lines: list[Record] = [said("Lamp", "a", "b"), gone("Lamp", "a")]
    assert kept_of(*lines) == lines


def test_of_many_tombstones_for_one_text_a_single_one_stays() -> None:
    cycles: list[Record] = [gone("Lamp", "a"), said("Lamp", "a")] * 5
    kept = kept_of(said("Lamp", "a", "b"), *cycles, gone("Lamp", "a"))
    assert kept == [said("Lamp", "a", "b"), gone("Lamp", "a")]


def test_a_removed_entity_goes_with_all_its_lines() -> None:
    desk = said("Desk")
    lines: list[Record] = [
        said("Lamp", "a"),
        desk,
        said("Lamp", "b"),
        gone("Lamp", "b"),
        entity_gone("Lamp", "a"),
    ]
    assert kept_of(*lines) == [desk]


def test_a_removed_relation_goes_with_its_tombstone() -> None:
    assert kept_of(said("Desk"), RELATION, RELATION_GONE) == [said("Desk")]


def test_a_line_that_a_later_one_repeats_goes_and_order_stays() -> None:
    again = [Entity("Lamp", None, ("b",), histories.TAGS[n]) for n in (1, 2, 3)]
    first = said("Lamp", "a", "b", "c")
    assert kept_of(first, *again) == [first, again[-1]]


def test_only_the_last_header_stays() -> None:
    one, two = (Header(1, Repository(name, None, None), UNTAGGED) for name in ("one", "two"))
    assert kept_of(one, said("Lamp"), two) == [said("Lamp"), two]


def test_history_stays() -> None:
    lines: list[Record] = [said("Lamp", "b"), said("Lamp", "a"), retired("Lamp", "a")]
    assert kept_of(*lines) == [lines[0], lines[2]]


def test_a_fact_that_survived_its_entitys_tombstone_stays() -> None:
    records: list[Record] = [
        said("Lamp", "c"),
        gone("Lamp", "c"),
        said("Lamp", "b"),
        entity_gone("Lamp", "a"),
    ]
    log = log_of(said("Lamp", "a"), *records)
    assert kept_of(said("Lamp", "a"), *records) == [said("Lamp", "a"), *records[2:]]
    assert not graph_in(compact(log).content + log_of(gone("Lamp", "b"))).entities


# --- whatever the history ------------------------------------------------------------------------


@given(histories.written_logs)
def test_the_graph_is_the_same_after_a_compaction(lines: list[WrittenLine]) -> None:
    records = [record for line in lines for record in line.records]
    compacted = compact(raw_of(lines)).content
    assert standing_of(graph_in(compacted)) == expected_standing(records)
    assert asserted_in(graph_in(compacted)) == asserted_in(graph_in(raw_of(lines)))


@given(histories.written_logs)
def test_a_compaction_leaves_lines_out_and_changes_none(lines: list[WrittenLine]) -> None:
    before, after = raw_of(lines), compact(raw_of(lines)).content
    remaining = iter(before.splitlines(keepends=True))
    for line in after.splitlines(keepends=True):
        assert any(is_kept_as(original, line) for original in remaining)


@given(histories.written_logs)
def test_what_only_others_understand_outlives_a_compaction(lines: list[WrittenLine]) -> None:
    living = said_in(expected_standing([record for line in lines for record in line.records]))
    after = compact(raw_of(lines)).content.splitlines(keepends=True)
    for line in lines:
        is_alive = not living.isdisjoint(things_said(line.records))
        if line.foreign or (line.has_extra_keys and is_alive):
            assert any(is_kept_as(line.raw, kept) for kept in after)


@given(histories.written_logs)
def test_no_line_continues_after_a_compaction(lines: list[WrittenLine]) -> None:
    assert not any(p.line.continues for p in lines_in(compact(raw_of(lines)).content))


@given(histories.written_logs)
def test_a_second_compaction_finds_nothing_or_settles_soon(lines: list[WrittenLine]) -> None:
    content = raw_of(lines)
    for _ in range(3):
        content = compact(content).content
    assert compact(content).content == content


@given(histories.written_logs)
def test_dropped_lines_are_counted(lines: list[WrittenLine]) -> None:
    content = raw_of(lines)
    compacted = compact(content)
    assert content.count(b"\n") - compacted.content.count(b"\n") == compacted.dropped_lines


@given(histories.written_logs)
def test_saying_and_removing_one_fact_adds_nothing_after_any_history(
    lines: list[WrittenLine],
) -> None:
    before = raw_of(lines)
    if "Lamp" not in graph_in(before).entities:
        before += log_of(said("Lamp"))
    for text in ("a", histories.TEXTS[0]):
        cycles = log_of(said("Lamp", text), gone("Lamp", text)) * 10
        after = compact(before + cycles).content
        assert after.count(b"\n") <= before.count(b"\n") + 3


def test_an_entity_that_a_merge_kept_alive_does_not_hold_on_to_all_its_lines() -> None:
    merged = log_of(said("Lamp", "a"), said("Desk"), said("Lamp", "b"), entity_gone("Lamp", "a"))
    cycles = log_of(said("Lamp", "b"), gone("Lamp", "b")) * 10
    once = compact(merged + log_of(said("Lamp", "b"), gone("Lamp", "b"))).content
    assert list(graph_in(once).entities) == ["Lamp", "Desk"]
    assert len(compact(merged + cycles).content) == len(once)


def raw_of(lines: Sequence[WrittenLine]) -> bytes:
    return b"".join(line.raw for line in lines)


def asserted_in(graph: Graph) -> list[tuple[str, bool]]:
    return [(entity.name, entity.is_asserted) for entity in graph]


def is_kept_as(original: bytes, kept: bytes) -> bool:
    """Whether a line is the other one, apart from its own mark that more lines follow."""
    if not read_line(original).continues:
        return original == kept
    value = json.loads(original)
    del value["continues"]
    try:
        return bool(value == json.loads(kept))
    except ValueError:
        return False


def said_in(standing: Standing) -> set[tuple[str, ...]]:
    relations = {(r["from"], r["to"], r["relationType"]) for r in standing.relations}
    names = {(e["name"],) for e in standing.entities}
    texts = {(e["name"], text) for e in standing.entities for text, _ in e["observations"]}
    return relations | names | texts


def things_said(records: Sequence[Record]) -> Iterator[tuple[str, ...]]:
    for record in records:
        if isinstance(record, Entity):
            yield (record.name,)
            yield from ((record.name, text) for text in record.observations)
        elif isinstance(record, Relation):
            yield record.key


# --- histories that once came out wrong ----------------------------------------------------------


SUPPORTED: list[list[Record]] = [
    # The second line is what keeps the entity through its own tombstone.
    [
        said("Lamp", "a"),
        gone("Lamp", "a"),
        said("Lamp", "a"),
        entity_gone("Lamp"),
        said("Lamp", "b"),
    ],
    # A text that was retired and said again goes to the end.
    [said("Lamp", "a", "b"), retired("Lamp", "a"), said("Lamp", "a")],
]


@pytest.mark.parametrize("records", SUPPORTED)
def test_order_and_life_do_not_hang_on_a_dropped_line(records: list[Record]) -> None:
    desk = said("Desk")
    log = log_of(records[0], desk, *records[1:], gone("Lamp", "a"))
    assert standing_of(graph_in(compact(log).content)) == standing_of(graph_in(log))
    log = log_of(records[0], desk, *records[1:])
    assert standing_of(graph_in(compact(log).content)) == standing_of(graph_in(log))


def test_a_glued_tombstone_that_stays_brings_nothing_back() -> None:
    glued = encode(said("Desk", "x")).rstrip() + encode(gone("Lamp", "a"))
    log = log_of(said("Lamp", "a", "b")) + glued + log_of(entity_gone("Desk", "x"))
    assert list(graph_in(compact(log).content).entities) == ["Lamp"]


@pytest.mark.parametrize("note", [b'{"type":"_aim"}', b'{"type":[1]}', b"5", b'"a note"'])
def test_what_is_glued_to_a_removed_record_stays(note: bytes) -> None:
    log = encode(said("Lamp", "a")).rstrip() + note + b"\n" + log_of(entity_gone("Lamp", "a"))
    assert note in compact(log).content
    assert not graph_in(compact(log).content).entities


def test_continues_in_a_value_of_others_is_not_ours_to_remove() -> None:
    first = b'{"meta":{"a":1,"continues":true},"type":"entity","name":"Lamp","continues":true}\n'
    after = b'{"meta":{"a":1,"continues":true},"type":"entity","name":"Lamp"}\n'
    assert compact(first + log_of(said("Desk"))).content == after + log_of(said("Desk"))


@pytest.mark.parametrize("spelling", [b'"continues":true', b'"continues" :  true'])
def test_continues_leaves_a_line_however_it_is_spelt(spelling: bytes) -> None:
    lamp = b'{"type":"entity","name":"Lamp"}\n'
    for first in (lamp[:-2] + b", " + spelling + b"}\n", b"{" + spelling + b" ," + lamp[1:]):
        assert compact(first + log_of(said("Desk"))).content == lamp + log_of(said("Desk"))


# --- when it happens -----------------------------------------------------------------------------


def memory_at(path: Path) -> Memory:
    return Memory.open(Settings(str(path), None), path.parent, lambda: NOW)


def texts_in(memory: Memory) -> dict[str, tuple[str, ...]]:
    return {e.name: e.observations for e in memory.read_graph().entities}


def cycle(memory: Memory, text: str) -> None:
    memory.add_observations([NewObservations("Lamp", (text,))], "codex")
    memory.delete_observations([ObservationDeletion("Lamp", (text,))], "codex")


@pytest.mark.parametrize("observations", [(), tuple(f"fact {n}" for n in range(20))])
def test_saying_and_removing_one_fact_for_ever_fills_no_disk(
    tmp_path: Path, observations: tuple[str, ...]
) -> None:
    path = tmp_path / "memory.jsonl"
    memory = memory_at(path)
    memory.create_entities([NewEntity("Lamp", "device", observations)], "codex")
    text = observations[0] if observations else "x" * 200
    if observations:
        memory.delete_observations([ObservationDeletion("Lamp", (text,))], "codex")
    sizes = set()
    for _ in range(300):
        cycle(memory, text)
        sizes.add(path.stat().st_size)
    assert max(sizes) < 24 * 1024
    assert texts_in(memory) == {"Lamp": tuple(o for o in observations if o != text)}
    assert not list(tmp_path.glob("*.tmp-*"))


@pytest.mark.parametrize("text", ["y", "y" * 3000])
def test_a_write_compacts_a_file_twice_as_large_as_what_it_would_keep(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "memory.jsonl"
    memory = memory_at(path)
    facts = tuple(f"fact {n}: {'x' * 80}" for n in range(200))
    memory.create_entities([NewEntity("Lamp", "device", ())], "codex")
    memory.add_observations([NewObservations("Lamp", facts)], "codex")
    kept = path.stat().st_size
    sizes = [kept]
    while sizes[-1] >= sizes[0] and sizes[-1] < 3 * kept + 16 * 1024:
        cycle(memory, text)
        sizes.append(path.stat().st_size)
    # When it is due is reckoned from what was said, so only about twice as large.
    assert 1.5 * kept + 16 * 1024 < max(sizes) < 2.5 * kept + 16 * 1024
    assert texts_in(memory) == {"Lamp": facts}


def test_a_file_that_git_tracks_is_compacted_only_when_asked_to(tmp_path: Path) -> None:
    path = tmp_path / ".agents" / "memory.jsonl"
    memory = committed_memory(tmp_path, path)
    for n in range(150):
        cycle(memory, f"{n}: {'x' * 200}")
    before = path.stat().st_size
    assert before > 60_000
    compaction = memory.upkeep.compact()
    assert (compaction.bytes_before, compaction.bytes_after) == (before, path.stat().st_size)
    assert compaction.dropped_lines == 300
    assert texts_in(memory) == {"Lamp": ()}


def committed_memory(root: Path, path: Path) -> Memory:
    memory = memory_at(path)
    memory.create_entities([NewEntity("Lamp", "device", ())], "codex")
    identity = ("-c", "user.name=Dev", "-c", "user.email=dev@example.com")
    for words in (("init", "-q"), ("add", "-f", "."), (*identity, "commit", "-qm", "memory")):
        subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)
    return memory_at(path)


def test_a_compaction_of_nothing_is_none(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    compaction = memory_at(path).upkeep.compact()
    assert (compaction.bytes_before, compaction.bytes_after) == (0, 0)
    assert not path.exists()


def test_what_is_in_the_way_of_a_compaction_is_set_aside_first(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    torn = b'{"type":"entity","name":"De'
    path.write_bytes(log_of(said("Lamp", "a"), gone("Lamp", "a"), said("Lamp")) + torn)
    compaction: Any = memory_at(path).upkeep.compact()
    assert compaction.bytes_after == path.stat().st_size
    (aside,) = tmp_path.glob("memory.jsonl.torn-*")
    assert aside.read_bytes() == torn
    assert path.read_bytes().endswith(b"\n")
    assert texts_in(memory_at(path)) == {"Lamp": ()}


def test_a_files_mode_survives_a_compaction(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    path.write_bytes(log_of(said("Lamp"), said("Lamp", "a"), gone("Lamp", "a")))
    path.chmod(0o640)
    memory_at(path).upkeep.compact()
    assert path.read_bytes() == log_of(said("Lamp"))
    assert path.stat().st_mode & 0o777 == 0o640
