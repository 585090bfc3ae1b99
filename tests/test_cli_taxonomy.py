"""What the taxonomy commands print, write and exit with."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import command_line
import repositories
from mnemolog.cli import main
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity, RelationTriple
from mnemolog.store.location import Settings
from repositories import Run, commit, needs_git, new

folder = command_line.folder
run = repositories.run

NOW = datetime(2026, 3, 2, 10, 0, 0, tzinfo=timezone(timedelta(hours=1)))


def called(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(main, ["taxonomy", *words])
    assert result.exit_code == code, result.output
    return result


def memory() -> Memory:
    return Memory.open(Settings.from_environment(), Path.cwd(), lambda: NOW)


def fill(*types: str) -> None:
    memory().create_entities([NewEntity(f"e{n}", t, ()) for n, t in enumerate(types)], "codex")
    relations = [RelationTriple("e0", "e1", kind) for kind in ("part_of", "partOf")]
    memory().create_relations(relations, "codex")


def types_in(memory: Memory) -> list[str]:
    graph = memory.read_graph()
    return [e.entity_type for e in graph.entities] + [r.relation_type for r in graph.relations]


def test_export_says_which_file_and_whether_it_changed(folder: Path) -> None:
    fill("service", "person")
    path = folder / ".agents" / "memory.local.taxonomy.jsonc"
    said = f"{path} is written: 2 entity types and 2 relation types.\n"
    assert called("export").stdout == said
    assert called("export").stdout == said.replace("is written", "said this already")


def test_export_shared_names_the_spellings_that_it_leaves_out(folder: Path) -> None:
    fill("service", "Services", "service")
    result = called("export", "--shared")
    assert result.stdout.startswith(str(folder / ".agents" / "memory.taxonomy.jsonc"))
    assert "1 entity type and 1 relation type" in result.stdout
    assert "'Services'" in result.stderr
    again = json.loads(called("export", "--shared", "--json").stdout)
    assert (again["changed"], again["left_out"]) == (False, ["Services", "partOf"])


@pytest.mark.usefixtures("folder")
def test_a_clean_vocabulary_passes_the_check() -> None:
    memory().create_entities([NewEntity("a", "service", ())], "codex")
    said = called("check")
    assert (said.stdout, said.stderr) == ("", "No type in use has to be mended.\n")
    called("export", "--shared")
    assert called("check", "--json").stdout == "[]\n"


@pytest.mark.usefixtures("folder")
def test_without_a_shared_taxonomy_the_check_fails_on_spellings() -> None:
    fill("UI Component", "uiComponent", "UI Component")
    assert called("check", code=1).stdout == (
        "entity type 'uiComponent' (1 entity) is another spelling; use 'UI Component': "
        "mnemolog taxonomy retype uiComponent 'UI Component'\n"
        "relation type 'partOf' (1 relation) is another spelling; use 'part_of': "
        "mnemolog taxonomy retype partOf part_of\n"
    )


@pytest.mark.usefixtures("folder")
def test_with_one_the_check_fails_on_every_type_outside() -> None:
    fill("service", "person")
    called("export", "--shared")
    memory().create_entities([NewEntity("x", "Person", ()), NewEntity("y", "pet", ())], "codex")
    found = json.loads(called("check", "--json", code=1).stdout)
    assert [(v["kind"], v["name"], v["is_listed"]) for v in found] == [
        ("entity", "Person", True),
        ("entity", "pet", True),
        ("relation", "partOf", True),
    ]


@pytest.mark.usefixtures("folder")
def test_the_check_prints_no_command_that_would_change_what_is_meant() -> None:
    fill("service", "service")
    called("retype", "partOf", "part_of")
    called("export", "--shared")
    kinds = ("calls", "part of")
    memory().create_relations([RelationTriple("e1", "e0", kind) for kind in kinds], "codex")
    assert called("check", code=1).stdout == (
        "relation type 'calls' (1 relation) is not agreed on; use 'part_of'\n"
        "relation type 'part of' (1 relation) is not agreed on; use 'part_of': "
        "mnemolog taxonomy retype 'part of' part_of\n"
    )


def test_a_broken_shared_taxonomy_fails_the_check(folder: Path) -> None:
    fill("service", "person")
    (folder / ".agents" / "memory.taxonomy.jsonc").write_text("{", encoding="utf-8")
    assert "mend it" in called("check", code=1).stderr


@pytest.mark.usefixtures("folder")
def test_retype_renames_everywhere_and_says_what_it_did() -> None:
    fill("service", "Services")
    said = called("retype", "Services", "service").stdout
    assert said == "'Services' is 'service' now: 1 entity and 0 relations.\n"
    said = called("retype", "--relations", "partOf", "part_of").stdout
    assert (
        said == "'partOf' is 'part_of' now: 0 entities and 1 relation, 1 of them there already.\n"
    )
    assert types_in(memory()) == ["service", "service", "part_of"]
    assert json.loads(called("retype", "part_of", "is in", "--json").stdout)["relations"] == 1


@pytest.mark.usefixtures("folder")
def test_retype_is_done_by_the_agent_that_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    fill("Services", "person")
    monkeypatch.setenv("MEMORY_AGENT", "ada")
    called("retype", "Services", "service")
    assert '"edited_by":"ada"' in memory().location.path.read_text(encoding="utf-8")


@pytest.mark.usefixtures("folder")
def test_retype_of_a_type_that_is_not_used_names_near_ones() -> None:
    fill("service", "person")
    said = called("retype", "servcie", "service", code=1).stderr
    assert said == (
        "Error: No entity and no relation has the type 'servcie', so nothing was changed. "
        "The nearest types in use: 'service'.\n"
    )
    called("retype", "service", code=2)


@pytest.mark.usefixtures("folder")
def test_the_report_names_families_and_what_is_nearly_the_same_and_changes_nothing() -> None:
    fill("service", "Service", "service", "servcie", "person")
    before = memory().location.path.read_bytes()
    said = called("report").stdout
    assert said.splitlines() == [
        "Entity types: 4 in use, 3 of them once.",
        "  one type in 2 spellings: 'service' (2), 'Service' (1)",
        "    mnemolog taxonomy retype Service service",
        "  'servcie' is used once, and near to 'service'",
        "Relation types: 2 in use, 2 of them once.",
        "  one type in 2 spellings: 'part_of' (1), 'partOf' (1)",
        "    mnemolog taxonomy retype partOf part_of",
    ]
    reported = json.loads(called("report", "--json").stdout)
    assert [vocabulary["kind"] for vocabulary in reported] == ["entity", "relation"]
    assert memory().location.path.read_bytes() == before


@pytest.mark.usefixtures("folder")
def test_what_could_steer_a_terminal_or_a_shell_is_shown_harmless() -> None:
    fill("a\x1b[2J; rm -rf x", "A\x1b[2J; rm -rf x", "-x", "-X")
    for words in (("report",), ("check",)):
        said = CliRunner().invoke(main, ["taxonomy", *words]).stdout
        assert "\x1b" not in said
        assert "retype 'a\\x1b[2J; rm -rf x' 'A\\x1b[2J; rm -rf x'" in said
        assert "retype -- -X -x" in said or "retype -- -x -X" in said
    for old, new_name in (("-X", "x"),):
        assert "1 entity" in called("retype", "--", old, new_name).stdout


@needs_git
def test_a_hook_stops_a_commit_with_a_type_that_is_not_agreed_on(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = new(tmp_path / "repo", run)
    monkeypatch.chdir(root)
    monkeypatch.setenv("MEMORY_FILE_PATH", ".agents/memory.jsonl")
    fill("service", "person")
    called("retype", "partOf", "part_of")
    called("export", "--shared")
    hook = root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(
        "#!/bin/sh\nexport MEMORY_FILE_PATH=.agents/memory.jsonl\n"
        f'exec "{sys.executable}" -m mnemolog taxonomy check\n',
        encoding="utf-8",
        newline="\n",
    )
    hook.chmod(0o755)
    commit(root, run)
    memory().create_entities([NewEntity("x", "Services", ())], "codex")
    with pytest.raises(subprocess.CalledProcessError) as stopped:
        commit(root, run, "Second")
    assert "'Services'" in stopped.value.stdout + stopped.value.stderr
    called("retype", "Services", "service")
    commit(root, run, "Second")
