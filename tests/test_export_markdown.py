"""Pages of Markdown that lead to each other and show texts as they were written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from exported_graphs import MARCH, NAMES, TEXTS, awkward_graph, graph_of
from mnemolog.interchange.exporting.as_written import as_written
from mnemolog.interchange.exporting.markdown import Folder, is_ours
from mnemolog.memory import Memory
from mnemolog.records import Entity, ObservationTags, Relation
from mnemolog.results import GraphResult
from mnemolog.store.location import Settings

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def pages_of(graph: GraphResult) -> dict[str, str]:
    return {page.name: page.text for page in Folder(graph).pages()}


def body(page: str) -> str:
    return page.split("\n---\n<!-- exported by mnemolog -->\n", 1)[1]


def tokens_of(text: str) -> Iterator[Token]:
    for token in PARSER.parse(text):
        yield token
        yield from token.children or ()


def shown(text: str) -> str:
    """Return what a reader sees, a newline for each break."""
    signs = {"softbreak": "\n", "hardbreak": "\n", "paragraph_close": "\n"}
    found = (signs.get(t.type, "" if t.children else t.content) for t in tokens_of(text))
    return "".join(found).strip()


def test_every_link_leads_to_a_page() -> None:
    pages = pages_of(awkward_graph())
    links = {
        (name, unquote(str(token.attrs["href"])))
        for name, page in pages.items()
        for token in tokens_of(body(page))
        if token.type == "link_open"
    }
    assert {target for _, target in links} <= pages.keys()
    assert {target for name, target in links if name == "index.md"} == pages.keys() - {"index.md"}
    assert ("checkout.md", "Checkout-2.md") in links
    assert all(PurePosixPath(name).name == name for name in pages)


def test_each_entity_has_a_page_that_says_its_name_and_type() -> None:
    pages = [page for page in Folder(awkward_graph()).pages() if page.name != "index.md"]
    fronts = [yaml.safe_load(page.text.split("---\n")[1]) for page in pages]
    assert [front["title"] for front in fronts] == list(NAMES)
    assert fronts[0]["type"] == "service"
    assert fronts[0]["created"] == MARCH.added_at
    assert "# two lines\n\n*2026-03-02, claude-code*\n" in pages[NAMES.index("two\nlines")].text


def test_nothing_that_somebody_saved_becomes_html_a_heading_or_a_link() -> None:
    page = pages_of(awkward_graph())["checkout.md"]
    kinds = [token.type for token in tokens_of(body(page))]
    assert not {"html_block", "html_inline", "image", "fence", "code_block", "hr"} & {*kinds}
    assert kinds.count("heading_open") == 3  # the name, Relations, No longer true
    assert kinds.count("link_open") == 1
    assert kinds.count("list_item_open") == len(TEXTS) + 2


@given(st.text(alphabet=st.sampled_from("ab1 \n\r\t\\`*_[]()<>!&;#~|+-=.:\"'/%^$"), max_size=40))
@example("*a*\n*b*")
@settings(max_examples=400)
def test_a_text_is_shown_as_it_was_written(text: str) -> None:
    lines = [" ".join(line.split()) for line in text.replace("\r\n", "\n").splitlines()]
    seen = shown(f"- {as_written(text)}\n- next\n").removesuffix("next")
    unmarked = "\n".join(line for line in lines if line)
    without_marks = str.maketrans("", "", "*`")
    assert squeezed(seen.translate(without_marks)) == squeezed(unmarked.translate(without_marks))
    kinds = {token.type for token in tokens_of(f"- {as_written(text)}\n")}
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "heading_open", "fence"}


def squeezed(text: str) -> str:
    return " ".join(text.split())


@given(st.text(max_size=30))
@settings(max_examples=300)
def test_as_many_items_are_shown_as_there_are_observations(text: str) -> None:
    listed = f"- {as_written(text)}\n- {as_written(text)}\n"
    kinds = [token.type for token in tokens_of(listed)]
    assert kinds.count("list_item_open") == 2
    assert kinds.count("bullet_list_open") == 1


def test_harmless_markdown_stays_as_it_is() -> None:
    for text in ("run `uv run pytest` *first*", "**never** on Friday", "a < b, snake_case, C#"):
        assert as_written(text) == text


def test_observations_stand_below_their_day_and_agent() -> None:
    edited = ObservationTags(
        MARCH.added_at, "codex", "2026-04-01T08:00:00Z", "cursor", "high", ("a", "b")
    )
    page = pages_of(
        graph_of(
            Entity("api", "service", ("one", "two"), MARCH),
            Entity("api", None, ("three",), edited),
        )
    )["api.md"]
    assert body(page) == (
        "\n# api\n\n*2026-03-02, claude-code*\n\n- one\n- two\n"
        "\n*2026-03-02, codex; edited 2026-04-01, cursor; high priority; "
        "derived from 2 observations*\n\n- three\n"
    )


def test_relations_are_read_from_both_ends() -> None:
    pages = pages_of(
        graph_of(
            Entity("api", "service", (), MARCH),
            Entity("The DB", "service", (), MARCH),
            Relation("api", "The DB", "writes_to", MARCH),
            Relation("api", "cache", "fills", MARCH),
        )
    )
    assert (
        "## Relations\n\n- writes_to [The DB](The-DB.md)\n- fills cache (no page)\n"
        in (pages["api.md"])
    )
    assert "## Referred to by\n\n- [api](api.md) writes_to\n" in pages["The-DB.md"]


def test_what_is_no_longer_true_is_a_section_of_its_own() -> None:
    page = pages_of(awkward_graph())["checkout.md"]
    assert "## No longer true\n\n- was *slow* *(until 2026-05-01, codex; now: is fast)*\n" in page
    assert "No longer" not in "".join(pages_of(awkward_graph(include_superseded=False)).values())


def test_a_page_is_known_as_ours_and_other_notes_are_not() -> None:
    assert all(is_ours(page) for page in pages_of(awkward_graph()).values())
    assert not is_ours("# Mine\n\n<!-- exported by mnemolog -->\n")
    assert not is_ours("---\ntitle: Mine\n---\n\n<!-- exported by mnemolog -->\n")


def test_the_same_graph_gives_the_same_pages() -> None:
    assert pages_of(awkward_graph()) == pages_of(awkward_graph())


def test_an_import_takes_no_page_for_a_note(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    for page in Folder(awkward_graph()).pages():
        (pages / page.name).write_text(page.text, encoding="utf-8", newline="\n")
    memory = Memory.open(Settings(None, None), tmp_path)
    report = memory.upkeep.import_from(pages, "cli")
    assert report.errors == len(list(pages.iterdir()))
    assert report.error_list is not None
    assert {"export it as JSON" in problem.reason for problem in report.error_list} == {True}
    assert memory.read_graph().entities == ()
