"""What must hold for any file of what was opened: it helps the ranking, or is left out."""

from __future__ import annotations

from folders import scratch_folder
from imports import memory_in
from mnemolog.answers.excerpts import EVERYTHING
from mnemolog.requests import NewEntity
from mnemolog.store.access import AccessLog


def check_openings(raw: bytes) -> None:
    """A search answers the same facts, whatever the file says of how often they were opened."""
    with scratch_folder() as folder:
        memory = memory_in(folder)
        lamps = [NewEntity(name, "thing", (f"{name} is on",)) for name in ("Lamp", "Desk")]
        memory.create_entities(lamps, "tester")
        AccessLog(folder / "memory.jsonl").path.write_bytes(raw)
        found = memory.search_nodes("is on", EVERYTHING)
        assert {hit.entity_name for hit in found.hits} == {"Lamp", "Desk"}
        memory.open_nodes(["Lamp"])
        assert len(memory.search_nodes("Lamp", EVERYTHING).hits) == 1
