"""What a query asks for."""

from __future__ import annotations

from dataclasses import dataclass

from mnemolog.search.lexicon import NO_WORD, Lexicon
from mnemolog.text import fold, is_question_word, phrases, tokens, words


@dataclass(frozen=True, slots=True)
class Query:
    """A query, in the words of one memory."""

    words: dict[int, str]
    """The words to look for, by number, in order; those that the memory knows."""
    unknown: tuple[str, ...]
    """The words that no text of the memory ever had."""
    phrases: tuple[str, ...]
    """The pieces of each quoted phrase; a hit must have them all."""
    spelling: tuple[int, ...]
    """The numbers of all its words, as names are spelled; `NO_WORD` for an unknown one."""


def understand(text: str, lexicon: Lexicon) -> Query:
    """Return what a query asks for: without its question words, if it has others."""
    said = tokens(text)
    quoted = phrases(text)
    in_quotes = {piece for phrase in quoted for piece in phrase.split()}
    asked = [t for t in said if not is_question_word(t) or fold(t) in in_quotes] or said
    known: dict[int, str] = {}
    unknown: list[str] = []
    for word in dict.fromkeys(word for token in asked for word in words(token).asked):
        number = lexicon.find(word)
        if number == NO_WORD:
            unknown.append(word)
        else:
            known.setdefault(number, word)
    spelling = tuple(lexicon.find(whole) for token in said for whole in words(token).wholes)
    return Query(known, tuple(unknown), tuple(quoted), spelling)


def known_words(text: str, lexicon: Lexicon) -> dict[int, None]:
    """Return the words of a text that the memory knows, by number, in order."""
    asked = dict.fromkeys(word for token in tokens(text) for word in words(token).asked)
    found = dict.fromkeys(map(lexicon.find, asked))
    found.pop(NO_WORD, None)
    return found
