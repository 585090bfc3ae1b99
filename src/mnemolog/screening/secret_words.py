"""What the words around a value say that it is: a password, a key, or something innocent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from mnemolog.screening.secret_values import compiled, words

Meaning: TypeAlias = Literal["password", "key", "access", "innocent"]

BEFORE: Final = 80
"""Characters."""

WORD: Final = r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+"  # of sentences, camelCase and snake_case
REACH: Final = 6  # words between a name and its value, where `=` or `is` joins them
REACH_APART: Final = 1

PASSWORDS: Final = words("password passwd passphrase passcode pass pwd pw")
VERBS: Final = words("pass")  # unless the value follows at once: "pass: ..."
KEYS: Final = words("key token secret credential cred bearer apikey pat jwt")
ACCESS: Final = words("api auth authorization dsn login webhook access sdk env")
ENDINGS: Final = ("apikey", "secretkey", "accesskey", "privatekey", "authkey", "token", "secret")
PASSWORD_ENDINGS: Final = ("password", "passwd", "passphrase", "pwd")

INNOCENT: Final = words("""
    id ids uuid guid ulid kid hash hashes hashed hashing digest checksum sha md md5 sri integrity
    fingerprint thumbprint signature commit commits revision rev ref refs version versions release
    tag image branch build builds run job trace span request correlation etag cursor path paths file
    files filename folder directory dir url uri link endpoint host hostname domain port name names
    named header field column table row index policy manager reset length size count limit limits
    max min minimum maximum window ttl prompt storage store stored lives lived in at from via by on
    under inside into vault ssm kms arn secretsmanager test case cases parser module class function
    method package library migration node pod container snapshot schema type types format algorithm
    regex pattern alias prefix suffix number issue ticket line bug pr step record entry chunk block
    object bucket blob asset session model dataset seed address account channel workspace project
    organization org tenant team zone cluster instance device serial sitekey
    """)
INNOCENT_BEFORE: Final = words("""
    public pub publishable gpg pgp primary foreign partition sort cache idempotency map hash row
    object bucket routing translation locale message i18n csrf xsrf page next cursor design search
    anon site natural surrogate composite unique index redis memcached registry dedupe dedup shard
    range host verification verify no without not fake dummy example sample
    """)

# A password, and that it is the value, in other languages.
NAMED_ELSEWHERE: Final = (
    r"(?:[Pp]asswort|[Kk]ennwort|[Mm]ot de passe|[Cc]ontraseña|[Ss]enha|[Ww]achtwoord|[Hh]asło|"
    r"[\u041f\u043f]ароль)(?!\w|[^\x00-\x7f])|密码|密碼|口令|パスワード|비밀번호"
)
IS_ELSEWHERE: Final = r"(?:(?<!\S)(?:ist|lautet|est|es|é|jest)\s|[是为は\uff1a])\s*\Z"
LINKS: Final = words("is was are be to as equals the a an our my now currently set")


class Context(NamedTuple):
    """The words around a value."""

    before: tuple[str, ...]
    """The nearest last."""
    after: tuple[str, ...]
    """Only where they say what the value is: "... is the admin password"."""
    is_joined: bool
    """By a sign or a verb, so that the words before name the value."""

    def spelled(self) -> str:
        """Return each word joined to the next three, behind a blank: " newrelickey relickey".

        So a service's name is found behind a blank, however its words are written apart.
        """
        return " " + " ".join(
            "".join(side[at : at + 4])
            for side in (self.before, self.after)
            for at in range(len(side))
        )

    def meaning(self) -> Meaning | None:
        """Return what the nearest word that says anything makes of the value."""
        reach = REACH if self.is_joined else REACH_APART
        return _meaning(self.before, reach) or _meaning_after(self.after)


def context_of(text: str, start: int, end: int) -> Context:
    """Return the words around a value, within its sentence."""
    before = text[max(0, start - BEFORE) : start]
    if ended := compiled(r"(?s:.*[.;!?]\s)").match(before):
        before = before[ended.end() :]
    before = compiled(NAMED_ELSEWHERE).sub(" password ", before)
    before = compiled(IS_ELSEWHERE).sub(" is ", before)
    joined = compiled(
        r"(?:[=:>|(]|,\s?(?=[\"'\x60])|\b(?:is|was|are|to|as|equals))[\s\"'\x60*(\[{=]{0,6}\Z"
    )
    named = [word.lower() for word in compiled(WORD).findall(before)]
    while named and named[-1] in LINKS:
        named.pop()
    told = compiled(r"[\"'\x60)*]{0,2}\s+(?:is|was|as)\s+([^.;!?]{0,60})").match(text, end)
    after = compiled(WORD).findall(told[1].lower()) if told else ()
    return Context(tuple(named), tuple(after), bool(joined.search(before)))


def _meaning(before: Sequence[str], reach: int) -> Meaning | None:
    access: Meaning | None = None
    for at in range(len(before) - 1, max(-1, len(before) - 2 - reach), -1):
        if before[at] in VERBS and at < len(before) - 1:
            continue
        said = _said_by(before[at])
        qualifiers = before[max(0, at - 2) : at]
        if said in ("password", "key") and INNOCENT_BEFORE.intersection(qualifiers):
            return "innocent"
        if said and said != "access":
            return said
        access = access or said
    return access


def _meaning_after(after: Sequence[str]) -> Meaning | None:
    for at, word in enumerate(after[:REACH]):
        if word in INNOCENT or word in INNOCENT_BEFORE:
            return "innocent"
        said = _said_by(word)
        if said in ("password", "key"):
            following = after[at + 1 : at + 2]
            return "innocent" if INNOCENT.intersection(following) else said
    return None


def _said_by(word: str) -> Meaning | None:
    single = word.removesuffix("s") if len(word) > len("pass") else word
    if single in PASSWORDS or single.endswith(PASSWORD_ENDINGS):
        return "password"
    if single in KEYS or single.endswith(ENDINGS):
        return "key"
    if word in INNOCENT:
        return "innocent"
    return "access" if word in ACCESS else None
