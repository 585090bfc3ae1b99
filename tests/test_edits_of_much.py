"""Edits of many facts at once, or of one among many: nothing is gone through for each of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mnemolog.edits.deleting import delete_observations
from mnemolog.edits.saving import add_observations
from mnemolog.graph import EntityState, Graph
from mnemolog.records import Entity, ObservationTags, Superseded
from mnemolog.requests import NewObservations, ObservationDeletion

TAGS = ObservationTags("2026-02-01T12:00:00+00:00", "ada")


class Walked(Graph):
    """A graph that counts how often somebody goes through its entities, or all facts of one."""

    walks = 0

    def __iter__(self) -> Iterator[EntityState]:
        self.walks += 1
        return super().__iter__()

    def observations_ever(self, name: str) -> tuple[str, ...]:
        self.walks += 1
        return super().observations_ever(name)


@pytest.fixture
def graph() -> Walked:
    graph = Walked()
    graph.apply(Entity("api", "service", ("is fast", "is small"), TAGS))
    graph.apply(Entity("web", "service", ("asks the api",), TAGS))
    graph.apply(Superseded("api", "is small", TAGS, TAGS.added_at, "ada", None))
    return graph


def test_facts_are_deleted_without_a_look_at_the_others(graph: Walked) -> None:
    asked = [("api", "is fast"), ("api", "is small"), ("api", "is red"), ("db", "is fast")]
    requests = [ObservationDeletion(name, (text,)) for name, text in asked]
    result = delete_observations(graph, requests, TAGS).result
    assert [(e.entity_name, e.observations) for e in result.deleted] == [
        ("api", ("is fast", "is small"))
    ]
    assert [(e.entity_name, e.observations) for e in result.not_found or ()] == [
        ("api", ("is red",)),
        ("db", ("is fast",)),
    ]
    assert graph.walks == 0


def test_all_sources_are_looked_for_at_once(graph: Walked) -> None:
    sources = ("is slow", "asks the api", "is fast", "is new", "is gone")
    requests = [NewObservations("api", ("is new",), None, sources)]
    result = add_observations(graph, requests, TAGS).result
    assert result.missing_sources == ("is slow", "is gone")
    assert graph.walks == 1
