"""Play the same calls on mnemolog and on server-memory, and print where the answers differ and why.

    uv run python scripts/compare_with_server_memory.py [--ours COMMAND] [--theirs COMMAND]

Any two servers can be compared, for example --theirs "npx -y @modelcontextprotocol/server-memory".
Without --theirs, the release that the table was measured with is taken, from npx's cache or from
npm. Exits with 1 if a difference has no reason in the table, or is another one than it says.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "conformance"))

from sequences import SEQUENCES
from server_memory import NotInstalled, fetch, server_memory_command
from stdio_client import serving, with_full_path
from steps import CallSequence, Step, answers, folder_for

SHOWN: Final = 400
"""How many characters of an answer are printed."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What two servers answered at one step."""

    step: Step
    ours: Any
    theirs: Any

    @property
    def is_as_the_table_says(self) -> bool:
        """Whether both answers are the ones that were measured."""
        return (self.ours, self.theirs) == (self.step.ours, self.step.theirs)


def main() -> int:
    asked = arguments()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        play = partial(compared, ours=asked.ours, theirs=asked.theirs, folder=Path(folder))
        chosen = [played for played in SEQUENCES if asked.only in played.name]
        unexplained = sum(
            report(*pair) for pair in zip(chosen, pool.map(play, chosen), strict=True)
        )
    print(f"\n{len(chosen)} sequences, {unexplained} with a difference that has no reason")
    return 1 if unexplained else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ours", type=shlex.split, default=[sys.executable, "-m", "mnemolog"])
    parser.add_argument("--theirs", type=shlex.split)
    parser.add_argument("--only", default="", help="only sequences with this in their name")
    asked = parser.parse_args()
    asked.ours = with_full_path(asked.ours)
    asked.theirs = with_full_path(asked.theirs or found_server_memory())
    return asked


def found_server_memory() -> tuple[str, ...]:
    try:
        return server_memory_command()
    except NotInstalled:
        fetch()
        return server_memory_command()


def compared(
    played: CallSequence, *, ours: list[str], theirs: list[str], folder: Path
) -> list[Compared]:
    place = folder_for(played, folder)
    sides = [
        [answer for _, answer in answers(played, partial(serving, command), new(place / name))]
        for name, command in (("ours", ours), ("theirs", theirs))
    ]
    return [Compared(*both) for both in zip(played.steps, *sides, strict=True)]


def new(folder: Path) -> Path:
    folder.mkdir()
    return folder


def report(played: CallSequence, steps: list[Compared]) -> bool:
    """Print what became of a sequence, and return whether something is left without a reason."""
    surprises = [taken for taken in steps if not taken.is_as_the_table_says]
    reasons = dict.fromkeys(taken.step.reason for taken in steps if taken.step.reason)
    verdict = "UNEXPLAINED" if surprises else "DIFFERENT" if reasons else "SAME"
    print(f"{verdict:11}  {played.name}" + "".join(f"\n{'':13}because {why}" for why in reasons))
    for line in (line for taken in surprises for line in lines_about(taken)):
        print(f"{'':13}{line}")
    return bool(surprises)


def lines_about(taken: Compared) -> Iterator[str]:
    yield f"at {taken.step.action}"
    for whose, found, expected in (
        ("ours  ", taken.ours, taken.step.ours),
        ("theirs", taken.theirs, taken.step.theirs),
    ):
        yield f"  {whose} {shown(found)}"
        if found != expected:
            yield f"  {'':6} where the table has {shown(expected)}"


def shown(answer: Any) -> str:  # noqa: ANN401 - any answer
    text = json.dumps(answer, ensure_ascii=False)
    rest = f"... ({len(text)} characters)" if len(text) > SHOWN else ""
    return text[:SHOWN] + rest


if __name__ == "__main__":
    sys.exit(main())
