"""A search through the memory follows every write, ours and that of others."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemolog.answers.excerpts import Scope
from mnemolog.filters import Filters
from mnemolog.jsonl import encode_call
from mnemolog.memory import Memory
from mnemolog.records import Entity, ObservationTags, Record, Superseded
from mnemolog.requests import NewEntity, NewObservations, ObservationDeletion, RelationTriple
from mnemolog.results import SearchResults
from mnemolog.store.location import Settings

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "m.jsonl"


def memory_at(path: Path, now: datetime = NOON) -> Memory:
    return Memory.open(Settings(str(path), None), path.parent, lambda: now)


@pytest.fixture
def memory(path: Path) -> Memory:
    memory = memory_at(path)
    memory.create_entities(
        [
            NewEntity("api", "service", ("deploys to Fly.io on merge", "tests run with pytest")),
            NewEntity("worker", "service", ("retries failed jobs five times",)),
            NewEntity("Ada", "person", ("prefers tabs over spaces",)),
        ],
        "codex",
    )
    memory.create_relations([RelationTriple("api", "worker", "feeds")], "codex")
    return memory


def append(path: Path, *records: Record) -> None:
    with path.open("ab") as file:
        file.write(encode_call(records))


def texts(found: SearchResults) -> list[str]:
    return [hit.text for hit in sorted(found.hits, key=lambda hit: hit.rank)]


def many(memory: Memory, count: int) -> None:
    facts = tuple(f"release {n} was shipped" for n in range(count))
    memory.create_entities([NewEntity("releases", "log", facts)], "codex")


def test_the_fact_that_answers_a_question_comes_first_with_its_tags(memory: Memory) -> None:
    (first, *_) = sorted(
        memory.search_nodes("Where does the api deploy?").hits, key=lambda h: h.rank
    )
    assert (first.entity_name, first.text) == ("api", "deploys to Fly.io on merge")
    assert first.tags == ObservationTags("2026-03-01T12:00:00+00:00", "codex")
    assert first.score > 0


def test_entities_and_relations_come_with_the_hits(memory: Memory) -> None:
    found = memory.search_nodes("deploy")
    assert [entity.name for entity in found.entities] == ["api"]
    assert [relation.relation_type for relation in found.relations] == ["feeds"]


def test_an_entity_without_observations_is_found_by_its_name(memory: Memory) -> None:
    memory.create_entities([NewEntity("scheduler", "service", ())], "codex")
    assert [entity.name for entity in memory.search_nodes("scheduler").entities] == ["scheduler"]


def test_an_empty_query_reads_the_graph(memory: Memory) -> None:
    found = memory.search_nodes("  ")
    assert [entity.name for entity in found.entities] == ["api", "worker", "Ada"]
    assert found.hits == ()


def test_nothing_found_suggests_a_near_spelling(memory: Memory) -> None:
    found = memory.search_nodes("pytset")
    assert (found.entities, found.hits, found.did_you_mean) == ((), (), ("pytest",))
    assert memory.search_nodes("zzzzzzzz").did_you_mean is None


def test_the_index_follows_our_writes_and_those_of_others(path: Path, memory: Memory) -> None:
    assert texts(memory.search_nodes("rollback")) == []
    memory.add_observations([NewObservations("api", ("rollback takes a minute",))], "codex")
    assert "rollback takes a minute" in texts(memory.search_nodes("rollback"))
    append(path, Entity("worker", None, ("rollback is manual",), ObservationTags(None, None)))
    assert "rollback is manual" in texts(memory.search_nodes("rollback"))
    deletion = ObservationDeletion("api", ("rollback takes a minute",))
    memory_at(path).delete_observations([deletion], "codex")
    assert "rollback takes a minute" not in texts(memory.search_nodes("rollback"))


def test_a_torn_call_is_not_found_and_its_repair_is_followed(path: Path, memory: Memory) -> None:
    memory.search_nodes("deploy")
    with path.open("ab") as file:
        file.write(
            b'{"type":"entity","name":"api","observations":["torn rollback"],"continues":true}\n'
        )
    assert "torn rollback" not in texts(memory.search_nodes("rollback"))
    memory_at(path).add_observations([NewObservations("api", ("whole rollback",))], "codex")
    found = texts(memory.search_nodes("rollback"))
    assert "whole rollback" in found
    assert "torn rollback" not in found


def test_a_reload_ranks_alike(path: Path, memory: Memory) -> None:
    many(memory, 50)
    memory.search_nodes("release")
    deletion = ObservationDeletion("releases", ("release 7 was shipped",))
    memory.delete_observations([deletion], "codex")
    memory.add_observations([NewObservations("releases", ("release 7 was withdrawn",))], "codex")
    for query in ("release 7", "shipped", "what was withdrawn"):
        assert memory.search_nodes(query).hits == memory_at(path).search_nodes(query).hits


def test_a_limit_caps_hits_and_entities_and_the_cursor_leads_to_the_rest(memory: Memory) -> None:
    many(memory, 250)
    scope = Scope(limit=20)
    pages = [memory.search_nodes("shipped release", scope)]
    while pages[-1].cursor:
        pages.append(memory.search_nodes("shipped release", scope, pages[-1].cursor))
    assert all(len(page.hits) <= 20 for page in pages)
    found = [text for page in pages for text in texts(page)]
    assert len(found) == len(set(found)) == 250
    assert [entity.name for page in pages for entity in page.entities] == ["releases"]
    assert pages[0].omitted is not None
    assert pages[0].omitted.hits == 230


def test_pages_of_hits_stay_consistent_while_others_write(path: Path, memory: Memory) -> None:
    many(memory, 250)
    scope, other = Scope(limit=20), memory_at(path)
    there = {f"release {n} was shipped" for n in range(250)}
    pages = [memory.search_nodes("shipped release", scope)]
    while pages[-1].cursor:
        number = len(pages)
        other.add_observations(
            [NewObservations("releases", (f"shipped release, shipped again {number}",))], "codex"
        )
        pages.append(memory.search_nodes("shipped release", scope, pages[-1].cursor))
    found = [text for page in pages for text in texts(page)]
    assert len(found) == len(set(found))
    assert there <= set(found)


def test_no_hit_is_skipped_though_those_shown_are_deleted(memory: Memory) -> None:
    many(memory, 260)
    page = memory.search_nodes("shipped release")
    found = texts(page)
    while page.cursor:
        shown = ObservationDeletion("releases", tuple(texts(page)))
        memory.delete_observations([shown], "codex")
        page = memory.search_nodes("shipped release", cursor=page.cursor)
        found += texts(page)
    assert sorted(found) == sorted(f"release {n} was shipped" for n in range(260))


def test_what_gets_other_words_or_another_name_while_somebody_pages_is_found(
    memory: Memory,
) -> None:
    many(memory, 30)
    page = memory.search_nodes("shipped release")
    left = {f"release {n} was shipped" for n in range(30)} - set(texts(page))
    memory.edit_observation("releases", left.pop(), "codex", new_text="the release was shipped")
    memory.rename_entity("releases", "shipments", "codex")
    found: list[str] = []
    while page.cursor:
        page = memory.search_nodes("shipped release", cursor=page.cursor)
        found += texts(page)
    assert {*left, "the release was shipped"} <= set(found)
    assert len(found) == len(set(found))


def test_an_answer_keeps_its_bound_and_shows_the_hits_first(memory: Memory) -> None:
    many(memory, 400)
    found = memory.search_nodes("shipped release", Scope(limit=20, max_chars=6_000))
    assert len(found.hits) == 20
    (entity,) = found.entities
    assert entity.observation_count == 400
    assert set(entity.observations) == {hit.text for hit in found.hits}


@pytest.mark.usefixtures("memory")
def test_facts_are_filtered_by_agent_date_and_type(path: Path) -> None:
    later = memory_at(path, NOON + timedelta(days=3))
    later.add_observations([NewObservations("worker", ("deploys by hand",))], "claude-code")
    day = NOON + timedelta(days=1)
    assert (
        texts(later.search_nodes("deploys", Scope(Filters(agent="claude-code"))))[0]
        == "deploys by hand"
    )
    assert texts(later.search_nodes("deploys", Scope(Filters(since=day)))) == ["deploys by hand"]
    assert "deploys by hand" not in texts(later.search_nodes("deploys", Scope(Filters(before=day))))
    assert texts(later.search_nodes("tabs", Scope(Filters(entity_types=("service",))))) == []


def test_superseded_facts_are_found_only_on_demand(path: Path, memory: Memory) -> None:
    tags = ObservationTags("2026-01-01T12:00:00+00:00", "codex")
    append(path, Superseded("api", "deploys to Heroku", tags, "2026-02-01T12:00:00+00:00", "ada"))
    assert texts(memory.search_nodes("Heroku")) == []
    found = memory.search_nodes("Heroku", Scope(include_superseded=True))
    (hit, *_) = sorted(found.hits, key=lambda hit: hit.rank)
    assert (hit.text, hit.superseded_by) == ("deploys to Heroku", "ada")
    (entity,) = found.entities
    assert entity.superseded is not None
    assert [retired.text for retired in entity.superseded] == ["deploys to Heroku"]


def test_what_is_opened_often_wins_among_equals(path: Path) -> None:
    memory = memory_at(path)
    twins = [NewEntity(name, "service", ("listens on a port",)) for name in ("one", "two", "six")]
    memory.create_entities(twins, "codex")
    assert memory.search_nodes("port").hits[0].entity_name == "one"
    for _ in range(5):
        memory.open_nodes(["six"])
    later = memory_at(path, NOON + timedelta(hours=1))
    assert later.search_nodes("port").hits[0].entity_name == "six"


def test_expand_follows_relations_from_the_best_hits(memory: Memory) -> None:
    plain = texts(memory.search_nodes("Which jobs does Fly.io feed?"))
    expanded = texts(memory.search_nodes("How often are jobs fed by the api retried?", expand=True))
    assert plain
    assert "retries failed jobs five times" in expanded


def test_each_factor_of_a_score_is_explained(memory: Memory) -> None:
    lines = memory.explain("deploy", Scope())
    assert lines[0] == "api: deploys to Fly.io on merge"
    assert any("'deploy'" in line for line in lines)
    assert any("priority" in line for line in lines)


@pytest.mark.parametrize("joint", "-_.@/\\:'\u2019")
def test_what_joins_words_of_a_script_without_spaces_finds_nothing_by_itself(
    memory: Memory, joint: str
) -> None:
    memory.add_observations([NewObservations("api", (f"大人{joint}子供",))], "codex")
    assert [hit.text for hit in memory.search_nodes("子供").hits][:1] == [f"大人{joint}子供"]
    answer = memory.search_nodes(f"東京{joint}京都")
    assert not answer.hits
    assert joint not in (answer.did_you_mean or ())
