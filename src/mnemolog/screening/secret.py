"""Secrets in a text: keys, tokens, private keys, passwords in URLs and assignments.

A value is a secret by its shape (a GitHub token looks like nothing else), by a service's name
beside it (40 hex digits are a commit, unless they are the Datadog key), or by a plain word
("password = ..."). The rules of the first two are gitleaks' and our own, as files beside this one.

This finds what somebody saved by mistake. It is no protection against hiding a secret on purpose.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from mnemolog.screening.literals import Literals
from mnemolog.screening.secret_values import (
    LEAST_ENTROPY,
    compiled,
    entropy,
    is_stand_in,
    looks_chosen,
    looks_random,
    says_it_is_none,
)
from mnemolog.screening.secret_words import Context, context_of

GITLEAKS_RULES: Final = "secret_rules.gitleaks.json"
OWN_RULES: Final = "secret_rules.own.json"

RulesByWord: TypeAlias = tuple[tuple[str, tuple["Rule", ...]], ...]

LEAST_NAMED_LENGTH: Final = 14

# What may be a value: no blanks, quotes, brackets, or signs that join a name to its value. Chinese,
# Japanese and Korean stand right beside one.
_NO_VALUE: Final = r"\s'\"\x60<>=:,;(){}\[\]|\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff00-\uff5e"
VALUE: Final = rf"[^{_NO_VALUE}*][^{_NO_VALUE}]{{5,511}}={{0,2}}"
PAIR_IN_URL: Final = r"://([^\s/:@'\"\x60<>]{0,128}):([^\s/'\"\x60<>]{3,256})@"
PAIR_IN_OPTION: Final = r"(?<!\S)(?:-u|--user)[ =]['\"]?([^\s:'\"]{1,64}):([^\s'\"]{4,128})"
OPTION_ALONE: Final = (
    r"\b((?:mysql|mariadb)[\w-]{0,20}(?=\s)[^\n|;&]{0,80}?\s-p"
    r"|(?:sshpass|docker login|mongo(?:sh|dump|restore|export|import|stat|top)?)(?=\s)"
    r"[^\n|;&]{0,80}?\s-p[ =]?"
    r"|redis-cli(?=\s)[^\n|;&]{0,80}?\s-a[ =]?)['\"]?"
    # Not the ports of `docker run --name mongo -p 27017:27017`.
    r"(?![\d.:]+['\"\x60,;)]{0,2}(?:\s|\Z))([^\s'\"]{4,128})"
)


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a secret stands in a text, and what it is; never the value itself."""

    kind: str
    description: str
    """With its article: "a GitHub Personal Access Token"."""
    start: int
    end: int


class Rule(NamedTuple):
    """One kind of secret: a shape of its own, or a value that needs a name beside it."""

    kind: str
    description: str
    entropy: float = 0
    keywords: tuple[str, ...] = ()
    pattern: str = ""
    names: tuple[str, ...] = ()
    value: str = ""
    innocent: tuple[str, ...] = ()

    def is_innocent(self, value: str) -> bool:
        """Return whether a value that has the shape is no secret all the same."""
        return any(compiled(pattern).fullmatch(value) for pattern in self.innocent)

    def found_at(self, start: int, end: int) -> Secret:
        """Return the secret of this kind between two places of a text."""
        return Secret(self.kind, self.description, start, end)


URL_RULE: Final = Rule("password-in-url", "a password in a URL")
USER_RULE: Final = Rule("password-in-command", "a password on a command line")
PASSWORD_RULE: Final = Rule("password", "a password")
KEY_RULE: Final = Rule("key-or-token", "a key or token")


def find_secrets(text: str) -> tuple[Secret, ...]:
    """Return the secrets in a text, in its order, none within another."""
    found: list[Secret] = []
    taken = bytearray(len(text))
    for secret in (*_by_shape(text), *_in_urls(text), *_by_context(text)):
        if not any(taken[secret.start : secret.end]):
            found.append(secret)
            taken[secret.start : secret.end] = b"\1" * (secret.end - secret.start)
    return tuple(sorted(found, key=lambda secret: secret.start))


def looks_secret(text: str) -> bool:
    """Return whether there is a secret in the text."""
    return bool(find_secrets(text))


def message(secret: Secret) -> str:
    """Return what an agent reads about a secret in what it saved; the value is never repeated."""
    return (
        f"This looks like {secret.description} ({secret.kind}). Remove it with "
        "delete_observations and note instead where it is kept (the variable or the vault entry). "
        "If the memory was committed or shared, have it rotated."
    )


@cache
def rules() -> tuple[Rule, ...]:
    """Return every rule, read when the first text is screened; ours first."""
    folder = Path(__file__).parent
    texts = [(folder / name).read_text(encoding="utf-8") for name in (OWN_RULES, GITLEAKS_RULES)]
    return tuple(_rule(fields) for text in texts for fields in json.loads(text))


def _rule(fields: dict[str, Any]) -> Rule:
    lists = {name: tuple(value) for name, value in fields.items() if isinstance(value, list)}
    return Rule(**(fields | lists))


@cache
def _rules_by_keyword() -> dict[str, tuple[Rule, ...]]:
    shapes = [rule for rule in rules() if rule.pattern]
    keywords = dict.fromkeys(word for rule in shapes for word in rule.keywords)
    return {word: tuple(r for r in shapes if word in r.keywords) for word in keywords}


@cache
def _keywords() -> Literals:
    return Literals(_rules_by_keyword())


@cache
def _rules_by_name() -> RulesByWord:
    named = [rule for rule in rules() if rule.value]
    names = dict.fromkeys(name for rule in named for name in rule.names)
    return tuple((name, tuple(r for r in named if name in r.names)) for name in names)


def _by_shape(text: str) -> Iterator[Secret]:
    having = _rules_by_keyword()
    words = _keywords().standing_in(text.lower())
    for rule in dict.fromkeys(rule for word in words for rule in having[word]):
        for match in compiled(rule.pattern).finditer(text):
            value = match[0]
            # One that counts up is what people try this with, and has all else of a secret.
            if entropy(value) > rule.entropy and not (
                says_it_is_none(value) or rule.is_innocent(value)
            ):
                yield rule.found_at(*match.span())


def _in_urls(text: str) -> Iterator[Secret]:
    if "@" in text and "://" in text:
        yield from _pairs(text, PAIR_IN_URL, URL_RULE)
    if "curl" in text or "http" in text:
        yield from _pairs(text, PAIR_IN_OPTION, USER_RULE)
    if " -" in text:
        yield from _pairs(text, OPTION_ALONE, USER_RULE)


def _pairs(text: str, pattern: str, rule: Rule) -> Iterator[Secret]:
    """Yield the passwords of user:password pairs, but for defaults such as postgres:postgres."""
    for match in compiled(pattern).finditer(text):
        user, password = match.groups()
        if user != password and not password.isdecimal() and not is_stand_in(password):
            yield rule.found_at(*match.span(2))


def _by_context(text: str) -> Iterator[Secret]:
    named: RulesByWord | None = None
    for match in compiled(VALUE).finditer(text):
        value = match[0].rstrip(".?/*")
        is_call = text.startswith("(", match.end())
        if is_call or not compiled(r"\d|[!@#%^&*+~]").search(value):
            continue
        around = context_of(text, match.start(), match.end())
        meaning = around.meaning()
        if meaning == "innocent":
            continue
        rule = None
        if meaning == "password" and looks_chosen(value, 2 if around.is_joined else 3):
            rule = PASSWORD_RULE
        elif len(value) >= LEAST_NAMED_LENGTH and (meaning or around.is_joined):
            named = _rules_named_in(text) if named is None else named
            rule = _rule_for_key(value, around, named)
        if rule is not None:
            yield rule.found_at(match.start(), match.start() + len(value))


def _rules_named_in(text: str) -> RulesByWord:
    squeezed = compiled(r"[\W_]").sub("", text.lower())
    return tuple(entry for entry in _rules_by_name() if entry[0] in squeezed)


def _rule_for_key(value: str, around: Context, named: RulesByWord) -> Rule | None:
    spelled = around.spelled() if named else ""
    for name, having in named:
        if f" {name}" in spelled:
            for rule in having:
                if _fits(rule, value):
                    return rule
    return KEY_RULE if around.meaning() in ("key", "password") and looks_random(value) else None


def _fits(rule: Rule, value: str) -> bool:
    if not compiled(rule.value).fullmatch(value) or is_stand_in(value):
        return False
    has_digit = any(sign.isdecimal() for sign in value)
    return has_digit and entropy(value) > max(rule.entropy, LEAST_ENTROPY - 0.25)
