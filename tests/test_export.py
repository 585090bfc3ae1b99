"""The export command writes what was asked for and replaces nothing of others."""

from __future__ import annotations

import json
import os
import pty
import stat
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mnemolog.cli import main
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity, RelationTriple
from mnemolog.store.location import Settings

SINGLE = ("server-memory", "json", "graphml", "mermaid")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MEMORY_FILE_PATH", raising=False)
    memory().create_entities(
        [
            NewEntity("api", "service", ("is slow", "calls\x1b[2J the db")),
            NewEntity("db", "service", ("is PostgreSQL",)),
        ],
        "codex",
    )
    memory().create_relations([RelationTriple("api", "db", "calls")], "codex")
    memory().supersede_observation("api", "is slow", "codex", new_text="is fast")
    return tmp_path


def memory() -> Memory:
    return Memory.open(Settings.from_environment(), Path.cwd())


def export(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(main, ["export", "--to", *words])
    assert result.exit_code == code, result.output
    return result


def contents(folder: Path) -> dict[str, str]:
    return {p.name: p.read_text(encoding="utf-8") for p in folder.iterdir()}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", SINGLE)
def test_a_format_that_is_one_file_is_printed_or_written(name: str) -> None:
    printed = export(name).stdout
    assert export(name, "-").stdout == printed
    assert export(name, "out").stdout == ""
    assert Path("out").read_bytes().decode() == printed
    assert printed.endswith("\n")
    assert "api" in printed


@pytest.mark.usefixtures("folder")
def test_the_memory_stays_as_it_is() -> None:
    before = contents(Path(".agents"))
    for name in SINGLE:
        export(name)
    export("markdown", "pages")
    assert contents(Path(".agents")) == before


@pytest.mark.usefixtures("folder")
def test_what_is_no_longer_true_comes_along_if_asked_for() -> None:
    assert "being no longer true: 1 observation" in export("json").stderr
    assert "is slow" not in export("json").stdout
    asked = export("json", "--include-superseded")
    assert asked.stderr == ""
    (api, _) = json.loads(asked.stdout)["entities"]
    assert api["superseded"][0]["text"] == "is slow"
    assert "is slow" in export("graphml", "--include-superseded").stdout
    export("markdown", "pages", "--include-superseded")
    assert "is slow" in Path("pages/api.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", ["server-memory", "mermaid"])
def test_a_format_without_a_place_for_history_says_so(name: str) -> None:
    assert (
        "no place for what is no longer true" in export(name, "--include-superseded", code=2).stderr
    )


@pytest.mark.usefixtures("folder")
def test_an_export_to_server_memory_says_what_stays_behind() -> None:
    said = export("server-memory").stderr
    assert "Dates and agents, and 1 retired observation, stay behind" in said


@pytest.mark.usefixtures("folder")
def test_a_file_that_exists_is_replaced_only_by_force() -> None:
    Path("out").write_text("mine", encoding="utf-8")
    assert "exists" in export("json", "out", code=1).stderr
    assert Path("out").read_text(encoding="utf-8") == "mine"
    export("json", "out", "--force")
    assert json.loads(Path("out").read_text(encoding="utf-8"))["version"] == 1
    assert [path.name for path in Path().iterdir() if "tmp" in path.name] == []


@pytest.mark.usefixtures("folder")
def test_a_file_is_readable_by_its_owner_only() -> None:
    export("json", "out")
    export("markdown", "pages")
    assert stat.S_IMODE(Path("out").stat().st_mode) == 0o600
    assert stat.S_IMODE(Path("pages").stat().st_mode) == 0o700


def test_a_failed_export_leaves_what_was_there(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("out").write_text("mine", encoding="utf-8")
    monkeypatch.setattr(os, "fsync", full_disk)
    monkeypatch.setattr(os, "fdatasync", full_disk, raising=False)
    refusal = export("json", "out", "--force", code=1).stderr
    assert "cannot be written (No space left on device). Free space" in refusal
    assert Path("out").read_text(encoding="utf-8") == "mine"
    assert {path.name for path in folder.iterdir()} == {".agents", "out"}


def full_disk(_descriptor: int) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "target",
    [".agents/memory.local.jsonl", ".agents/memory.local.jsonl.lock", "link", "same"],
)
def test_the_memory_itself_is_never_written_over(target: str) -> None:
    Path("link").symlink_to(".agents/memory.local.jsonl")
    Path("same").hardlink_to(".agents/memory.local.jsonl")
    before = contents(Path(".agents"))
    assert (
        "belongs to the memory itself" in export("server-memory", target, "--force", code=1).stderr
    )
    assert contents(Path(".agents")) == before


@pytest.mark.usefixtures("folder")
def test_a_folder_and_a_device_are_never_replaced_by_a_file() -> None:
    Path("pages").mkdir()
    for target in ("pages", os.devnull):
        assert "no regular file" in export("json", target, "--force", code=1).stderr
    assert Path("pages").is_dir()
    assert not Path(os.devnull).is_file()


@pytest.mark.usefixtures("folder")
def test_a_link_stays_and_leads_to_the_new_file() -> None:
    Path("elsewhere").mkdir()
    Path("elsewhere/out").write_text("old", encoding="utf-8")
    Path("link").symlink_to("elsewhere/out")
    export("json", "link", "--force")
    assert Path("link").is_symlink()
    assert "mnemolog-graph" in Path("elsewhere/out").read_text(encoding="utf-8")


@pytest.mark.usefixtures("folder")
def test_pages_are_written_into_a_new_folder_or_an_empty_one() -> None:
    assert "pages/index.md and 2 pages" in export("markdown", "pages").stderr
    assert contents(Path("pages")).keys() == {"index.md", "api.md", "db.md"}
    Path("empty").mkdir()
    export("markdown", "empty")
    assert contents(Path("empty")) == contents(Path("pages"))
    assert "say which one" in export("markdown", code=2).stderr
    assert "say which one" in export("markdown", "-", code=2).stderr


@pytest.mark.usefixtures("folder")
def test_by_force_only_pages_of_an_earlier_export_are_replaced() -> None:
    export("markdown", "pages")
    Path("pages/notes.md").write_text("mine", encoding="utf-8")
    assert "not empty" in export("markdown", "pages", code=1).stderr
    memory().delete_entities(["db"], "codex")
    said = export("markdown", "pages", "--force").stderr
    assert "1 pages of an earlier export are about entities that are gone" in said
    assert "db.md" in said
    assert contents(Path("pages")).keys() == {"index.md", "api.md", "db.md", "notes.md"}
    assert "db.md" not in Path("pages/index.md").read_text(encoding="utf-8")
    assert Path("pages/notes.md").read_text(encoding="utf-8") == "mine"


@pytest.mark.usefixtures("folder")
def test_a_page_that_no_export_wrote_is_never_replaced() -> None:
    export("markdown", "others")
    Path("pages").mkdir()
    Path("pages/db.md").write_text("mine", encoding="utf-8")
    Path("pages/api.md").symlink_to(Path("others/api.md").resolve())
    before = contents(Path("pages"))
    said = export("markdown", "pages", "--force", code=1).stderr
    assert "api.md, db.md" in said
    assert contents(Path("pages")) == before


@pytest.mark.usefixtures("folder")
def test_a_folder_that_is_missing_is_named() -> None:
    missing = f"There is no folder {Path('no').resolve()}. Create it"
    assert missing in export("json", "no/out", code=1).stderr
    assert missing in export("markdown", "no/out", code=1).stderr


@pytest.mark.usefixtures("folder")
def test_what_cannot_be_read_is_said() -> None:
    with Path(".agents/memory.local.jsonl").open("a", encoding="utf-8", newline="\n") as file:
        file.write('{"broken\n{"type":"entity","name":"x","entityType":"t","observations":[]}\n')
    assert "being unreadable: 1 line" in export("json").stderr


def test_a_memory_of_another_repository_is_refused(folder: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(folder)], check=True)
    header = '{"type":"header","format":1,"repo":{"name":"x","commit":null,"root":"/x"}}\n'
    path = Path(".agents/memory.local.jsonl")
    path.write_text(header + path.read_text(encoding="utf-8"), encoding="utf-8", newline="\n")
    result = export("json", "out", code=1)
    assert "holds the memory of the repository 'x'" in result.stderr
    assert not Path("out").exists()


def test_a_graph_too_large_for_mermaid_is_printed_whole_only_if_asked(folder: Path) -> None:
    names = [f"service {n:04} {'x' * 40}" for n in range(1_000)]
    memory().create_entities([NewEntity(name, "service", ()) for name in names], "codex")
    bounded = export("mermaid")
    assert "most connected of 1,002 entities" in bounded.stderr
    assert len(bounded.stdout) <= 50_000
    whole = export("mermaid", "--all")
    assert whole.stderr == ""
    assert whole.stdout.count("service 0") == 1_000
    assert "--all is for --to mermaid" in export("json", "--all", code=2).stderr
    assert folder.is_dir()


@pytest.mark.usefixtures("folder")
def test_on_a_terminal_nothing_steers_it() -> None:
    assert b"calls\\u001b[2J" in piped("json")
    assert "calls␛[2J" in piped("graphml").decode()
    written = Path(".agents/memory.local.jsonl")
    written.write_text(
        '{"type":"entity","name":"\u202eapi","entityType":"t","observations":["\u009b2J"]}\n',
        encoding="utf-8",
        newline="\n",
    )
    assert "\u202eapi" in piped("json").decode()
    assert "\\u202eapi" in on_a_terminal("json")
    assert "\\x9b2J" in on_a_terminal("server-memory")


COMMAND = (sys.executable, "-m", "mnemolog", "export", "--to")


def piped(name: str) -> bytes:
    plain = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    return subprocess.run([*COMMAND, name], stdout=subprocess.PIPE, check=True, env=plain).stdout


def on_a_terminal(name: str) -> str:
    ours, theirs = pty.openpty()
    command: Sequence[str] = [*COMMAND, name]
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL) as process:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 4096):
                shown += part
        except OSError:  # how Linux says that the other end is closed
            pass
        assert process.wait(timeout=60) == 0
    os.close(ours)
    return shown.decode()
