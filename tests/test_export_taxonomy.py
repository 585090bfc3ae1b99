"""The taxonomies beside a memory: what they say, where they are, and when they are left alone."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

import repositories
from mnemolog import jsonc
from mnemolog.errors import (
    InvalidRequest,
    LocationRefused,
    OtherRepository,
    StorageError,
    UnreadableTaxonomy,
)
from mnemolog.memory import Memory
from mnemolog.records import RECORD_PURPOSES
from mnemolog.requests import NewEntity, NewObservations, RelationTriple
from mnemolog.store.location import Settings
from mnemolog.taxonomy.published import published_taxonomy
from repositories import Run, commit, needs_git, new

run = repositories.run

NOW = datetime(2026, 3, 2, 10, 0, 0, tzinfo=timezone(timedelta(hours=1)))
UNTAGGED = '{"type":"entity","name":"Rope","entityType":"tool","observations":["hemp"]}\n'

needs_modes = pytest.mark.skipif(
    os.name == "nt" or getattr(os, "geteuid", lambda: 1)() == 0,
    reason="the system lets this user write everywhere",
)


def memory_in(folder: Path, setting: str | None = None, at: datetime = NOW) -> Memory:
    return Memory.open(Settings(setting, None), folder, lambda: at)


def fill(memory: Memory) -> Memory:
    memory.create_entities(
        [
            NewEntity("api", "service", ("Runs on port 80.", "Owned by Ada.")),
            NewEntity("worker", "service", ()),
            NewEntity("Ada", "person", ()),
        ],
        "codex",
    )
    memory.create_relations([RelationTriple("Ada", "api", "owns")], "cursor")
    memory.supersede_observation("api", "Runs on port 80.", "cursor", new_text="Runs on port 81.")
    return memory


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".agents").mkdir()
    return tmp_path


@pytest.fixture
def memory(folder: Path) -> Memory:
    return fill(memory_in(folder))


# --- with usage ----------------------------------------------------------------------------------


def test_the_local_file_has_the_published_schema_and_what_the_memory_uses(
    memory: Memory, folder: Path
) -> None:
    file = folder / ".agents" / "memory.local.jsonl"
    file.write_text(file.read_text(encoding="utf-8") + UNTAGGED, encoding="utf-8")
    done = memory.upkeep.export_taxonomy()
    path = folder / ".agents" / "memory.local.taxonomy.jsonc"
    assert (done.path, done.changed) == (str(path), True)
    assert (done.entity_types, done.relation_types) == (3, 1)
    said = jsonc.load(path.read_text(encoding="utf-8"))
    assert said.pop("usage") == {
        "entries": {"entities": 4, "observations": 3, "superseded": 1, "relations": 1},
        "entity_types": {"person": 1, "service": 2, "tool": 1},
        "relation_types": {"owns": 1},
        "agents": {"(not recorded)": 2, "codex": 5, "cursor": 2},
    }
    published = published_taxonomy()
    del published["changelog"]
    assert said == published


def test_comments_explain_each_section_and_each_kind_of_record(
    memory: Memory, folder: Path
) -> None:
    memory.upkeep.export_taxonomy()
    text = (folder / ".agents" / "memory.local.taxonomy.jsonc").read_text(encoding="utf-8")
    lines = text.splitlines()
    for section in jsonc.load(text):
        (at,) = [n for n, line in enumerate(lines) if line.startswith(f'  "{section}":')]
        assert lines[at - 1].startswith("  // "), section
    for name, purpose in RECORD_PURPOSES.items():
        at = lines.index(f'    "{name}": {{')
        assert lines[at - 1] == f"    // {purpose}"
    assert text.startswith("// ")


def test_exporting_again_changes_nothing_until_the_memory_does(memory: Memory) -> None:
    assert memory.upkeep.export_taxonomy().changed
    assert not memory.upkeep.export_taxonomy().changed
    memory.add_observations([NewObservations("api", ("Is written in Go.",))], "codex")
    assert memory.upkeep.export_taxonomy().changed


def test_an_export_that_changes_nothing_touches_nothing(memory: Memory, folder: Path) -> None:
    memory.upkeep.export_taxonomy()
    lock = folder / ".agents" / "memory.local.jsonl.lock"
    lock.unlink()
    memory.upkeep.export_taxonomy()
    assert not lock.exists(), "so that a folder that cannot be written is no obstacle"


# --- shared --------------------------------------------------------------------------------------


def shared_text(folder: Path) -> str:
    return (folder / ".agents" / "memory.taxonomy.jsonc").read_text(encoding="utf-8")


def test_the_shared_file_has_types_and_purposes_only(memory: Memory, folder: Path) -> None:
    done = memory.upkeep.export_taxonomy(shared=True)
    assert done.path == str(folder / ".agents" / "memory.taxonomy.jsonc")
    text = shared_text(folder)
    assert jsonc.load(text) == {
        "entity_types": {"person": "", "service": ""},
        "relation_types": {"owns": ""},
    }
    told = ("codex", "cursor", "2026", str(folder), "api", "Ada", "2", "3")
    assert [word for word in told if word in text] == []


def test_the_shared_file_changes_only_when_the_vocabulary_does(
    memory: Memory, folder: Path
) -> None:
    memory.upkeep.export_taxonomy(shared=True)
    before = shared_text(folder)
    memory.create_entities([NewEntity("db", "service", ("Is Postgres.",))], "gemini-cli")
    memory.delete_entities(["Ada"], "codex")
    assert not memory.upkeep.export_taxonomy(shared=True).changed
    assert shared_text(folder) == before
    memory.create_entities([NewEntity("main", "branch", ())], "codex")
    assert memory.upkeep.export_taxonomy(shared=True).changed


def test_two_memories_with_the_same_types_make_the_same_shared_file(tmp_path: Path) -> None:
    texts = []
    for name, order in (("one", 1), ("two", -1)):
        start = tmp_path / name
        start.mkdir()
        entities = [NewEntity(kind, kind, ("x",)) for kind in ("tool", "Api", "bug")][::order]
        memory = memory_in(start, at=NOW + timedelta(days=order))
        memory.create_entities(entities, name)
        memory.upkeep.export_taxonomy(shared=True)
        texts.append(shared_text(start))
    assert texts[0] == texts[1]


def test_what_people_wrote_survives_every_export(memory: Memory, folder: Path) -> None:
    memory.upkeep.export_taxonomy(shared=True)
    path = folder / ".agents" / "memory.taxonomy.jsonc"
    by_hand = (
        shared_text(folder)
        .replace('"person": ""', '"person": "Somebody we can ask" // never a team')
        .replace('"owns": ""', '"owns": "Answers for it", "plans": "Not used yet"')
        .replace('"Somebody we can ask" // never a team,', '"Somebody we can ask", // never a team')
    )
    path.write_text(by_hand, encoding="utf-8", newline="\n")
    assert not memory.upkeep.export_taxonomy(shared=True).changed
    assert shared_text(folder) == by_hand
    memory.delete_entities(["Ada"], "codex")
    memory.create_entities([NewEntity("main", "branch", ())], "codex")
    memory.upkeep.export_taxonomy(shared=True)
    assert shared_text(folder) == by_hand.replace(
        '"entity_types": {\n', '"entity_types": {\n    "branch": "",\n'
    )


def test_one_spelling_of_a_type_is_shared_and_the_others_are_named(
    memory: Memory, folder: Path
) -> None:
    memory.create_entities(
        [NewEntity("db", "Services", ()), NewEntity("Bo", "Person", ())], "codex"
    )
    memory.create_entities([NewEntity("Cy", "Person", ())], "codex")
    done = memory.upkeep.export_taxonomy(shared=True)
    assert [*jsonc.load(shared_text(folder))["entity_types"]] == ["Person", "service"]
    assert done.left_out == ("person", "Services")


@pytest.mark.parametrize("broken", [b'{"entity_types": {"a": ""', b"\xff", b""])
def test_a_file_that_people_broke_is_never_overwritten(
    memory: Memory, folder: Path, broken: bytes
) -> None:
    path = folder / ".agents" / "memory.taxonomy.jsonc"
    path.write_bytes(broken)
    with pytest.raises(UnreadableTaxonomy, match="mend it"):
        memory.upkeep.export_taxonomy(shared=True)
    assert path.read_bytes() == broken


# --- where ---------------------------------------------------------------------------------------


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if not path.name.endswith(".lock")}


def test_a_committed_memory_keeps_its_usage_and_what_is_shared_apart(folder: Path) -> None:
    memory = fill(memory_in(folder, ".agents/memory.jsonl"))
    memory.upkeep.export_taxonomy()
    memory.upkeep.export_taxonomy(shared=True)
    files = {"memory.jsonl", "memory.local.taxonomy.jsonc", "memory.taxonomy.jsonc"}
    assert names_in(folder / ".agents") == files


def test_a_memory_elsewhere_has_its_taxonomies_beside_it(folder: Path, tmp_path: Path) -> None:
    memory = fill(memory_in(folder, str(tmp_path / "far" / "notes.jsonl")))
    memory.upkeep.export_taxonomy()
    memory.upkeep.export_taxonomy(shared=True)
    files = {"notes.jsonl", "notes.local.taxonomy.jsonc", "notes.taxonomy.jsonc"}
    assert names_in(tmp_path / "far") == files


@needs_git
def test_git_ignores_the_local_file_and_takes_the_shared_one(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "repo", run)
    memory = memory_in(root)  # nothing was ever saved: the export comes first
    memory.upkeep.export_taxonomy()
    memory.upkeep.export_taxonomy(shared=True)
    run(root, "add", "--all")
    assert run(root, "ls-files") == ".agents/memory.taxonomy.jsonc"


@needs_git
def test_nothing_is_written_beside_the_memory_of_another_repository(
    tmp_path: Path, run: Run
) -> None:
    ours, theirs = new(tmp_path / "ours", run), new(tmp_path / "theirs", run)
    for day, root in enumerate((ours, theirs), start=1):
        commit(root, run, root.name, on=day)
    fill(memory_in(theirs))
    (theirs / ".agents").rename(ours / ".agents")
    before = names_in(ours / ".agents")
    for shared in (False, True):
        with pytest.raises(OtherRepository):
            memory_in(ours).upkeep.export_taxonomy(shared=shared)
    assert names_in(ours / ".agents") == before


def test_where_no_memory_may_be_nothing_is_exported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    for shared in (False, True):
        with pytest.raises(LocationRefused):
            memory_in(tmp_path).upkeep.export_taxonomy(shared=shared)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def outside(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    outside = tmp_path_factory.mktemp("outside") / "secrets.jsonc"
    outside.write_text('{"entity_types": {"stolen": ""}}', encoding="utf-8")
    (folder / ".agents" / "memory.taxonomy.jsonc").symlink_to(outside)
    yield outside
    assert outside.read_text(encoding="utf-8") == '{"entity_types": {"stolen": ""}}'


@pytest.mark.usefixtures("outside")
def test_a_symlink_that_leads_out_is_neither_read_nor_written(memory: Memory) -> None:
    with pytest.raises(UnreadableTaxonomy, match="leads out of"):
        memory.upkeep.export_taxonomy(shared=True)
    (warning,) = memory.create_entities([NewEntity("x", "thing", ())], "codex").warnings or ()
    assert "leads out of" in warning.message
    assert "stolen" not in warning.message


def test_a_symlink_inside_the_folder_is_followed_and_stays(memory: Memory, folder: Path) -> None:
    link, target = folder / ".agents" / "memory.taxonomy.jsonc", folder / ".agents" / "words.jsonc"
    target.write_text('{"entity_types": {}}', encoding="utf-8")
    link.symlink_to(target)
    memory.upkeep.export_taxonomy(shared=True)
    assert link.is_symlink()
    assert [*jsonc.load(target.read_text(encoding="utf-8"))["entity_types"]] == [
        "person",
        "service",
    ]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
def test_what_is_no_file_is_refused_at_once(memory: Memory, folder: Path) -> None:
    os.mkfifo(folder / ".agents" / "memory.taxonomy.jsonc")
    with pytest.raises(UnreadableTaxonomy, match="not a regular file"):
        memory.upkeep.export_taxonomy(shared=True)


def test_a_file_too_large_to_have_been_written_by_hand_is_refused(
    memory: Memory, folder: Path
) -> None:
    path = folder / ".agents" / "memory.taxonomy.jsonc"
    path.write_text("{}" + " " * 300_000, encoding="utf-8")
    with pytest.raises(UnreadableTaxonomy, match="262,144 bytes"):
        memory.upkeep.export_taxonomy(shared=True)


def test_a_file_that_could_not_be_read_again_is_not_written(memory: Memory, folder: Path) -> None:
    memory.upkeep.export_taxonomy(shared=True)
    path = folder / ".agents" / "memory.taxonomy.jsonc"
    before = path.read_bytes()
    wordy = [NewEntity(word, f"{word} " * 30_000, ()) for word in ("very", "most")]
    memory.create_entities(wordy, "codex")
    with pytest.raises(InvalidRequest, match="more than 262,144 bytes"):
        memory.upkeep.export_taxonomy(shared=True)
    assert path.read_bytes() == before


def test_a_refused_write_says_so_and_leaves_the_file_as_it_was(
    memory: Memory, folder: Path
) -> None:
    memory.upkeep.export_taxonomy(shared=True)
    before = shared_text(folder)
    (folder / ".agents" / f"memory.taxonomy.jsonc.tmp-{os.getpid()}").mkdir()
    memory.create_entities([NewEntity("main", "branch", ())], "codex")
    with pytest.raises(StorageError, match="it is as it was"):
        memory.upkeep.export_taxonomy(shared=True)
    assert shared_text(folder) == before


@needs_modes
def test_a_folder_that_cannot_be_written_says_so_and_keeps_what_was_there(
    memory: Memory, folder: Path
) -> None:
    memory.upkeep.export_taxonomy()
    memory.upkeep.export_taxonomy(shared=True)
    (folder / ".agents").chmod(0o500)
    try:
        assert not memory.upkeep.export_taxonomy().changed
        (folder / ".agents" / "memory.local.taxonomy.jsonc").write_text("{}", encoding="utf-8")
        with pytest.raises(StorageError, match="writable"):
            memory.upkeep.export_taxonomy()
    finally:
        (folder / ".agents").chmod(0o700)
    path = folder / ".agents" / "memory.local.taxonomy.jsonc"
    assert path.read_text(encoding="utf-8") == "{}"


@pytest.mark.skipif(sys.platform == "win32", reason="modes of files mean little there")
def test_the_mode_of_the_file_is_kept_and_nothing_is_left_beside_it(
    memory: Memory, folder: Path
) -> None:
    memory.upkeep.export_taxonomy(shared=True)
    path = folder / ".agents" / "memory.taxonomy.jsonc"
    path.chmod(0o644)
    memory.create_entities([NewEntity("main", "branch", ())], "codex")
    memory.upkeep.export_taxonomy(shared=True)
    assert path.stat().st_mode & 0o777 == 0o644
    files = {".gitignore", "memory.local.jsonl", "memory.taxonomy.jsonc"}
    assert names_in(folder / ".agents") == files
