"""What the text of a note says: every bullet, paragraph, row and block of code on its own.

Each becomes an observation that can be understood where nothing stands around it, so the headings
that it stands under go before it, and so does the item or the line that it continues:

    ## Deploy
    - run `make release`                  Deploy: run `make release`
      - only from main                    Deploy / run `make release`: only from main
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, TypeAlias
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from mnemolog.interchange.markdown.note_links import Inline, Link, read_inline, teach_wiki_links

Labels: TypeAlias = tuple[str, ...]

# They say that observations or relations follow, and nothing about them.
_SAYS_NOTHING: Final = frozenset({"observations", "relations", "notes", "facts"})
_LONGEST_LABEL: Final = 80
_CONTINUES: Final = frozenset({"bullet_list", "ordered_list", "fence", "code_block", "table"})
# A tag ends where the next one opens: else each of a million `<` would look through the rest.
_HTML: Final = re.compile(r"<!--.*?(?:-->|\Z)|<[^<>]*>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class NoteText:
    """What a note says below its front matter."""

    title: str
    """Its first heading of the first level, or nothing."""
    observations: tuple[str, ...]
    links: tuple[Link, ...]


def read_text(body: str, lines_before: int = 0) -> NoteText:
    """Return what the body of a note says, in the order of the text."""
    tokens = _without_used_definitions(_parser().parse(body))
    for token in tokens:
        _settle(token, lines_before)
    reader = _Reader()
    reader.read(SyntaxTreeNode(tokens).children)
    return NoteText(reader.title, tuple(reader.observations), tuple(reader.links))


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"inline_definitions": True, "store_labels": True})
    return teach_wiki_links(parser.enable("table"))


def _without_used_definitions(tokens: Iterable[Token]) -> list[Token]:
    """Leave out where the links lead, `[words]: address`: each of them shows its address itself.

    What no link uses is not meant so, as in `- [status]: done`.
    """
    tokens = list(tokens)
    inside = (child for token in tokens for child in token.children or ())
    used = {child.meta.get("label") for child in inside}
    return [t for t in tokens if t.type != "definition" or t.meta["id"] not in used]


def _settle(token: Token, lines_before: int) -> None:
    """Read running text here: the tree could not be built of emphasis that is nested too deeply."""
    if token.type == "inline":
        line = lines_before + 1 + (token.map[0] if token.map else 0)
        token.meta = {"inline": read_inline(token.children or (), line)}
        token.children = None


@dataclass(slots=True)
class _Reader:
    title: str = ""
    observations: dict[str, None] = field(default_factory=dict)  # in order, each once
    links: list[Link] = field(default_factory=list)

    def read(self, blocks: Iterable[SyntaxTreeNode]) -> None:
        """Read a whole note: its headings, and what stands under each."""
        sections = _sections(blocks)
        next_levels = [*(section.level for section in sections[1:]), 0]
        path: list[tuple[int, str]] = []
        for section, next_level in zip(sections, next_levels, strict=True):
            heading = self._heading(section)
            path = [(level, text) for level, text in path if level < section.level]
            path.append((section.level, heading))
            labels = tuple(_label(text) for _, text in path if _says_something(text))
            stands_alone = not section.blocks and next_level <= section.level
            if _says_something(heading) and (stands_alone or not _is_short(heading)):
                self._say(labels[:-1], heading)
            self._blocks(section.blocks, labels)

    def _heading(self, section: _Section) -> str:
        if section.heading is None:
            return ""
        text = self._linked(section.heading).text
        if section.level > 1 or self.title:
            return text
        self.title = text  # the note's own heading is above them all, and not said each time
        return ""

    def _blocks(self, blocks: Sequence[SyntaxTreeNode], labels: Labels) -> None:
        lead: Labels = ()
        for block, following in zip(blocks, [*blocks[1:], None], strict=False):
            if block.type not in {"paragraph", "heading"}:
                self._block(block, labels + lead)
                lead = ()
                continue
            inline = self._linked(block)
            leads = inline.text.endswith(":") and following and following.type in _CONTINUES
            lead = (_label(inline.text),) if leads else ()
            if inline.says_more and not (leads and _is_short(inline.text)):
                self._say(labels, inline.text)

    def _block(self, block: SyntaxTreeNode, labels: Labels) -> None:
        match block.type:
            case "bullet_list":
                for item in block.children:
                    self._item(item, "", labels)
            case "ordered_list":
                for number, item in enumerate(block.children, int(block.attrs.get("start", 1))):
                    self._item(item, f"{number}. ", labels)
            case "blockquote":
                self._blocks(block.children, labels)
            case "table":
                self._table(block, labels)
            case "fence" | "code_block":
                self._say(labels, block.content.rstrip("\n"))
            case "definition":
                self._say(labels, _definition(block))
            case "html_block":
                self._say(labels, " ".join(_HTML.sub(" ", block.content).split()))

    def _item(self, item: SyntaxTreeNode, number: str, labels: Labels) -> None:
        if not item.children or item.children[0].type != "paragraph":
            self._blocks(item.children, labels)
            return
        first, *others = item.children
        inline = _inline_of(first)
        if inline.relation:
            self.links.append(inline.relation)
        else:
            self._linked(first)
        is_relation = inline.relation is not None and not inline.has_context
        leads = bool(others) and inline.text.endswith(":") and _is_short(inline.text)
        if inline.says_more and not (is_relation or leads):
            self._say(labels, number + inline.text)
        self._blocks(others, (*labels, _label(inline.text)))

    def _table(self, table: SyntaxTreeNode, labels: Labels) -> None:
        rows = [[self._linked(cell).text for cell in row.children] for row in _rows(table)]
        columns, *rows = rows
        if not rows:
            self._say(labels, "; ".join(filter(None, columns)))
        for row in rows:
            cells = [
                f"{column}: {cell}" if column else cell
                for column, cell in zip(columns, row, strict=True)
                if cell
            ]
            self._say(labels, "; ".join(cells))

    def _linked(self, block: SyntaxTreeNode) -> Inline:
        """Return the running text of a block, its links noted down."""
        inline = _inline_of(block)
        self.links += inline.links
        return inline

    def _say(self, labels: Labels, text: str) -> None:
        if not text.strip():
            return
        gap = "\n" if "\n" in text else " "
        self.observations[f"{' / '.join(labels)}:{gap}{text}" if labels else text] = None


@dataclass(slots=True)
class _Section:
    heading: SyntaxTreeNode | None = None
    level: int = 0
    blocks: list[SyntaxTreeNode] = field(default_factory=list)


def _sections(blocks: Iterable[SyntaxTreeNode]) -> list[_Section]:
    sections = [_Section()]
    for block in blocks:
        if block.type == "heading":
            sections.append(_Section(block, int(block.tag.removeprefix("h"))))
        else:
            sections[-1].blocks.append(block)
    return sections


def _rows(table: SyntaxTreeNode) -> Iterator[SyntaxTreeNode]:
    for part in table.children:
        yield from part.children


_NO_TEXT: Final = read_inline((), 0)


def _inline_of(block: SyntaxTreeNode) -> Inline:
    found: Inline = block.children[0].meta["inline"] if block.children else _NO_TEXT
    return found


def _is_short(text: str) -> bool:
    """Return whether a label says all of it; else it has to be said on its own, too."""
    return len(text.rstrip(": ")) <= _LONGEST_LABEL


def _definition(block: SyntaxTreeNode) -> str:
    title = f' "{block.meta["title"]}"' if block.meta["title"] else ""
    return f"[{block.meta['label']}]: {unquote(block.meta['url'])}{title}"


def _label(text: str) -> str:
    label = text.rstrip(": ").replace("\n", " ")
    if _is_short(label):
        return label
    return f"{label[: _LONGEST_LABEL - 1].rstrip()}…"


def _says_something(heading: str) -> bool:
    return bool(heading) and heading.rstrip(":").lower() not in _SAYS_NOTHING
