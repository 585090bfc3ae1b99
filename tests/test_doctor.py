"""`mnemolog doctor` as a whole: nothing to say where nothing is wrong, and never an exception."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import command_line
import repositories
from command_line import invoke
from examinations import examine, line, save, write
from mnemolog.doctor import diagnosis
from mnemolog.doctor.content import conflict_markers
from mnemolog.doctor.diagnosis import MOST_OF_A_KIND, diagnose
from mnemolog.doctor.examination import Examination
from mnemolog.doctor.finding import Diagnosis, Finding
from mnemolog.doctor.trial import Trial, try_server
from mnemolog.store.location import FILE, FOLDER
from repositories import Run, commit, needs_git, new

run = repositories.run
folder = command_line.folder


@pytest.fixture
def root(tmp_path: Path, run: Run) -> Path:
    root = new(tmp_path / "app", run)
    commit(root, run)
    return root


def kinds(found: Diagnosis) -> list[str]:
    return [finding.kind for finding in found.findings]


def everything_in(root: Path) -> dict[str, bytes]:
    return {
        str(path): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".git/" not in path.as_posix()
    }


# --- nothing is wrong ----------------------------------------------------------------------------


@needs_git
def test_a_fresh_repository_has_nothing_wrong(root: Path) -> None:
    before = everything_in(root)
    healthy = diagnose(examine(root))
    assert healthy.findings == ()
    assert {fact.name for fact in healthy.facts} == {"memory", "clients", "versions", "server"}
    assert everything_in(root) == before


@needs_git
def test_after_init_and_some_writes_nothing_is_wrong(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = root.parent / "commands"
    commands.mkdir()
    (commands / "uvx").symlink_to(sys.executable)
    monkeypatch.setenv("PATH", f"{commands}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(root.parent / "home"))
    monkeypatch.chdir(root)
    (root.parent / "home").mkdir()
    assert invoke("init", "--client", "claude-code", "--client", "codex").exit_code == 0
    assert invoke("add", "api", "Runs on port 8080", "--type", "service").exit_code == 0
    assert invoke("add", "db", "PostgreSQL 16", "--type", "database").exit_code == 0
    assert invoke("add", "api", "--relation", "uses", "db").exit_code == 0
    assert invoke("edit", "api", "1", "Runs on port 8081").exit_code == 0
    assert invoke("search", "port").exit_code == 0
    assert invoke("backup").exit_code == 0
    before = everything_in(root)
    result = invoke("doctor", "--json")
    said = json.loads(result.stdout)
    assert said["findings"] == []
    assert result.exit_code == 0
    facts = {fact["name"]: fact["value"] for fact in said["facts"]}
    assert facts["clients"] == "Claude Code, Codex"
    assert "1 beside the memory" in facts["backups"]
    assert everything_in(root) == before


@needs_git
def test_in_a_linked_worktree_nothing_is_wrong_either(root: Path, run: Run) -> None:
    run(root, "worktree", "add", "--quiet", "../linked")
    save(root.parent / "linked", "api", "Runs on port 8080")
    found = diagnose(examine(root.parent / "linked"))
    assert found.findings == ()
    assert found.memory == str(root / FOLDER / FILE)


def test_outside_git_nothing_is_wrong_either(tmp_path: Path) -> None:
    outside = tmp_path / "app"
    outside.mkdir()
    save(outside, "api", "Runs on port 8080")
    assert diagnose(examine(outside)).findings == ()


# --- something is --------------------------------------------------------------------------------


@needs_git
def test_where_the_guard_refuses_the_doctor_still_looks(root: Path, run: Run) -> None:
    other = new(root.parent / "other", run)
    commit(other, run, "Another", on=3)
    theirs = save(other).read_bytes()
    write(root, [theirs.rstrip(b"\n"), b"broken"])
    found = diagnose(examine(root))
    assert {"other_repository", "unreadable_line"} <= set(kinds(found))
    assert any(fact.name == "server" for fact in found.facts)


@pytest.mark.parametrize("setting", ["${workspaceFolder}/m.jsonl", "."])
def test_where_no_memory_can_be_the_doctor_says_why(setting: str, tmp_path: Path) -> None:
    outside = tmp_path / "app"
    outside.mkdir()
    found = diagnose(examine(outside, setting=setting))
    assert (found.memory, kinds(found)) == (None, ["refused_location"])


def test_in_the_home_folder_there_is_no_memory(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    at_home = examine(home)
    assert kinds(diagnose(at_home)) == ["refused_location"]
    assert not (home / FOLDER).exists()


def test_a_check_that_cannot_be_carried_out_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wild_horses(examination: Examination) -> Iterator[Finding]:
        yield from conflict_markers(examination)
        raise PermissionError(13, "Permission denied", "/stable")

    outside = tmp_path / "app"
    outside.mkdir()
    write(outside, [line("a"), b"<<<<<<< HEAD", line("b")])
    monkeypatch.setattr(diagnosis, "IN_PLACE", (wild_horses, *diagnosis.IN_PLACE[-1:]))
    found = diagnose(examine(outside))
    assert kinds(found) == ["conflict_markers", "failed_check"]
    assert found.findings[1].where == "/stable"
    assert "wild horses" in found.findings[1].what


def test_of_many_findings_of_a_kind_there_is_the_number(tmp_path: Path) -> None:
    outside = tmp_path / "app"
    outside.mkdir()
    write(outside, [line("a"), *[b"broken"] * 1000])
    found = diagnose(examine(outside))
    assert kinds(found) == ["unreadable_line"] * (MOST_OF_A_KIND + 1)
    assert "980 more" in found.findings[-1].what
    assert found.findings[-1].where == "up to line 1001"


def test_problems_come_first(tmp_path: Path) -> None:
    outside = tmp_path / "app"
    outside.mkdir()
    write(outside, [line("a"), line("A"), b"broken"]).chmod(0o644)
    severities = [finding.severity for finding in diagnose(examine(outside)).findings]
    assert severities == ["problem", "remark", "remark"]


# --- a real start --------------------------------------------------------------------------------


def test_the_server_is_started_and_timed(tmp_path: Path) -> None:
    outside = tmp_path / "app"
    outside.mkdir()
    trial = try_server(examine(outside))
    assert trial.failure is None
    assert trial.tools > 9
    assert trial.listed_seconds > 0
    assert trial.read_seconds > 0
    assert not list(trial.findings)


def test_a_server_that_does_not_start_is_a_problem(tmp_path: Path) -> None:
    outside, broken = tmp_path / "app", tmp_path / "broken" / "anyio"
    outside.mkdir()
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text("raise SystemExit('no luck')\n", encoding="utf-8")
    examination = examine(outside)
    changed = dict(examination.environment) | {"PYTHONPATH": str(broken.parent)}
    trial = try_server(
        Examination(examination.settings, outside, examination.home, changed, examination.mounts)
    )
    (finding,) = trial.findings
    assert (finding.severity, finding.kind) == ("problem", "server_fails")
    assert "no luck" in finding.what
    assert not list(trial.facts)


def test_what_lies_in_the_folder_is_not_imported(tmp_path: Path) -> None:
    outside = tmp_path / "app"
    (outside / "anyio").mkdir(parents=True)
    (outside / "anyio" / "__init__.py").write_text("raise SystemExit\n", encoding="utf-8")
    assert try_server(examine(outside)).failure is None


def test_a_start_that_takes_longer_than_clients_wait_is_a_problem() -> None:
    assert [finding.kind for finding in Trial(9, 60.0, 0.1).findings] == ["slow_start"]
    assert not list(Trial(9, 0.5, 0.1).findings)


# --- --fix ---------------------------------------------------------------------------------------


@needs_git
def test_fix_repairs_what_is_safe_after_a_backup(root: Path) -> None:
    path = save(root, "api", "Runs on port 8080")
    saved = path.read_bytes()
    merged = b"<<<<<<< HEAD\n" + line("left") + b"\n=======\n" + line("right") + b"\n>>>>>>> x\n"
    path.write_bytes(saved + merged + b"broken\n")
    path.chmod(0o644)
    leftover = path.with_name(f"{FILE}.tmp-99")
    leftover.write_bytes(b"half")
    os.utime(leftover, (1, 1))
    (root / FOLDER / ".gitignore").unlink()
    before = path.read_bytes()

    found = diagnose(examine(root), fix=True)
    assert {finding.kind for finding in found.fixed or ()} == {
        *("conflict_markers", "wide_mode", "temporary_file", "not_ignored"),
    }
    assert kinds(found) == ["unreadable_line"]
    assert path.read_bytes() == saved + line("left") + b"\n" + line("right") + b"\nbroken\n"
    assert not leftover.exists()
    assert found.backup is not None
    assert Path(found.backup).read_bytes() == before
    again = diagnose(examine(root), fix=True)
    assert (again.fixed, again.backup) == (None, None)


def test_fix_leaves_alone_what_needs_a_choice(tmp_path: Path) -> None:
    outside = tmp_path / "app"
    outside.mkdir()
    relation = b'{"type":"relation","from":"a","to":"gone","relationType":"uses"}'
    write(outside, [line("a"), line("A", kind="Services"), line("b"), relation, b"broken"])
    before = everything_in(outside)
    found = diagnose(examine(outside), fix=True)
    assert set(kinds(found)) == {
        *("unreadable_line", "look_alike_name", "dangling_relation", "type_spelling"),
    }
    assert everything_in(outside) == before


# --- the command ---------------------------------------------------------------------------------


def test_the_exit_code_says_whether_there_is_a_problem(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "home").mkdir()
    monkeypatch.setenv("HOME", str(folder / "home"))
    path = save(folder, "api")
    healthy = invoke("doctor")
    assert healthy.exit_code == 0
    assert "Nothing is wrong." in healthy.output
    path.chmod(0o644)
    remarked = invoke("doctor")
    assert remarked.exit_code == 0
    assert "0 problems, 1 remark." in remarked.output
    with path.open("ab") as file:
        file.write(b"broken \x1b[2J\n")
    broken = invoke("doctor")
    assert broken.exit_code == 1
    assert "where: line 2" in broken.output
    assert "to do: " in broken.output
    assert "\x1b" not in broken.output
    fixed = invoke("doctor", "--fix")
    assert fixed.exit_code == 1
    assert "fixed: Other users" in fixed.output
    assert "1 problem, 0 remarks." in fixed.output


@pytest.mark.parametrize("words", [("doctor",), ("doctor", "--json")])
def test_names_cannot_steer_the_terminal(
    words: tuple[str, ...], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "home").mkdir()
    monkeypatch.setenv("HOME", str(folder / "home"))
    evil = r"a\u001b[2J\u202e\ud800"
    relation = f'{{"type":"relation","from":"{evil}","to":"{evil}x","relationType":"{evil}"}}'
    write(folder, [line(evil), line(f"{evil}-"), line("b", kind=evil), relation.encode()])
    result = invoke(*words)
    assert "dangling_relation" in result.output or "there is no " in result.output
    assert not {*"\x1b\u202e\ud800"} & {*result.output}


def test_a_repair_that_the_system_refuses_is_reported(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_paths: object, **_more: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    (folder / "home").mkdir()
    monkeypatch.setenv("HOME", str(folder / "home"))
    path = save(folder, "api")
    path.chmod(0o644)
    monkeypatch.setattr(Path, "chmod", refuse)
    result = invoke("doctor", "--fix")
    assert result.exit_code == 1
    assert "Operation not permitted" in result.output
    assert "fixed" not in result.output


# --- size ----------------------------------------------------------------------------------------


@pytest.mark.skipif(not os.environ.get("MNEMOLOG_SOAK"), reason="takes half a minute")
def test_a_huge_memory_is_looked_at_too(tmp_path: Path) -> None:
    outside = tmp_path / "app"
    outside.mkdir()
    texts = ("Runs on port {n}, behind host-{n}.", "Was moved in week {n}.")
    names = (f"service {n}" for n in range(50_000))
    lines = [line(name, *(t.format(n=n) for t in texts)) for n, name in enumerate(names)]
    write(outside, lines)
    assert diagnose(examine(outside)).findings == ()
