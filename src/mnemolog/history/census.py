"""How much of everything a memory holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from mnemolog.declarations import declared, described
from mnemolog.filters import DEFAULT_PRIORITY
from mnemolog.graph import Graph
from mnemolog.records import ObservationTags
from mnemolog.results import Problem, Totals
from mnemolog.store.compaction import compact


@declared
class Tally:
    """How many there are of one kind."""

    name: str | None = described("The type, agent, priority or month; null where there is none")
    count: int = described("How many")


@declared
class Census:
    """What a memory holds, counted."""

    totals: Totals = described("How much of everything there is", spread=True)
    entity_types: tuple[Tally, ...] = described("Entities by type, most first", key="entityTypes")
    relation_types: tuple[Tally, ...] = described(
        "Relations by type, most first", key="relationTypes"
    )
    agents: tuple[Tally, ...] = described("True observations by who said them, most first")
    priorities: tuple[Tally, ...] = described("True observations by priority, most first")
    months: tuple[Tally, ...] = described("Observations, true or not, by the month of their date")
    file_bytes: int = described("The size of the file")
    lines: int = described("The lines of the log; 0 for another server's document")
    dead_lines: int = described("Lines that say nothing any more; a compaction drops them")
    live_bytes: int = described("The size of the log without them")
    problems: tuple[Problem, ...] | None = described(
        "Lines that could not be read, so that nothing of them is counted", default=None
    )


def count(graph: Graph, file_bytes: int, log: bytes, problems: tuple[Problem, ...]) -> Census:
    """Return what a graph holds, and the log that it was read from; its last call is whole."""
    current = [tags for entity in graph for tags in entity.observations.values()]
    compacted = compact(log)
    return Census(
        totals=graph.totals,
        entity_types=_most_first(graph.types_of("entity")),
        relation_types=_most_first(graph.types_of("relation")),
        agents=_most_first(tags.agent for tags in current),
        priorities=_most_first(tags.priority or DEFAULT_PRIORITY for tags in current),
        months=_by_name(_months(graph, current)),
        file_bytes=file_bytes,
        lines=log.count(b"\n") + (log != b"" and not log.endswith(b"\n")),
        dead_lines=compacted.dropped_lines,
        live_bytes=len(compacted.content) if log else file_bytes,
        problems=problems or None,
    )


def _most_first(names: Iterable[str | None]) -> tuple[Tally, ...]:
    return tuple(sorted(_by_name(names), key=lambda tally: -tally.count))


def _by_name(names: Iterable[str | None]) -> tuple[Tally, ...]:
    in_order = sorted(Counter(names).items(), key=lambda pair: pair[0] or "")
    return tuple(Tally(*pair) for pair in in_order)


def _months(graph: Graph, current: Iterable[ObservationTags]) -> Iterator[str | None]:
    for tags in current:
        yield _month(tags)
    for records in graph.superseded.values():
        yield from (_month(record.tags) for record in records.values())


def _month(tags: ObservationTags) -> str | None:
    return tags.added_at[: len("2026-03")] if tags.added_at else None
