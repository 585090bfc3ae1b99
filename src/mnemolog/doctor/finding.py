"""What the doctor has to say."""

from __future__ import annotations

from typing import Literal, TypeAlias

from mnemolog.declarations import declared, described

Severity: TypeAlias = Literal["problem", "remark"]


@declared
class Finding:
    """One thing that is wrong, and what to do about it."""

    severity: Severity = described(
        "problem: facts are at risk, not seen or not saved. remark: worth a look"
    )
    kind: str = described("What kind of thing it is")
    what: str = described("What is wrong")
    where: str = described("The file, line, entity or config")
    fix: str = described("What to do about it")
    is_fixable: bool = described("True: --fix does it", key="fixable", default=False)


@declared
class Fact:
    """Something that was found out on the way."""

    name: str = described("What it is about")
    value: str = described("What was found out")


@declared
class Diagnosis:
    """Everything that was found."""

    memory: str | None = described("The memory file, or null if none can be located")
    findings: tuple[Finding, ...] = described("What is wrong, problems first")
    facts: tuple[Fact, ...] = described("What was found out on the way")
    fixed: tuple[Finding, ...] | None = described("What --fix has repaired", default=None)
    backup: str | None = described("The copy of the memory from before that", default=None)

    @property
    def has_problems(self) -> bool:
        """Whether something is wrong that puts facts at risk."""
        return any(finding.severity == "problem" for finding in self.findings)
