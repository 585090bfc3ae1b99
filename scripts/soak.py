"""Let many processes do everything at random to one memory, with faults, and print the figures.

    uv run python scripts/soak.py [--minutes N] [--seed S] [--processes 8] [--folder FOLDER]

Servers and commands write, read, search, import, export and take back, while some are killed or
stopped, branches are switched and merged, an editor saves the file, the disk is full, and the file
is compacted. All the time the memory has to be what a model says. Exits with 1 at the first
difference, keeps the folder, and prints the last operations. The same seed makes the same plans;
what meets what is up to the machine. It needs Linux and git; as root it mounts a small disk of its
own to fill it. Everything stays on this machine, and in one folder.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

_PROJECT: Final = Path(__file__).resolve().parent.parent
sys.path.extend(str(_PROJECT / "tests" / part) for part in ("", "conformance", "soak"))

from soaking import Extent, Failed, run  # noqa: E402 - the line above says where it is


def main() -> int:
    asked = arguments()
    # A run that is ended from outside ends its processes, too, and unmounts its disk.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    print(f"seed {asked.seed}, {asked.minutes:g} minutes, {asked.processes} processes", flush=True)
    start = time.monotonic()
    extent = Extent(seconds=60 * asked.minutes)
    try:
        figures = run(
            asked.folder, asked.seed, extent, processes=asked.processes, has_own_disk=True
        )
    except Failed as failure:
        print(failure)
        return 1
    for what, many in sorted(figures.items()):
        print(f"{many:>14,}  {what}")
    print(f"Nothing was lost or half done in {(time.monotonic() - start) / 60:.1f} minutes.")
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()))
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
