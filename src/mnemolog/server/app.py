"""The server: a memory behind the SDK, and the one place where errors become answers."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, BinaryIO, Final, TypeAlias

import anyio
import anyio.lowlevel
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    EmptyResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    PromptArgument,
    PromptMessage,
    ReadResourceRequestParams,
    ReadResourceResult,
    SubscribeRequestParams,
    TextContent,
    TextResourceContents,
    ToolAnnotations,
    UnsubscribeRequestParams,
)
from mcp_types import Prompt as ListedPrompt
from mcp_types import Resource as ListedResource
from mcp_types import Tool as ListedTool

from mnemolog import __version__
from mnemolog.declarations import brief_schema, json_schema
from mnemolog.errors import InvalidRequest, MnemologError
from mnemolog.records import Relation
from mnemolog.results import EntityAdditions, EntityResult, ImportProgress
from mnemolog.server.agents import normalise
from mnemolog.server.arguments import read_arguments
from mnemolog.server.instructions import instructions_for
from mnemolog.server.prompts import PROMPTS, Prompt
from mnemolog.server.rendering import render
from mnemolog.server.resources import GRAPH, RESOURCES, Resource
from mnemolog.server.tools import TOOLS, Tool
from mnemolog.server.wire import stdio_wire

if TYPE_CHECKING:
    from pathlib import Path

    from mnemolog.memory import Memory
    from mnemolog.store.location import Settings

logger = logging.getLogger(__name__)

Context: TypeAlias = ServerRequestContext[Any, Any]


def run(settings: Settings, start: Path) -> None:
    """Serve one client; `mnemolog.server.run` says how it ends."""
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    server = Service(settings, start).server()
    # Objects of our own: at exit Python would wait for a thread that still reads sys.stdin.
    source, sink = open(0, "rb", closefd=False), open(1, "wb", closefd=False)  # noqa: SIM115 - they end with the process
    try:
        anyio.run(_serve, server, source, sink)
    except KeyboardInterrupt:
        logger.debug("Ended by a signal")


async def _serve(server: Server[Any], source: BinaryIO, sink: BinaryIO) -> None:
    with anyio.CancelScope() as scope:
        _on_signal(scope.cancel)
        async with stdio_wire(source, sink) as (incoming, wire):
            await server.run(incoming, wire, server.create_initialization_options())


def _on_signal(end: Callable[[], None]) -> None:
    """Let signals end the server between two steps, not in the middle of whatever it is doing."""
    loop = asyncio.get_running_loop()
    with suppress(NotImplementedError):  # Windows
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, end)


class Service:
    """One memory, as the client of one connection sees it."""

    def __init__(self, settings: Settings, start: Path) -> None:
        self._settings = settings
        self._start = start
        self._memory: Memory | None = None
        self._listeners = InMemorySubscriptionBus()
        self._is_subscribed = False

    def server(self) -> Server[Any]:
        """Return the SDK's server with everything that this service answers."""
        server: Server[Any] = Server(
            "mnemolog",
            title="mnemolog: the memory of this repository",
            version=__version__,
            instructions=instructions_for(self._settings, self._start),
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_list_resource_templates=self.list_resource_templates,
            on_read_resource=self.read_resource,
            on_subscribe_resource=self.subscribe,
            on_unsubscribe_resource=self.unsubscribe,
            on_list_prompts=self.list_prompts,
            on_get_prompt=self.get_prompt,
            on_subscriptions_listen=ListenHandler(self._listeners),
        )
        # It traces every call for an exporter, and nothing here exports.
        server.middleware.clear()
        return server

    async def list_tools(self, _: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        """Return what agents read about the tools."""
        return ListToolsResult(tools=[_listed(tool) for tool in TOOLS.values()])

    async def call_tool(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        """Carry out a call; what mnemolog refuses is an answer too, not a protocol error."""
        tool = TOOLS.get(params.name)
        if tool is None:
            return _refused(f"Unknown tool: {params.name}. There are {', '.join(TOOLS)}.")
        try:
            text = await self._carry_out(tool, params.arguments or {}, context)
        except MnemologError as error:
            return _refused(str(error))
        # The wire puts the text in the place of the empty object, so that the two are the same.
        return CallToolResult(content=[TextContent(text=text)], structured_content={})

    async def list_resources(
        self, _: Context, __: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        """Return what can be read without a tool."""
        listed = [_listed_resource(resource) for resource in RESOURCES.values()]
        return ListResourcesResult(resources=listed)

    async def list_resource_templates(
        self, _: Context, __: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        """Return none; server-memory's clients may ask."""
        return ListResourceTemplatesResult(resource_templates=[])

    async def read_resource(
        self, context: Context, params: ReadResourceRequestParams
    ) -> ReadResourceResult:
        """Return what a resource holds; the graph is all that read_graph has to answer."""
        resource = _resource(params.uri)
        text = await self._graph(context) if resource.text is None else resource.text()
        contents = TextResourceContents(uri=resource.uri, mime_type=resource.mime_type, text=text)
        return ReadResourceResult(contents=[contents])

    async def _graph(self, context: Context) -> str:
        try:
            # Nothing leads to the rest of a resource, so it has no bound.
            return await self._carry_out(TOOLS["read_graph"], {"max_chars": 0}, context)
        except MnemologError as error:
            raise MCPError(INTERNAL_ERROR, str(error)) from error

    async def subscribe(self, _: Context, params: SubscribeRequestParams) -> EmptyResult:
        """Tell this client from now on when the graph has changed (up to 2025-11-25)."""
        _check_can_change(params.uri)
        self._is_subscribed = True
        return EmptyResult()

    async def unsubscribe(self, _: Context, params: UnsubscribeRequestParams) -> EmptyResult:
        """Stop telling it."""
        _check_can_change(params.uri)
        self._is_subscribed = False
        return EmptyResult()

    async def list_prompts(
        self, _: Context, __: PaginatedRequestParams | None
    ) -> ListPromptsResult:
        """Return the workflows that clients offer as commands."""
        return ListPromptsResult(prompts=[_listed_prompt(prompt) for prompt in PROMPTS.values()])

    async def get_prompt(self, _: Context, params: GetPromptRequestParams) -> GetPromptResult:
        """Return a workflow, unless the memory that it is about cannot be read."""
        prompt = PROMPTS.get(params.name)
        if prompt is None:
            raise MCPError(INVALID_PARAMS, _no_such_prompt(params.name))
        try:
            page = TextContent(text=prompt.text(params.arguments or {}))
            with _hiding_unforeseen(f"prompt {prompt.name}"):
                self._open_memory().require_readable()
        except InvalidRequest as error:
            raise MCPError(INVALID_PARAMS, str(error)) from error
        except MnemologError as error:
            raise MCPError(INTERNAL_ERROR, str(error)) from error
        message = PromptMessage(role="user", content=page)
        return GetPromptResult(description=prompt.description, messages=[message])

    async def _carry_out(self, tool: Tool, sent: dict[str, Any], context: Context) -> str:
        """Return the tool's result as JSON, once every subscriber knows what has changed.

        It is carried out here, on the event loop, call by call in the order they came: a thread
        would cost more than most calls take, and there is only this one client to keep waiting.

        Raises:
            MnemologError: and nothing else.
        """
        agent = self._settings.agent or normalise(_client_name(context))
        with _hiding_unforeseen(tool.name):
            arguments, memory = read_arguments(tool, sent), self._open_memory()
            before = memory.changes
            try:
                return render(await _finished(tool.body(memory, arguments, agent), context))
            finally:  # a call that fails, or is called off, may have saved something
                if memory.changes != before:
                    await self._announce(context)

    def _open_memory(self) -> Memory:
        """Return the memory, found at the first call; a refusal is tried again at the next."""
        from mnemolog.memory import Memory  # noqa: PLC0415 - not needed to list the tools

        if self._memory is None:
            self._memory = Memory.open(self._settings, self._start)
        return self._memory

    async def _announce(self, context: Context) -> None:
        with anyio.CancelScope(shield=True):
            if self._is_subscribed:
                await context.session.send_resource_updated(GRAPH.uri)
            await self._listeners.publish(ResourceUpdated(uri=GRAPH.uri))


@contextmanager
def _hiding_unforeseen(what: str) -> Iterator[None]:
    """Turn what nobody foresaw into an answer that says so; the log has the rest."""
    try:
        yield
    except MnemologError:
        raise
    except Exception as error:
        logger.exception("%s failed", what)
        raise MnemologError(_UNFORESEEN) from error


async def _finished(outcome: object, context: Context) -> object:
    """Return the result of a call; between the steps of one that has them, others are answered."""
    if not isinstance(outcome, Generator):
        return outcome
    told = 0
    while True:
        try:
            reached: ImportProgress = next(outcome)
        except StopIteration as end:
            return end.value
        if reached.records > told:
            told = reached.records
            total = told / reached.part if reached.part else None
            await context.session.report_progress(told, total, f"{told:,} records")
        await anyio.lowlevel.checkpoint()


_UNFORESEEN: Final = (
    "mnemolog failed in a way that it did not foresee, so it is not known whether the call was "
    "saved: read the memory before you repeat it. The server's log on stderr says what happened."
)


_OPENED: Final = (EntityResult, Relation, EntityAdditions)
"""What the listed results describe key by key: what server-memory answers with too.

Clients pay for every word of tools/list, so other lists only say that they are lists.
"""


def _client_name(context: Context) -> str | None:
    """Return what the client calls itself: in its handshake, or with each request since 2026."""
    params = context.session.client_params
    return params.client_info.name if params else None


def _listed(tool: Tool) -> ListedTool:
    effect = tool.effect
    is_hint_due = not effect.is_read_only and (tool.is_drop_in or not effect.is_destructive)
    return ListedTool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=json_schema(tool.arguments),
        output_schema=brief_schema(tool.result, _OPENED, says_required=tool.is_drop_in),
        # None leaves a hint out where the protocol takes it for that, or has no use for it: what
        # does not say that it only reads, or does not destroy, is taken to destroy.
        annotations=ToolAnnotations(
            read_only_hint=effect.is_read_only or None,
            destructive_hint=effect.is_destructive if is_hint_due else None,
            idempotent_hint=effect.is_idempotent or None,
            open_world_hint=False,
        ),
    )


def _listed_prompt(prompt: Prompt) -> ListedPrompt:
    return ListedPrompt(
        name=prompt.name,
        title=prompt.title,
        description=prompt.description,
        arguments=[
            PromptArgument(name=taken.name, description=taken.description, required=False)
            for taken in prompt.arguments
        ],
    )


def _listed_resource(resource: Resource) -> ListedResource:
    return ListedResource(
        uri=resource.uri,
        name=resource.name,
        title=resource.title,
        description=resource.description,
        mime_type=resource.mime_type,
    )


def _no_such_prompt(name: str) -> str:
    return f"Prompt {name} not found: there are only {', '.join(PROMPTS)}."


def _refused(message: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=message)], is_error=True)


def _resource(uri: str) -> Resource:
    if uri not in RESOURCES:
        there_are = f"there are only {', '.join(RESOURCES)}"
        raise MCPError(INVALID_PARAMS, f"Resource {uri} not found: {there_are}.")
    return RESOURCES[uri]


def _check_can_change(uri: str) -> None:
    if not _resource(uri).can_change:
        raise MCPError(
            INVALID_PARAMS,
            f"Resource {uri} stays as it is while the server runs, so there are no changes to hear "
            f"of. Subscribe to {GRAPH.uri}.",
        )
