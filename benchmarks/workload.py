"""What is asked of the servers: the same kinds of calls of each, about facts that it has."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from dataset import Dataset, observation
from peers import OURS, PLAIN_TEXT, THEIRS

Request: TypeAlias = tuple[str, dict[str, Any]]
"""A method of the protocol and its parameters."""

OPENED: Final = 3
FOUND: Final = 20
"""How many hits or entities are asked for, where a server lets itself be asked."""

_TEXTS_KEPT: Final = 20_000


class Calls:
    """Calls about a dataset, different each time; it keeps no more of it than they need."""

    def __init__(self, dataset: Dataset, seed: int = 11) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - it has to be repeatable, not secret
        self._names = dataset.names
        some = dataset.entities
        if len(some) > _TEXTS_KEPT:
            some = tuple(self._chance.sample(some, _TEXTS_KEPT))
        self._texts = [text for entity in some for text in entity.observations]
        self._added = 0

    def ping(self) -> Request:
        """Return a request for nothing: what the SDK and the pipes take of every other."""
        return "ping", {}

    def add(self) -> Request:
        """Return a call that adds one new observation."""
        name, text = self.new_observation()
        return tool_call("add_observations", {"observations": [_addition(name, text)]})

    def open(self) -> Request:
        """Return a call that opens a few entities."""
        names = self._chance.sample(self._names, min(OPENED, len(self._names)))
        return tool_call("open_nodes", {"names": names})

    def search_word(self) -> Request:
        """Return a search for one word."""
        return _search(self._words(1))

    def search_words(self) -> Request:
        """Return a search for three words that stand side by side: server-memory finds them too."""
        return _search(self._words(3))

    def search_phrase(self) -> Request:
        """Return a search for two words as a phrase, in quotation marks."""
        return _search(f'"{self._words(2)}"')

    def search_expanded(self) -> Request:
        """Return a search that follows links."""
        return _search(self._words(3), expand=True)

    def read_limited(self) -> Request:
        """Return a call that reads a few entities."""
        return tool_call("read_graph", {"limit": FOUND})

    def read_all(self) -> Request:
        """Return a call that reads everything; the others know no bound."""
        return tool_call("read_graph", {"max_chars": 0})

    def new_observation(self) -> tuple[str, str]:
        """Return an entity's name and something that was not said of it yet."""
        self._added += 1
        return self._chance.choice(self._names), f"{observation(self._chance)} {self._added}"

    def query(self) -> str:
        """Return three words that stand side by side."""
        return self._words(3)

    def names(self) -> list[str]:
        """Return the names of a few entities."""
        return self._chance.sample(self._names, min(OPENED, len(self._names)))

    def _words(self, count: int) -> str:
        words = self._chance.choice(self._texts).split()[:-1]  # the last is a number
        start = self._chance.randrange(max(1, len(words) - count + 1))
        return " ".join(words[start : start + count])


def _addition(name: str, text: str) -> dict[str, Any]:
    return {"entityName": name, "contents": [text]}


def _search(query: str, **more: bool) -> Request:
    return tool_call("search_nodes", {"query": query, "limit": FOUND, **more})


def tool_call(tool: str, arguments: dict[str, Any]) -> Request:
    return "tools/call", {"name": tool, "arguments": arguments}


@dataclass(frozen=True, slots=True)
class Row:
    """A kind of call, and who can be asked for it."""

    what: str
    next_request: Callable[[Calls], Request]
    of: tuple[str, ...]
    between: Callable[[Calls], Request] | None = None
    """Goes untimed before each call, so that nobody answers what it has answered just before."""
    largest: int | None = None
    """The most observations with which it is measured."""


EVERYBODY: Final = (OURS, THEIRS, PLAIN_TEXT)
WITHOUT_THEIRS: Final = (OURS, PLAIN_TEXT)

PING: Final = "ping"
ADD: Final = "add_observations"
OPEN: Final = "open_nodes"
SEARCH: Final = "search_nodes, three words"
READ_ALL: Final = "read_graph, all of it"

ROWS: Final = (
    Row(PING, Calls.ping, EVERYBODY),
    Row(ADD, Calls.add, EVERYBODY),
    Row(OPEN, Calls.open, EVERYBODY),
    Row("search_nodes, one word", Calls.search_word, EVERYBODY),
    Row(SEARCH, Calls.search_words, EVERYBODY),
    # server-memory would look for the quotation marks too.
    Row('search_nodes, "a phrase"', Calls.search_phrase, (OURS,)),
    Row("search_nodes, three words, expand", Calls.search_expanded, WITHOUT_THEIRS),
    Row("read_graph, limit 20", Calls.read_limited, WITHOUT_THEIRS),
    Row(READ_ALL, Calls.read_all, EVERYBODY, between=Calls.add, largest=100_000),
)
