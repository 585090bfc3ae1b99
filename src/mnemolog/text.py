"""Text into words: what is compared wherever texts are compared.

A token is what stands between spaces and punctuation: `max_chars`, `src/app.py`, `2026-10-01`,
`jo@example.org`. Its words are its wholes, under which it is matched as it stands, and its parts.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

# Vowel signs and accents: Python's \w leaves them out, and would cut words of many scripts up.
_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u0900-\u0dff"
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3099\u309a"
)
# Scripts that are written without spaces; Korean has spaces, but glues its particles on.
_UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_SYMBOLS: Final = "\u2190-\u2bff\U0001f000-\U0001f3fa\U0001f400-\U0001faff"  # no skin tones
_RUN: Final = rf"[\w{_MARKS}]+"

_PLAIN: Final = re.compile(r"(?:[A-Za-z]?[a-z]*|[0-9]+)\Z")
_TOKEN: Final = re.compile(rf"{_RUN}(?:[-.@/\\:'\u2019]{_RUN})*|[{_SYMBOLS}]")
_JOINED: Final = re.compile(r"\A[a-z0-9]+(?:[-_.@/\\:][a-z0-9]+)+\Z")
_LETTERS: Final = re.compile(r"(?:\A|[^a-z0-9])[a-z]+(?![a-z0-9])")  # a part of nothing else
_FOLDED_AWAY: Final = re.compile("[\u0300-\u036f\u0640\u064b-\u065f\u0670]")
_CONTRACTED: Final = re.compile(r"['\u2019](?:s|t|d|m|re|ll|ve)$", re.IGNORECASE)
HUMP: Final = re.compile(
    r"(?<=[a-zß-ÿ0-9])(?=[A-ZÀ-Þ])|(?<=[A-ZÀ-Þ])(?=[A-ZÀ-Þ][a-zß-ÿ])(?![A-ZÀ-Þ]s(?![a-zß-ÿ]))"
)
"""Where a part of camelCase begins; an acronym keeps the s of its plural, as in `URLsSeen`."""
_JOINTS: Final = "-_.@/\\:'\u2019"
_SEPARATOR: Final = re.compile(f"[{re.escape(_JOINTS)}]+")
_GLUE: Final = re.compile(r"[-_'\u2019]+")
_QUOTED: Final = re.compile(r'"([^"]*)"|“([^”]+)”')

# Controls, bidirectional marks and overrides, and whatever else Unicode shows nothing for: joiners,
# fillers, tags, variation selectors but the two that choose how an emoji looks, the byte order
# mark. Halves of characters too, which no terminal takes.
UNSEEN: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)

# Made when first used, since it takes Python two milliseconds each.


@cache
def _piece() -> re.Pattern[str]:
    return re.compile(rf"[{_UNSPACED}]|(?:(?![_{_UNSPACED}])[\w{_MARKS}])+|[{_SYMBOLS}]")


@cache
def _script_run() -> re.Pattern[str]:
    return re.compile(rf"[{_UNSPACED}]+|[^{_UNSPACED}]+")


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(rf"[{_UNSPACED}]")


QUESTION_WORDS: Final = frozenset(
    {
        *("what", "when", "where", "who", "whom", "whose", "which", "why", "how"),
        *("do", "does", "did", "is", "are", "was", "were", "has", "have", "had"),
        *("can", "could", "would", "should", "many", "much"),
    }
)
"""Words that ask: they say what kind of answer is wanted, and stand in few of the answers."""


class Words(NamedTuple):
    """The words of one token, folded."""

    wholes: tuple[str, ...]
    """The token as it stands; for a script without spaces, its overlapping pairs."""
    parts: tuple[str, ...] = ()
    """What it is made of, where that is more than one thing."""

    @property
    def asked(self) -> tuple[str, ...]:
        """What to look for when the token stands in a query: single signs only if alone."""
        return self.wholes + tuple(part for part in self.parts if not _is_unspaced(part))


def fold(text: str) -> str:
    """Return the text without case, accents and other ways to write the same letter."""
    if text.isascii():
        return text.lower()
    spelled_out = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", _FOLDED_AWAY.sub("", spelled_out).casefold())


def tokens(text: str) -> list[str]:
    """Return the tokens of a text, as they are written."""
    return _TOKEN.findall(text)


def is_plain(piece: str) -> bool:
    """Return whether a piece of text is one word in plain letters, or one number."""
    # One letter may be a capital: the first. Others make parts, if only in camelCase.
    return piece.isascii() and (piece.isdecimal() or (piece.isalpha() and piece[1:].islower()))


def words_of(piece: str) -> tuple[Sequence[str], Sequence[str]]:
    """Return the wholes and the parts of all tokens of a piece of text without spaces."""
    if _JOINED.match(piece):
        return _words_of_joined(piece)
    found = [words(token) for token in tokens(piece)]
    wholes = [whole for of_token in found for whole in of_token.wholes]
    return wholes, [part for of_token in found for part in of_token.parts]


def words(token: str) -> Words:
    """Return what a token is matched by."""
    if _PLAIN.match(token):
        return Words((token.lower(),))
    if "'" in token or "\u2019" in token:
        token = _CONTRACTED.sub("", token)
    if not token.isascii():
        # In one form first: taken apart, as file names of macOS are, Korean is of no such script.
        token = unicodedata.normalize("NFC", token)
        if _unspaced().search(token):
            return _words_without_spaces(token)
    folded = fold(token)
    # Where nothing is a capital, nothing begins with one in the middle.
    found = _SEPARATOR.split(folded) if folded == token else map(fold, _parts(token))
    parts = tuple(dict.fromkeys(filter(None, found)))
    has_letters = any(map(str.isalpha, parts))
    whole = fold(_GLUE.sub("", token)) if has_letters else folded.strip("_")
    if not whole:
        return Words(())
    return Words((whole,), tuple([part for part in parts if part != whole]))


def _words_of_joined(token: str) -> tuple[Sequence[str], Sequence[str]]:
    """Return what `words` does, several times as fast: a memory has many different ones."""
    parts = _SEPARATOR.split(token)
    if len(set(parts)) < len(parts):
        parts = list(dict.fromkeys(parts))
    whole = token.replace("-", "").replace("_", "") if _LETTERS.search(token) else token
    return (whole,), parts


def pieces(text: str) -> str:
    """Return the text's words in order between spaces: a phrase of it is a part of this."""
    return f" {' '.join(_piece().findall(fold(text)))} "


def phrases(query: str) -> list[str]:
    """Return the pieces of each quoted phrase of a query, each once; a lone mark quotes nothing."""
    quoted = (pieces(straight or curly) for straight, curly in _QUOTED.findall(query))
    return list(dict.fromkeys(phrase for phrase in quoted if phrase.strip()))


def has_phrase(text: str, phrase: str) -> bool:
    """Return whether the text has the words of a phrase, given as `pieces`, one after the other."""
    return longest_piece(phrase) in fold(text) and phrase in pieces(text)


def longest_piece(phrase: str) -> str:
    """Return the word of a phrase that is likeliest to tell texts apart."""
    return max(phrase.split(), key=len)


def counted(number: int, noun: str) -> str:
    """Return `1 relation` or `2 relations`."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def counted_graph(entities: int, observations: int, relations: int) -> str:
    """Return `2 entities, 3 observations and 1 relation`."""
    first = f"{counted(entities, 'entity')}, {counted(observations, 'observation')}"
    return f"{first} and {counted(relations, 'relation')}"


def first_of(names: Sequence[str], most: int) -> str:
    """Return the first names between commas; an ellipsis says that there are more."""
    return ", ".join((*names[:most], *(["…"] if len(names) > most else ())))


def is_question_word(token: str) -> bool:
    """Return whether the token only asks."""
    return fold(token) in QUESTION_WORDS


def _parts(token: str) -> list[str]:
    found: list[str] = []
    for piece in filter(None, _SEPARATOR.split(token)):
        found.append(piece)
        if not piece.islower() and not piece.isdecimal():
            found += HUMP.split(piece)
    return found


def _is_unspaced(run: str) -> bool:
    return not run.isascii() and _unspaced().match(run) is not None


def _words_without_spaces(token: str) -> Words:
    wholes: list[str] = []
    parts: list[str] = []
    for run in _script_run().findall(token):
        if not _is_unspaced(run):
            # What joins it to the signs beside it, as in 東京/京都, is no word.
            inner = words(bare) if (bare := run.strip(_JOINTS)) else Words(())
            wholes += inner.wholes
            parts += inner.parts
            continue
        signs = fold(run)
        wholes += [signs[at : at + 2] for at in range(len(signs) - 1)] or [signs]
        parts += signs if len(signs) > 1 else ""
    return Words(tuple(wholes), tuple(parts))
