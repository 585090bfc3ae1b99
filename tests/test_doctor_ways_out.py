"""What the doctor says to do is what can be done, and no secret of a live line is passed over."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from command_line import invoke
from examinations import examine, found, line, only, write
from mnemolog.doctor import facts
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity, NewObservations, ObservationDeletion
from mnemolog.store.location import Settings

TOKEN = "ghp_" + "1B4dWz7K9xQpL2mV6tRn8sYc3aFhJ5eG0uZk"
SECRET = f"The token is {TOKEN}"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "app"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for name in ("MEMORY_FILE_PATH", "MEMORY_AGENT"):
        monkeypatch.delenv(name, raising=False)
    return folder


def commands_in(fix: str) -> tuple[list[str], ...]:
    return tuple(shlex.split(found) for found in re.findall(r"mnemolog ([^.\n]+)", fix))


@pytest.mark.parametrize("way", [0, 1])
@pytest.mark.parametrize(("source", "target"), [("api", "gone"), ("gone", "api"), ("gone", "also")])
def test_each_way_to_deal_with_a_relation_to_nothing_is_a_command_that_works(
    source: str, target: str, way: int, folder: Path
) -> None:
    relation = f'{{"type":"relation","from":"{source}","to":"{target}","relationType":"uses"}}'
    write(folder, [line("api"), relation.encode()])
    finding = only(facts.dangling_relations, examine(folder))
    result = invoke(*commands_in(finding.fix)[way], *(("--yes",) if way else ()))
    assert result.exit_code == 0, result.output


def test_the_way_to_delete_a_superseded_secret_does_not_read_as_the_whole_entity(
    folder: Path,
) -> None:
    memory = Memory.open(Settings(None, None), folder)
    memory.create_entities([NewEntity("api", "service", (SECRET, "Runs on port 8080"))], "codex")
    memory.supersede_observation("api", SECRET, "codex")
    (delete, *_) = commands_in(only(facts.secrets, examine(folder)).fix)
    assert delete[:3] == ["delete", "api", "TEXT,"]


def test_a_secret_that_another_fact_names_as_its_source_is_found(folder: Path) -> None:
    memory = Memory.open(Settings(None, None), folder)
    memory.create_entities([NewEntity("api", "service", ())], "codex")
    memory.add_observations([NewObservations("api", (SECRET,))], "codex")
    derived = NewObservations("api", ("CI uses a bot account",), sources=(SECRET,))
    memory.add_observations([derived], "codex")
    memory.delete_observations([ObservationDeletion("api", (SECRET,))], "codex")
    memory.upkeep.compact()
    finding = only(facts.secrets, examine(folder))
    assert "text editor" in finding.fix
    assert "it was removed" not in finding.fix


def test_a_secret_that_is_a_type_is_found(folder: Path) -> None:
    write(folder, [line("api", kind=TOKEN)])
    assert [finding.kind for finding in found(facts.secrets, examine(folder))] == ["secret"]
