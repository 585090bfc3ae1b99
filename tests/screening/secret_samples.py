"""Labelled texts for the `secret` warning: invented facts, and secrets that are made at run time.

No text in the repository looks like a credential, so nothing that scans the repository stops at it:
the files beside this one hold only slots such as {hex40}, which are filled here.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final
from zlib import crc32

FOLDER: Final = Path(__file__).parent

UPPER: Final = string.ascii_uppercase + string.digits
LOWER: Final = string.ascii_lowercase + string.digits
ALPHABETS: Final = {
    "hex": "0123456789abcdef",
    "HEX": "0123456789ABCDEF",
    "int": string.digits,
    "abc": string.ascii_letters,
    "low": LOWER,
    "up": UPPER,
    "UP": UPPER,
    "up32_": string.ascii_uppercase + "234567",
    "age": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "b62_": string.ascii_letters + string.digits,
    "w36_": LOWER,
    "w_": string.ascii_letters + string.digits + "_-",
    "b64_": string.ascii_letters + string.digits + "+/",
    "b64url": string.ascii_letters + string.digits + "_-",
}
UUID: Final = "{hex8}-{hex4}-{hex4}-{hex4}-{hex12}"
SHORTHANDS: Final = {
    "{}": "",
    "{uuid}": UUID,
    "{UUID}": UUID.replace("hex", "HEX"),
    "{sha1}": "{hex40}",
    "{short}": "{hex9}",
    "{md5}": "{hex32}",
    "{sha256}": "{hex64}",
    "{sri}": "{b64_86}==",
    "{int}": "{int7}",
}
SLOT: Final = re.compile(r"\{(hex|HEX|int|abc|low|up32_|up|UP|age|b62_|w36_|w_|b64_|b64url)(\d+)\}")


@dataclass(frozen=True, slots=True)
class Sample:
    """A text, where its secrets are, and which part of the set it belongs to."""

    text: str
    kind: str | None  # None: there is no secret in it
    secret: str
    is_held_out: bool


def samples() -> Iterator[Sample]:
    """Get the whole set, the same in every run."""
    yield from _facts()
    yield from _leaks()


def is_held_out(template: str) -> bool:
    """Tell whether a template was set aside: every third, by the checksum of its words."""
    return crc32(template.encode()) % 3 == 0


def _lines(name: str) -> list[str]:
    return (FOLDER / name).read_text(encoding="utf-8").splitlines()


def filled(template: str, seed: str) -> str:
    """Get a text with its slots filled with characters that depend on the seed alone."""
    random = Random(f"{template}/{seed}")  # noqa: S311 - the same samples in every run
    for slot, meaning in SHORTHANDS.items():
        template = template.replace(slot, meaning)
    return SLOT.sub(
        lambda slot: "".join(random.choices(ALPHABETS[slot[1]], k=int(slot[2]))), template
    )


def _facts() -> Iterator[Sample]:
    for line in _lines("secret_facts.txt"):
        for seed in "ab" if filled(line, "a") != filled(line, "b") else "a":
            yield Sample(filled(line, seed), None, "", is_held_out(line))


def _leaks() -> Iterator[Sample]:
    sentences: dict[str, list[str]] = {"alone": [], "named": [], "password": [], "key": []}
    for line in _lines("secret_sentences.txt"):
        group, _, sentence = line.partition(" | ")
        sentences[group].append(sentence)
    for line in _lines("secret_formats.txt"):
        kind, service, form = (part.strip() for part in line.split(" | ", 2))
        for sentence in sentences["alone" if service == "-" else "named"]:
            yield _leak(kind, service, sentence, filled(form, kind + sentence))
    for number, sentence in enumerate(sentences["password"]):
        for form in PASSWORDS:
            yield _leak("password", "", sentence, filled(form, f"{number}"))
    for sentence in sentences["key"]:
        for form in KEYS:
            yield _leak("key-or-token", "", sentence, filled(form, sentence))


# What people choose, and what password managers make of it.
PASSWORDS: Final = (
    "{abc7}{int2}{}!",
    "Winter{int4}!",
    "blue-Horse-{int2}-{abc5}",
    "{b62_12}1a",
    "P{low8}#7x",
)
KEYS: Final = ("{hex32}1a", "{b62_24}1a", "{b62_40}1a", "{b64_43}=", "{uuid}", "{w_32}1a")


def _leak(kind: str, service: str, sentence: str, secret: str) -> Sample:
    text = sentence.replace("{secret}", secret)
    joined = service.replace(" ", "")
    if "{service}_" in text or "{service}A" in text or "{service}-" in text or "{service}." in text:
        text = text.replace("{service}", joined.lower())
    text = text.replace("{service}", service).replace("{SERVICE}", joined.upper())
    return Sample(text, kind, secret, is_held_out(sentence))
