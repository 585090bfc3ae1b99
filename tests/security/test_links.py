"""Symlinks that come with a clone, or appear while the server runs, lead nowhere."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

import repositories
from examinations import examine
from mnemolog.clients.known import CLIENTS
from mnemolog.clients.registration import register
from mnemolog.doctor.diagnosis import diagnose
from mnemolog.errors import LocationRefused, MnemologError, StorageError
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity
from mnemolog.store.git import find_root
from mnemolog.store.location import Settings, locate
from repositories import Run, commit, needs_git, new

run = repositories.run

needs_modes = pytest.mark.skipif(os.name == "nt", reason="Windows has no modes of files")

FOLDER = Path(".agents")
FILE = FOLDER / "memory.local.jsonl"
PAYLOAD = "$(touch owned)"
"""What a shell would run that reads the line of JSON around it, as a profile is read."""

POISON = f'{{"type":"entity","name":"{PAYLOAD}","entityType":"x","observations":["{PAYLOAD}"]}}\n'


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Return a file of the user that does not exist yet, such as a profile of a shell."""
    return tmp_path / "profile"


@pytest.fixture
def root(tmp_path: Path, run: Run) -> Path:
    root = new(tmp_path / "app", run)
    commit(root, run)
    return root


def opened(root: Path, setting: str | None = None) -> Memory:
    return Memory.open(Settings(setting, None), root)


def save(memory: Memory) -> None:
    memory.create_entities([NewEntity(PAYLOAD, "x", (PAYLOAD,))], "tester")


def cloned(root: Path, run: Run, to: Path) -> Path:
    """Return a clone of what was committed, links and all."""
    run(root, "add", "--all", "--force")
    run(root, "commit", "--quiet", "--message", "Poison")
    run(to.parent, "clone", "--quiet", str(root), str(to))
    return to


# --- links that a clone brings along -------------------------------------------------------------


@needs_git
def test_what_was_opened_is_not_noted_through_a_link(
    root: Path, outside: Path, tmp_path: Path, run: Run
) -> None:
    (root / FOLDER).mkdir()
    (root / FILE).write_text(POISON, encoding="utf-8")
    (root / FOLDER / "memory.local.access.jsonl").symlink_to(Path("..", "..", outside.name))
    clone = cloned(root, run, tmp_path / "clone")
    assert (clone / FOLDER / "memory.local.access.jsonl").is_symlink()
    assert opened(clone).open_nodes([PAYLOAD]).entities
    opened(clone).rename_entity(PAYLOAD, "plain", "tester")
    assert not outside.exists()


@needs_git
def test_what_was_opened_is_not_read_through_a_link(root: Path, outside: Path) -> None:
    (root / FOLDER).mkdir()
    (root / FILE).write_text(POISON, encoding="utf-8")
    (root / FOLDER / "memory.local.access.jsonl").symlink_to("/dev/zero")
    assert opened(root).search_nodes("touch").hits, "and not read for ever"
    assert not outside.exists()


@needs_git
@pytest.mark.parametrize(
    "link", [FOLDER, FILE, Path(".agents/memory.jsonl"), Path(".agents/notes.jsonl")]
)
def test_a_chosen_path_in_a_checkout_is_not_led_out_of_it(
    root: Path, outside: Path, tmp_path: Path, run: Run, link: Path
) -> None:
    (root / link).parent.mkdir(exist_ok=True)
    (root / link).symlink_to(os.path.relpath(outside, (root / link).parent))
    clone = cloned(root, run, tmp_path / "clone")
    setting = str(FOLDER / "notes.jsonl") if link == FOLDER else str(link)
    for said in (setting, str(clone / setting), f"./src/../{setting}"):
        (clone / "src").mkdir(exist_ok=True)
        with pytest.raises(LocationRefused, match="is a symlink"):
            opened(clone, said)
    assert not outside.exists()


@needs_git
def test_a_chosen_path_may_lead_to_another_worktree_of_its_repository(
    root: Path, tmp_path: Path, run: Run
) -> None:
    run(root, "worktree", "add", "--quiet", str(tmp_path / "tree"))
    (root / FOLDER).mkdir()
    (tmp_path / "tree" / FOLDER).symlink_to(root / FOLDER)
    memory = opened(tmp_path / "tree", ".agents/memory.jsonl")
    assert memory.location.path == root / FOLDER / "memory.jsonl"


@needs_git
def test_a_chosen_path_may_not_lead_into_gits_own_files(root: Path) -> None:
    (root / FOLDER).symlink_to(".git/hooks")
    with pytest.raises(LocationRefused, match="git's own files"):
        opened(root, ".agents/post-checkout")


@needs_git
def test_a_lock_that_is_a_link_is_refused_and_its_target_stays(root: Path, outside: Path) -> None:
    outside.write_text("precious", encoding="utf-8")
    (root / FOLDER).mkdir()
    (root / FOLDER / "memory.local.jsonl.lock").symlink_to(outside)
    with pytest.raises(StorageError, match="cannot be locked"):
        save(opened(root))
    assert outside.read_text(encoding="utf-8") == "precious"


@needs_git
def test_what_is_set_aside_never_goes_through_a_link(root: Path, outside: Path) -> None:
    memory = opened(root)
    save(memory)
    for label in ("tmp-", f"tmp-{os.getpid()}", "torn-", "bak-"):
        (root / FOLDER / f"memory.local.jsonl.{label}").symlink_to(outside)
    with (root / FILE).open("ab") as file:
        file.write(b'{"type":"entity"')
    save(memory)
    memory.upkeep.compact()
    memory.upkeep.back_up(None)
    memory.initialize_memory("fresh", "tester")
    assert not outside.exists()


@needs_git
@needs_modes
def test_a_repair_changes_no_mode_through_a_link(
    root: Path, outside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(opened(root))
    outside.write_text("#!/bin/sh\n", encoding="utf-8")
    outside.chmod(0o755)
    (root / FOLDER / "memory.local.jsonl.torn-20260101T000000Z").symlink_to(outside)
    (root / FILE).chmod(0o644)
    monkeypatch.chdir(root)
    diagnose(examine(root), fix=True)
    assert stat.S_IMODE((root / FILE).stat().st_mode) == 0o600, "it has repaired something"
    assert stat.S_IMODE(outside.stat().st_mode) == 0o755


@needs_git
@pytest.mark.parametrize("target", ["../profile", ".git/config.new", ".GIT/config.new"])
def test_no_config_is_written_through_a_link_that_leads_out(root: Path, target: str) -> None:
    (root / ".mcp.json").symlink_to(target)
    assert register(CLIENTS["claude-code"], root).change == "left alone"
    assert not (root / target).exists()


# --- links that appear while the server runs -----------------------------------------------------


def checked_out(root: Path, run: Run, link: Path, target: Path) -> Callable[[], str]:
    """Return what checks out a branch in which a link has been committed."""
    run(root, "checkout", "--quiet", "-b", "evil")
    (root / link).parent.mkdir(exist_ok=True)
    (root / link).symlink_to(os.path.relpath(target, (root / link).parent))
    run(root, "add", "--force", str(link))
    run(root, "commit", "--quiet", "--message", "Link")
    run(root, "checkout", "--quiet", "main")
    return lambda: run(root, "checkout", "--quiet", "evil")


@needs_git
@pytest.mark.parametrize("link", [FOLDER, FILE])
def test_a_checkout_cannot_lead_a_running_server_out(
    root: Path, outside: Path, run: Run, link: Path
) -> None:
    check_out = checked_out(root, run, link, outside)
    if link == FOLDER:
        outside.mkdir()
    memory = opened(root)
    assert memory.read_graph().entities == ()
    check_out()
    for write in (
        lambda: save(memory),
        lambda: memory.initialize_memory("adopt", "tester"),
        lambda: memory.initialize_memory("fresh", "tester"),
        memory.upkeep.compact,
    ):
        with pytest.raises(LocationRefused, match="symlink"):
            write()
    for shared in (False, True):
        with suppress(MnemologError):  # beside a memory that is a link, the folder is the right one
            memory.upkeep.export_taxonomy(shared=shared)
    assert not (list(outside.iterdir()) if link == FOLDER else outside.exists())


@needs_git
@pytest.mark.parametrize("link", [FOLDER, FILE])
def test_a_checkout_cannot_show_a_running_server_another_file(
    root: Path, outside: Path, run: Run, link: Path
) -> None:
    check_out = checked_out(root, run, link, outside)
    secret = outside / FILE.name if link == FOLDER else outside
    secret.parent.mkdir(exist_ok=True)
    secret.write_text(POISON, encoding="utf-8")
    memory = opened(root)
    memory.read_graph()
    check_out()
    for read in (memory.read_graph, lambda: memory.search_nodes("touch"), memory.upkeep.census):
        with pytest.raises(LocationRefused, match="symlink"):
            read()
    run(root, "checkout", "--quiet", "main")
    assert memory.read_graph().entities == (), "without the link it goes on"


# --- loops ---------------------------------------------------------------------------------------


@needs_git
def test_a_loop_of_links_is_refused_in_words(root: Path) -> None:
    (root / ".agents").symlink_to(".agents")
    (root / "loop.jsonl").symlink_to("loop.jsonl")
    for setting in (None, "loop.jsonl", "loop.jsonl/x"):
        with pytest.raises(LocationRefused):
            locate(Settings(setting, None), root, root.parent)
    assert find_root(root) == root
