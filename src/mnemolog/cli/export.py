"""`mnemolog export`: write the memory down for other tools, or for people who like to look."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import click

from mnemolog.answers.excerpts import Scope
from mnemolog.cli.asking import is_terminal
from mnemolog.cli.opening import named_path, open_memory, printable, reporting_errors
from mnemolog.errors import InvalidRequest
from mnemolog.interchange.exporting import FOLDER, FORMATS, mermaid
from mnemolog.interchange.exporting.markdown import Folder
from mnemolog.interchange.exporting.placing import write_file, write_folder
from mnemolog.results import GraphResult
from mnemolog.store.access import AccessLog
from mnemolog.store.location import Location
from mnemolog.text import counted

_STDOUT: Final = "-"
_BOUNDED: Final = "mermaid"
_NAMES_SHOWN: Final = 5


@click.command("export")
@click.option(
    "--to", "name", required=True, type=click.Choice([*FORMATS, FOLDER]), help="The format."
)
@click.argument("path", required=False)
@click.option("--include-superseded", is_flag=True, help="Also what is no longer true.")
@click.option("--all", "is_whole", is_flag=True, help="mermaid: more than Mermaid draws unasked.")
@click.option("--force", is_flag=True, help="Replace what an export wrote there before.")
def command(
    name: str, path: str | None, *, include_superseded: bool, is_whole: bool, force: bool
) -> None:
    """Write the memory to PATH in the format of other tools; the memory itself stays as it is.

    \b
    server-memory  the file of @modelcontextprotocol/server-memory, to go back to it
    json           one document, with dates and agents
    markdown       a folder to read: a page for each entity, with links, and an index
    graphml        for Gephi, yEd, Cytoscape, networkx
    mermaid        a flowchart, for pages that draw one

    Without PATH, or with -, everything but a folder is printed. Nothing that exists is replaced
    unless --force is given, and in a folder nothing but the pages of an earlier export.

    \b
    Examples:
      mnemolog export --to server-memory ~/memory.jsonl
      mnemolog export --to markdown docs/memory --include-superseded
      mnemolog export --to mermaid > graph.mmd
    """
    with reporting_errors():
        target = _target(name, path)
        _refuse_options(name, target, include_superseded=include_superseded, is_whole=is_whole)
        memory = open_memory()
        found = memory.read_graph(Scope(include_superseded=True, max_chars=0))
        graph = found if include_superseded else _without_superseded(found)
        if target is not None:
            _refuse_memory_itself(target, memory.location)
        if name == FOLDER and target is not None:
            _write_folder(target, graph, force=force)
        else:
            _write_text(target, _pieces(name, graph, is_whole=is_whole), force=force)
    _remark(name, found, graph)


def _target(name: str, path: str | None) -> Path | None:
    if path is None or path == _STDOUT:
        return None
    return Path(path).expanduser() if name == FOLDER else named_path(path)


def _refuse_options(
    name: str, target: Path | None, *, include_superseded: bool, is_whole: bool
) -> None:
    if name == FOLDER and target is None:
        raise click.UsageError("--to markdown writes a folder: say which one.")
    if include_superseded and name != FOLDER and not FORMATS[name].holds_superseded:
        raise click.UsageError(f"--to {name} has no place for what is no longer true.")
    if is_whole and name != _BOUNDED:
        raise click.UsageError(f"--all is for --to mermaid; --to {name} writes everything.")


def _refuse_memory_itself(target: Path, location: Location) -> None:
    memory, resolved = location.path, target.resolve()
    is_beside = resolved.parent == memory.parent and (
        resolved.name.startswith(memory.name) or resolved == AccessLog(memory).path
    )
    is_linked = target.exists() and memory.exists() and target.samefile(memory)
    if is_beside or is_linked:
        raise InvalidRequest(f"{target} belongs to the memory itself. Name another file.")


def _without_superseded(graph: GraphResult) -> GraphResult:
    return replace(graph, entities=tuple(replace(e, superseded=None) for e in graph.entities))


def _pieces(name: str, graph: GraphResult, *, is_whole: bool) -> Iterator[str]:
    if name != _BOUNDED or is_whole:
        return FORMATS[name].pieces(graph)
    chosen = mermaid.most_connected(graph)
    if chosen is not graph:
        click.echo(f"{mermaid.share(chosen, graph)} --all writes everything.", err=True)
    return mermaid.pieces(chosen, graph)


def _write_text(target: Path | None, pieces: Iterable[str], *, force: bool) -> None:
    if target is not None:
        write_file(target, pieces, may_replace=force)
        click.echo(f"Written: {printable(str(target))}", err=True)
    elif is_terminal(sys.stdout):
        for piece in pieces:
            shown = (printable(line) for line in piece.split("\n"))
            click.echo("\n".join(shown), nl=False)
    else:
        for piece in pieces:
            sys.stdout.buffer.write(piece.encode())  # UTF-8, whatever the locale is
        sys.stdout.buffer.flush()


def _write_folder(target: Path, graph: GraphResult, *, force: bool) -> None:
    folder = Folder(graph)
    stale = write_folder(target, folder, may_replace=force)
    index = target / folder.names[-1]
    click.echo(f"Written: {printable(str(index))} and {len(folder.names) - 1:,} pages.", err=True)
    if stale:
        click.echo(
            f"{len(stale):,} pages of an earlier export are about entities that are gone, and were "
            f"left there: {printable(', '.join(stale[:_NAMES_SHOWN]))}"
            + (", …" if len(stale) > _NAMES_SHOWN else "."),
            err=True,
        )


def _remark(name: str, found: GraphResult, graph: GraphResult) -> None:
    """Say on stderr what did not come along."""
    left = found.totals.superseded - graph.totals.superseded
    if name == "server-memory":
        retired = f", and {counted(left, 'retired observation')}," if left else ""
        click.echo(f"Dates and agents{retired} stay behind: the format has no place.", err=True)
    elif left and name != _BOUNDED:
        click.echo(
            f"Left out, being no longer true: {counted(left, 'observation')}. "
            "--include-superseded takes what was true along.",
            err=True,
        )
    if found.problems:
        click.echo(
            f"Left out, being unreadable: {counted(len(found.problems), 'line')} of the memory "
            "file; 'mnemolog doctor' lists what is wrong.",
            err=True,
        )
