"""Words that facts about software are worded with: which say little, the same, or the opposite."""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEGATIONS: Final = _words("not no never cannot without nor neither non none cant dont")

LITTLE_WORDS: Final = _words(
    """
    a an the this that these those its it their our we us they he she his her your you i my
    is are was were be been being am get gets got has have had having do does did done doing
    must should shall ought can could may might will would to of in on at by for from with within
    into onto as and or so but also per each every all any always only just currently now
    generally usually simply there which who whom whose where when then than s t please
    via through using uses use used utilise utilize utilises utilizes inside up out
    called named go goes going went come comes came happen happens happened occur occurs
    """
)
"""Words that a rewording adds or drops."""

NAMES_LIKE_LITTLE_WORDS: Final = _words("A Go GET IT US")
"""What is spelled so is a name, but for `A` and `Go` at the beginning of a text."""

PASSIVE: Final = _words("is are was were be been being gets get by used there")

ADVERBS: Final = _words("always never only also currently now usually still not no")
AUXILIARIES: Final = _words(
    "is are was were has have had does did must should can cannot may will would needs isn't "
    "doesn't can't won't"
)
PARTICIPLES: Final = _words("written built kept run made held sent based known")
VERBS: Final = _words(
    """
    use run listen deploy own store require need depend support expose return call write read
    maintain manage contain provide implement live handle send receive connect serve work prefer
    want like dislike speak know lead report belong expect accept reject take validate cache
    process generate publish consume produce subscribe talk retry keep hold list allow follow
    build host ship log include exclude start stop import export render sign test target
    """
)
"""Verbs that open a text whose subject is its entity: `Listens on port 8080`."""

_MEANINGS: Final = """
    keep: kept live lives living stored store stores located locate resides sits sit placed found
        retain retained retention stay stays
    require: required requires need needs needed needing requirement
    show: displayed display shown
    delete: deleted remove removed removal purge purged
    repo: repository repositories repos
    config: configuration configured configurations configure settings
    db: database databases
    docs: documentation doc documents documented document
    dir: directory directories folder folders
    prod: production
    env: environment environments
    app: application applications apps
    k8s: kubernetes
    postgres: postgresql
    js: javascript
    ts: typescript
    max: maximum
    min: minimum
    dev: development
    lib: library libraries libs
    auth: authentication authenticated authenticate authenticates
    begin: start starts started starting begins
    end: finish finished finishes ends
    permit: allow allowed allows permitted
    reply: answer answers answered respond response responses responds replies
    release: releases released
    send: sent sends ship ships shipped
    night: nightly nights overnight
    day: daily days
    week: weekly weeks
    month: monthly months
    hour: hourly hours hrs hr
    minute: minutes min mins
    second: seconds secs sec
    own: owner owners owned owns ownership
    lead: leads led leader
    pr: prs
    ci: continuous
    e2e: end-to-end
    hold: holds held
    1: one once
    2: two twice
    3: three thrice
    4: four
    5: five
    6: six
    7: seven
    8: eight
    9: nine
    10: ten
    12: twelve
    build: built builds
    write: written writes wrote
    run: ran
    make: made
    give: given gave
    avoid: avoided avoids
    like: likes liked
    dislike: dislikes disliked
"""


def _table(meanings: str) -> dict[str, str]:
    table: dict[str, str] = {}
    meant = ""
    for word in meanings.split():
        if word.endswith(":"):
            meant = word[:-1]
        table.setdefault(word.rstrip(":"), meant)
    return table


SAME: Final = _table(_MEANINGS)
"""One word for all that say the same of a fact; numbers as digits."""

UNDIVIDED: Final = _words("opt-in opt-out end-to-end read-only write-only read-write")

OPPOSITES: Final = (
    ("enabled on active", "disabled off inactive"),
    ("open opened", "closed"),
    ("public", "private internal"),
    ("supported maintained current", "deprecated unsupported unmaintained obsolete abandoned"),
    ("required mandatory compulsory", "optional"),
    ("allowed permitted legal", "forbidden prohibited banned disallowed denied blocked"),
    ("accepts accepted", "rejects rejected refuses refused"),
    ("ascending", "descending"),
    ("before", "after"),
    ("first", "last"),
    ("minimum", "maximum"),
    ("fast quick", "slow"),
    ("stable", "flaky unstable"),
    ("short brief", "long verbose detailed"),
    ("synchronous sync", "asynchronous async"),
    ("static", "dynamic"),
    ("stateless", "stateful"),
    ("strict", "loose lenient"),
    ("included includes", "excluded excludes"),
    ("opt-in", "opt-out"),
    ("manual manually", "automatic automatically automated"),
    ("local", "remote"),
    ("true", "false"),
    ("success succeeds passes passing", "failure fails failing"),
    ("present", "missing absent"),
    ("mutable", "immutable"),
    ("singular", "plural"),
    ("upper uppercase", "lower lowercase"),
    ("online", "offline"),
    ("up", "down"),
    ("likes wants prefers", "dislikes hates avoids"),
    ("prefer use", "avoid"),
    ("always", "never"),
    ("encrypted", "plaintext"),
    ("light", "dark"),
    ("monorepo", "polyrepo multirepo"),
    ("read-only", "writable read-write"),
    ("finished complete completed done", "unfinished incomplete pending"),
    ("increased raised", "decreased lowered reduced"),
    ("case-sensitive", "case-insensitive"),
    ("free", "paid"),
    ("sequential sequentially serial", "parallel concurrent concurrently"),
)
DENYING_PREFIXES: Final = ("un", "in", "non", "dis", "im", "ir", "de")

ORDERING: Final = _words("over before after prior")
"""Words that say more than that two things go together."""

ARTICLES: Final = _words("a an the its their our your my his her this that every each all")
PREPOSITIONS: Final = _words("to on in with by through via at from under into within")
NAMING: Final = _words("called named done")
DIRECTIONS: Final = _words("from to into onto than")
OBLIGING: Final = _words("must shall")
PERMITTING: Final = _words("may can might could")
HELD_BY_ONE: Final = _words("owns leads maintains manages heads chairs")
"""Verbs whose subject is one person or team."""

USES: Final = _words("use uses using used")

# What follows is compared by key.

DONE_IN_ONE_PLACE: Final = """
    deploy host write own maintain manage run keep build format hash handle send cut refresh
    version power process render license track publish configure define package lint sign generate
    implement provision schedule base serve work compile encrypt monitor orchestrate authenticate
    want test name measure
"""
"""Verbs after which one thing stands: something is hosted on one, owned by one."""

CHOOSING: Final = "prefer return choose default"
DONE_WITH_SEVERAL: Final = """
    speak know understand learn teach like dislike fluent support accept read parse import export
"""
"""Words after which another of the same kind is true beside the first: who speaks two languages."""

ATTRIBUTES: Final = """
    branch license region provider broker lead leader owner maintainer database warehouse language
    framework editor name timezone zone format encoding orm file path url shell theme locale
    currency country city host manager runner runtime engine backend frontend store registry
    platform environment status strategy style convention tool library queue channel contact default
    team role title level state color colour policy plan tier domain prefix suffix separator
"""
"""Nouns that have one value: the region is this one."""

COUNTED: Final = """
    phase step sprint chapter shard bug issue ticket milestone iteration section figure stage part
    pr rfc adr task story epic case question lesson exercise week
"""
COUNTED_AS_SUBJECT: Final = """
    version port release line row rule room floor team level tier page zone server worker host
    machine device option alternative variant candidate attempt experiment trial round epoch layer
    item paper test user customer player group http error code exception meeting session backup
    snapshot volume book lecture
"""

HAPPENED: Final = _words(
    """
    fixed met incident outage upgraded renamed migrated dropped added introduced merged shipped
    released landed reported happened until since postmortem moved switched asked discussed
    tried mentioned complained noticed observed crashed
    """
)
"""Words of what happened once, as they are written."""

_MONTHS: Final = (
    "january february march april may june july august september october november december"
)
CLOSED_KINDS: Final = (
    _MONTHS,
    "monday tuesday wednesday thursday friday saturday sunday",
    "hour day night week weekday month quarter year fortnight",
    "tab space",
    "squash rebase",
)
"""Kinds of values of which one excludes the others."""
LANGUAGES_AND_FORMATS: Final = (
    "english german french spanish italian portuguese dutch polish japanese chinese korean",
    "python go rust java kotlin typescript javascript ruby php scala elixir swift csharp cpp",
    "json xml yaml toml csv protobuf avro",
)
"""Kinds of which something is in one, but uses several."""
SIDE_BY_SIDE: Final = (
    "linux windows macos mac android ios",
    "chrome firefox safari edge chromium webkit",
    "dev test qa staging preview prod",
)
"""Kinds of which several are true beside each other: platforms, browsers, stages."""
UNITS: Final = f"""
    {_MONTHS} millisecond ms second minute hour day week month quarter year utc cet am pm
    b kb mb gb tb kib mib gib byte percent time line character token request
    euro dollar eur usd k m s h d
"""
