"""A file name for each entity that every file system takes, and that no two of them share."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

LONGEST_BYTES: Final = 100
"""Of UTF-8. Windows has 260 characters for a whole path, and some file systems 143 for a name."""

# Letters, marks, digits and symbols are kept, but for the second row, and the first one with them;
# anything else becomes a hyphen.
_KEPT_PUNCTUATION: Final = frozenset("._-,()@!'")
_LOST_SYMBOLS: Final = frozenset("<>|`$^~+=")
_HYPHENS: Final = re.compile(r"-{2,}")
_RESERVED: Final = re.compile(
    r"(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:\.|$)", re.IGNORECASE
)
"""Names of devices on Windows, whatever follows their first dot."""


def file_stems(names: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """Return the name of each entity's file, without its ending.

    A name that is taken already, also if only spelled alike (`README`, `readme`), is counted on:
    `readme-2`. `taken` are stems that no entity may have.
    """
    used = {_alike(stem) for stem in taken}
    stems: dict[str, str] = {}
    counts: dict[str, int] = {}
    for name in names:
        stem = whole = _stem(name)
        while _alike(stem) in used:
            counts[whole] = counts.get(whole, 1) + 1
            stem = f"{whole}-{counts[whole]}"
        used.add(_alike(stem))
        stems[name] = stem
    return stems


def _stem(name: str) -> str:
    kept = "".join(c if _is_kept(c) else "-" for c in unicodedata.normalize("NFC", name))
    # A leading dot hides a file, a leading hyphen makes it an option, a trailing dot is lost.
    stem = _cut(_HYPHENS.sub("-", kept).strip("-. ")).strip("-. ") or "entity"
    return f"_{stem}" if _RESERVED.match(stem) else stem


def _is_kept(character: str) -> bool:
    if character in _LOST_SYMBOLS:
        return False
    return character in _KEPT_PUNCTUATION or unicodedata.category(character)[0] in "LMNS"


def _cut(stem: str) -> str:
    return stem.encode()[:LONGEST_BYTES].decode("utf-8", "ignore")


def _alike(stem: str) -> str:
    """Return what two names have in common that one folder may not hold both of."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", stem).casefold())
