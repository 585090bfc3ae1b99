"""A git repository around the memory, with branches that hold other versions of it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Final

MAIN: Final = "main"
SIDE: Final = "side"

_PATIENCE_SECONDS: Final = 60.0
_DATE: Final = "1700000000 +0000"


class Refused(Exception):
    """Git would not do it."""


class Repository:
    """The working folder, and git's own folder elsewhere, so that it has room on a full disk."""

    def __init__(self, folder: Path, git_folder: Path, memory: Path) -> None:
        self._folder = folder
        self._memory = str(memory.relative_to(folder))
        self.branch = MAIN
        git = ("init", "--quiet", f"--initial-branch={MAIN}", f"--separate-git-dir={git_folder}")
        self._git(*git)
        attributes = folder / ".gitattributes"
        attributes.write_text(f"{self._memory} text eol=lf merge=union\n", encoding="utf-8")
        self._git("add", ".gitattributes")
        self._git("commit", "--quiet", "--message", "First")
        self.other_exists = False

    @property
    def other(self) -> str:
        """The branch that is not checked out."""
        return SIDE if self.branch == MAIN else MAIN

    def track(self) -> None:
        """Commit the memory, and make the other branch."""
        self._git("add", "--force", "--", self._memory)
        self._commit()
        self._git("branch", self.other)
        self.other_exists = True

    def untrack(self) -> None:
        """Leave the memory to itself: it stays where it is, and is in no branch."""
        self._git("branch", "--quiet", "-D", self.other)
        self._git("rm", "--quiet", "--cached", "--", self._memory)
        self._git("commit", "--quiet", "--message", "Keep the memory local")
        self.other_exists = False

    def commit(self) -> None:
        """Commit the memory as it lies there."""
        self._git("add", "--", self._memory)
        self._commit()

    def switch(self) -> None:
        """Check the other branch out, committing what is written meanwhile first."""
        for _ in range(20):
            self.commit()
            try:
                self._git("checkout", "--quiet", self.other)
            except Refused:
                continue
            self.branch = self.other
            return
        raise Refused(f"the memory changed again and again before {self.other} was checked out")

    def merge_other(self) -> None:
        """Merge the other branch into this one."""
        self.commit()
        self._git("merge", "--quiet", "--no-edit", self.other)

    def align_other(self) -> None:
        """Let the other branch be the same as this one."""
        self.commit()
        self._git("branch", "--quiet", "--force", self.other, "HEAD")

    def content_of(self, branch: str) -> bytes:
        """Return the memory as a branch has it."""
        return self._git("cat-file", "blob", f"{branch}:{self._memory}")

    def _commit(self) -> None:
        if self._git("status", "--porcelain", "--untracked-files=no"):
            self._git("commit", "--quiet", "--message", "Remember")

    def _git(self, *words: str) -> bytes:
        environment = {n: v for n, v in os.environ.items() if not n.startswith("GIT_")}
        environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        for role in ("AUTHOR", "COMMITTER"):
            environment |= {f"GIT_{role}_NAME": "A", f"GIT_{role}_EMAIL": "a@example.org"}
            environment[f"GIT_{role}_DATE"] = _DATE
        # A collection of garbage behind our back would hold files that the end removes.
        command = ["git", "-C", str(self._folder), "-c", "gc.autoDetach=false", *words]
        done = subprocess.run(
            command, env=environment, capture_output=True, check=False, timeout=_PATIENCE_SECONDS
        )
        if done.returncode:
            raise Refused(f"{' '.join(words)}: {done.stderr.decode('utf-8', 'replace')}")
        return done.stdout
