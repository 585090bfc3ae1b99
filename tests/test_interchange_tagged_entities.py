"""What the JSON export shows comes back by an import, dates and history included."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from mnemolog.answers.excerpts import Scope
from mnemolog.declarations import to_wire
from mnemolog.interchange.exporting.json_graph import pieces
from mnemolog.jsonl import records_of
from mnemolog.memory import Memory
from mnemolog.records import Entity, ObservationTags
from mnemolog.requests import NewEntity, NewObservations, RelationTriple
from mnemolog.results import GraphResult
from mnemolog.store.location import Settings

WHOLE = Scope(include_superseded=True, max_chars=0)
LAMP = {"name": "Lamp", "entityType": "device", "observations": ["is on", "is red"]}


@pytest.fixture
def told(tmp_path: Path) -> Memory:
    memory = memory_in(tmp_path / "there")
    memory.create_entities(
        [NewEntity("Lamp", "device", ("is on",)), NewEntity("Desk", "furniture", ())], "a"
    )
    memory.add_observations([NewObservations("Lamp", ("is red",), "high", ("is on",))], "b")
    memory.edit_observation("Lamp", "is red", "c", new_text="is bright red")
    memory.supersede_observation("Lamp", "is on", "d", new_text="is off")
    memory.create_relations([RelationTriple("Lamp", "Desk", "stands_on")], "e")
    return memory


def memory_in(folder: Path) -> Memory:
    folder.mkdir()
    return Memory.open(Settings(None, None), folder)


def graph_of(memory: Memory) -> GraphResult:
    return memory.read_graph(WHOLE)


def shown(memory: Memory) -> object:
    return to_wire(graph_of(memory))


def test_everything_that_an_export_holds_comes_back(told: Memory, tmp_path: Path) -> None:
    exported = tmp_path / "graph.json"
    exported.write_text("".join(pieces(graph_of(told))), encoding="utf-8", newline="\n")
    here = memory_in(tmp_path / "here")
    here.upkeep.import_from(exported, "cli")
    assert shown(here) == shown(told)
    written = here.location.path.read_bytes()
    assert here.upkeep.import_from(exported, "cli").observations_imported == 0
    assert here.location.path.read_bytes() == written


def test_a_memory_file_that_is_an_export_is_read_as_it_was(told: Memory, tmp_path: Path) -> None:
    exported = tmp_path / "graph.json"
    exported.write_text("".join(pieces(graph_of(told))), encoding="utf-8", newline="\n")
    here = Memory.open(Settings(str(exported), None), tmp_path)
    assert shown(here) == shown(told)


def test_tags_stand_beside_the_texts_in_their_order() -> None:
    tags = [{"added_at": "2026-01-01", "agent": "a"}, {"added_at": "2026-01-02", "agent": "b"}]
    _, first, second = records_of({**LAMP, "observation_tags": tags})
    assert first == Entity("Lamp", "device", ("is on",), ObservationTags("2026-01-01", "a"))
    assert second == Entity("Lamp", "device", ("is red",), ObservationTags("2026-01-02", "b"))


@pytest.mark.parametrize(
    "tags", [None, "", 7, [], [{}], [{}, {}, {}], ["x", "y"], [{"added_at": 7}, {}]], ids=str
)
def test_tags_that_make_no_sense_lose_no_text(tags: Any) -> None:
    records = records_of({**LAMP, "observation_tags": tags})
    texts = [text for r in records if isinstance(r, Entity) for text in r.observations]
    assert texts == LAMP["observations"]


def test_history_without_a_text_is_left_out() -> None:
    records = records_of({**LAMP, "superseded": [{"superseded_at": "2026-01-01"}]})
    assert {type(record) for record in records} == {Entity}


def test_an_ordinary_entity_stays_one_line() -> None:
    assert len(records_of(json.loads(json.dumps(LAMP)))) == 1
