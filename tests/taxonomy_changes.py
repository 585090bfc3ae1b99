"""A small taxonomy, edits of it, and what each of them means."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from mnemolog.taxonomy.versions import Taxonomy

NAME = {"type": "string", "required": True, "description": "The name"}
AGE = {"type": "integer", "required": False, "default": 7, "description": "The age"}
KIND = {"type": "string", "required": True, "description": "The kind", "enum": ["big", "small"]}

OLD: Taxonomy = {
    "package_version": "0.1.0",
    "records": {"thing": {"purpose": "Is a thing.", "fields": {"name": NAME, "age": AGE}}},
    "tools": {
        "make": {
            "title": "Make",
            "description": "Make things.",
            "effect": {"is_read_only": False},
            "parameters": {
                "things": {
                    "type": "list of objects",
                    "required": True,
                    "description": "The things",
                    "shape": "Thing",
                },
                "kind": KIND,
                "age": AGE,
            },
            "results": {
                "made": {
                    "type": "list of objects",
                    "required": True,
                    "description": "What was made",
                    "shape": "Thing",
                },
                "kind": KIND,
                "age": AGE,
            },
        },
        "rest": {
            "title": "Rest",
            "description": "Rest.",
            "effect": {},
            "parameters": {},
            "results": {},
        },
    },
    "resources": {"a://b": {"title": "B", "mime_type": "application/json", "can_change": True}},
    "prompts": {"tidy": {"title": "Tidy", "description": "Tidy up", "parameters": {}}},
    "enums": {
        "kinds": {"purpose": "Kinds", "values": ["big", "small"], "others_allowed": False},
        "agents": {"purpose": "Agents", "values": ["ada"], "others_allowed": True},
    },
    "commands": {
        "do retype": {
            "purpose": "Retype.",
            "parameters": {
                "OLD": {"type": "string", "required": True, "place": 1},
                "NEW": {"type": "string", "required": True, "place": 2},
            },
        }
    },
    "environment": {"PLACE": {"purpose": "Where"}},
    "shapes": {"Thing": {"name": NAME, "age": AGE}},
}

Edit = Callable[[Any], None]


def a_copy_of(value: Any) -> Any:
    """Return the value as it comes from a file, where no two items are the same object."""
    return json.loads(json.dumps(value))


def at(*path: str) -> Callable[[Any], Any]:
    def found(taxonomy: Any) -> Any:
        for step in path:
            taxonomy = taxonomy[step]
        return taxonomy

    return found


def put(*path: str, to: object) -> Edit:
    def edit(taxonomy: Any) -> None:
        at(*path[:-1])(taxonomy)[path[-1]] = a_copy_of(to)

    return edit


def drop(*path: str) -> Edit:
    def edit(taxonomy: Any) -> None:
        del at(*path[:-1])(taxonomy)[path[-1]]

    return edit


def turn_round(*path: str) -> Edit:
    def edit(taxonomy: Any) -> None:
        held = at(*path[:-1])(taxonomy)
        old = held[path[-1]]
        turned = [*old][::-1]
        held[path[-1]] = {key: old[key] for key in turned} if isinstance(old, dict) else turned

    return edit


MAKE = ("tools", "make")
GIVEN = (*MAKE, "parameters")
RESULTS = (*MAKE, "results")

ONE_CHANGE: tuple[tuple[str, Edit, str, str], ...] = (
    ("a section is gone", drop("prompts"), "major", "prompts: is gone"),
    ("a section is new", put("moods", to={}), "minor", "moods: is new"),
    ("a record is gone", drop("records", "thing"), "major", "records.thing: is gone"),
    ("a tool is gone", drop("tools", "rest"), "major", "tools.rest: is gone"),
    ("a tool is new", put("tools", "nap", to=OLD["tools"]["make"]), "minor", "tools.nap: is new"),
    ("a resource is gone", drop("resources", "a://b"), "major", "resources.a://b: is gone"),
    ("a prompt is new", put("prompts", "sum", to={}), "minor", "prompts.sum: is new"),
    ("an enum is gone", drop("enums", "kinds"), "major", "enums.kinds: is gone"),
    ("a command is gone", drop("commands", "do retype"), "major", "commands.do retype: is gone"),
    ("a variable is new", put("environment", "AGENT", to={}), "minor", "environment.AGENT: is new"),
    (
        "an optional parameter is new",
        put(*GIVEN, "size", to=AGE),
        "minor",
        "tools.make.parameters.size: is new",
    ),
    (
        "a required parameter is new",
        put(*GIVEN, "size", to=NAME),
        "major",
        "tools.make.parameters.size: is new, and required",
    ),
    ("a parameter is gone", drop(*GIVEN, "age"), "major", "tools.make.parameters.age: is gone"),
    (
        "a parameter becomes required",
        put(*GIVEN, "age", "required", to=True),
        "major",
        "tools.make.parameters.age.required: is now so",
    ),
    (
        "a parameter becomes optional",
        put(*GIVEN, "kind", "required", to=False),
        "minor",
        "tools.make.parameters.kind.required: is no more so",
    ),
    (
        "a result that is always there is new",
        put(*RESULTS, "size", to=NAME),
        "minor",
        "tools.make.results.size: is new",
    ),
    ("a result is gone", drop(*RESULTS, "age"), "major", "tools.make.results.age: is gone"),
    (
        "a result may be absent",
        put(*RESULTS, "kind", "required", to=False),
        "major",
        "tools.make.results.kind.required: is no more so",
    ),
    (
        "a result is always there",
        put(*RESULTS, "age", "required", to=True),
        "minor",
        "tools.make.results.age.required: is now so",
    ),
    (
        "a field of a record is new",
        put("records", "thing", "fields", "size", to=AGE),
        "minor",
        "records.thing.fields.size: is new",
    ),
    (
        "a required field of a record is new",
        put("records", "thing", "fields", "size", to=NAME),
        "major",
        "records.thing.fields.size: is new, and required",
    ),
    (
        "a field of a record becomes required",
        put("records", "thing", "fields", "age", "required", to=True),
        "major",
        "records.thing.fields.age.required: is now so",
    ),
    (
        "a field of a record becomes optional",
        put("records", "thing", "fields", "name", "required", to=False),
        "major",
        "records.thing.fields.name.required: is no more so",
    ),
    (
        "a type is another one",
        put(*GIVEN, "kind", "type", to="integer"),
        "major",
        "tools.make.parameters.kind.type: was string, is integer",
    ),
    (
        "a default is another one",
        put(*GIVEN, "age", "default", to=8),
        "major",
        "tools.make.parameters.age.default: was 7, is 8",
    ),
    (
        "a default is gone",
        drop(*GIVEN, "age", "default"),
        "major",
        "tools.make.parameters.age.default: was 7, is not said",
    ),
    (
        "an effect is another one",
        put(*MAKE, "effect", "is_read_only", to=True),
        "major",
        "tools.make.effect: was {'is_read_only': False}, is {'is_read_only': True}",
    ),
    (
        "a media type is another one",
        put("resources", "a://b", "mime_type", to="text/plain"),
        "major",
        "resources.a://b.mime_type: was application/json, is text/plain",
    ),
    (
        "a value of a parameter is gone",
        put(*GIVEN, "kind", "enum", to=["big"]),
        "major",
        "tools.make.parameters.kind.enum: small is gone",
    ),
    (
        "a value of a result is new",
        put(*RESULTS, "kind", "enum", to=["big", "small", "odd"]),
        "minor",
        "tools.make.results.kind.enum: odd is new",
    ),
    (
        "what was free has listed values",
        put(*GIVEN, "age", "enum", to=["1"]),
        "major",
        "tools.make.parameters.age.enum: was not said, is ['1']",
    ),
    (
        "a value of an enum is gone",
        put("enums", "kinds", "values", to=["small"]),
        "major",
        "enums.kinds.values: big is gone",
    ),
    (
        "others are allowed too",
        put("enums", "kinds", "others_allowed", to=True),
        "minor",
        "enums.kinds.others_allowed: is now so",
    ),
    (
        "others are allowed no more",
        put("enums", "agents", "others_allowed", to=False),
        "major",
        "enums.agents.others_allowed: is no more so",
    ),
    (
        "a description is another one",
        put(*GIVEN, "kind", "description", to="Which kind"),
        "patch",
        "tools.make.parameters.kind.description: says something else",
    ),
    (
        "a purpose is another one",
        put("environment", "PLACE", "purpose", to="Whither"),
        "patch",
        "environment.PLACE.purpose: says something else",
    ),
    (
        "a title is another one",
        put("prompts", "tidy", "title", to="Tidy up"),
        "patch",
        "prompts.tidy.title: says something else",
    ),
    (
        "the package has another version",
        put("package_version", to="0.2.0"),
        "patch",
        "package_version: was 0.1.0, is 0.2.0",
    ),
    ("items stand in another order", turn_round("tools"), "patch", "tools: stand in another order"),
    (
        "values stand in another order",
        turn_round("enums", "kinds", "values"),
        "patch",
        "enums.kinds.values: stand in another order",
    ),
)
