"""A text is cut into the words by which it is found, in whatever script."""

from __future__ import annotations

import pytest

from mnemolog.text import fold, has_phrase, is_question_word, phrases, pieces, tokens, words


def words_of(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found = [words(token) for token in tokens(text)]
    return (
        tuple(word for token in found for word in token.wholes),
        tuple(word for token in found for word in token.parts),
    )


@pytest.mark.parametrize(
    ("text", "wholes", "parts"),
    [
        ("Plain Words", ("plain", "words"), ()),
        ("maxChars", ("maxchars",), ("max", "chars")),
        ("MaxChars", ("maxchars",), ("max", "chars")),
        ("max_chars", ("maxchars",), ("max", "chars")),
        ("max-chars", ("maxchars",), ("max", "chars")),
        ("HTTPServer", ("httpserver",), ("http", "server")),
        ("APIs", ("apis",), ()),
        ("userIDs", ("userids",), ("user", "ids")),
        ("parseURLsInText", ("parseurlsintext",), ("parse", "urls", "in", "text")),
        ("__init__", ("init",), ()),
        (
            "src/userService.py",
            ("src/userservice.py",),
            ("src", "userservice", "user", "service", "py"),
        ),
        ("1.12.3", ("1.12.3",), ("1", "12", "3")),
        ("2026-10-01", ("2026-10-01",), ("2026", "10", "01")),
        ("09:30", ("09:30",), ("09", "30")),
        ("jo.doe@example.org", ("jo.doe@example.org",), ("jo", "doe", "example", "org")),
        ("Maria's", ("maria",), ()),
        ("don\u2019t", ("don",), ()),
        ("O'Brien", ("obrien",), ("o", "brien")),
        ("Straße", ("strasse",), ()),
        ("Ångström", ("angstrom",), ()),
        ("cafe\u0301", ("cafe",), ()),
        ("İstanbul", ("istanbul",), ()),
        ("中文搜索", ("中文", "文搜", "搜索"), ("中", "文", "搜", "索")),
        ("猫", ("猫",), ()),
        ("データ", ("デー", "ータ"), ("デ", "ー", "タ")),
        ("한국어", ("한국", "국어"), ("한", "국", "어")),
        ("Python编程", ("python", "编程"), ("编", "程")),
        ("东京/京都", ("东京", "京都"), ("东", "京", "京", "都")),
        ("东京-v1.2", ("东京", "v1.2"), ("东", "京", "v1", "2")),
        ("مُحَمَّد", ("محمد",), ()),
        ("हिन्दी", ("हिन्दी",), ()),
        ("ship it 🚀", ("ship", "it", "🚀"), ()),
        ("___ -- !?", (), ()),
        ("", (), ()),
    ],
)
def test_a_token_is_matched_whole_and_by_part(
    text: str, wholes: tuple[str, ...], parts: tuple[str, ...]
) -> None:
    assert words_of(text) == (wholes, parts)


def test_single_signs_are_asked_for_only_if_they_stand_alone() -> None:
    assert words("搜索").asked == ("搜索",)
    assert words("猫").asked == ("猫",)
    assert words("max_chars").asked == ("maxchars", "max", "chars")


@pytest.mark.parametrize("one", ["Café", "CAFE\u0301", "ｃａｆé", "cafe"])
def test_letters_written_in_other_ways_are_the_same(one: str) -> None:
    assert fold(one) == "cafe"


def test_japanese_voicing_is_not_an_accent() -> None:
    assert fold("が") != fold("か")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('find "rate limit" now', [" rate limit "]),
        ("“Rate  Limit”", [" rate limit "]),
        ('"one" and "two"', [" one ", " two "]),
        ('an "unbalanced quote', []),
        ('"" and "!!"', []),
        ('"one" "two" "ONE!" "one"', [" one ", " two "]),
    ],
)
def test_phrases_stand_between_two_quotation_marks(query: str, expected: list[str]) -> None:
    assert phrases(query) == expected


def test_a_phrase_is_found_whole_and_in_order_only() -> None:
    assert has_phrase("The RATE-limit applies", pieces("rate limit"))
    assert not has_phrase("The rate limits apply", pieces("rate limit"))
    assert not has_phrase("limit the rate", pieces("rate limit"))
    assert has_phrase("我们用中文搜索", pieces("中文"))


def test_question_words_are_told_in_any_case() -> None:
    assert is_question_word("What")
    assert not is_question_word("whatever")


def test_an_accent_on_nothing_makes_no_empty_word() -> None:
    assert words("\u0308-9").parts == ("9",)
