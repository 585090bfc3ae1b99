"""Thousands of types: a new one is looked up among them, and compared with no more than a few."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemolog.memory import Memory
from mnemolog.requests import NewEntity
from mnemolog.results import Totals
from mnemolog.screening import type_variant
from mnemolog.screening.type_variant import nearest
from mnemolog.store.location import Settings
from mnemolog.taxonomy.consistency import MOST_HELPED, violations
from mnemolog.taxonomy.shared import SharedTaxonomy
from mnemolog.taxonomy.usage import Usage


def test_the_nearest_are_looked_for_among_the_first_types_only() -> None:
    many = [f"zebra {number}" for number in range(5000)]
    assert nearest("load balancre", ["load balancer", *many]) == ("load balancer",)
    assert nearest("load balancre", [*many, "load balancer"]) == ()


def test_the_nearest_are_looked_for_of_the_first_types_outside_only() -> None:
    outside = {f"zebra {number:03}": 1 for number in range(MOST_HELPED + 20)}
    usage = Usage(Totals(0, 0, 0, 0), {"entity": outside, "relation": {"near": 1}}, {})
    found = violations(usage, SharedTaxonomy({"zebra": ""}, {"near to": ""}))
    helped = [violation.name for violation in found if violation.use]
    assert helped == [*list(outside)[:MOST_HELPED], "near"]
    assert len(found) == len(outside) + 1


def test_a_new_type_is_looked_up_and_the_spelling_that_came_first_suggested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = Memory.open(Settings(str(tmp_path / "m.jsonl"), None), tmp_path)
    types = ["load balancer", "loadBalancer", *(f"zebra {number}" for number in range(30))]
    memory.create_entities([NewEntity(f"a {kind}", kind, ()) for kind in types], "ada")
    compared: list[int] = []
    real = type_variant.variant_of

    def noted(new: str, existing: list[str]) -> str | None:
        compared.append(len(existing))
        return real(new, existing)

    monkeypatch.setattr(type_variant, "variant_of", noted)
    new = [NewEntity("b", "Load_Balancer", ()), NewEntity("c", "lion", ())]
    (warning,) = memory.create_entities(new, "ada").warnings or ()
    assert "'Load_Balancer' is 'load balancer' in another spelling" in warning.message
    assert compared == [2, 0]
