"""Whether a value looks like a secret, judged by its characters alone."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from itertools import pairwise
from math import log2
from typing import Final

LEAST_RANDOM_LENGTH: Final = 16
LEAST_ENTROPY: Final = 3.0
"""Bits a sign. It keeps out what says a few signs again and again, such as `1a2b1a2b1a2b1a2b`.

The labelled texts are judged alike up to 3.1; at 3.5, three in a thousand secrets are missed.
"""
LEAST_CHANGES: Final = 0.15
LONGEST_VALUE: Final = 512
LONGEST_SEQUENCE: Final = 7


def words(text: str) -> frozenset[str]:
    """Return the words of a list that is written as a paragraph."""
    return frozenset(text.split())


# Words that documentation and local set-ups use where a secret would stand.
STAND_INS: Final = words("""
    password passphrase placeholder credentials credential changeme example redacted changeit
    postgres localhost testing secrets default minioadmin sample secret hidden insert replace mysql
    removed passwd please string value tokens token local dummy guest admin hunter empty super
    redis mongo rabbit minio vault world hello where user root pass test demo fake mock your
    secure strong wrong correct incorrect invalid valid
    here none null true false todo keys some fill this from with prod abcd abc foo bar baz
    key pwd api app dev the tbd env xyz pw my me db or ci in be to is
""")

FORMATS: Final = words("""
    aes argon base bcrypt blake blowfish chacha crc des ecdsa ed es hmac hs http md mtls oauth oidc
    pbkdf pkce poly ps rs rsa saml scrypt secp sha ssh sslv tls totp utf uuid web x
""")


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return the expression, compiled when first needed: an import must not pay for it."""
    return re.compile(pattern, re.ASCII)


def entropy(value: str) -> float:
    """Return the bits per character (Shannon 1948), which repetition lowers."""
    length = len(value)
    return -sum(n / length * log2(n / length) for n in Counter(value).values())


def is_stand_in(value: str) -> bool:
    """Return whether it stands where a secret would: `<token>`, `${TOKEN}`, `123456789`, `xxxx`."""
    return says_it_is_none(value) or _longest_sequence(value) > LONGEST_SEQUENCE


def says_it_is_none(value: str) -> bool:
    """Return whether its words and signs say that it is no secret: `changeme`, `AKIA...EXAMPLE`."""
    return bool(
        _marked().search(value) or _reference().match(value) or _only_stand_ins().fullmatch(value)
    )


@cache
def _marked() -> re.Pattern[str]:
    """Return what finds the signs that, anywhere in a value, say it is none."""
    anywhere = "example|placeholder|redacted|change[_-]?(?:me|it)|dummy|xxxx"
    apart = "your|my|insert|replace|fake|sample|todo|goes|here|not-?real|invalid"
    variable = r"\$[{(]|(?<![A-Za-z0-9])\$[A-Za-z_]|\$[A-Z_]{3}"
    signs = r"\{\{|%\(|<|>|\*{3}|\.\.\.|\u2026|^@\w+@$|^%\w+%$|^!\w+$"
    return compiled(
        rf"(?i:{anywhere}|(?<![A-Za-z0-9])(?:{apart})(?![A-Za-z0-9]))|{variable}|{signs}"
    )


@cache
def _reference() -> re.Pattern[str]:
    """Return what finds where values come from: a variable, a setting, a file, an address."""
    owners = (
        "process|os|env|self|this|settings|config|cfg|conf|options|opts|props|args|ctx|context|"
        "secrets|vault|var|vars|local|locals|module|inputs|github|user|data|params|req|request"
    )
    ends = "pem|key|crt|cer|p12|pfx|json|ya?ml|toml|env|txt|md|py|js|ts|go|rs|rb|sh|sql|lock|conf"
    return compiled(
        rf"(?:{owners})\.\w|[A-Z][A-Z0-9]*_[A-Z0-9_]*$|(?:~|\.{{0,2}})/|[A-Za-z]:\\|"
        rf"[\w.+-]+@[\w-]+\.\w|\S*\.(?:{ends}|ini|cfg|log|gz|zip|tar|html?|css|csv|xml|enc|gpg)$"
    )


@cache
def _only_stand_ins() -> re.Pattern[str]:
    """Return what finds stand-in words with nothing but numbers and signs between them.

    Atomic groups: "change" and "me" beside "changeme" would make a failure take exponential time.
    """
    stand_ins = "|".join(sorted(STAND_INS, key=lambda word: (-len(word), word)))
    return compiled(rf"(?i:(?>(?>{stand_ins}|(?>(.)\1{{2,}}))[\W\d_]{{0,12}})+)")


def _longest_sequence(value: str) -> int:
    """Return how far it counts up by ones: 9 in `123456789`, 1 in a value without order."""
    longest = run = 1
    for left, right in pairwise(value):
        run = run + 1 if ord(right) - ord(left) == 1 else 1
        longest = max(longest, run)
    return longest


def looks_random(value: str) -> bool:
    """Return whether no one would type the value by hand: a key or a token."""
    if not LEAST_RANDOM_LENGTH <= len(value) <= LONGEST_VALUE:
        return False
    if not compiled(r"(?=.*\d).*[A-Za-z]").match(value) or is_stand_in(value):
        return False
    camel_case = compiled(r"[A-Z][a-z]{3,}").findall(value)
    if len("".join(camel_case)) > len(value) / 2:
        return False
    changes = len(compiled(r"(?<=\d)[A-Za-z]|(?<=[A-Za-z])\d|(?<=[a-z])[A-Z]").findall(value))
    return changes >= LEAST_CHANGES * len(value) and entropy(value) >= LEAST_ENTROPY


def looks_chosen(value: str, kinds_needed: int) -> bool:
    """Return whether somebody may have chosen the value as a password.

    `kinds_needed` is how many of lower case, upper case, digits and signs it has to mix.
    """
    kinds = sum(bool(compiled(sign).search(value)) for sign in ("[a-z]", "[A-Z]", r"\d", r"[^\w-]"))
    has_letter = bool(compiled("[A-Za-z]").search(value))
    if kinds < kinds_needed or not has_letter or len(value) > LONGEST_VALUE:
        return False
    return not (_fact().fullmatch(value) or is_stand_in(value))


@cache
def _fact() -> re.Pattern[str]:
    """Return what finds what is said about passwords: a format, a version, a date, a number."""
    formats = "|".join(sorted(FORMATS))
    return compiled(
        rf"(?i:(?:{formats})[-_]?\d[\w/-]*|(?:[a-z]+[-_])+(?:{formats})\d\w*)|"
        r"v?\d+(?:\.\d+)+[\w.+-]*|\d{4}-\d\d-\d\d\S*|\d+[+~]?[-_]?[A-Za-z]+(?:-[a-z]+)*[+*!~]?|"
        r"[A-Za-z]+(?:[-/+_&][A-Za-z]+)*[+*!~#]?|(?:min|max)\S*|\d{2,5}/\S*|"
        r"[A-Z][a-z]+-\d+|[A-Z]{2,}-\d+|[a-z]+/[a-z/]+\d?|#\d+|[A-Z]\d{1,3}|\d+%"
    )
