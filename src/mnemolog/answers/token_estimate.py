"""How many tokens a text may take, without a tokenizer: an estimate that errs on the high side.

Tokenizers differ, and a dictionary of one is megabytes. This cuts a text up the way all of them
do and charges each piece what it costs at worst in o200k_base and cl100k_base. English prose comes
out at 1.5 times its tokens; no real text that was tried comes out too low. Characters drawn at
random can.
"""

from __future__ import annotations

import math
import re
from typing import Final

# A space belongs to the word behind it, and costs nothing; in front of anything else it is a token.
_PIECE: Final = re.compile(
    r"(?P<key>[A-Za-z0-9]{16,})"
    r"|(?P<word>[A-Z]?[a-z]+|[A-Z]+)"
    r"|(?P<number>[0-9]+)"
    r"|(?P<sign>[!-/:-@\[-`{-~]|(?! [A-Za-z])\s+)"
    r"|(?P<letter>[\u0370-\u06ff\u0900-\u0e7f\u3040-\u30ff\uac00-\ud7af])"
    r"|(?P<ideograph>[\u3400-\u9fff])"
    r"|(?P<other>[^\x20-\x7e])"
)
_VOWEL: Final = re.compile("[aeiouyAEIOUY]")
_LOOKS_CHOSEN: Final = re.compile(r"[A-Z]?[a-z]+(?:[A-Z][a-z]+)*[0-9]?\Z")

_LONGEST_WORD: Final = 16


def tokens_at_most(text: str) -> int:
    """Return how many tokens the text should not exceed."""
    return sum(map(_cost, _PIECE.finditer(text)))


def _cost(found: re.Match[str]) -> int:
    piece = found[0]
    match found.lastgroup:
        case "key":
            return _cost_of_key(piece)
        case "word":
            return _cost_of_word(piece)
        case "number":
            return math.ceil(len(piece) / 2)
        case "other":  # at worst a token for each byte
            return len(piece.encode())
        case "ideograph":
            return 2
    return 1


def _cost_of_key(run: str) -> int:
    """Return the cost of letters and digits in a row: a name in camelCase, or a random key."""
    if _LOOKS_CHOSEN.match(run):
        return sum(map(_cost_of_word, re.findall("[A-Z]?[a-z]+|[0-9]", run)))
    return math.ceil(len(run) / 1.2)


def _cost_of_word(word: str) -> int:
    if len(word) > _LONGEST_WORD or (len(word) > 2 and not _VOWEL.search(word)):  # noqa: PLR2004
        return math.ceil(len(word) / 1.5)
    if word.isupper() and len(word) > 1:
        return math.ceil(len(word) / 2)
    return 1 + (len(word) - 1) // 4
