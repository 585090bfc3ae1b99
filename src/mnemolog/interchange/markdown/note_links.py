"""Running text of a note: what it says as plain text, and which notes it leads to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from mnemolog.interchange.markdown.note_folders import SUFFIXES

LINKS_TO: Final = "links_to"
"""The type of a relation that a link in running text makes; basic-memory's word for it."""

_WIKI_LINK: Final = re.compile(r"(!?)\[\[([^\[\]\n]+)\]\]")
_IN_BRACKETS: Final = re.compile(r"\((?:[^()]|\([^()]*\))*\)")
_BETWEEN_LINKS: Final = " \n.,;:|()*_-\u2013\u2014\u00b7"
_HAS_SCHEME: Final = re.compile(r"[a-zA-Z][\w+.-]*:|//")


@dataclass(frozen=True, slots=True)
class Link:
    """A link to another note."""

    target: str
    """What a wiki link names, or the path that a Markdown link leads to."""
    line: int
    relation_type: str = LINKS_TO
    is_path: bool = False
    is_embedded: bool = False


@dataclass(frozen=True, slots=True)
class Inline:
    """A piece of running text."""

    text: str
    """As it is written, but links to notes are only their words."""
    links: tuple[Link, ...]
    says_more: bool
    """Whether it says more than the words of links within the folder."""
    relation: Link | None
    """The relation that it is, if it stands in a list: `relation_type [[Target]] (context)`."""
    has_context: bool


def teach_wiki_links(parser: MarkdownIt) -> MarkdownIt:
    """Return the parser, that from now on knows `[[Target]]` and `[[Target|words]]`."""
    parser.inline.ruler.before("link", "wiki_link", _wiki_link)
    return parser


def read_inline(tokens: Sequence[Token], line: int) -> Inline:
    """Return what a piece of running text says, given its tokens and its line."""
    text, links, says_more = _render(tokens, line)
    relation, context = _relation(tokens, line)
    return Inline(text, links, says_more, relation, bool(context))


def _wiki_link(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 - the parser calls it
    found = _WIKI_LINK.match(state.src, state.pos, state.posMax)
    if found is None:
        return False
    if not silent:
        token = state.push("wiki_link", "", 0)
        token.content, token.meta = found[2].strip(), {"is_embedded": bool(found[1])}
    state.pos = found.end()
    return True


def _render(tokens: Sequence[Token], line: int) -> tuple[str, tuple[Link, ...], bool]:
    """Return the text, the links to notes, and whether it says more than the words of links."""
    parts: list[str] = []
    links: list[Link] = []
    says_more = False
    # Of the Markdown link that is open; links to notes show their words only.
    end: str | None = None
    for token in tokens:
        if token.type == "wiki_link":
            links.append(_wiki_target(token, line))
            parts.append(token.content.rpartition("|")[2].strip())
        elif token.type == "link_open":
            href = str(token.attrs.get("href", ""))
            links += _note_links(href, line)
            end = "" if _is_inside(href) else f"]({href})"
            parts.append("[" if end and token.markup != "autolink" else "")
        elif token.type == "link_close":
            parts.append((end or "") if token.markup != "autolink" else "")
            end = None
        else:
            parts.append(_written(token))
            says_more |= end != "" and bool(parts[-1].strip(_BETWEEN_LINKS))
    return "".join(parts).strip(), tuple(links), says_more


def _written(token: Token) -> str:
    match token.type:
        case "softbreak":
            return " "
        case "hardbreak":
            return "\n"
        case "code_inline":
            return f"{token.markup}{token.content}{token.markup}"
        case "image":
            source = str(token.attrs.get("src", ""))
            is_elsewhere = _HAS_SCHEME.match(source) is not None
            return f"![{token.content}]({source})" if is_elsewhere else token.content
    return token.content or token.markup


def _wiki_target(token: Token, line: int, relation_type: str = LINKS_TO) -> Link:
    target = token.content.partition("|")[0].strip()
    return Link(target, line, relation_type, is_embedded=token.meta["is_embedded"])


def _is_inside(href: str) -> bool:
    """Return whether a link leads to a note, or to another place in its own."""
    path = href.partition("#")[0].partition("?")[0]
    is_elsewhere = _HAS_SCHEME.match(href) is not None
    return not is_elsewhere and (not path or path.lower().endswith(SUFFIXES))


def _note_links(href: str, line: int) -> Iterator[Link]:
    path = unquote(href.partition("#")[0].partition("?")[0])
    if path and _is_inside(href):
        yield Link(path, line, is_path=True)


def _relation(tokens: Sequence[Token], line: int) -> tuple[Link | None, str]:
    at = next((n for n, token in enumerate(tokens) if token.type == "wiki_link"), None)
    if at is None or tokens[at].meta["is_embedded"]:
        return None, ""
    relation_type = _relation_type(_render(tokens[:at], line)[0])
    context, more_links, _ = _render(tokens[at + 1 :], line)
    # What goes on behind the target is a sentence that happens to have a link in it.
    is_sentence = bool(more_links) or bool(context and not _IN_BRACKETS.fullmatch(context))
    if not relation_type or is_sentence:
        return None, ""
    return _wiki_target(tokens[at], line, relation_type), context


def _relation_type(written: str) -> str | None:
    """Return the one word, or the words in quotation marks, that stand before a target."""
    if written[:1] in {'"', "'"} and written.endswith(written[0]):
        words = written[1:-1].strip()
    elif len(written.split()) == 1 and not written.startswith("["):
        words = written.strip("*_:")
    else:
        return None
    return words if any(sign.isalnum() for sign in words) else None
