"""What must hold for any bytes holds for those that once broke it, and for changes of them."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from choices import Choices
from faultlab import IS_SOAK
from targets import CORPUS, TARGETS, Target

_MUTANTS = 4000 if IS_SOAK else 40
every_target = pytest.mark.parametrize("target", TARGETS.values(), ids=lambda target: target.name)


@every_target
def test_every_input_that_was_kept_is_taken(target: Target) -> None:
    assert target.seeds()
    for seed in target.seeds():
        target.check(seed)


@every_target
def test_changed_inputs_are_taken(target: Target) -> None:
    for mutant in mutants(target, _MUTANTS):
        target.check(mutant)


def test_every_folder_of_inputs_belongs_to_a_target() -> None:
    assert {folder.name for folder in CORPUS.iterdir()} <= TARGETS.keys()


def mutants(target: Target, count: int) -> Iterator[bytes]:
    """Yield inputs with some bytes lost, changed, repeated, or taken from another one."""
    dice = random.Random(target.name)  # noqa: S311 - the same ones every time
    seeds = target.seeds()
    words = [word.encode() for word in target.words] or [bytes([n]) for n in range(0, 256, 15)]
    for _ in range(count):
        raw, other = dice.choice(seeds), dice.choice(seeds)
        for _ in range(dice.randint(1, 4)):
            start, length = dice.randint(0, len(raw)), dice.choice((0, 1, 2, 8, 64, 512))
            put = dice.choice((b"", dice.choice(words), raw[start:], other[start : start + 64]))
            raw = raw[:start] + put + raw[start + length :]
        yield raw[: target.largest_bytes]


def test_decisions_never_run_out() -> None:
    choices = Choices(b"\x05\xff")
    assert [choices.number(4), choices.chance(256), choices.are_left] == [1, True, False]
    assert [choices.number(7), choices.one_of("ab"), choices.take(3), choices.rest()] == [
        *(0, "a", b"", b"")
    ]
