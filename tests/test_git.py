"""What git knows is found out, and where it cannot tell, that is said."""

import shutil
from pathlib import Path

import pytest

import repositories
from mnemolog.store.git import (
    NO_COMMIT,
    UNKNOWN,
    contains_commit,
    find_root,
    is_ignored,
    is_tracked,
    oldest_root_commit,
)
from repositories import Run, commit, needs_git, new

ELSEWHERE = "1" * 40
ELSEWHERE_SHA256 = "1" * 64

pytestmark = needs_git
run = repositories.run


def bare_clone(source: Path, target: Path, run: Run) -> Path:
    run(source, "clone", "--quiet", "--bare", str(source), str(target))
    return target


# The root


def test_outside_git_there_is_no_root(tmp_path: Path) -> None:
    assert find_root(tmp_path) is None


def test_the_root_is_found_from_a_nested_folder(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run)
    (root / "src" / "deep").mkdir(parents=True)
    assert find_root(root / "src" / "deep") == root
    assert find_root(root / "src" / "not" / "yet" / "there") == root


def test_the_root_is_found_through_a_symlink(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run)
    (tmp_path / "link").symlink_to(root, target_is_directory=True)
    assert find_root(tmp_path / "link") == root


def test_a_git_folder_without_head_is_no_repository(tmp_path: Path, run: Run) -> None:
    outer = new(tmp_path / "outer", run)
    (outer / "inner" / ".git").mkdir(parents=True)
    assert find_root(outer / "inner") == outer


def test_a_git_file_that_says_something_else_is_no_repository(tmp_path: Path, run: Run) -> None:
    outer = new(tmp_path / "outer", run)
    (outer / "inner").mkdir()
    (outer / "inner" / ".git").write_text("notes\n", encoding="utf-8", newline="\n")
    assert find_root(outer / "inner") == outer


def test_a_linked_worktree_shares_the_main_root(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run)
    commit(root, run)
    run(root, "worktree", "add", "--quiet", "../linked")
    (tmp_path / "linked" / "src").mkdir()
    assert find_root(tmp_path / "linked" / "src") == root


def test_a_relative_gitdir_is_followed(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run)
    commit(root, run)
    run(root, "worktree", "add", "--quiet", "../linked")
    marker = tmp_path / "linked" / ".git"
    marker.write_text("gitdir: ../app/.git/worktrees/linked\n", encoding="utf-8", newline="\n")
    assert find_root(tmp_path / "linked") == root


def test_a_submodule_is_its_own_root(tmp_path: Path, run: Run) -> None:
    library = new(tmp_path / "library", run)
    commit(library, run)
    app = new(tmp_path / "app", run)
    run(app, "submodule", "--quiet", "add", str(library), "vendor/library")
    assert find_root(app / "vendor" / "library") == app / "vendor" / "library"


def test_a_linked_worktree_of_a_submodule_shares_the_submodule(tmp_path: Path, run: Run) -> None:
    library = new(tmp_path / "library", run)
    commit(library, run)
    app = new(tmp_path / "app", run)
    run(app, "submodule", "--quiet", "add", str(library), "vendor/library")
    submodule = app / "vendor" / "library"
    run(submodule, "worktree", "add", "--quiet", str(tmp_path / "linked"))
    assert find_root(tmp_path / "linked") == submodule


def test_a_git_folder_kept_elsewhere_leaves_the_root_where_it_is(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run, "--separate-git-dir", str(tmp_path / "elsewhere"))
    commit(root, run)
    run(root, "worktree", "add", "--quiet", "../linked")
    assert find_root(root) == root
    assert find_root(tmp_path / "linked") == tmp_path / "linked"


def test_a_worktree_whose_repository_is_out_of_reach_is_its_own_root(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /not/mounted\n", encoding="utf-8", newline="\n")
    assert find_root(tmp_path) == tmp_path
    assert oldest_root_commit(tmp_path) is UNKNOWN


@pytest.mark.parametrize(
    ("bare", "root"),
    [("app.git", "app.git"), ("app/.bare", "app"), ("app/.git", "app")],
)
def test_worktrees_of_a_bare_repository_share_a_root_where_git_works(
    tmp_path: Path, run: Run, bare: str, root: str
) -> None:
    first = commit(new(tmp_path / "source", run), run)
    repository = bare_clone(tmp_path / "source", tmp_path / bare, run)
    run(repository, "worktree", "add", "--quiet", str(tmp_path / "linked"), "main")
    shared = find_root(tmp_path / "linked")
    assert shared == tmp_path / root
    assert oldest_root_commit(shared) == first
    assert contains_commit(shared, first) is True
    (shared / ".agents").mkdir()
    assert is_tracked(shared / ".agents" / "memory.local.jsonl", shared) is False


def test_a_repository_may_have_settings_for_its_main_worktree_alone(
    tmp_path: Path, run: Run
) -> None:
    library = new(tmp_path / "library", run)
    commit(library, run)
    app = new(tmp_path / "app", run)
    run(app, "submodule", "--quiet", "add", str(library), "library")
    run(app / "library", "worktree", "add", "--quiet", str(tmp_path / "linked"))
    run(app / "library", "sparse-checkout", "set", "src")
    git_folder = app / ".git" / "modules" / "library"
    assert "worktree = " in (git_folder / "config.worktree").read_text(encoding="utf-8")
    assert find_root(tmp_path / "linked") == app / "library"


# The commits


def test_a_new_repository_has_no_commit(tmp_path: Path, run: Run) -> None:
    assert oldest_root_commit(new(tmp_path / "app", run)) is NO_COMMIT


def test_the_first_commit_names_the_repository(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run)
    first = commit(root, run)
    commit(root, run, "Second", on=2)
    run(root, "checkout", "--quiet", "--detach")
    assert oldest_root_commit(root) == first


def test_of_two_roots_the_older_by_committer_date_counts(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run)
    younger = commit(root, run, "Younger", on=9)
    run(root, "checkout", "--quiet", "--orphan", "imported")
    older = commit(root, run, "B", on=3)
    assert older > younger  # or else the hashes could decide
    run(root, "checkout", "--quiet", "main")
    run(root, "merge", "--quiet", "--allow-unrelated-histories", "--no-edit", "imported", on=10)
    assert oldest_root_commit(root) == older


def test_of_two_roots_of_one_date_the_lower_hash_counts(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run)
    one = commit(root, run, "One")
    run(root, "checkout", "--quiet", "--orphan", "imported")
    other = commit(root, run, "Other")
    run(root, "merge", "--quiet", "--allow-unrelated-histories", "--no-edit", "main", on=2)
    assert oldest_root_commit(root) == min(one, other)


def test_a_replaced_commit_does_not_hide_the_first(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run)
    first = commit(root, run)
    commit(root, run, "Second", on=2)
    run(root, "replace", "--graft", "HEAD")
    assert oldest_root_commit(root) == first


def test_a_fetched_template_does_not_name_the_repository(tmp_path: Path, run: Run) -> None:
    template = new(tmp_path / "template", run)
    commit(template, run, "Template")
    root = new(tmp_path / "app", run)
    first = commit(root, run, on=5)
    run(root, "fetch", "--quiet", str(template), "main:refs/remotes/template/main")
    assert oldest_root_commit(root) == first


def test_an_unborn_head_leaves_the_other_branches_to_name_it(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run)
    first = commit(root, run)
    run(root, "checkout", "--quiet", "--orphan", "fresh")
    assert oldest_root_commit(root) == first


def test_a_commit_is_contained_or_not(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run)
    first = commit(root, run)
    assert contains_commit(root, first) is True
    assert contains_commit(root, ELSEWHERE) is False
    assert contains_commit(root, ELSEWHERE_SHA256) is False


def test_only_commits_count_as_contained(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run)
    commit(root, run)
    tree = run(root, "rev-parse", "HEAD^{tree}")
    assert contains_commit(root, tree) is False


@pytest.mark.parametrize(
    "text", ["", "HEAD", "main", "--help", "1111111", "1" * 40 + "\n", "é" * 40]
)
def test_what_is_no_hash_is_never_handed_to_git(tmp_path: Path, run: Run, text: str) -> None:
    root = new(tmp_path / "app", run)
    commit(root, run)
    assert contains_commit(root, text) is None


def test_a_shallow_clone_is_unknown(tmp_path: Path, run: Run) -> None:
    source = new(tmp_path / "source", run)
    first = commit(source, run)
    last = commit(source, run, "Second", on=2)
    run(tmp_path, "clone", "--quiet", "--depth=1", source.as_uri(), "shallow")
    shallow = tmp_path / "shallow"
    assert oldest_root_commit(shallow) is UNKNOWN
    assert contains_commit(shallow, first) is None
    assert contains_commit(shallow, last) is True


def test_a_partial_clone_answers_without_fetching(tmp_path: Path, run: Run) -> None:
    source = new(tmp_path / "source", run)
    run(source, "config", "uploadpack.allowFilter", "true")
    first = commit(source, run)
    run(tmp_path, "clone", "--quiet", "--filter=tree:0", source.as_uri(), "partial")
    shutil.rmtree(source)
    assert oldest_root_commit(tmp_path / "partial") == first
    assert contains_commit(tmp_path / "partial", ELSEWHERE) is False


# Tracked and ignored files


def test_a_file_is_tracked_once_it_is_added(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run)
    path = root / "m[1].jsonl"
    path.touch()
    (root / "m1.jsonl").touch()
    run(root, "add", "m1.jsonl")
    assert is_tracked(path, root) is False
    run(root, "add", "--", ":(literal)m[1].jsonl")
    assert is_tracked(path, root) is True


def test_a_file_in_a_linked_worktree_is_tracked_there(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run)
    commit(root, run)
    run(root, "worktree", "add", "--quiet", "../linked")
    path = tmp_path / "linked" / "memory.jsonl"
    path.touch()
    run(path.parent, "add", "memory.jsonl")
    assert is_tracked(path, find_root(path.parent)) is True


def test_outside_git_nothing_is_tracked(tmp_path: Path) -> None:
    assert is_tracked(tmp_path / "memory.jsonl", None) is False


def test_in_a_bare_repository_nothing_is_tracked(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app.git", run, "--bare")
    assert is_tracked(root / "memory.jsonl", root) is False


def test_a_rule_ignores_a_file_that_need_not_exist(tmp_path: Path, run: Run) -> None:
    root = new(tmp_path / "app", run)
    (root / ".gitignore").write_text("*.local\n", encoding="utf-8", newline="\n")
    assert is_ignored(root / ".agents" / "x.local", root) is True
    assert is_ignored(root / ".agents" / "x.jsonl", root) is False
