"""Characters that a format cannot hold, or that would do something instead of being read."""

from __future__ import annotations

import re
from typing import Final

# XML 1.0 has no way to write these down, not even as references.
_NOT_IN_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")

_PICTURES: Final = 0x2400
"""Where Unicode has a picture of each control character: U+241B is one of escape."""


def pictured(text: str) -> str:
    """Return the text with a picture in the place of each control character."""
    return _NOT_IN_XML.sub(lambda found: _picture(found[0]), text)


def one_line(text: str) -> str:
    """Return the text on one line: each run of blanks and line ends is one space."""
    return " ".join(text.split())


def _picture(character: str) -> str:
    number = ord(character)
    return chr(_PICTURES + number) if number < 32 else "\ufffd"  # noqa: PLR2004 - the controls
