"""`mnemolog doctor`: what is wrong with the memory and around it, and what to do about it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from mnemolog.cli.opening import printable, reporting_errors
from mnemolog.cli.output import json_option, print_json
from mnemolog.store.location import Settings, home_folder, start_folder
from mnemolog.text import counted

if TYPE_CHECKING:
    from mnemolog.doctor.finding import Diagnosis, Finding


@click.command("doctor")
@click.option("--fix", is_flag=True, help="Repair what is safe, after a backup.")
@json_option
@click.pass_context
def command(context: click.Context, *, fix: bool, as_json: bool) -> None:
    """Look for everything that can be wrong with the memory, and say how to mend it.

    The file and its lines, what lies beside it, git, permissions, the disk, the clients' configs,
    the facts, and a real start of the server. Nothing is written without --fix, which makes a
    backup and then repairs what needs no choice: modes of files, a missing .gitignore, temporary
    files of killed programs, and conflict markers. Everything else it leaves to you.

    Exits with 1 if there is a problem: facts are at risk, not seen or not saved. Remarks are worth
    a look, and don't count.

    \b
    Examples:
      mnemolog doctor
      mnemolog doctor --fix
      mnemolog doctor --json
    """
    from mnemolog.doctor.diagnosis import diagnose  # noqa: PLC0415 - needs everything there is
    from mnemolog.doctor.examination import Examination  # noqa: PLC0415

    settings = Settings.from_environment()
    with reporting_errors():
        examination = Examination(settings, start_folder(), home_folder(), dict(os.environ))
        diagnosis = diagnose(examination, fix=fix)
    if as_json:
        print_json(diagnosis)
    else:
        _print(diagnosis)
    context.exit(1 if diagnosis.has_problems else 0)


def _print(diagnosis: Diagnosis) -> None:
    click.echo(printable(diagnosis.memory or "There is no place for a memory here."))
    for fact in diagnosis.facts:
        click.echo(printable(f"  {fact.name}: {fact.value}"))
    if diagnosis.backup:
        click.echo(printable(f"  backup: {diagnosis.backup}"))
    for finding in diagnosis.fixed or ():
        click.secho("\nfixed", fg="green", bold=True, nl=False)
        click.echo(printable(f": {finding.what} ({finding.where})"))
    for finding in diagnosis.findings:
        _print_finding(finding)
    click.echo(f"\n{_summary(diagnosis.findings)}")


def _print_finding(finding: Finding) -> None:
    colour = "red" if finding.severity == "problem" else "yellow"
    click.secho(f"\n{finding.severity}", fg=colour, bold=True, nl=False)
    click.echo(printable(f": {finding.what}"))
    click.echo(printable(f"  where: {finding.where}"))
    click.echo(printable(f"  to do: {finding.fix}"))


def _summary(findings: Iterable[Finding]) -> str:
    severities = [finding.severity for finding in findings]
    problems, remarks = severities.count("problem"), severities.count("remark")
    if not severities:
        return "Nothing is wrong."
    return f"{counted(problems, 'problem')}, {counted(remarks, 'remark')}."
