"""Text as Markdown that shows it as it was written.

Harmless Markdown (`code`, *emphasis*) stays as it is, since many facts are written with it.
Anything else that would be more than text is escaped: HTML, links, headings, `__init__` in bold.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from mnemolog.interchange.exporting.characters import one_line, pictured

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# Without one of these, a line is text and nothing else.
_ACTIVE: Final = re.compile(r"[\\`*_\[\]<&~|#]|^[-+>=:\d]")

# What has to be escaped where: everywhere; between words; at the start of a line.
_SIGN: Final = re.compile(
    r"[\\`*\[\]<~|]|&(?=[#\w])|(?<![^\W_])_|_(?![^\W_])"
    r"|(?<!\S)#|#(?=\s*$)|^[-+>=:]|(?<=\d)[.)](?=\s|$)"
)

# The parser takes links with javascript:, data: or file: for text, and knows no [[page]], footnote
# or check box; what shows the page need not be so careful.
_ELSEWHERE_ACTIVE: Final = re.compile(r"\[|<[a-z/!?]", re.IGNORECASE)

_STRESS: Final = frozenset({"em_open", "em_close", "strong_open", "strong_close"})


_ITEM: Final = [
    *("bullet_list_open", "list_item_open", "paragraph_open", "inline"),
    *("paragraph_close", "list_item_close", "bullet_list_close"),
]
_INLINE: Final = _ITEM.index("inline")


def as_written(text: str) -> str:
    """Return Markdown for a list item; its further lines are indented by two."""
    lines = [line.strip() for line in re.split(r"\r\n?|\n", pictured(text))]
    if len(lines) == 1 and (not _ACTIVE.search(lines[0]) or _is_harmless(lines[0])):
        return lines[0]
    shown = [_escaped(line) for line in lines]
    # A break in front of a blank line would be shown as a backslash.
    broken = (
        f"{line}\\" if line and after else line
        for line, after in zip(shown, [*shown[1:], ""], strict=True)
    )
    return "\n".join(f"  {line}" if line else "" for line in broken).strip()


def on_one_line(text: str) -> str:
    """Return Markdown for a heading or the text of a link."""
    return _escaped(one_line(pictured(text)))


def _escaped(line: str) -> str:
    return _SIGN.sub(lambda sign: f"\\{sign[0]}", line)


def _is_harmless(line: str) -> bool:
    """Return whether the line is text, code and emphasis by asterisks, and all of it is shown."""
    tokens = _parser().parse(f"- {line}")  # as an item, since "- --" is a rule across the page
    if [token.type for token in tokens] != _ITEM:
        return False
    written = [_source(token) for token in tokens[_INLINE].children or ()]
    return "".join(part for part in written if part is not None) == line and None not in written


def _source(token: Token) -> str | None:
    """Return how a token is written down, or None if it is one that must not be there."""
    if token.type == "code_inline":
        return f"{token.markup}{token.content}{token.markup}"
    if token.type in _STRESS and "_" not in token.markup:
        return token.markup
    is_text = token.type == "text" and not _ELSEWHERE_ACTIVE.search(token.content)
    return token.content if is_text else None


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt  # noqa: PLC0415 - few facts need it

    return MarkdownIt("commonmark")
