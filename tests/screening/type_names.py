"""Types of knowledge graphs: different ones, spellings of one, and near ones. All invented."""

from __future__ import annotations

DISTINCT_ENTITY_TYPES = """
person; persona; people group; team; organization; company; department; customer; client; user;
role; user story; developer; maintainer; reviewer; vendor; partner; project; product; program;
portfolio; repository; branch; commit; pull request; merge request; issue; bug; feature; feature
flag; epic; task; sprint; milestone; release; version; roadmap; deadline; meeting; decision;
incident; postmortem; risk; requirement; constraint; assumption; goal; metric; experiment;
hypothesis; insight; lesson; question; answer; idea; concept; topic; note; document;
specification; contract; contact; invoice; order; policy; process; procedure; workflow; pipeline;
stage; step; job; script; command; tool; library; framework; package; module; class; interface;
function; method; variable; constant; enum; type; schema; table; column; index; query; view;
migration; database; data warehouse; dataset; model; algorithm; pattern; anti-pattern; convention;
style guide; rule; test; test case; test suite; fixture; mock; benchmark; service; server; service
account; microservice; endpoint; api; api key; route; controller; component; widget; page; screen;
form; layout; theme; template; icon; asset; image; container; cluster; node; pod; volume; network;
subnet; firewall; load balancer; gateway; proxy; cache; queue; topic partition; event; message;
notification; alert; dashboard; report; log; trace; span; environment; configuration; config file;
setting; preference; secret; token; credential; certificate; permission; session; region; zone;
location; country; language; currency; license; dependency; artifact; build; deployment; host;
device; browser; operating system; os; js runtime; bus; status; news; address; business; analysis;
series; species
"""

DISTINCT_RELATION_TYPES = """
uses; used by; depends on; depended on by; requires; required by; part of; has part; contains;
contained in; member of; has member; belongs to; owns; owned by; maintains; maintained by; leads;
led by; reports to; manages; managed by; created; created by; wrote; written by; written in;
implements; implemented by; extends; extended by; inherits from; overrides; calls; called by;
imports; imported by; exports; reads; reads from; writes; writes to; sends; sends to; receives
from; publishes; publishes to; subscribes to; produces; consumes; triggers; triggered by; blocks;
blocked by; fixes; fixed by; fixed in; caused by; causes; relates to; related; documents;
documented in; tests; tested by; tested with; deployed to; deployed by; runs on; runs; hosted on;
hosts; located in; works on; works at; works with; knows; prefers; likes; dislikes; speaks; lives
in; parent of; child of; sibling of; precedes; follows; replaces; replaced by; supersedes;
superseded by; conflicts; conflicts with; duplicates; duplicate of; derived from; based on;
inspired by; mentions; references; links to; supports; does not support; validates; authenticates;
authorizes; monitors; alerts; configures; configured by; stores; stores in; caches; queries;
joins; maps to; converts to; compiles to; renders; displays; reviews; reviewed by; approves;
approved by; assigned to; scheduled for; due on; starts; ends; affects; improves
"""

SPELLINGS = (
    (
        "depends on",
        "dependsOn",
        "depends_on",
        "Depends on",
        "DEPENDS_ON",
        "depends-on",
        "Depends On",
    ),
    ("depend on", "depends on"),
    (
        "ui component",
        "UI Component",
        "UIComponent",
        "uiComponent",
        "ui_components",
        "UI-Components",
    ),
    (
        "api endpoint",
        "API endpoint",
        "APIEndpoint",
        "api_endpoint",
        "API Endpoints",
        "Api-Endpoint",
    ),
    ("project", "Project", "PROJECT", "projects", "Projects", " project "),
    ("category", "Category", "categories"),
    ("dependency", "dependencies", "Dependencies"),
    ("class", "classes", "Class"),
    ("process", "processes", "Process"),
    ("address", "addresses"),
    ("branch", "branches"),
    ("box", "boxes"),
    ("api", "API", "APIs", "apis"),
    ("url", "URLs", "Urls"),
    ("pull request", "PullRequest", "pull_requests", "Pull-Request", "pull  request"),
    ("design decision", "DesignDecision", "design_decision", "Design decisions"),
    ("web page", "web\u00a0page", "web\u2011page", "Web_Page"),
    ("service", "\uff33\uff45\uff52\uff56\uff49\uff43\uff45", "ser\u200bvice", "service\ufeff"),
    ("cafe\u0301", "caf\u00e9", "Caf\u00e9"),
    ("gr\u00f6\u00dfe", "GR\u00d6SSE", "Gro\u0308\u00dfe"),
    ("config.file", "config file", "config/file", "config:file"),
)
"""Each row is one type, spelled in ways that people and agents spell it."""

NEAR = (
    ("servcie", "service"),
    ("compnoent", "component"),
    ("componnent", "component"),
    ("componet", "component"),
    ("dependncy", "dependency"),
    ("organisation", "organization"),
    ("repositroy", "repository"),
    ("enviroment", "environment"),
    ("web service", "service"),
    ("react component", "component"),
    ("backend web service", "service"),
    ("cron job", "job"),
    ("lint rule", "rule"),
    ("data model", "model"),
    ("programming language", "language"),
    ("worked on", "works on"),
    ("directly depends on", "depends on"),
    ("is part of", "part of"),
    ("testing", "test"),
    ("implemented", "implements"),
    ("deployed", "deploys"),
)
"""A new type, and the existing one that it may be meant as."""

LOOKING_ALIKE = (
    ("user-service", "userService"),
    ("User Service", "user_service"),
    ("Billing", "billing"),
    ("pay\u200bments", "payments"),
    ("p\u0430yments", "payments"),
    ("Cafe\u0301", "Caf\u00e9"),
    ("utf-8", "UTF8"),
    ("auth\u2011api", "auth-api"),
    ("\uff21\uff30\uff29", "API"),
    ("docs ", "docs"),
    ("stra\u00dfe", "STRASSE"),
)

LOOKING_DIFFERENT = (
    ("users", "user"),
    ("v1-1", "v11"),
    ("release-1-1", "release-11"),
    ("C++", "C"),
    ("C#", "C"),
    ("node.js", "node js"),
    ("src/app.py", "src app.py"),
    ("2024-01-02", "20240102"),
    ("service-a", "service-b"),
    ("api", "apis"),
    ("-", "_"),
    ("r\u00e9sum\u00e9", "resume"),
    ("\u0441\u043e\u0440", "cop"),
)


def listed(types: str) -> list[str]:
    return " ".join(types.split()).split("; ")
