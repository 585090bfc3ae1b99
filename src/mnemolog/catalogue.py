"""Everything that users and agents meet, gathered from where it is declared, for the taxonomy.

It stands on top because it sees the server and the commands; `scripts/build_taxonomy.py` is what
asks for it, and the running server never does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any, Final, get_args

import click

from mnemolog import __version__
from mnemolog.cli import main
from mnemolog.cli.opening import COMMAND_LINE
from mnemolog.clients.known import CLIENTS
from mnemolog.declarations import wire_fields
from mnemolog.records import RECORD_PURPOSES, RECORD_TYPES, Priority, Removable
from mnemolog.requests import InitializeMode, OnConflict
from mnemolog.results import WarningKind
from mnemolog.server.agents import UNKNOWN
from mnemolog.server.prompts import PROMPTS, Prompt
from mnemolog.server.resources import RESOURCES, Resource
from mnemolog.server.tools import TOOLS, Tool
from mnemolog.store.location import Settings
from mnemolog.taxonomy.describe import Description, enum, fields_of, first_paragraph
from mnemolog.taxonomy.shapes import stated_once


def catalogue() -> Description:
    """Return the description of everything, by section; the version comes from elsewhere."""
    sections = {
        "package_version": __version__,
        "records": {name: _record(name) for name in RECORD_TYPES},
        "tools": {name: _tool(tool) for name, tool in TOOLS.items()},
        "resources": {uri: _resource(resource) for uri, resource in RESOURCES.items()},
        "prompts": {name: _prompt(prompt) for name, prompt in PROMPTS.items()},
        "enums": ENUMS,
        "commands": {
            name: describe_command(command) for name, command in commands(main, "mnemolog")
        },
        "environment": {f.key: {"purpose": f.description} for f in wire_fields(Settings)},
    }
    return stated_once(sections)


ENUMS: Final[Mapping[str, Description]] = {
    "agents": enum(
        "Which agent said something; any other client goes by the name that it gives itself",
        (*CLIENTS, COMMAND_LINE, UNKNOWN),
        others_allowed=True,
    ),
    "modes": enum("What initialize_memory does with the memory", get_args(InitializeMode)),
    "priorities": enum("How much an observation is worth", get_args(Priority)),
    "warning_kinds": enum("What a warning is about", get_args(WarningKind)),
    "on_conflict": enum("What happens to what a new fact contradicts", get_args(OnConflict)),
    "removable": enum("What a tombstone can remove", get_args(Removable)),
}
"""The allowed values of each enum; a test finds one that is missing here."""


def commands(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    """Yield a command and those below it, each under the words that call it."""
    if not isinstance(command, click.Group):
        yield name, command
        return
    if command.invoke_without_command:
        yield name, command
    context = click.Context(command)
    for verb in command.list_commands(context):
        below = command.get_command(context, verb)
        if below is not None and not below.hidden:
            yield from commands(below, f"{name} {verb}")


def describe_command(command: click.Command) -> Description:
    """Return what is said about a command: its purpose, and what it takes."""
    places = {name: place for place, name in enumerate(_arguments(command), start=1)}
    parameters = {_name(p): _parameter(p, places) for p in command.params if not _is_hidden(p)}
    return {"purpose": first_paragraph(command.help or ""), "parameters": parameters}


def _record(name: str) -> Description:
    return {"purpose": RECORD_PURPOSES[name], "fields": fields_of(RECORD_TYPES[name])}


def _tool(tool: Tool) -> Description:
    return {
        "title": tool.title,
        "description": tool.description,
        "effect": asdict(tool.effect),
        "parameters": fields_of(tool.arguments),
        "results": fields_of(tool.result),
    }


def _resource(resource: Resource) -> Description:
    return {
        "name": resource.name,
        "title": resource.title,
        "description": resource.description,
        "mime_type": resource.mime_type,
        "can_change": resource.can_change,
    }


def _prompt(prompt: Prompt) -> Description:
    parameters = {
        argument.name: {"type": "string", "required": False, "description": argument.description}
        for argument in prompt.arguments
    }
    return {"title": prompt.title, "description": prompt.description, "parameters": parameters}


def _arguments(command: click.Command) -> list[str]:
    return [_name(p) for p in command.params if isinstance(p, click.Argument)]


def _is_hidden(parameter: click.Parameter) -> bool:
    return isinstance(parameter, click.Option) and parameter.hidden


def _name(parameter: click.Parameter) -> str:
    """Return what a person types: the long form of an option, the capitals of an argument."""
    if isinstance(parameter, click.Option):
        return max(parameter.opts, key=len)
    return parameter.metavar or (parameter.name or "").upper()


def _parameter(parameter: click.Parameter, places: Mapping[str, int]) -> Description:
    said: Description = {"type": _in_words(parameter), "required": parameter.required}
    if (place := places.get(_name(parameter))) is not None:
        said["place"] = place
    if parameter.nargs != 1 or parameter.multiple:
        said["repeatable"] = True
    if isinstance(parameter.default, str | int | float) and not isinstance(parameter.default, bool):
        said["default"] = parameter.default
    if isinstance(parameter.type, click.Choice):
        said["enum"] = [str(choice) for choice in parameter.type.choices]
    if isinstance(parameter, click.Option) and parameter.help:
        said["description"] = parameter.help
    return said


def _in_words(parameter: click.Parameter) -> str:
    if isinstance(parameter, click.Option) and parameter.is_flag:
        return "flag"
    return next((word for kind, word in _WORDS if isinstance(parameter.type, kind)), "string")


_WORDS: Final[tuple[tuple[type[Any], str], ...]] = (
    (click.Path, "path"),
    (click.File, "path"),
    (click.types.IntParamType, "integer"),
    (click.types.FloatParamType, "number"),
    (click.types.BoolParamType, "boolean"),
)
"""Our words for click's types, so that an update of click alone changes nothing."""
