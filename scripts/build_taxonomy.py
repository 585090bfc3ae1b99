"""Write taxonomy.json, at the top of the repository and in the package, from the declarations.

    uv run python scripts/build_taxonomy.py             # writes both, and says what changed
    uv run python scripts/build_taxonomy.py --check     # writes nothing; exit 1 if one is stale
    uv run python scripts/build_taxonomy.py --staged    # for the pre-commit hook

The version and the changelog follow on those of HEAD, so any number of edits before a commit makes
one bump; without git, or before the first commit, on the newer of the two files.

`--staged` describes what git is about to commit, not what lies on the disk. Where the taxonomy in
it is stale, it writes both files and exits 1: look at the new version, add it, commit again.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from mnemolog.taxonomy.versions import Taxonomy

ROOT: Final = Path(__file__).resolve().parents[1]
TOP: Final = "taxonomy.json"
FILES: Final = (TOP, f"src/mnemolog/{TOP}")
STAGE: Final = f"git add {' '.join(f':/{name}' for name in FILES)}"
"""It works in any subfolder."""


def git(*words: str, asked: str = "") -> str | None:
    """Get what git prints, or None where it cannot tell."""
    command = ["git", "-C", str(ROOT), *words]
    try:
        done = subprocess.run(command, input=asked.encode(), capture_output=True, check=False)
    except OSError:
        return None
    return done.stdout.decode("utf-8", "surrogateescape") if done.returncode == 0 else None


def leave_other_repositories() -> None:
    """Drop what a hook of another repository may have said about where git's files are."""
    for name in (git("rev-parse", "--local-env-vars") or "").split():
        os.environ.pop(name, None)


@contextmanager
def staged_files() -> Iterator[Path]:
    """Yield a folder with the package and the taxonomy as the next commit would hold them."""
    names = git("ls-files", "-z", "--", "src", TOP)
    if names is None:
        sys.exit("There is nothing staged, because git cannot be asked: leave out --staged.")
    with TemporaryDirectory(prefix="mnemolog-staged-") as folder:
        if git("checkout-index", "-z", "--stdin", f"--prefix={folder}/", asked=names) is None:
            sys.exit("What is staged could not be laid out by git checkout-index.")
        yield Path(folder)


class Unreadable(Exception):
    """A taxonomy file that is none, so nothing can follow on it."""


def parsed(text: str, where: str) -> Taxonomy:
    try:
        taxonomy: Taxonomy = json.loads(text)
        versions = [int(number) for number in taxonomy["taxonomy_version"].split(".")]
        entries: list[Any] = taxonomy["changelog"]
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise Unreadable(f"{where} is no taxonomy: {problem!r}") from problem
    if len(versions) != 3 or not isinstance(entries, list):  # noqa: PLR2004 - major, minor, patch
        raise Unreadable(f"{where} is no taxonomy: its version or its changelog is none")
    return taxonomy


def committed_or_newest(texts: dict[str, str | None]) -> Taxonomy | None:
    """Get the taxonomy that the version follows on: HEAD's, or the newest that lies there."""
    listed = git("ls-tree", "--name-only", "HEAD", "--", TOP)
    if listed:
        return parsed(git("show", f"HEAD:./{TOP}") or "", f"HEAD's {TOP}")
    # An unpacked release may lie in a repository that knows nothing of it.
    if listed is not None and (ROOT / ".git").exists():
        return None
    found = [parsed(text, name) for name, text in texts.items() if text is not None]
    return max(found, key=version_of, default=None)


def version_of(taxonomy: Taxonomy) -> list[int]:
    return [int(number) for number in taxonomy["taxonomy_version"].split(".")]


def described() -> Taxonomy:
    """Get what the code in the first folder of the path declares."""
    try:
        from mnemolog.catalogue import catalogue  # noqa: PLC0415 - of the folder chosen by now
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("mnemolog"):
            raise
        sys.exit(
            f"taxonomy.json could not be compared with the code, because {sys.executable} has no "
            f"module {missing.name}. Install uv, or activate the environment that has mnemolog's "
            "dependencies, and try again."
        )
    return catalogue()


def differences(name: str, text: str | None, expected: Taxonomy) -> list[str]:
    """Get what is wrong with a file, in words."""
    from mnemolog.taxonomy.versions import compare  # noqa: PLC0415 - as above

    if text is None:
        return ["is missing"]
    try:
        found = parsed(text, name)
    except Unreadable as problem:
        return [str(problem)]
    differing = [str(change) for change in compare(found, expected)]
    if found["taxonomy_version"] != expected["taxonomy_version"]:
        differing.append(
            f"taxonomy_version: is {found['taxonomy_version']}, "
            f"should be {expected['taxonomy_version']}"
        )
    if found["changelog"] != expected["changelog"]:
        differing.append("changelog: is not what the changes since the last commit make it")
    return differing or ["is laid out in another way"]


def report(stale: dict[str, list[str]], expected: Taxonomy) -> str:
    """Get the differences, those that the two files share only once."""
    files: dict[tuple[str, ...], list[str]] = {}
    for name, problems in stale.items():
        files.setdefault(tuple(problems), []).append(name)
    lines: list[str] = []
    for shared, names in files.items():
        lines += [f"{' and '.join(names)}:", *(f"  {problem}" for problem in shared)]
    return "\n".join([*lines, f"The taxonomy is at version {expected['taxonomy_version']}."])


def build(source: Path, *, writes: bool) -> str | None:
    """Get what is stale in the folder, in words, having written it to the repository if asked."""
    sys.path.insert(0, str(source / "src"))
    from mnemolog.taxonomy.render import render  # noqa: PLC0415 - as above
    from mnemolog.taxonomy.versions import versioned  # noqa: PLC0415 - as above

    texts = {name: text_of(source / name) for name in FILES}
    try:
        base = committed_or_newest(texts)
    except Unreadable as problem:
        sys.exit(f"{problem}. Take it from an earlier commit, or remove it to start with 1.0.0.")
    expected = versioned(described(), base)
    rendered = render(expected)
    stale = {
        name: differences(name, text, expected) for name, text in texts.items() if text != rendered
    }
    for name in FILES if writes and stale else ():
        (ROOT / name).write_text(rendered, encoding="utf-8", newline="\n")
    return report(stale, expected) if stale else None


def text_of(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.exists() else None


def check() -> None:
    stale = build(ROOT, writes=False)
    if stale:
        sys.exit(f"{stale}\nStale. Write it anew: uv run python scripts/build_taxonomy.py")


def check_staged() -> None:
    with staged_files() as folder:
        stale = build(folder, writes=True)
    if stale:
        sys.exit(
            f"{stale}\nThe commit is stopped, because its taxonomy was not that of its code. It is "
            f"written now: look at the version and the changelog, then\n  {STAGE}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="write nothing; exit 1 if it is stale")
    mode.add_argument(
        "--staged", action="store_true", help="describe what is about to be committed"
    )
    asked = parser.parse_args()
    if asked.staged:
        check_staged()
        return
    leave_other_repositories()
    if asked.check:
        check()
    else:
        print(build(ROOT, writes=True) or "The taxonomy is what it was.")


if __name__ == "__main__":
    main()
