"""What the text of a note says: observations that stand on their own, and links to other notes."""

from __future__ import annotations

import pytest

from mnemolog.interchange.markdown.front_matter import FrontMatter, split
from mnemolog.interchange.markdown.note_links import Link
from mnemolog.interchange.markdown.note_text import read_text
from mnemolog.records import UNTAGGED, ObservationTags


def observations(body: str) -> list[str]:
    return list(read_text(body).observations)


def links(body: str) -> list[tuple[str, str]]:
    return [(link.relation_type, link.target) for link in read_text(body).links]


# --- observations ----------------------------------------------------------------------------


def test_a_bullet_says_under_which_heading_it_stands() -> None:
    assert observations("## Deploy\n\n- run `make release`\n") == ["Deploy: run `make release`"]


def test_headings_below_one_another_are_all_said() -> None:
    body = "# Shop\n## Deploy\n### Staging\n- push\n## Tests\n- pytest\n"
    assert observations(body) == ["Deploy / Staging: push", "Tests: pytest"]


def test_the_first_heading_is_the_title_and_not_said_each_time() -> None:
    text = read_text("# Shop\n\nIt sells tea.\n\n# Old\n\nIt sold coffee.\n")
    assert (text.title, *text.observations) == ("Shop", "It sells tea.", "Old: It sold coffee.")


def test_headings_that_only_announce_observations_are_not_said() -> None:
    assert observations("## Observations\n- a\n## Relations:\n- b\n") == ["a", "b"]


def test_a_heading_with_nothing_below_it_is_an_observation_itself() -> None:
    body = "## Redis must run\n\n## Deploy\n\n### Never on Fridays\n\n## Notes\n"
    assert observations(body) == ["Redis must run", "Deploy: Never on Fridays"]


def test_a_heading_without_text_is_no_heading() -> None:
    assert observations("##\n\n- a\n") == ["a"]


def test_a_paragraph_that_is_wrapped_is_one_observation() -> None:
    assert observations("It runs\non *Fly.io*.\n\nAnd on __ours__.\n") == [
        "It runs on *Fly.io*.",
        "And on __ours__.",
    ]


def test_a_nested_bullet_says_what_it_belongs_to() -> None:
    body = "- Use Postgres\n  - version 16\n    - since May\n- Databases:\n  - MySQL\n"
    assert observations(body) == [
        "Use Postgres",
        "Use Postgres: version 16",
        "Use Postgres / version 16: since May",
        "Databases: MySQL",
    ]


def test_a_line_that_ends_in_a_colon_goes_before_what_it_announces() -> None:
    body = "## Build\n\nOn Linux:\n\n- make\n- make test\n\nTo be sure:\n\n```sh\nmake check\n```\n"
    assert observations(body) == [
        "Build / On Linux: make",
        "Build / On Linux: make test",
        "Build / To be sure: make check",
    ]


def test_a_line_that_ends_in_a_colon_and_announces_nothing_is_kept() -> None:
    assert observations("Remember:\n\nTea first.\n") == ["Remember:", "Tea first."]


def test_a_long_item_is_shortened_where_it_goes_before_others() -> None:
    assert observations(f"- {'x' * 200}\n  - y\n")[1] == f"{'x' * 79}…: y"


@pytest.mark.parametrize(
    "before",
    ["## {}\n\n", "## {}\n\n### Staging\n\n", "{}:\n\n", "- {}:\n  "],
    ids=["heading", "heading-of-headings", "lead", "item"],
)
def test_what_is_shortened_before_others_is_also_said_whole(before: str) -> None:
    long = f"Before a release {'the migrations and ' * 6}the cache are looked at"
    found = observations(f"# Shop\n\n{before.format(long)}- run `make`\n")
    assert [text for text in found if long in text]
    assert found[-1].endswith(": run `make`")


def test_steps_keep_their_numbers() -> None:
    assert observations("3. checkout\n4. build\n") == ["3. checkout", "4. build"]


def test_tasks_keep_their_state() -> None:
    assert observations("- [ ] write docs\n- [x] write tests\n") == [
        "[ ] write docs",
        "[x] write tests",
    ]


def test_a_row_of_a_table_names_its_columns() -> None:
    body = "## Ports\n\n| port | use |\n|---|---|\n| 80 | web |\n| 22 | |\n"
    assert observations(body) == ["Ports: port: 80; use: web", "Ports: port: 22"]


def test_a_table_without_rows_says_its_columns() -> None:
    assert observations("| port | use |\n|---|---|\n") == ["port; use"]


def test_what_looks_like_the_address_of_a_link_is_kept_if_no_link_uses_it() -> None:
    unused = '## Now\n\n- [status]: done\n- [größe]: 5 "Meter"\n\n'
    body = f"{unused}[docs][1] and [2]\n\n[1]: a.md\n[2]: b.md\n"
    assert observations(body) == [
        "Now: [status]: done",
        'Now: [größe]: 5 "Meter"',
        "Now: docs and 2",
    ]
    assert links(body) == [("links_to", "a.md"), ("links_to", "b.md")]


def test_code_is_kept_as_it_is() -> None:
    body = "## Run\n\n```python\nif x:\n    # [[no link]]\n    - no bullet\n```\n\n    indented\n"
    text = read_text(body)
    assert text.observations == (
        "Run:\nif x:\n    # [[no link]]\n    - no bullet",
        "Run: indented",
    )
    assert text.links == ()


def test_quotes_are_read_and_html_is_taken_off() -> None:
    body = "> [!info] Tea\n> is good.\n\n<!-- not for you -->\n\n<p align='x'>Hello</p>\n\n---\n"
    assert observations(body) == ["[!info] Tea is good.", "Hello"]


def test_what_is_said_twice_is_one_observation() -> None:
    assert observations("- a\n- a\n") == ["a"]


def test_observations_of_basic_memory_are_kept_as_they_are_written() -> None:
    body = "- [method] Pour over #brewing (personal)\n- [decision] Use 1:16\n"
    assert observations(body) == ["[method] Pour over #brewing (personal)", "[decision] Use 1:16"]


@pytest.mark.parametrize("mark", ["*", "**", "[", ">", "- ", "![[", "`", "[a](", "|a|\n|-|\n|"])
def test_text_that_is_nested_beyond_all_measure_is_read(mark: str) -> None:
    read_text(mark * 5000 + "a" + "*" * 5000)


# --- links -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bullet", "relation"),
    [
        ("pairs_with [[Tea]]", ("pairs_with", "Tea")),
        ('"pairs well with" [[Tea]]', ("pairs well with", "Tea")),
        ("'pairs with' [[Tea|the leaf]]", ("pairs with", "Tea")),
        ("**Owner:** [[José]]", ("Owner", "José")),
        ("[[Tea]]", ("links_to", "Tea")),
        ("[ ] [[Tea]]", ("links_to", "Tea")),
        ("[fact] [[Tea]]", ("links_to", "Tea")),
        ("see also [[Tea]]", ("links_to", "Tea")),
        ("uses [[Tea]] for breakfast", ("links_to", "Tea")),
        ("![[Tea]]", ("links_to", "Tea")),
        ("uses ![[Tea]]", ("links_to", "Tea")),
        ("→ [[Tea]]", ("links_to", "Tea")),
        ("- [[Tea]]", ("links_to", "Tea")),
    ],
)
def test_a_bullet_with_one_word_before_its_link_is_a_relation(
    bullet: str, relation: tuple[str, str]
) -> None:
    assert links(f"- {bullet}\n") == [relation]


def test_a_relation_is_no_observation_but_what_it_says_besides_is() -> None:
    text = read_text("- uses [[Tea]]\n- uses [[Milk]] (since 2024 (May))\n- [[Cup]]\n")
    assert text.observations == ("uses Milk (since 2024 (May))",)
    assert [link.target for link in text.links] == ["Tea", "Milk", "Cup"]


def test_links_in_running_text_show_their_words_and_are_relations() -> None:
    text = read_text("See [[Tea Time|tea]], [[Cups]] and [the pot](../pots/My%20Pot.md#lid).\n")
    assert text.observations == ("See tea, Cups and the pot.",)
    assert text.links == (
        Link("Tea Time", 1),
        Link("Cups", 1),
        Link("../pots/My Pot.md", 1, is_path=True),
    )


def test_a_word_before_a_link_is_a_relation_in_a_list_only() -> None:
    assert links("uses [[Tea]]\n") == [("links_to", "Tea")]


def test_several_links_in_a_bullet_are_all_relations() -> None:
    assert links("- uses [[Tea]] (or [[Milk]])\n") == [("links_to", "Tea"), ("links_to", "Milk")]


@pytest.mark.parametrize(
    "written",
    ["[docs](https://example.org/a.md)", "[mail](mailto:a@example.org)", "[a](src/a.py)"],
)
def test_links_to_what_is_no_note_stay_as_they_are(written: str) -> None:
    text = read_text(f"- {written}\n")
    assert (text.observations, text.links) == ((written,), ())


def test_an_address_is_kept_as_it_is() -> None:
    assert observations("See <https://example.org/a>.\n") == ["See https://example.org/a."]


def test_a_table_of_contents_says_nothing() -> None:
    assert observations("- [Deploy](#deploy)\n- [Tea](tea.md)\n") == []


def test_code_in_running_text_holds_no_link() -> None:
    assert read_text("Write `[[Tea]]`.\n") == read_text("Write `[[Tea]]`.")
    assert links("Write `[[Tea]]`.\n") == []


def test_a_link_knows_its_line_in_the_file() -> None:
    assert read_text("# A\n\ntext\n\n- uses [[Tea]]\n", lines_before=3).links[0].line == 8


# --- front matter ----------------------------------------------------------------------------


def test_front_matter_of_basic_memory() -> None:
    note = (
        "---\ntitle: Coffee Brewing\ntype: note\npermalink: notes/coffee-brewing\n"
        "tags:\n- coffee\n- '#howto'\ncreated: 2026-10-02T09:00:00-07:00\n"
        "modified: 2026-10-05T10:00:00-07:00\nstatus: active\n---\n\n- a\n"
    )
    assert split(note) == (
        FrontMatter(
            title="Coffee Brewing",
            kind="note",
            permalink="notes/coffee-brewing",
            tags=ObservationTags(
                "2026-10-02T09:00:00-07:00", None, edited_at="2026-10-05T10:00:00-07:00"
            ),
            observations=("tags: coffee, howto", "status: active"),
        ),
        "\n- a\n",
        11,
    )


def test_front_matter_of_claude_code_as_it_is_now() -> None:
    note = (
        "---\nname: use-tabs\ndescription: Use tabs in Go code\nmetadata:\n  node_type: memory\n"
        "  type: feedback\n  originSessionId: 1fd11dae\n  modified: 2026-08-15T19:07:18.393Z\n---\n"
    )
    said, _, _ = split(note)
    assert said == FrontMatter(
        title="use-tabs",
        kind="feedback",
        tags=ObservationTags(None, None, edited_at="2026-08-15T19:07:18+00:00"),
        observations=("Use tabs in Go code",),
    )


def test_a_key_that_holds_more_than_a_list_is_kept_as_it_is_written() -> None:
    people = "people:\n- name: Ann\n  role: lead\n- name: Bob"
    note = f"---\ntitle: Team\n{people}\nlimits: {{cpu: 2}}\nup: [[Home]]\ntags: [a]\n---\n"
    assert split(note)[0].observations == (
        "tags: a",
        people,
        "limits: {cpu: 2}",
        "up: [[Home]]",
    )


def test_values_are_kept_as_they_are_written() -> None:
    said, _, _ = split("---\nversion: 1.10\nready: yes\nday: 2026-13-45\nnone: null\n---\n")
    assert said.observations == ("version: 1.10", "ready: yes", "day: 2026-13-45")


@pytest.mark.parametrize(
    ("written", "tag"),
    [
        ("2026-10-02T09:00:00Z", "2026-10-02T09:00:00+00:00"),
        ("2026-10-02 09:00:00 +0200", "2026-10-02T09:00:00+02:00"),
        ("2026-10-02T09:00:00.5-07:00", "2026-10-02T09:00:00-07:00"),
        ("1712123121530", "2024-04-03T05:45:21+00:00"),
    ],
)
def test_dates_are_written_the_way_of_the_log(written: str, tag: str) -> None:
    assert split(f"---\ndate: {written}\n---\n")[0].tags == ObservationTags(tag, None)


def test_a_date_without_an_offset_is_local_time() -> None:
    added_at = split("---\ncreated: 2026-10-02 09:00\n---\n")[0].tags.added_at
    assert added_at is not None
    assert added_at.startswith("2026-10-02T09:00:00")
    assert added_at[19] in "+-"


def test_what_is_no_date_stays_as_an_observation() -> None:
    said, _, _ = split("---\ndate: yesterday\nmodified: 2026-02-30\n---\n")
    assert said.tags == UNTAGGED
    assert split("---\ndate: 202401051030\n---\n")[0].tags == UNTAGGED
    assert split("---\ndate: 17121231215\n---\n")[0].tags == UNTAGGED
    assert said.observations == ("date: yesterday", "modified: 2026-02-30")


def test_a_note_that_was_never_changed_was_not_edited() -> None:
    tags = split("---\ncreated: 2026-10-02T09:00:00Z\nupdated: 2026-10-02T09:00:00Z\n---\n")[0].tags
    assert tags == ObservationTags("2026-10-02T09:00:00+00:00", None)


def test_front_matter_that_is_too_long_is_read_line_by_line() -> None:
    said, _, _ = split(f"---\ntitle: Tea\nvalue: {'a' * 200_000}\n---\n")
    assert (said.title, said.problem is not None) == ("Tea", True)


def test_a_second_title_is_kept_as_an_observation() -> None:
    said, _, _ = split("---\ntitle: Tea\nname: Camellia\n---\n")
    assert (said.title, said.observations) == ("Tea", ("name: Camellia",))


def test_front_matter_with_a_mistake_is_read_line_by_line_and_reported() -> None:
    note = '---\nname: "Tabs"\ndescription: In Go: use tabs\ntype: feedback\n---\nbody\n'
    said, body, _ = split(note)
    assert (said.title, said.kind, body) == ("Tabs", "feedback", "body\n")
    assert said.observations == ("In Go: use tabs",)
    assert said.problem == (
        "its front matter is not valid YAML (line 3: mapping values are not allowed here), "
        "read line by line"
    )


def test_a_line_that_is_no_yaml_takes_no_other_along() -> None:
    note = (
        "---\nname: Tabs\ndescription: In Go: use tabs, don't ask\nmetadata:\n  type: feedback\n"
        "tags:\n- go\n- style\nlimits:\n  width: 80\n---\n"
    )
    said = split(note)[0]
    assert (said.kind, said.problem is not None) == ("feedback", True)
    assert said.observations == (
        "In Go: use tabs, don't ask",
        "tags: go, style",
        "limits:\n  width: 80",
    )


@pytest.mark.parametrize("note", ["---\nA quote\n---\n", "---\nno end: of it\n", "text\n---\n"])
def test_a_line_of_dashes_is_no_front_matter(note: str) -> None:
    assert split(note) == (FrontMatter(), note, 0)


@pytest.mark.parametrize(
    "value",
    [
        "[" * 5000,
        '"\\ud800"',
        '"\\UFFFFFFFF"',
        "&a [*a]",
        "x\x00y",
        "? [a]\n: b",
        "!!python/object/apply:os.system [ls]",
        "a" * 200_000,
    ],
    ids=["deep", "half", "no character", "circle", "NUL", "key", "object", "long"],
)
def test_front_matter_that_is_hostile_is_harmless(value: str) -> None:
    said, body, _ = split(f"---\ntitle: Tea\nvalue: {value}\n---\nbody\n")
    assert (said.title, body) == ("Tea", "body\n")
    assert "".join(said.observations).isprintable() or said.problem
