"""Halves of characters: lone surrogates, which a text can hold and no UTF-8 file or wire.

They come from paths and arguments with bytes that are not UTF-8, and from YAML that spells them.
"""


def has_halves(text: str) -> bool:
    """Return whether UTF-8 cannot hold the text."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def without_halves(text: str) -> str:
    """Return the text with a question mark in place of each half."""
    return text.encode(errors="replace").decode()
