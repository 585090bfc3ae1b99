"""A write does not try for ever to compact a file that must not be compacted."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from pathlib import Path

from mnemolog.edits.edit import Edit
from mnemolog.graph import Graph
from mnemolog.records import UNTAGGED, Entity, Tombstone
from mnemolog.store.log import Log


def say_and_remove(text: str, _graph: Graph) -> Edit[None]:
    said = Entity("Lamp", "device", (text,), UNTAGGED)
    return Edit((said, Tombstone("observation", None, None, "Lamp", (text,))), None)


def test_a_refused_compaction_is_tried_again_when_the_file_has_doubled(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    asked: list[int] = []

    def refuse() -> bool:
        asked.append(path.stat().st_size)
        return False

    log = Log(path, read_document=lambda _content: None, may_compact=refuse)
    for n in range(300):
        log.write(partial(say_and_remove, f"{n}: {'x' * 200}"))
    assert len(asked) >= 3
    assert all(later > 2 * earlier for earlier, later in pairwise(asked))
