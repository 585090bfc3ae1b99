"""A memory file that somebody has made to do harm: each bad line costs itself, and nothing else."""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

import mnemolog
from hostile_texts import SECONDS, repeated, seconds_for
from mnemolog.errors import MnemologError
from mnemolog.memory import Memory
from mnemolog.server.arguments import read_arguments
from mnemolog.server.rendering import render
from mnemolog.server.tools import TOOLS
from mnemolog.store.location import Settings

GOOD: Final = b'{"type":"entity","name":"api","entityType":"service","observations":["Is fast."]}\n'
MANY: Final = 20_000

BAD: Final[Mapping[str, bytes]] = {
    "nested arrays": b"[" * 1_000_000,
    "nested objects": b'{"a":' * 1_000_000,
    "a record with nested keys": b'{"type":"entity","x":' + b'{"a":' * 200_000,
    "nested observations": b'{"type":"entity","name":"x","observations":' + b"[" * 200_000,
    "a string without end": b'{"type":"entity","name":"' + b"x" * 1_000_000,
    "backslashes": b'"' + b"\\" * 1_000_000,
    "quotes": b'"\\' * 500_000,
    "a number of a million digits": b'{"type":"header","format":'
    + b"9" * 1_000_000
    + b',"repo":{}}',
    "not a number": b'{"type":"entity","name":"x","observations":[NaN]}',
    "bytes that are no text": b"\xff\xfe" * 100_000,
    "a key said twice": b'{"type":"entity","name":"x","name":"y"}',
    "a line of NUL": b"\0" * 1_000_000,
    "a tombstone of nothing": b'{"type":"tombstone","of":["entity"]}',
    "a relation without ends": b'{"type":"relation","from":{},"to":[],"relationType":1}',
}

ODD: Final[Mapping[str, bytes]] = {
    "infinite numbers": b'{"type":"entity","name":"x","observations":[1e999,-1e999]}',
    "halves of characters": b'{"type":"entity","name":"\\ud800","observations":["\\udc00\\udc00"]}',
    "dates of no calendar": b"\n".join(
        b'{"type":"entity","name":"d%d","entityType":"x","observations":["o"],"added_at":%b}'
        % (number, json.dumps(date).encode())
        for number, date in enumerate(
            ("0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "9" * 10_000, "", "\0")
        )
    ),
    "many blank lines": b"\n" * 100_000,
    "many objects on one line": b'{"type":"entity","name":"x"}' * MANY,
    "many retirements": b"\n".join(
        b'{"type":"superseded","entity":"api","observation":"o%d","replaced_by":"o%d"}' % (n, n + 1)
        for n in range(MANY)
    ),
    "many relations to itself": b"\n".join(
        b'{"type":"relation","from":"x","to":"x","relationType":"r%d"}' % n for n in range(MANY)
    ),
    "a name of a million letters": b'{"type":"entity","name":"' + b"x" * 1_000_000 + b'"}',
    "a name of blanks": b'{"type":"entity","name":"x' + b" " * 1_000_000 + b'y"}',
    "a name of brackets": b'{"type":"entity","name":"x' + b"(" * 1_000_000 + b'y"}',
    "a type of a million letters": b'{"type":"entity","name":"x","entityType":"'
    + b"y" * 10**6
    + b'"}',
}


def memory_with(folder: Path, content: bytes) -> Memory:
    (folder / "memory.jsonl").write_bytes(content)
    return Memory.open(Settings(str(folder / "memory.jsonl"), None), folder)


def call(memory: Memory, name: str, **sent: Any) -> str:
    tool = TOOLS[name]
    return render(tool.body(memory, read_arguments(tool, sent), "tester"))


@pytest.mark.parametrize("line", [*BAD.values(), *ODD.values()], ids=[*BAD, *ODD])
def test_a_hostile_line_costs_neither_its_neighbours_nor_a_call(
    tmp_path: Path, line: bytes
) -> None:
    last = GOOD.replace(b"api", b"web")
    memory = memory_with(tmp_path, GOOD + line + b"\n" + last)
    opened = json.loads(call(memory, "open_nodes", names=["api", "web"]))
    assert [entity["name"] for entity in opened["entities"]] == ["api", "web"]
    assert json.loads(call(memory, "search_nodes", query="fast", expand=True))["hits"]
    new = {"name": "new", "entityType": "x", "observations": ["Is fast as well."]}
    call(memory, "create_entities", entities=[new])
    memory.upkeep.compact()
    for look in (memory.upkeep.describe, memory.upkeep.census, lambda: memory.recall(1_000)):
        look()
    assert sum(1 for _ in memory.upkeep.calls()) > 0
    assert (tmp_path / "memory.jsonl").read_bytes().startswith(GOOD)


@pytest.mark.parametrize("line", BAD.values(), ids=BAD)
def test_a_line_that_cannot_be_read_is_kept_and_named_but_not_quoted(
    tmp_path: Path, line: bytes
) -> None:
    memory = memory_with(tmp_path, GOOD + line + b"\n" + GOOD)
    answer = json.loads(call(memory, "read_graph"))
    (problem,) = answer["problems"]
    assert problem["line"] == 2
    assert len(problem["reason"]) < 100
    memory.upkeep.compact()
    assert line in (tmp_path / "memory.jsonl").read_bytes()


def test_many_bad_lines_do_not_flood_an_answer(tmp_path: Path) -> None:
    memory = memory_with(tmp_path, GOOD + b"x\n" * MANY)
    for name, sent in (("read_graph", {}), ("search_nodes", {"query": "fast"})):
        text = call(memory, name, **sent)
        assert len(text) < 5_000
        *_, last = json.loads(text)["problems"]
        assert f"{MANY - 20:,} more" in last["reason"]
    assert len(json.loads(call(memory, "read_graph", max_chars=0))["problems"]) == MANY


def test_many_facts_do_not_flood_an_answer(tmp_path: Path) -> None:
    relations = ODD["many relations to itself"].replace(b'"x"', b'"api"')
    facts = b"\n".join(GOOD.strip().replace(b"Is fast", b"fact %d" % n) for n in range(MANY))
    memory = memory_with(tmp_path, GOOD + relations + b"\n" + facts + b"\n")
    for name, sent in (("read_graph", {}), ("search_nodes", {"query": "fact"})):
        assert len(call(memory, name, **sent)) <= 48_000
    assert len(call(memory, "open_nodes", names=["api"])) <= 48_000


# --- patterns ------------------------------------------------------------------------------------

# Never let loose on a text to find something in it: each is asked once, at one place.
_ASKED_AT_ONE_PLACE: Final = {
    *(
        "mnemolog.clients.entries._PROGRAM",
        "mnemolog.interchange.markdown.note_links._HAS_SCHEME",
    ),
    *("mnemolog.screening.claims._COMPOUND", "mnemolog.jsonc._REMARK"),
}


def patterns() -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Yield every pattern that stands at the top of a module of ours, once."""
    seen = set()
    for found in pkgutil.walk_packages(mnemolog.__path__, "mnemolog."):
        if found.name.endswith("__main__"):
            continue
        for name, value in vars(importlib.import_module(found.name)).items():
            if isinstance(value, re.Pattern) and value not in seen:
                seen.add(value)
                yield f"{found.name}.{name}", value


PATTERNS: Final = dict(patterns())
STARTS: Final = ("", '"', "{", "---\n", "<!--", "'")
UNITS: Final = (
    *(" ", "\n", "\t", "\r\n", "\u2028", '"', "\\", "{", "[", "(", "<", "-", "_", ".", ":", "//"),
    *("a", "a ", "a: ", "a-", "a.", "1", "--- \n", "/*", "[[", "![[", "${", '"a":', '"a":1,'),
    *('{"a":', ",\n", "\n{ ", '"type":"', "a@", "\u4e00", "a\u0301"),
)


def matches(pattern: re.Pattern[Any], text: str) -> Callable[[], object]:
    """Return what lets a pattern loose on a text, in each way in which one can be asked."""
    sample: Any = text.encode() if isinstance(pattern.pattern, bytes) else text
    if pattern in {PATTERNS[name] for name in _ASKED_AT_ONE_PLACE}:
        return lambda: (pattern.match(sample), pattern.fullmatch(sample))
    return lambda: (pattern.fullmatch(sample), sum(1 for _ in pattern.finditer(sample)))


def test_the_patterns_are_found() -> None:
    assert len(PATTERNS) > 50
    assert set(PATTERNS) >= _ASKED_AT_ONE_PLACE


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_no_pattern_is_slow_on_hostile_text(name: str) -> None:
    for unit in UNITS:
        for start in STARTS:
            look = matches(PATTERNS[name], start + repeated(unit))
            assert seconds_for(look) < SECONDS, (start, unit)


def test_errors_about_a_hostile_file_are_short(tmp_path: Path) -> None:
    for content in (b"[" * 1_000_000, b"x" * 1_000_000, b"\xff" * 1_000_000):
        memory = memory_with(tmp_path, content + b"\n")
        with pytest.raises(MnemologError) as refused:
            call(memory, "create_entities", entities=[{"name": "a", "entityType": "b"}])
        assert len(str(refused.value)) < 1_000
