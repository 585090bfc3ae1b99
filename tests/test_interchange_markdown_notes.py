"""Folders of Markdown: which files are notes, what they are called, and where their links lead."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import vaults
from mnemolog.errors import UnreadableSource
from mnemolog.interchange.exporting.markdown import Folder
from mnemolog.interchange.markdown.markdown_notes import FORMAT
from mnemolog.interchange.sources import Found, Reached, Refused
from mnemolog.records import UNTAGGED, Entity, ObservationTags, Relation, Tags
from mnemolog.results import GraphResult
from vaults import Write

vault = vaults.vault
write = vaults.write


def read(path: Path) -> list[Found | Refused]:
    return [item for item in FORMAT.read(path) if not isinstance(item, Reached)]


def entities(path: Path) -> dict[str, tuple[str, ...]]:
    records = [item.record for item in read(path) if isinstance(item, Found)]
    return {r.name: r.observations for r in records if isinstance(r, Entity)}


def relations(path: Path) -> list[tuple[str, str, str]]:
    records = [item.record for item in read(path) if isinstance(item, Found)]
    return [r.key for r in records if isinstance(r, Relation)]


def refusals(path: Path) -> list[Refused]:
    return [item for item in read(path) if isinstance(item, Refused)]


# --- whole folders ---------------------------------------------------------------------------


def test_a_vault_of_basic_memory(vault: Path, write: Write) -> None:
    write(
        "notes/Coffee Brewing.md",
        "---\ntitle: Coffee Brewing\ntype: note\npermalink: main/notes/coffee-brewing\n"
        "tags:\n- coffee\n---\n\n# Coffee Brewing\n\n## Observations\n"
        "- [method] Pour over gives clarity #brewing (personal)\n\n## Relations\n"
        "- pairs_with [[Chocolate Desserts]]\n",
    )
    write(
        "notes/Café ☕ 设置.md",
        "---\ntitle: Café ☕ 设置\ntype: preference\ncreated: 2026-10-02T09:00:00-07:00\n---\n\n"
        "# Café\n\n- [preference] José likes short answers\n"
        "- relates_to [[main/notes/coffee-brewing]]\n",
    )
    dated = "2026-10-02T09:00:00-07:00"
    assert read(vault) == [
        Found(
            "notes/Café ☕ 设置.md",
            Entity(
                "Café ☕ 设置",
                "preference",
                ("[preference] José likes short answers",),
                ObservationTags(dated, None),
            ),
        ),
        Found(
            "notes/Café ☕ 设置.md line 10",
            Relation("Café ☕ 设置", "Coffee Brewing", "relates_to", Tags(dated, None)),
        ),
        Found(
            "notes/Coffee Brewing.md",
            Entity(
                "Coffee Brewing",
                "note",
                ("tags: coffee", "[method] Pour over gives clarity #brewing (personal)"),
                UNTAGGED,
            ),
        ),
        Found(
            "notes/Coffee Brewing.md line 15",
            Relation("Coffee Brewing", "Chocolate Desserts", "pairs_with", Tags(None, None)),
        ),
    ]


def test_a_memory_folder_of_claude_code(vault: Path, write: Write) -> None:
    write(
        "MEMORY.md",
        "# Memory Index\n\n- [User prefers tabs](feedback_tabs.md) — corrected twice\n"
        "- [Runbook](reference_runbook.md) — docs/runbook.md\n",
    )
    write(
        "feedback_tabs.md",
        "---\nname: User prefers tabs\ndescription: Use tabs in Go code\ntype: feedback\n---\n\n"
        "Use tabs, not spaces.\n\nSee [[reference_runbook]] and [[docs-runbook]].\n",
    )
    write(
        "reference_runbook.md",
        "---\nname: docs-runbook\ndescription: where it lives\nmetadata:\n  type: reference\n---\n",
    )
    assert entities(vault) == {
        "MEMORY": (
            "Memory Index",
            "User prefers tabs — corrected twice",
            "Runbook — docs/runbook.md",
        ),
        "User prefers tabs": (
            "Use tabs in Go code",
            "Use tabs, not spaces.",
            "See reference_runbook and docs-runbook.",
        ),
        "docs-runbook": ("where it lives",),
    }
    assert set(relations(vault)) == {
        ("MEMORY", "User prefers tabs", "links_to"),
        ("MEMORY", "docs-runbook", "links_to"),
        ("User prefers tabs", "docs-runbook", "links_to"),
    }


def test_a_folder_read_twice_says_the_same(vault: Path, write: Write) -> None:
    for name in ("b/x.md", "a/x.md", "x.md", "a/y.md"):
        write(name, f"# {name}\n\n- uses [[x]]\n- [y](y.md)\n")
    assert list(FORMAT.read(vault)) == list(FORMAT.read(vault))


def test_the_time_of_a_file_is_no_date(vault: Path, write: Write) -> None:
    path = write("a.md", "- a\n")
    first = read(vault)
    os.utime(path, (0, 0))
    assert read(vault) == first == [Found("a.md", Entity("a", None, ("a",), UNTAGGED))]


def test_progress_ends_at_the_end(vault: Path, write: Write) -> None:
    for name in ("a.md", "b.md"):
        write(name, "- a\n")
    reached = [item.part for item in FORMAT.read(vault) if isinstance(item, Reached)]
    assert reached == [0.5, 1.0]


def test_nothing_in_the_folder_changes(vault: Path, write: Write) -> None:
    write("a.md", "- a\n")
    before = [(path, path.stat().st_mtime_ns) for path in sorted(vault.rglob("*"))]
    read(vault)
    assert [(path, path.stat().st_mtime_ns) for path in sorted(vault.rglob("*"))] == before


# --- which files -----------------------------------------------------------------------------


def test_only_markdown_that_is_not_hidden_is_read(vault: Path, write: Write) -> None:
    for name in (
        *("a.md", "b.MARKDOWN", "sub/c.md"),
        *(".hidden.md", ".obsidian/d.md", ".git/e.md", "node_modules/x/f.md", "g.txt", "h.png"),
    ):
        write(name, "- a\n")
    (vault / "folder.md").mkdir()
    assert set(entities(vault)) == {"a", "b", "c"}
    assert refusals(vault) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
def test_a_pipe_is_no_note(vault: Path, write: Write) -> None:
    write("a.md", "- a\n")
    os.mkfifo(vault / "pipe.md")
    assert list(entities(vault)) == ["a"]


def test_a_note_without_text_is_an_entity(vault: Path, write: Write) -> None:
    write("empty.md", "")
    write("blank.md", "\n \n")
    assert entities(vault) == {"blank": (), "empty": ()}


def test_a_single_file_is_a_note(write: Write) -> None:
    path = write("CLAUDE.md", "# Shop\n\n## Build\n- make\n\nSee [it](deploy.md).\n")
    assert entities(path) == {"CLAUDE": ("Shop", "Build: make", "Build: See it.")}
    assert relations(path) == [("CLAUDE", "deploy", "links_to")]


def test_a_bom_and_windows_line_ends_are_tolerated(vault: Path, write: Write) -> None:
    write("a.md", b"\xef\xbb\xbf---\r\ntitle: Tea\r\n---\r\n\r\n- a\r\n- [[b]] c\r\n")
    assert entities(vault) == {"Tea": ("a", "b c")}
    assert read(vault)[-1].place == "a.md line 6"


def test_a_file_that_is_not_utf8_is_refused_and_the_others_are_read(
    vault: Path, write: Write
) -> None:
    write("a.md", b"caf\xe9\n")
    write("b.md", "- b\n")
    assert entities(vault) == {"b": ("b",)}
    assert refusals(vault) == [
        Refused("a.md", "it is not UTF-8 text (at byte 4). Save it as UTF-8.", "error")
    ]


def test_a_huge_file_is_refused(vault: Path, write: Write) -> None:
    write("a.md", b"a" * (4 * 1024 * 1024 + 1))
    assert [(item.place, item.kind) for item in refusals(vault)] == [("a.md", "error")]


def test_front_matter_with_a_mistake_is_an_error_of_its_file(vault: Path, write: Write) -> None:
    write("a.md", "---\ntitle: Go: tabs\n---\n- a\n")
    assert entities(vault) == {"Go: tabs": ("a",)}
    assert [(item.place, item.kind) for item in refusals(vault)] == [("a.md", "error")]


def test_pages_that_mnemolog_exported_are_not_taken_for_notes(vault: Path, write: Write) -> None:
    graph = GraphResult((), (Relation("api", "db", "uses", UNTAGGED),))
    for page in Folder(graph).pages():
        write(page.name, page.text)
    write("a.md", "- a\n")
    assert entities(vault) == {"a": ("a",)}
    assert [item.place for item in refusals(vault)] == ["index.md"]


def test_links_of_the_file_system_are_not_followed(vault: Path, write: Write) -> None:
    write("a.md", "- a\n")
    outside = vault.parent / "secret.md"
    outside.write_text("- secret\n", encoding="utf-8")
    (vault / "circle").symlink_to(vault)
    (vault / "itself").symlink_to("itself")
    (vault / "out.md").symlink_to(outside)
    (vault / "broken.md").symlink_to("nowhere")
    assert set(entities(vault)) == {"a"}
    places = [(item.place, item.kind) for item in refusals(vault)]
    assert places == [("broken.md", "skipped"), ("circle", "skipped"), ("out.md", "skipped")]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_refused_and_the_others_are_read(vault: Path, write: Write) -> None:
    write("a.md", "- a\n")
    write("b.md", "- b\n").chmod(0)
    write("c/d.md", "- d\n").parent.chmod(0)
    try:
        assert set(entities(vault)) == {"a"}
        assert {item.place for item in refusals(vault)} == {"b.md", "c"}
    finally:
        (vault / "c").chmod(0o700)


@pytest.mark.skipif(os.name == "nt", reason="names are always characters there")
def test_a_name_that_is_no_text_can_be_written_down(vault: Path) -> None:
    (vault / os.fsdecode(b"caf\xe9.md")).write_text("- a\n", encoding="utf-8")
    for item in read(vault):
        assert str(item).isprintable()
    assert entities(vault) == {"caf?": ("a",)}


@pytest.mark.parametrize(
    ("name", "content"), [("a.md", b"caf\xe9\n"), ("b.md", b"a" * (4 * 1024 * 1024 + 1))]
)
def test_a_single_file_that_is_no_note_is_an_error(write: Write, name: str, content: bytes) -> None:
    with pytest.raises(UnreadableSource, match=name):
        read(write(name, content))


def test_a_folder_without_notes_is_an_error(vault: Path, write: Write) -> None:
    write(".obsidian/a.md", "- a\n")
    for path in (vault, vault / "missing"):
        with pytest.raises(UnreadableSource, match=path.name):
            read(path)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.text()
        | st.sampled_from("#-*`>[]()|!\n\n  :~&<")
        | st.sampled_from(["---\n", "[[", "]]"])
    ).map("".join)
)
def test_no_text_is_beyond_reading(vault: Path, text: str) -> None:
    path = vault / "any.md"
    path.write_text(text, encoding="utf-8", newline="\n")
    items = read(path)
    assert read(vault) == items
    for item in items:
        assert isinstance(item, Found | Refused)
        str(item).encode()


# --- names and links -------------------------------------------------------------------------


def test_notes_of_one_title_are_told_apart_by_their_folders(vault: Path, write: Write) -> None:
    write("z.md", "---\ntitle: Ideas\n---\n")
    write("ideas.md", "---\ntitle: Ideas\n---\n")
    write("work/shop/Ideas.md", "")
    write("home/Ideas.md", "")
    assert list(entities(vault)) == ["Ideas", "Ideas (z.md)", "Ideas (home)", "Ideas (work/shop)"]


def test_a_note_that_comes_later_takes_no_name_from_one_nearer_to_the_top(
    vault: Path, write: Write
) -> None:
    write("notes/Ideas.md", "- first\n")
    before = entities(vault)
    write("archive/old/Ideas.md", "- second\n")
    assert entities(vault) == {**before, "Ideas (archive/old)": ("second",)}


@pytest.mark.parametrize(
    "link",
    [
        "[[Tea Time]]",
        "[[tea-time]]",
        "[[tea_file]]",
        "[[tea_file#Water]]",
        "[[Tea Time|a cup]]",
        "[[drinks/tea_file]]",
        "[[drinks/tea_file.md]]",
        "[[all/drinks/tea_file]]",
        "[[main/tea]]",
        "[[Chai]]",
        "[tea](drinks/tea_file.md)",
        "[tea](./drinks/../drinks/tea_file.md#water)",
        "[tea](/all/drinks/tea_file.md)",
    ],
)
def test_a_link_finds_its_note_by_whatever_it_calls_it(
    vault: Path, write: Write, link: str
) -> None:
    write(
        "all/drinks/tea_file.md",
        "---\ntitle: Tea Time\npermalink: main/tea\naliases: [Chai]\n---\n",
    )
    write("all/source.md", f"{link}\n")
    assert relations(vault) == [("source", "Tea Time", "links_to")]


def test_a_link_prefers_the_note_beside_it(vault: Path, write: Write) -> None:
    for folder in ("a", "b"):
        write(f"{folder}/Ideas.md", "")
        write(f"{folder}/{folder}.md", "[[Ideas]] [x](Ideas.md)\n")
    assert relations(vault) == [
        ("a", "Ideas", "links_to"),
        ("a", "Ideas", "links_to"),
        ("b", "Ideas (b)", "links_to"),
        ("b", "Ideas (b)", "links_to"),
    ]


def test_a_link_prefers_the_note_that_is_called_exactly_so(vault: Path, write: Write) -> None:
    write("Tea Time.md", "")
    write("tea-time.md", "")
    write("z.md", "[[tea-time]] [[Tea Time]]\n")
    assert [target for _, target, _ in relations(vault)] == ["tea-time", "Tea Time"]


def test_a_link_by_path_may_begin_at_any_folder_and_begins_at_its_own(
    vault: Path, write: Write
) -> None:
    write("a/x/n.md", "---\ntitle: first\n---\n")
    write("b/x/n.md", "---\ntitle: second\n---\n")
    for source in ("b/s.md", "c/s.md"):
        write(source, "[[x/n]]\n")
    assert [target for _, target, _ in relations(vault)] == ["second", "first"]


def test_a_link_to_a_missing_note_names_what_may_be_in_the_memory(
    vault: Path, write: Write
) -> None:
    write("a.md", "[[Tea#Water]] [pot](../pots/Pot.md) ![[picture.png]] [[#Below]] [[a]]\n")
    assert relations(vault) == [("a", "Tea", "links_to"), ("a", "Pot", "links_to")]
