"""`mnemolog import`: bring along what another memory server kept."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from mnemolog.cli.asking import is_terminal, require_yes, yes_option
from mnemolog.cli.opening import open_memory, person, printable, reporting_errors
from mnemolog.cli.output import json_option, print_json, remark
from mnemolog.errors import MnemologError
from mnemolog.results import ImportProgress, ImportReport
from mnemolog.store.location import home_folder, start_folder
from mnemolog.text import counted, counted_graph

if TYPE_CHECKING:
    from mnemolog.memory import Memory

_LISTED: Final = 10
"""How many problems and warnings of a kind are printed; --json has more of them."""

_STEPS_OF_BAR: Final = 1000


@click.command("import")
@click.argument("path", required=False, type=click.Path(readable=False))
@click.option(
    "--from", "format_name", metavar="FORMAT", help="Don't recognise the format: it is this."
)
@click.option("--dry-run", is_flag=True, help="Only say what would be imported.")
@yes_option
@json_option
def command(
    path: str | None, format_name: str | None, *, dry_run: bool, yes: bool, as_json: bool
) -> None:
    """Bring the facts of PATH into this repository's memory; PATH is only read.

    PATH is a file or folder of server-memory, plain-text-memory-mcp, mcp-knowledge-graph,
    mcp-memory, mcp-memory-graph, mcp-memory-service, mcp-memory-libsql, mem0 or mnemolog, or of
    Markdown notes. Dates and agents come along. Running it again brings only what is new. Without
    PATH it looks where these servers keep their stores, and asks before it writes.

    \b
    Examples:
      mnemolog import
      mnemolog import ~/old/memory.json
      mnemolog import --dry-run --from markdown notes/

    \b
    Exit codes: 0 imported, also if single records had to be left out; 1 refused, or no yes.
    """
    if path == "":  # a variable that is not set: to Path it is the folder that one is in
        raise click.UsageError("PATH is empty.")
    with reporting_errors():
        run = _Import(open_memory(), format_name)
        if path is None:
            _offer(run, dry_run=dry_run, yes=yes, as_json=as_json)
            return
        report = run.carry_out(Path(path), dry_run=dry_run)
    if as_json:
        print_json(report)
    else:
        _print(report)


@dataclass(frozen=True, slots=True)
class _Import:
    memory: Memory
    format_name: str | None

    def carry_out(self, path: Path, *, dry_run: bool) -> ImportReport:
        """Import a store, with a progress bar on a terminal."""
        with _progress(path.name) as tell:
            return self.memory.upkeep.import_from(
                path, person(), format_name=self.format_name, dry_run=dry_run, tell=tell
            )

    def rehearsed(self) -> dict[Path, ImportReport]:
        """Return what an import of each store in the usual places would bring."""
        from mnemolog.interchange import formats  # noqa: PLC0415 - for this command only

        project = self.memory.location.repository or start_folder()
        reports: dict[Path, ImportReport] = {}
        for known, path in formats.discover(home_folder(), project):
            if self.format_name in {None, known.name} and not self._is_ours(path):
                try:
                    reports[path] = self.carry_out(path, dry_run=True)
                except MnemologError as error:
                    remark(str(error))
        return reports

    def _is_ours(self, path: Path) -> bool:
        with suppress(OSError):
            return path.samefile(self.memory.location.path)
        return False


def _offer(run: _Import, *, dry_run: bool, yes: bool, as_json: bool) -> None:
    """Import what is new in the usual places, after showing what that is and asking."""
    rehearsed = run.rehearsed()
    new = [path for path, report in rehearsed.items() if report.lines_added and not dry_run]
    if not rehearsed:
        remark("No store of another memory was found where their servers keep them.")
    if not new or not yes:
        _print_all(rehearsed.values(), as_json=as_json)
    if new:
        what = counted(len(new), "store")
        require_yes(f"Import what is new of {what} into {run.memory.location.path}?", yes=yes)
        _print_all([run.carry_out(path, dry_run=False) for path in new], as_json=as_json)


# --- progress --------------------------------------------------------------------------------


@contextmanager
def _progress(label: str) -> Iterator[Callable[[ImportProgress], None]]:
    """Show a bar meanwhile, if there is a terminal, and give what moves it on."""
    if not is_terminal(sys.stderr):
        yield lambda _: None
        return
    with click.progressbar(
        length=_STEPS_OF_BAR,
        label=printable(label),
        file=sys.stderr,
        item_show_func=lambda shown: shown,
    ) as bar:

        def advance(progress: ImportProgress) -> None:
            reached = round((progress.part or 0) * _STEPS_OF_BAR)
            bar.update(max(0, reached - bar.pos), f"{progress.records:,} records")

        yield advance
        bar.update(_STEPS_OF_BAR - bar.pos)


# --- what was done ---------------------------------------------------------------------------


def _print_all(reports: Iterable[ImportReport], *, as_json: bool) -> None:
    if as_json:
        print_json(tuple(reports))
        return
    for report in reports:
        _print(report)


def _print(report: ImportReport) -> None:
    read = f"{counted(report.entities_imported, 'entity')} read"
    new = counted_graph(
        report.entities_created, report.observations_imported, report.relations_imported
    )
    would = "would be new" if report.dry_run else "are new"
    click.echo(printable(f"{report.source} ({report.format}): {read}; {new} {would}."))
    problems = (
        (report.errors, "could not be parsed", report.error_list or ()),
        (report.skipped, "skipped", report.skipped_list or ()),
    )
    for count, what, listed in problems:
        if count:
            remark(f"{count:,} {what}:")
            for problem in listed[:_LISTED]:
                remark(f"  {problem.place}: {problem.reason}")
            if count > len(listed[:_LISTED]):
                remark(f"  and {count - len(listed[:_LISTED]):,} more")
    _print_warnings(report)


def _print_warnings(report: ImportReport) -> None:
    for kind, count, what in (
        ("secret", report.secrets, "hold a secret"),
        ("instruction_like", report.instruction_like, "instruct an agent"),
    ):
        if count:
            of_kind = [w.entity_name for w in report.warnings or () if w.kind == kind]
            names = [*dict.fromkeys(name for name in of_kind if name is not None)]
            more = ", …" if len(names) > _LISTED or count > len(of_kind) else ""
            told = f"{', '.join(names[:_LISTED])}{more}" if names else "listed by --json"
            remark(f"{counted(count, 'new observation')} may {what}: {told}")
