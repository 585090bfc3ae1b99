"""What a tool is: a function that declares its name, description, arguments and result."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import cached_property
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, Final, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from mnemolog.memory import Memory


@dataclass(frozen=True, slots=True)
class Effect:
    """What a call can do to the memory, in the words of the protocol's hints."""

    is_read_only: bool
    is_destructive: bool
    is_idempotent: bool = True


READS: Final = Effect(is_read_only=True, is_destructive=False)
ADDS: Final = Effect(is_read_only=False, is_destructive=False)
CHANGES: Final = Effect(is_read_only=False, is_destructive=True, is_idempotent=False)
"""A second call does not find any more what the first one changed."""
DELETES: Final = Effect(is_read_only=False, is_destructive=True)
STARTS_OVER: Final = Effect(is_read_only=False, is_destructive=True, is_idempotent=False)
"""A second `fresh` sets aside what was saved since the first."""


@dataclass(frozen=True)
class Tool:
    """One tool, as its body declares it: name, description, arguments and result."""

    title: str
    effect: Effect
    body: Callable[[Memory, Any, str], Any]
    is_drop_in: bool = False
    """Whether server-memory has it too, so that its clients may rely on all that is said of it."""

    @property
    def name(self) -> str:
        """The name that clients call."""
        return self.body.__name__

    @property
    def description(self) -> str:
        """What an agent reads before it decides to call, a paragraph on each line."""
        return re.sub(r"(?<=\S)\n(?=\S)", " ", cleandoc(self.body.__doc__ or ""))

    @property
    def arguments(self) -> type:
        """The declaration of what it takes."""
        return self._types["arguments"]

    @property
    def result(self) -> type:
        """The declaration of what it answers, in the end if it answers in steps."""
        declared = self._types["return"]
        is_in_steps = get_origin(declared) is Generator
        answer: type = get_args(declared)[-1] if is_in_steps else declared
        return answer

    @cached_property
    def _types(self) -> dict[str, type]:
        # The memory itself is imported at the first call, not to list the tools.
        return get_type_hints(self.body, localns={"Memory": object})


TOOLS: Final[dict[str, Tool]] = {}
"""Every tool by name, in the order in which they are listed."""

_Body = Callable[["Memory", Any, str], Any]


def tool(title: str, effect: Effect, *, is_drop_in: bool = False) -> Callable[[_Body], _Body]:
    """Make a function a tool: its name is the tool's, its docstring what agents read."""

    def declare(body: _Body) -> _Body:
        declared = Tool(title, effect, body, is_drop_in)
        TOOLS[declared.name] = declared
        return body

    return declare
