"""Which entities a text names, whenever their names came."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemolog.search.lexicon import Lexicon
from mnemolog.search.names import NameBook, without_disambiguation

NAMES = st.lists(st.text("ab1- ()é", min_size=1, max_size=9), max_size=6, unique=True)
TEXTS = st.lists(st.text("ab1- ()é", max_size=20), max_size=3)


def is_named(lexicon: Lexicon, name: str, text: str) -> bool:
    """Return whether one of the name's spellings stands in the text, looked for word by word."""
    said = lexicon.spelling_of(text)
    for form in (name, without_disambiguation(name)):
        spelling = lexicon.spelling_of(form)
        if len(name.encode()) < 3 or not 0 < len(spelling) <= 8:
            continue
        starts = range(len(said) - len(spelling) + 1)
        if any(said[at : at + len(spelling)] == spelling for at in starts):
            return True
    return False


@given(NAMES, TEXTS, NAMES, TEXTS, st.data())
def test_a_text_names_what_stands_in_it_whole(
    loaded: list[str], texts: list[str], added: list[str], more: list[str], data: st.DataObject
) -> None:
    lexicon = Lexicon()
    book, names = NameBook(lexicon, loaded), list(loaded)

    def check(text: str) -> None:
        found = book.named_in(lexicon.spelling_of(text))
        assert sorted(found) == sorted(n for n in names if is_named(lexicon, n, text))

    for text in texts:
        check(text)
    for name in added:
        if name not in names:
            book.add(name)
            names.append(name)
    for name in data.draw(st.lists(st.sampled_from(names), unique=True) if names else st.just([])):
        book.remove(name)
        names.remove(name)
    for text in (*texts, *more, *names):
        check(text)


@pytest.mark.parametrize(
    ("name", "text", "is_found"),
    [
        ("Mercury (planet)", "how hot is mercury", True),
        ("Mercury (planet)", "mercury (planet) is hot", True),
        ("payment-service", "who owns the PaymentService", True),
        ("payment service", "the Payment Services", True),
        ("go", "let it go", False),
        ("-- dashed name", "the dashed name", True),
        ("!!!", "!!!", False),
    ],
)
def test_a_name_is_found_as_texts_say_it(name: str, text: str, is_found: bool) -> None:  # noqa: FBT001 - parametrized
    lexicon = Lexicon()
    assert NameBook(lexicon, [name]).named_in(lexicon.spelling_of(text)) == [name] * is_found


class Compared(str):
    """A name that counts how often it is compared with another one."""

    __slots__ = ()
    times = 0

    def __eq__(self, other: object) -> bool:
        Compared.times += self is not other
        return super().__eq__(other)

    __hash__ = str.__hash__


def test_one_of_many_namesakes_is_struck_out_without_a_look_at_the_others() -> None:
    names = [Compared(f"Mercury ({number})") for number in range(200)]
    lexicon = Lexicon()
    book = NameBook(lexicon, names)
    assert len(book.named_in(lexicon.spelling_of("Mercury"))) == len(names)
    Compared.times = 0
    for name in reversed(names[1:]):
        book.remove(name)
    assert Compared.times < len(names)
    assert book.named_in(lexicon.spelling_of("Mercury")) == names[:1]
