"""The taxonomy that this version of the package comes with."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, Final

FILE: Final = "taxonomy.json"
"""Its name, in the package and at the top of the repository."""


def published_text() -> str:
    """Return the file as it is."""
    return (files("mnemolog") / FILE).read_text(encoding="utf-8")


def published_taxonomy() -> dict[str, Any]:
    """Return what the file says."""
    taxonomy: dict[str, Any] = json.loads(published_text())
    return taxonomy
