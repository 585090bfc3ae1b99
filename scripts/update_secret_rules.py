"""Write the rules of the `secret` warning anew from a checkout of gitleaks.

    uv run python scripts/update_secret_rules.py CHECKOUT

CHECKOUT is a folder with config/gitleaks.toml and LICENSE. Go's regular expressions become
Python's, and each rule becomes one of two shapes: a `pattern` that is a secret wherever it stands,
or `names` and a `value` that is a secret only in the company of one of the names.

The present rules are those of https://github.com/gitleaks/gitleaks at b58d3f102cf3.
"""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from pathlib import Path
from typing import Any, Final

RULES: Final = Path(__file__).parents[1] / "src" / "mnemolog" / "screening"

# What gitleaks puts between a name and its value in source code, and after a value. Sentences join
# them otherwise, so the value stands alone here and mnemolog looks at the words around it.
JOINT: Final = (
    r"(?:[ \t\w.-]{0,20})[\s'\"]{0,3}%s(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'\"\s=]{0,5}"
).replace(r"\"", '"')
JOINTS: Final = (JOINT % "", JOINT % ")")
END: Final = r"""(?:[\x60'"\s;]|\\[nr]|$)"""
OTHER_ENDS: Final = (r"""(?:[\x60'"\s;]|\\[nr]|$|\b)""", r"(?:[^\w-]|\z)", r"(?:[^a-zA-Z0-9+/]|\z)")
SENTENCE_END: Final = r"(?![\w/+=-]|\.\w)"
START: Final = r"(?<![0-9A-Za-z])"
LEAD: Final = r"[\w.-]{0,50}?"

IDENTIFIERS: Final = {  # published by their owners, or nothing without the secret beside them
    "adobe-client-id",
    "asana-client-id",
    "bitbucket-client-id",
    "discord-client-id",
    "flutterwave-public-key",
    "linkedin-client-id",
    "lob-pub-api-key",
    "looker-client-id",
    "mailgun-pub-key",
    "mapbox-api-token",
    "messagebird-client-id",
    "new-relic-browser-api-token",
    "new-relic-user-api-id",
    "plaid-client-id",
    "sendbird-access-id",
    "sumologic-access-id",
}
FILES: Final = {  # of a certain file format, never of a sentence
    "freemius-secret-key",
    "hashicorp-tf-password",
    "kubernetes-secret-yaml",
    "nuget-config-password",
    "pkcs12-file",
}
OURS: Final = {  # done otherwise in secret.py or secret_rules.own.json
    "anthropic-admin-api-key",
    "anthropic-api-key",
    "curl-auth-header",
    "curl-auth-user",
    "generic-api-key",
    "private-key",
    "sidekiq-secret",
    "sidekiq-sensitive-url",
    "telegram-bot-api-token",
}
ALONE: Final = {  # so distinct that the name need not stand beside them
    "defined-networking-api-token",
    "new-relic-insert-key",
    "new-relic-user-api-key",
    "plaid-api-token",
    "typeform-api-token",
    "yandex-api-key",
}
CHANGES: Final[dict[str, dict[str, Any]]] = {
    "airtable-personnal-access-token": {"keywords": ["pat"]},
    "azure-ad-client-secret": {
        "pattern": r"(?<![\w~.-])[a-zA-Z0-9_~.]{3}\dQ~[a-zA-Z0-9_~.-]{31,34}(?![\w~-])"
    },
    "aws-amazon-bedrock-api-key-long-lived": {"description": "a long-lived Amazon Bedrock API key"},
    "aws-amazon-bedrock-api-key-short-lived": {
        "description": "a short-lived Amazon Bedrock API key"
    },
    "cisco-meraki-api-key": {"description": "a Cisco Meraki API key"},
    "flyio-access-token": {"description": "a Fly.io API key"},
    "nytimes-access-token": {"description": "a New York Times access token"},
    "plaid-api-token": {"keywords": ["access-"]},
    "yandex-api-key": {"keywords": ["aqvn"]},
    "slack-webhook-url": {
        "pattern": r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{43,56}"
    },
    # Its third form was any Git commit.
    "sourcegraph-access-token": {
        "description": "a Sourcegraph access token",
        "keywords": ["sgp_"],
        "pattern": r"\bsgp_(?:(?:[a-fA-F0-9]{16}|local)_)?[a-fA-F0-9]{40}\b",
    },
    "vault-service-token": {"innocent": [r"s\.[A-Za-z]{24}"]},
}
NAMES: Final = {  # where the names are more than a list of words
    "atlassian-api-token": ["atlassian", "confluence", "jira"],
    "cisco-meraki-api-key": ["meraki"],
    "cohere-api-token": ["cohere", "coapikey"],
    "etsy-access-token": ["etsy"],
    "mailchimp-api-key": ["mailchimp"],
    "okta-access-token": ["okta"],
    "snyk-api-token": ["snyk"],
    "sonar-api-token": ["sonar"],
    "sumologic-access-token": ["sumo"],
}


def scoped(regex: str) -> str:
    """Get the expression with each flag that starts in its middle closed off by a group."""
    while (at := regex.find("(?i)")) >= 0:
        end = end_of_group(regex, at + 4)
        regex = f"{regex[:at]}(?i:{regex[at + 4 : end]}){regex[end:]}"
    return regex


def end_of_group(regex: str, start: int) -> int:
    depth = 0
    in_class = False
    at = start
    while at < len(regex):
        sign = regex[at]
        if sign == "\\":
            at += 1
        elif in_class:
            in_class = sign != "]"
        elif sign == "[":
            in_class = True
        elif sign == "(":
            depth += 1
        elif sign == ")":
            if not depth:
                return at
            depth -= 1
        at += 1
    return at


def in_python(regex: str) -> str:
    regex = regex.replace("[[:alnum:]]", "[a-zA-Z0-9]").replace(r"\z", r"\Z")
    regex = re.sub(r"\(\?P<\w+>", "(?:", regex)
    return scoped(regex)


def without_group(regex: str) -> str:
    if regex.startswith("(") and end_of_group(regex, 1) == len(regex) - 1:
        return regex[3:-1] if regex.startswith("(?:") else regex[1:-1]
    return regex


def pattern_of(regex: str) -> str:
    for end in (END, *OTHER_ENDS):
        regex = regex.replace(end, SENTENCE_END)
    regex = in_python(regex)
    return regex if regex.startswith((r"\b", r"(?i:\b")) else START + regex


def halves(regex: str) -> tuple[str, str] | None:
    for joint in JOINTS:
        left, found, right = regex.partition(joint)
        if found:
            return left, right.split(END)[0]
    return None


def names_of(kind: str, left: str) -> list[str]:
    if kind in NAMES:
        return NAMES[kind]
    left = re.sub(r"^(?:\(\?i\)|\(\?i:|" + re.escape(LEAD) + ")+", "", left)
    names = {re.sub(r"\[[^]]*\]\??|[^a-z|]", "", name.lower()) for name in left.split("|")}
    return sorted(names)


def described(description: str) -> str:
    """Get `a GitHub App Token` from what gitleaks says about it at length."""
    said = re.sub(r"^(?:Uncovered|Identified|Detected|Discovered|Found) ", "", description)
    said = re.sub(r"^a pattern (?:that (?:resembles|may indicate)|resembling) ", "", said)
    said = re.sub(r"^(a|an) (?:possible|potential) ", r"\1 ", said)
    said = re.split(
        r", |\.$| (?:posing|risking) |\.(?= )", said.replace("AccessToken", "Access Token")
    )[0]
    said = re.sub(r"^an? ", "", said)
    return said if said.endswith("credentials") else f"{'an' if sounds_open(said) else 'a'} {said}"


def sounds_open(said: str) -> bool:
    return bool(re.match(r"(?i)[aeio](?!ne)|hf|npm|nyt|u(?!ni|se)", said)) and said[:2] != "Eu"


def converted(rule: dict[str, Any]) -> list[dict[str, Any]]:
    kind = rule["id"]
    base = {"kind": kind, "description": described(rule["description"])}
    if "entropy" in rule:
        base["entropy"] = rule["entropy"]
    parts = halves(rule["regex"])
    change = CHANGES.get(kind, {})
    if parts is None or kind in ALONE:
        regex = rule["regex"] if parts is None else rf"\b(?i)(?:{without_group(parts[1])}){END}"
        pattern = {"keywords": rule["keywords"], "pattern": pattern_of(regex)}
        return [base | pattern | change]
    ignoring_case = rule["regex"].startswith("(?i)")
    value = in_python(without_group(parts[1]))
    value = f"(?i:{value})" if ignoring_case else value
    rules = [base | {"names": names_of(kind, parts[0]), "value": value} | change]
    alternative = rule["regex"].partition(END + "|")[2]
    if alternative:
        keywords = {"keywords": rule["keywords"][-1:]}
        rules.append(base | keywords | {"pattern": pattern_of(alternative)})
    return rules


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path)
    checkout = parser.parse_args().checkout
    config = tomllib.loads((checkout / "config" / "gitleaks.toml").read_text(encoding="utf-8"))
    rules = [
        changed
        for rule in config["rules"]
        if rule["id"] not in IDENTIFIERS | FILES | OURS
        for changed in converted(rule)
    ]
    for rule in rules:
        re.compile(rule.get("pattern") or rule["value"])
    lines = ",\n".join(json.dumps(rule, ensure_ascii=False) for rule in rules)
    path = RULES / "secret_rules.gitleaks.json"
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8", newline="\n")
    licence = (checkout / "LICENSE").read_text(encoding="utf-8")
    path.with_suffix(".LICENSE").write_text(licence, encoding="utf-8", newline="\n")
    print(f"{len(rules)} rules of {len({rule['kind'] for rule in rules})} kinds")


if __name__ == "__main__":
    main()
