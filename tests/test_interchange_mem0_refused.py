"""A document that is none of mem0's is refused, rather than imported as nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog.errors import UnreadableSource
from mnemolog.interchange.mem0 import FORMAT


@pytest.mark.parametrize(
    "document",
    [
        '{"type":"entity","name":"api","entityType":"service","observations":["x"]}',
        '{"detail": "Authentication credentials were not provided."}',
        '{"memories": [{"id": "1", "memory": "x"}]}',
    ],
)
def test_what_is_no_answer_of_mem0_is_refused(document: str, tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    path.write_text(document, encoding="utf-8", newline="\n")
    with pytest.raises(UnreadableSource, match="it holds no memories"):
        list(FORMAT.read(path))


def test_a_page_that_names_its_memories_is_read(tmp_path: Path) -> None:
    path = tmp_path / "page.json"
    memories = '[{"id": "1", "memory": "x", "user_id": "jose"}]'
    document = f'{{"count": 1, "next": null, "results": {memories}}}'
    path.write_text(document, encoding="utf-8", newline="\n")
    assert len(list(FORMAT.read(path))) == 1
