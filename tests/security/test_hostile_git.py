"""Git is asked in a repository that somebody else has set up, and starts nothing of theirs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import repositories
from command_line import invoke
from mnemolog.memory import Memory
from mnemolog.requests import NewEntity
from mnemolog.store.location import Settings
from repositories import Run, commit, needs_git, new

run = repositories.run

pytestmark = [
    needs_git,
    pytest.mark.skipif(os.name == "nt", reason="the traps are shell scripts"),
]

_STARTS: Final = (
    *("core.fsmonitor", "core.pager", "core.editor", "core.askPass", "core.sshCommand"),
    *("core.gitProxy", "core.alternateRefsCommand", "credential.helper", "diff.external"),
    *("diff.trap.textconv", "diff.trap.command", "filter.trap.clean", "filter.trap.smudge"),
    *("filter.trap.process", "merge.trap.driver", "gpg.program", "gpg.ssh.program"),
    *("sequence.editor", "interactive.diffFilter", "uploadpack.packObjectsHook"),
    *("pager.ls-files", "pager.rev-list", "pager.cat-file", "web.browser"),
)
"""Settings whose value is a program."""

_HOOKS: Final = (
    *("fsmonitor-watchman", "post-index-change", "post-checkout", "pre-commit", "pre-auto-gc"),
    *("reference-transaction", "post-rewrite", "query-watchman"),
)

_ASKED: Final = ("rev-list", "cat-file", "ls-files", "check-ignore", "rev-parse", "check-attr")


def trapped(folder: Path, run: Run) -> Path:
    """Set up a repository whose every setting starts a program, and return what that leaves."""
    started, trap = folder / "started", folder / "trap"
    trap.write_text(f"#!/bin/sh\necho $0 >> '{started}'\ncat\n", encoding="utf-8", newline="\n")
    trap.chmod(0o755)
    (folder / "hooks").mkdir()
    for hook in _HOOKS:
        (folder / "hooks" / hook).write_bytes(trap.read_bytes())
        (folder / "hooks" / hook).chmod(0o755)
    (folder / ".gitattributes").write_text("* filter=trap diff=trap merge=trap\n", encoding="utf-8")
    for setting in _STARTS:
        run(folder, "config", setting, str(trap))
    for command in _ASKED:
        run(folder, "config", f"alias.{command}", f"!{trap}")
    run(folder, "config", "core.hooksPath", str(folder / "hooks"))
    run(folder, "config", "trace2.eventTarget", str(started))
    run(folder, "config", "remote.origin.url", f"ext::{trap}")
    run(folder, "config", "remote.origin.promisor", "true")
    run(folder, "config", "extensions.partialClone", "origin")
    run(folder, "config", "core.repositoryFormatVersion", "1")
    return started


def use(root: Path) -> None:
    """Do everything that asks git."""
    memory = Memory.open(Settings(None, None), root)
    for number in range(3):
        memory.create_entities([NewEntity(f"e{number}", "x", ("y",))], "tester")
    memory.upkeep.is_tracked()
    memory.upkeep.compact()
    memory.upkeep.back_up(None)
    path = memory.location.path
    absent = b'{"type":"header","format":1,"repo":{"name":"x","commit":"%b"}}\n' % (b"ab" * 20)
    path.write_bytes(absent + path.read_bytes())
    Memory.open(Settings(None, None), root).upkeep.describe()


def test_no_setting_hook_alias_or_remote_of_a_repository_starts_a_program(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = new(tmp_path / "app", run)
    (root / "file").write_text("x", encoding="utf-8")
    commit(root, run)
    started = trapped(root, run)
    use(root)
    monkeypatch.chdir(root)
    invoke("where")
    invoke("doctor")
    assert not started.exists()
    subprocess.run(["git", "-C", str(root), "status"], capture_output=True, check=False)
    assert started.exists(), "the traps would have snapped"


def test_a_bare_repository_in_the_memorys_folder_starts_no_program(
    tmp_path: Path, run: Run
) -> None:
    root = new(tmp_path / "app", run)
    commit(root, run)
    bare = new(root / ".agents", run, "--bare")
    started = bare / "started"
    trap = bare / "trap"
    trap.write_text(f"#!/bin/sh\ntouch '{started}'\n", encoding="utf-8", newline="\n")
    trap.chmod(0o755)
    for setting in ("core.fsmonitor", "core.pager", "alias.ls-files"):
        run(bare, "config", setting, str(trap))
    run(bare, "config", "core.bare", "false")
    run(bare, "config", "core.worktree", str(root))
    use(root)
    assert not started.exists()
    subprocess.run(["git", "-C", str(bare), "status"], capture_output=True, check=False)
    assert started.exists(), "the traps would have snapped"


def test_no_command_starts_a_git_that_lies_in_the_folder(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = new(tmp_path / "app", run)
    commit(root, run)
    ours = root / "git"
    ours.write_text("#!/bin/sh\ntouch started\n", encoding="utf-8", newline="\n")
    ours.chmod(0o755)
    monkeypatch.chdir(root)
    monkeypatch.setenv("PATH", "." + os.pathsep + os.environ["PATH"])
    for words in (["where"], ["add", "api", "Is fast."], ["compact"], ["doctor"]):
        invoke(*words)
    assert b"Every fact of both clients is there" in called("demo")
    assert not list(tmp_path.rglob("started"))


def test_a_module_that_lies_in_the_folder_is_not_imported(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = new(tmp_path / "app", run)
    commit(root, run)
    for name in ("anyio", "click", "json", "mcp", "mnemolog", "numpy", "sitecustomize"):
        trap = f"open({str(root / 'started')!r}, 'w').close()\n"
        (root / f"{name}.py").write_text(trap, encoding="utf-8")
    monkeypatch.chdir(root)
    assert b"lists" in called("doctor"), "the server was started"
    assert b"Every fact of both clients is there" in called("demo")
    assert not (root / "started").exists()


def called(*words: str) -> bytes:
    """Return what the command prints; like its own script, it does not look in the folder."""
    command = [sys.executable, "-P", "-m", "mnemolog", *words]
    return subprocess.run(command, capture_output=True, check=False, timeout=60).stdout
