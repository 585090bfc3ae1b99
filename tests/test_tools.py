"""Each tool: its schemas, its hints, its answers, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped] # it has no types

from mcp_client import ERAS, Era, answer, connected, refusal
from mnemolog.declarations import json_schema, to_wire
from mnemolog.errors import InvalidRequest
from mnemolog.records import ObservationTags, Relation, Tags
from mnemolog.requests import NewEntity
from mnemolog.results import EntityResult, GraphResult, HitResult, Problem, SearchResults
from mnemolog.server.agents import normalise
from mnemolog.server.arguments import read_arguments
from mnemolog.server.rendering import render
from mnemolog.server.tools import TOOLS
from mnemolog.server.writes import CreateEntities

HALF = "\ud83d"
"""The first half of an emoji: JSON can say it, UTF-8 cannot."""

NINE = {
    "create_entities": {"entities"},
    "create_relations": {"relations"},
    "add_observations": {"observations"},
    "delete_entities": {"entityNames"},
    "delete_observations": {"deletions"},
    "delete_relations": {"relations"},
    "read_graph": set[str](),
    "search_nodes": {"query"},
    "open_nodes": {"names"},
}
"""server-memory's tools with the keys that they require."""

READING = {"read_graph", "search_nodes", "open_nodes", "check_observations"}
CHANGING = {"edit_observation", "supersede_observation", "rename_entity", "merge_entities", "undo"}
"""What a second call with the same arguments does not find as it was."""

TAGS = ObservationTags("2026-05-01T10:00:00+02:00", "tester")


def problems(tool: str, **sent: Any) -> str:
    with pytest.raises(InvalidRequest) as refused:
        read_arguments(TOOLS[tool], sent)
    return str(refused.value)


def test_the_tools_are_those_of_server_memory_and_ours() -> None:
    others = {"check_observations", "export_taxonomy", "import_memory", "initialize_memory"}
    assert {*TOOLS} == {*NINE} | CHANGING | others


@pytest.mark.parametrize("name", NINE)
def test_a_tool_requires_what_server_memory_requires(name: str) -> None:
    assert set(json_schema(TOOLS[name].arguments).get("required", ())) == NINE[name]


@pytest.mark.parametrize("name", TOOLS)
def test_the_schemas_of_a_tool_are_valid_and_describe_every_argument(name: str) -> None:
    taken, answered = json_schema(TOOLS[name].arguments), json_schema(TOOLS[name].result)
    Draft202012Validator.check_schema(taken)
    Draft202012Validator.check_schema(answered)
    assert all(described["description"] for described in taken["properties"].values())


@pytest.mark.parametrize("name", TOOLS)
def test_hints_say_what_a_tool_does(name: str) -> None:
    effect = TOOLS[name].effect
    destroying = {*CHANGING, "initialize_memory"}
    assert effect.is_read_only == (name in READING)
    assert effect.is_destructive == (name.startswith("delete_") or name in destroying)
    assert effect.is_idempotent == (name not in destroying)


@pytest.mark.parametrize("name", TOOLS)
def test_no_result_has_a_type_key(name: str) -> None:
    def keys(schema: dict[str, Any]) -> set[str]:
        inner = [*schema.get("properties", {}).values(), *filter(None, [schema.get("items")])]
        return set(schema.get("properties", ())).union(*map(keys, inner))

    assert "type" not in keys(json_schema(TOOLS[name].result))


def test_arguments_become_records_and_unknown_keys_are_ignored() -> None:
    entity = {"name": "A", "entityType": "t", "observations": ["x"], "color": "red"}
    arguments = read_arguments(TOOLS["create_entities"], {"entities": [entity], "why": 1})
    assert isinstance(arguments, CreateEntities)
    assert arguments.entities[0].observations == ("x",)


def test_every_problem_in_the_arguments_is_named_by_its_path() -> None:
    said = problems("create_entities", entities=[{"name": 1, "entityType": "t"}, "Bob"])
    assert said == (
        "Invalid arguments for create_entities: entities[0].name should be a string; "
        "entities[0].observations is required; entities[1] should be an object. Nothing was saved."
    )


@pytest.mark.parametrize("tool", ["read_graph", "search_nodes", "open_nodes", "create_entities"])
def test_a_null_stands_for_an_argument_that_was_left_out(tool: str) -> None:
    entity = {"name": "A", "entityType": "t", "observations": ["x"]}
    sent = {"query": "x", "names": ["A"], "entities": [entity]}
    nulls = dict.fromkeys(json_schema(TOOLS[tool].arguments)["properties"])
    of_entity = dict.fromkeys(json_schema(NewEntity)["properties"])
    filled = {**nulls, **{key: sent[key] for key in nulls.keys() & sent.keys()}}
    if "entities" in filled:
        filled["entities"] = [{**of_entity, **entity}]
    assert None in filled.values() or None in {**of_entity, **entity}.values()
    assert read_arguments(TOOLS[tool], filled) == read_arguments(TOOLS[tool], sent)


@pytest.mark.parametrize("nothing", ["", []])
@pytest.mark.parametrize("tool", TOOLS)
def test_an_empty_text_or_list_stands_for_an_optional_argument_that_was_left_out(
    tool: str, nothing: object
) -> None:
    schema = json_schema(TOOLS[tool].arguments)
    required = schema.get("required", ())
    sent = {key: _of(schema["properties"][key], None) for key in required}
    filled = {key: _of(inner, nothing) for key, inner in schema["properties"].items()}
    optional = dict.fromkeys(schema["properties"].keys() - set(required), nothing)
    left_out = read_arguments(TOOLS[tool], sent)
    assert read_arguments(TOOLS[tool], {**filled, **optional}) == left_out


def _of(schema: Mapping[str, Any], optional: object) -> Any:
    """Return a value that a schema allows, with this for all that is optional in it."""
    if schema["type"] == "array":
        return [_of(schema["items"], optional)]
    if schema["type"] == "object":
        required = schema["required"]
        return {
            key: _of(inner, optional) if key in required else optional
            for key, inner in schema["properties"].items()
        }
    return schema.get("enum", ["x"])[0]


def test_an_empty_text_or_list_that_is_required_is_kept() -> None:
    entity = {"name": "", "entityType": "", "observations": [""]}
    arguments = read_arguments(TOOLS["create_entities"], {"entities": [entity]})
    assert isinstance(arguments, CreateEntities)
    assert arguments.entities == (NewEntity("", "", ("",)),)
    assert read_arguments(TOOLS["search_nodes"], {"query": ""}).query == ""
    assert read_arguments(TOOLS["open_nodes"], {"names": []}).names == ()


@pytest.mark.parametrize(
    ("tool", "sent", "said"),
    [
        ("open_nodes", {"names": None}, "names is required"),
        ("open_nodes", {"names": "A"}, "names should be an array"),
        ("search_nodes", {}, "query is required"),
        ("delete_entities", {"entity_names": ["A"]}, "entityNames is required"),
        ("create_entities", {"entities": '[{"name":"A"}]'}, "entities should be an array"),
        ("initialize_memory", {"mode": "clean"}, "mode should be 'fresh' or 'adopt'"),
    ],
)
def test_a_wrong_argument_is_refused(tool: str, sent: dict[str, Any], said: str) -> None:
    assert said in problems(tool, **sent)


def test_a_long_list_of_problems_is_cut() -> None:
    assert problems("open_nodes", names=[1] * 1000).endswith("; and 988 more.")


def test_half_a_character_is_refused_by_its_place() -> None:
    entity = {"name": "A", "entityType": "t", "observations": ["whole", f"half {HALF}"]}
    said = problems("create_entities", entities=[entity])
    assert "entities[0].observations[1] holds half of a character" in said
    said.encode()


def test_half_a_character_in_a_key_is_refused_in_words_that_can_be_sent() -> None:
    said = problems("search_nodes", query="x", **{HALF: 1})
    assert "the arguments holds half of a character" in said
    said.encode()


@pytest.mark.parametrize(
    ("client", "agent"),
    [
        ("codex-mcp-client", "codex"),
        ("gemini-cli-mcp-client", "gemini-cli"),
        ("cursor-vscode", "cursor"),
        ("Visual Studio Code", "vscode"),
        ("claude-code", "claude-code"),
        ("My Client 2", "My Client 2"),
        (" \t", "unknown"),
        ("", "unknown"),
        (None, "unknown"),
        (f"odd{HALF}", "odd?"),
        ("long" * 1000, "long" * 25),
    ],
)
def test_an_agent_goes_by_the_name_that_people_use(client: str | None, agent: str) -> None:
    assert normalise(client) == agent


def graph(*names: str, problems: tuple[Problem, ...] | None = None) -> GraphResult:
    entities = tuple(EntityResult(name, "t", ("é\n",), TAGS, (TAGS,)) for name in names)
    relations = tuple(Relation(name, name, "is", Tags(None, None)) for name in names)
    return GraphResult(entities, relations, problems)


def found(*names: str, did_you_mean: tuple[str, ...] | None = None) -> SearchResults:
    whole = graph(*names)
    hits = tuple(HitResult(name, "é\n", 1, 0.25, TAGS) for name in names)
    return SearchResults(whole.entities, whole.relations, hits, did_you_mean)


@pytest.mark.parametrize(
    "result",
    [
        *(graph(), graph("A", "B"), graph("A", problems=(Problem(3, "not JSON"),))),
        *(found(), found("A", "B"), found(did_you_mean=("A",))),
    ],
    ids=["empty", "full", "problems", "nothing found", "found", "meant"],
)
def test_a_rendered_result_is_its_json_form(result: GraphResult | SearchResults) -> None:
    text = render(result)
    assert text == json.dumps(to_wire(result), ensure_ascii=False, separators=(",", ":"))


def test_what_is_rendered_again_shows_what_has_changed() -> None:
    first = graph("A", "B")
    assert render(first) == render(first)
    second = GraphResult((first.entities[0], *graph("C").entities), first.relations, None)
    assert json.loads(render(second)) == to_wire(second)


@pytest.mark.anyio
@pytest.mark.parametrize("era", ERAS)
async def test_every_tool_answers_as_its_schema_says(tmp_path: Path, era: Era) -> None:
    async with connected(tmp_path, era) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}

        async def checked(tool: str, **arguments: Any) -> dict[str, Any]:
            answered = await answer(client, tool, **arguments)
            schema = listed[tool].output_schema
            assert schema is not None
            Draft202012Validator(schema).validate(answered)
            return answered

        alice = {"name": "Alice", "entityType": "person", "observations": ["likes tea"]}
        knows = {"from": "Alice", "to": "Bob", "relationType": "knows"}
        created = await checked("create_entities", entities=[alice, alice | {"name": "Bob"}])
        assert [entity["name"] for entity in created["entities"]] == ["Alice", "Bob"]
        skipped = await checked("create_entities", entities=[alice])
        assert skipped["skipped"][0]["name"] == "Alice"
        await checked("create_relations", relations=[knows, knows | {"to": "Nobody"}])
        more = [{"entityName": "Alice", "contents": ["likes tea", "plays chess"]}]
        added = await checked("add_observations", observations=more)
        assert added["results"] == [{"entityName": "Alice", "addedObservations": ["plays chess"]}]
        assert len((await checked("read_graph"))["entities"]) == 2
        assert len((await checked("search_nodes", query="chess"))["entities"]) == 1
        opened = await checked("open_nodes", names=["Alice"])
        assert opened["entities"][0]["observations"] == ["likes tea", "plays chess"]
        gone = [{"entityName": "Alice", "observations": ["plays chess", "never said"]}]
        await checked("delete_observations", deletions=gone)
        await checked("delete_relations", relations=[knows, knows])
        await checked("delete_entities", entityNames=["Bob", "Nobody"])
        await checked("initialize_memory", mode="adopt")
        assert [e["name"] for e in (await checked("read_graph"))["entities"]] == ["Alice"]
        assert "Nobody not found" in await refusal(
            client, "add_observations", observations=[{"entityName": "Nobody", "contents": ["x"]}]
        )
