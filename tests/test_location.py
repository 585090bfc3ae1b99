"""Where memory lives, and where none may be."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import repositories
from mnemolog.errors import LocationRefused
from mnemolog.store.location import Location, Settings, locate, require_kept
from repositories import Run, commit, needs_git, new

run = repositories.run

DEFAULT = Path(".agents", "memory.local.jsonl")

as_root = hasattr(os, "geteuid") and os.geteuid() == 0
needs_permissions = pytest.mark.skipif(
    os.name == "nt" or as_root, reason="permissions do not bind this user"
)
needs_fifo = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    return folder


@pytest.fixture
def project(home: Path) -> Path:
    """A folder that looks like a repository to those who only read."""
    folder = home / "app"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").touch()
    return folder


def located(start: Path, home: Path, setting: str = "") -> Location:
    return locate(Settings.from_environment({"MEMORY_FILE_PATH": setting}), start, home)


def refusal(start: Path, home: Path, setting: str = "") -> str:
    with pytest.raises(LocationRefused) as caught:
        located(start, home, setting)
    return str(caught.value)


# Settings


def test_settings_come_from_the_environment() -> None:
    environment = {"MEMORY_FILE_PATH": "a.jsonl", "MEMORY_AGENT": " me "}
    assert Settings.from_environment(environment) == Settings("a.jsonl", "me")


@pytest.mark.parametrize("blank", ["", " "])
def test_a_blank_setting_is_no_setting(blank: str) -> None:
    environment = {"MEMORY_FILE_PATH": blank, "MEMORY_AGENT": blank}
    assert Settings.from_environment(environment) == Settings(None, None)
    assert Settings.from_environment({}) == Settings(None, None)


# MEMORY_FILE_PATH


def test_a_relative_path_starts_at_the_start_folder(project: Path, home: Path) -> None:
    (project / "src").mkdir()
    location = located(project / "src", home, "../.agents/memory.jsonl")
    assert location.path == project / ".agents" / "memory.jsonl"
    assert location.repository == project
    assert not location.is_default
    assert location.refusal is None
    assert "MEMORY_FILE_PATH" in location.reason


def test_an_absolute_path_outside_git_has_no_repository(
    project: Path, home: Path, tmp_path: Path
) -> None:
    path = tmp_path / "not" / "yet" / "there.jsonl"
    location = located(project, home, str(path))
    assert location.path == path
    assert location.repository is None


@pytest.mark.parametrize("setting", ["~/notes/memory.jsonl", "~//notes/../notes/memory.jsonl"])
def test_a_tilde_is_the_home_folder(project: Path, home: Path, setting: str) -> None:
    assert located(project, home, setting).path == home / "notes" / "memory.jsonl"


def test_a_home_that_does_not_exist_is_refused(project: Path, home: Path) -> None:
    assert "MEMORY_FILE_PATH" in refusal(project, home, "~no-such-user-here/memory.jsonl")


@pytest.mark.parametrize(
    ("setting", "unfilled"),
    [
        ("${workspaceFolder}/memory.jsonl", "${workspaceFolder}"),
        ("/a/${env:X}.jsonl", "${env:X}"),
        ("$HOME/memory.jsonl", "$HOME"),
        ("/a/$USER/memory.jsonl", "$USER"),
        ("%USERPROFILE%/memory.jsonl", "%USERPROFILE%"),
        (r"%APPDATA%\memory.jsonl", "%APPDATA%"),
        ("file:///a/memory.jsonl", "file:///"),
    ],
)
def test_what_the_client_should_have_filled_in_is_refused(
    project: Path, home: Path, setting: str, unfilled: str
) -> None:
    message = refusal(project, home, setting)
    assert repr(setting) in message
    assert f"did not turn {unfilled!r} into a path. Write the path out" in message


@pytest.mark.parametrize("setting", ["a$b/100%/m.jsonl", "US$/$5/m.jsonl", "profile:/m.jsonl"])
def test_signs_of_variables_that_name_none_are_part_of_a_path(
    project: Path, home: Path, setting: str
) -> None:
    assert located(project, home, setting).path == project / setting


def test_a_folder_is_refused_with_an_example(project: Path, home: Path) -> None:
    (project / "notes").mkdir()
    assert str(project / "notes" / "memory.jsonl") in refusal(project, home, "notes")


def test_a_symlink_that_the_user_chose_is_followed_once(
    project: Path, home: Path, tmp_path: Path
) -> None:
    target = tmp_path / "shared.jsonl"
    target.touch()
    (home / "memory.jsonl").symlink_to(target)
    location = located(project, home, "~/memory.jsonl")
    assert location.path == target
    assert location.repository is None


@needs_fifo
def test_a_named_pipe_is_refused(project: Path, home: Path) -> None:
    os.mkfifo(project / "pipe")
    assert "not a regular file" in refusal(project, home, "pipe")


def test_a_loop_of_symlinks_is_refused(project: Path, home: Path) -> None:
    (project / "one").symlink_to("other")
    (project / "other").symlink_to("one")
    assert "cannot be located" in refusal(project, home, "one")
    assert "cannot be located" in refusal(project, home, "one/memory.jsonl")


def test_a_file_in_the_place_of_a_parent_folder_is_refused(project: Path, home: Path) -> None:
    (project / "notes").touch()
    assert "cannot be located" in refusal(project, home, "notes/memory.jsonl")


@needs_permissions
def test_a_folder_that_cannot_be_entered_is_refused(project: Path, home: Path) -> None:
    (project / "closed").mkdir(mode=0)
    assert "Permission denied" in refusal(project, home, "closed/memory.jsonl")


# The repository's default


def test_memory_lives_at_the_root_of_the_repository(project: Path, home: Path) -> None:
    (project / "src").mkdir()
    location = located(project / "src", home)
    assert location.path == project / DEFAULT
    assert location.repository == project
    assert location.is_default
    assert location.refusal is None
    assert str(project) in location.reason
    assert not (project / ".agents").exists()


@needs_git
def test_a_linked_worktree_shares_the_memory_of_the_main_one(
    tmp_path: Path, home: Path, run: Run
) -> None:
    main, linked = new(tmp_path / "main", run), tmp_path / "linked"
    commit(main, run)
    run(main, "worktree", "add", "--quiet", str(linked))
    location = located(linked, home)
    assert location.path == main / DEFAULT
    assert location.repository == main
    committed = located(linked, home, ".agents/memory.jsonl")
    assert committed.path == linked / ".agents" / "memory.jsonl"
    assert committed.repository == main


def test_a_repository_in_the_memory_folder_is_the_one_that_contains_it(
    project: Path, home: Path
) -> None:
    (project / ".agents" / ".git").mkdir(parents=True)
    (project / ".agents" / ".git" / "HEAD").touch()
    location = located(project, home)
    assert location.path == project / DEFAULT
    assert location.repository == project / ".agents"


def test_a_repository_around_a_bare_one_does_not_own_its_memory(project: Path, home: Path) -> None:
    bare, linked = project / "bare.git", home / "linked"
    (bare / "worktrees" / "linked").mkdir(parents=True)
    (bare / "worktrees" / "linked" / "commondir").write_bytes(b"../..\n")
    linked.mkdir()
    (linked / ".git").write_bytes(f"gitdir: {bare / 'worktrees' / 'linked'}\n".encode())
    location = located(linked, home)
    assert location.path == bare / DEFAULT
    assert location.repository == bare


def test_an_existing_memory_folder_is_used_as_it_is(project: Path, home: Path) -> None:
    (project / DEFAULT).parent.mkdir()
    (project / DEFAULT).touch()
    assert located(project, home).path == project / DEFAULT


def test_the_home_folder_may_be_a_repository(home: Path) -> None:
    (home / ".git").mkdir()
    (home / ".git" / "HEAD").touch()
    assert located(home, home).refusal is None


def test_a_symlink_within_the_repository_is_followed(project: Path, home: Path) -> None:
    (project / "notes").mkdir()
    (project / ".agents").symlink_to("notes", target_is_directory=True)
    assert located(project, home).path == project / "notes" / "memory.local.jsonl"


@pytest.mark.parametrize("exists", [True, False])
def test_a_memory_folder_that_leads_out_of_the_repository_is_refused(
    project: Path, home: Path, *, exists: bool
) -> None:
    if exists:
        (home / "elsewhere").mkdir()
    (project / ".agents").symlink_to("../elsewhere", target_is_directory=True)
    message = refusal(project, home)
    assert f"{project / '.agents'} is a symlink" in message
    assert f"leads out of {project}" in message
    assert "MEMORY_FILE_PATH" in message


def test_a_memory_file_that_leads_out_of_the_repository_is_refused(
    project: Path, home: Path
) -> None:
    (project / ".agents").mkdir()
    (project / DEFAULT).symlink_to(home / ".profile")
    assert f"{project / DEFAULT} is a symlink" in refusal(project, home)


@pytest.mark.parametrize("target", [".git/hooks", ".GIT/hooks"])
def test_a_memory_folder_that_leads_into_gits_own_files_is_refused(
    project: Path, home: Path, target: str
) -> None:
    (project / ".agents").symlink_to(target, target_is_directory=True)
    assert "git's own files" in refusal(project, home)


def test_a_file_in_the_place_of_the_memory_folder_is_refused(project: Path, home: Path) -> None:
    (project / ".agents").touch()
    assert f"{project / '.agents'} is a file" in refusal(project, home)


def test_a_folder_in_the_place_of_the_memory_file_is_refused(project: Path, home: Path) -> None:
    (project / DEFAULT).mkdir(parents=True)
    assert "not a regular file" in refusal(project, home)


def test_a_memory_folder_that_is_a_loop_is_refused(project: Path, home: Path) -> None:
    (project / ".agents").symlink_to(".agents")
    assert "cannot be located" in refusal(project, home)


# Outside git


def test_outside_git_memory_lives_in_the_start_folder(home: Path) -> None:
    (home / "plain").mkdir()
    location = located(home / "plain", home)
    assert location.path == home / "plain" / DEFAULT
    assert location.repository is None
    assert location.is_default
    assert location.refusal is None


def test_outside_git_a_symlink_out_of_the_folder_is_refused_too(home: Path) -> None:
    (home / "plain").mkdir()
    (home / "plain" / ".agents").symlink_to(home, target_is_directory=True)
    assert "is a symlink" in refusal(home / "plain", home)


def test_nothing_is_kept_in_the_home_folder(home: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(home, target_is_directory=True)
    for start in (home, tmp_path / "link"):
        location = located(start, home)
        assert location.refusal is not None
        assert str(home) in location.refusal
        assert "MEMORY_FILE_PATH" in location.refusal
    assert located(tmp_path, tmp_path / "link").refusal is None
    assert located(home, tmp_path / "link").refusal is not None


def test_nothing_is_kept_in_the_root_of_the_file_system(home: Path) -> None:
    location = located(Path(home.anchor), home)
    assert location.refusal is not None


def test_a_chosen_file_in_the_home_folder_is_fine(home: Path) -> None:
    assert located(home, home, "memory.jsonl").refusal is None


def test_a_file_that_others_replace_just_now_is_none_that_lost_its_name(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    path.touch()
    replacing = (
        "import os, sys\nfor _ in range(100_000):\n"
        "    open('new', 'w').close(); os.replace('new', sys.argv[1])"
    )
    command = [sys.executable, "-c", replacing, path.name]
    with subprocess.Popen(command, cwd=tmp_path) as others:
        end = time.monotonic() + 1.5
        try:
            while time.monotonic() < end:
                require_kept(path)
        finally:
            others.kill()
