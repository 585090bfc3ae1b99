"""Fuzz what takes bytes from outside, guided by the coverage that each input reaches.

    uv run --with atheris python scripts/fuzz.py [--minutes N] [--keep FOLDER] [TARGET...]

Targets are those of tests/fuzz/targets.py, all of them if none is named, for N minutes each. What
breaks one is written to a file whose path is printed; exits with 1 then. Put that file into
tests/fuzz/corpus/TARGET, and the tests go through it for good. With --keep, what reached new code
is kept in a folder, and the next run goes on from there. Atheris has wheels for Linux.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

_PROJECT: Final = Path(__file__).resolve().parent.parent
sys.path.extend(str(_PROJECT / "tests" / part) for part in ("", "conformance", "fuzz"))

_SLOWEST_SECONDS: Final = 30
_MOST_MEGABYTES: Final = 2048


def main() -> int:
    asked = arguments()
    if importlib.util.find_spec("atheris") is None:
        sys.exit("Atheris is missing: uv run --with atheris python scripts/fuzz.py")
    if asked.inside:
        return fuzz(asked.inside, asked.options)
    known = targets()
    chosen = asked.targets or [*known]
    if unknown := [name for name in chosen if name not in known]:
        sys.exit(f"There is no target {', '.join(unknown)}. There are {', '.join(known)}.")
    with tempfile.TemporaryDirectory() as scratch:
        kept = asked.keep or Path(scratch)
        broken = [name for name in chosen if not holds(name, asked.minutes, kept)]
    print(f"{len(chosen)} targets, {len(broken)} broken {' '.join(broken)}")
    return 1 if broken else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("targets", nargs="*", metavar="TARGET")
    parser.add_argument("--minutes", type=float, default=5.0, help="for each target")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    parser.add_argument("--options", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return parser.parse_args()


def holds(name: str, minutes: float, kept: Path) -> bool:
    """Fuzz one target in a process of its own, and return whether nothing broke it."""
    target, corpus = targets()[name], kept.absolute() / name
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(target.seeds()):
        (corpus / f"seed-{number}").write_bytes(seed)
    options = [
        f"-max_total_time={round(minutes * 60)}",
        f"-max_len={target.largest_bytes}",
        f"-timeout={_SLOWEST_SECONDS}",
        "-len_control=0",
        f"-rss_limit_mb={_MOST_MEGABYTES}",
        f"-artifact_prefix={Path.cwd()}/{name}-",
        "-print_final_stats=1",
    ]
    if target.words:
        words = kept.absolute() / f"{name}.words"
        words.write_text("".join(map(_word, target.words)), encoding="ascii", newline="\n")
        options.append(f"-dict={words}")
    print(f"--- {name}", flush=True)
    inside = [sys.executable, __file__, "--inside", name, "--options", *options, str(corpus)]
    return subprocess.run(inside, check=False).returncode == 0


def targets() -> Any:  # noqa: ANN401 - what it holds is imported late, to be instrumented
    return importlib.import_module("targets").TARGETS


def _word(word: str) -> str:
    return '"' + "".join(f"\\x{byte:02x}" for byte in word.encode()) + '"\n'


def fuzz(name: str, options: list[str]) -> int:
    """Hand the target to Atheris, which ends the process."""
    atheris = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["mnemolog"]):
        target = targets()[name]
    atheris.Setup([sys.argv[0], *options], target.check)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
