"""JSON with comments as people write it, for tests that edit it."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import strategies as st

# The json5 library reads an escaped pair of surrogates as two characters.
texts = st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]), max_size=5)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
remarks = st.sampled_from(
    ["", " ", "\n", "/* , } */", "// {\n", "// }, \t\n", '\t// "a": 1,\n  ', "\n\n  "]
)


@st.composite
def written(draw: st.DrawFn, value: Any) -> str:
    """Give a value as JSON with remarks, blanks and trailing commas wherever they may stand."""
    if isinstance(value, dict):
        members = [f"{json.dumps(k)}{draw(remarks)}:{draw(written(v))}" for k, v in value.items()]
        return "{" + draw(inside(members)) + "}"
    if isinstance(value, list):
        return "[" + draw(inside([draw(written(v)) for v in value])) + "]"
    return json.dumps(value, ensure_ascii=draw(st.booleans()))


@st.composite
def inside(draw: st.DrawFn, members: list[str]) -> str:
    text = ",".join(f"{draw(remarks)}{member}{draw(remarks)}" for member in members)
    return text + (draw(st.sampled_from(["", ","])) if members else "") + draw(remarks)


def is_subsequence(part: str, whole: str) -> bool:
    letters = iter(whole)
    return all(letter in letters for letter in part)
