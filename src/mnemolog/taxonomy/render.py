"""A taxonomy as text: the same text for the same taxonomy, and short lines for people and diffs."""

from __future__ import annotations

import json
from typing import Any, Final

LINE: Final = 160
"""How many characters a line may have before what it holds is spread over several."""


def render(taxonomy: Any) -> str:  # noqa: ANN401 - any JSON value
    """Return JSON in which everything that fits on one line stands on one line."""
    return f"{_laid_out(taxonomy, 0, '')}\n"


def _laid_out(value: Any, depth: int, lead: str) -> str:  # noqa: ANN401 - any JSON value
    """Return the value, where `lead` stands before it on its line."""
    flat = f"{lead}{json.dumps(value, ensure_ascii=False)}"
    if not value or not isinstance(value, dict | list) or 2 * depth + len(flat) < LINE:
        return flat
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    pairs = (
        ((f"{json.dumps(key, ensure_ascii=False)}: ", held) for key, held in value.items())
        if isinstance(value, dict)
        else (("", held) for held in value)
    )
    indent = "  " * (depth + 1)
    rows = ",\n".join(f"{indent}{_laid_out(held, depth + 1, key)}" for key, held in pairs)
    return f"{lead}{opening}\n{rows}\n{'  ' * depth}{closing}"
