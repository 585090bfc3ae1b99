"""Sequences that read and search, calls with bad arguments, and what the protocol shows."""

from __future__ import annotations

from typing import Final

from sequences_of_changes import (
    BUOY,
    FOUNDED,
    HARBOUR,
    LIGHT,
    MIRA,
    TENDS,
    TOMAS,
    TRUSTS,
    VISITS,
    A,
)
from steps import GRAPH_URI, Call, CountUpdates, Request, Restart, differs, sequence, step
from vocabulary import (
    BLANKS,
    ENTITIES_DELETED,
    FOLDING,
    IDEMPOTENT,
    INVALID,
    NOTHING,
    READ,
    UNKNOWN_TOOL,
    WORDS,
    add,
    added,
    create,
    created,
    delete,
    entity,
    graph,
    open_,
    search,
    unknown,
)

ABOUT_MIRA = graph(MIRA, TENDS, TRUSTS)
KEEPERS = graph(MIRA, TOMAS, TENDS, VISITS, TRUSTS)

SCRIPTS = [entity("Straße"), entity("İstanbul"), entity("ΟΔΟΣ"), entity("\u212aelvin")]

SEARCHING = (
    sequence(
        "a search finds words of names, types and observations in any case",
        *FOUNDED,
        *(step(search(query), ABOUT_MIRA) for query in ("mira", "LAMP", "sundays")),
        *(
            differs(WORDS, search(query), ours=NOTHING, theirs=ABOUT_MIRA)
            for query in ("MIR", "ira")
        ),
        step(search("keeper"), KEEPERS),
        step(search("BUOY"), graph(BUOY)),
        step(search("tower"), graph(TOMAS, LIGHT, TENDS, VISITS, TRUSTS)),
        differs(
            WORDS,
            search("the tower"),
            ours=graph(TOMAS, LIGHT, MIRA, TENDS, VISITS, TRUSTS),
            theirs=graph(TOMAS, VISITS, TRUSTS),
        ),
    ),
    sequence(
        "a search with several words",
        *FOUNDED,
        *(
            differs(WORDS, search(query), ours=ABOUT_MIRA, theirs=NOTHING)
            for query in ("lamp repairs", "Mira Lamp", "Mira Sundays repairs")
        ),
    ),
    sequence(
        "a search is no pattern",
        *FOUNDED,
        *(step(search(query), NOTHING) for query in ("M.ra", "Mir*", ".*", "(", "zzz")),
    ),
    sequence(
        "a search for blanks",
        *FOUNDED,
        step(search(""), HARBOUR),
        step(search(" "), HARBOUR),
        *(differs(BLANKS, search(blank), ours=HARBOUR, theirs=NOTHING) for blank in ("  ", "\n")),
        differs(BLANKS, search(" mira"), ours=ABOUT_MIRA, theirs=NOTHING),
    ),
    sequence(
        "a search ignores the types of relations",
        *FOUNDED,
        *(step(search(query), NOTHING) for query in ("tends", "visits", "trusts")),
    ),
    sequence(
        "a very long query",
        *FOUNDED,
        *(step(search("x" * length), NOTHING) for length in (2048, 2049)),
    ),
    sequence(
        "a search in scripts with odd cases",
        step(create(*SCRIPTS), created(*SCRIPTS)),
        differs(FOLDING, search("STRASSE"), ours=graph(SCRIPTS[0]), theirs=NOTHING),
        step(search("straße"), graph(SCRIPTS[0])),
        differs(FOLDING, search("istanbul"), ours=graph(SCRIPTS[1]), theirs=NOTHING),
        step(search("i\u0307stanbul"), graph(SCRIPTS[1])),
        step(search("οδος"), graph(SCRIPTS[2])),
        differs(FOLDING, search("οδοσ"), ours=graph(SCRIPTS[2]), theirs=NOTHING),
        step(search("kelvin"), graph(SCRIPTS[3])),
    ),
)

OPENING = (
    sequence(
        "entities are opened in the graph's order, each once",
        *FOUNDED,
        step(open_("Tomas", "Mira", "Tomas"), KEEPERS),
        step(open_("Tomas"), graph(TOMAS, VISITS, TRUSTS)),
        step(open_("North Light"), graph(LIGHT, TENDS, VISITS)),
        step(open_("Old Buoy"), graph(BUOY)),
    ),
    sequence(
        "only exact names are opened",
        *FOUNDED,
        *(step(call, NOTHING) for call in (open_("Nobody"), open_(), open_("mira"))),
    ),
    sequence(
        "the graph survives a restart",
        *FOUNDED,
        step(Restart()),
        step(READ, HARBOUR),
        step(search("paints"), graph(TOMAS, VISITS, TRUSTS)),
    ),
)

TAKE_ARGUMENTS = (
    "create_entities",
    "create_relations",
    "add_observations",
    "delete_entities",
    "delete_observations",
    "delete_relations",
    "search_nodes",
    "open_nodes",
)

BAD_ARGUMENTS = (
    sequence(
        "arguments that are missing",
        *(step(Call(tool, {}), INVALID) for tool in TAKE_ARGUMENTS),
        step(Call("create_entities", None), INVALID),
        step(Call("read_graph", None), NOTHING),
    ),
    sequence(
        "arguments of another type",
        *(
            step(Call("create_entities", {"entities": value}), INVALID)
            for value in ("x", None, A, '[{"name":"A","entityType":"t","observations":[]}]')
        ),
        *(step(Call("search_nodes", {"query": value}), INVALID) for value in (5, None)),
        *(step(Call("open_nodes", {"names": value}), INVALID) for value in ("A", [1])),
        step(Call("delete_entities", {"entityNames": "A"}), INVALID),
        step(READ, NOTHING),
    ),
    sequence(
        "one bad entity refuses the whole call",
        *(
            step(Call("create_entities", {"entities": [A, bad]}), INVALID)
            for bad in (
                {"name": "B"},
                {"name": "B", "entityType": "t"},
                {"name": 1, "entityType": "t", "observations": []},
                {"name": "B", "entityType": "t", "observations": "x"},
                {"name": "B", "entityType": "t", "observations": [1]},
                {"name": "B", "entityType": "t", "observations": None},
                {"name": "B", "entity_type": "t", "observations": []},
            )
        ),
        step(READ, NOTHING),
    ),
    sequence(
        "keys of other servers are refused",
        step(Call("create_relations", {"relations": [{"from": "A"}]}), INVALID),
        step(
            Call("create_relations", {"relations": [{"source": "A", "target": "B", "type": "r"}]}),
            INVALID,
        ),
        step(
            Call("add_observations", {"observations": [{"entityName": "A", "observations": []}]}),
            INVALID,
        ),
        step(
            Call("delete_observations", {"deletions": [{"entityName": "A", "contents": []}]}),
            INVALID,
        ),
        step(Call("delete_entities", {"entity_names": ["A"]}), INVALID),
        step(READ, NOTHING),
    ),
    sequence(
        "tools that do not exist",
        *(step(Call(tool, {}), UNKNOWN_TOOL) for tool in ("no_such_tool", "")),
    ),
)

GRAPH: Final = {"uri": GRAPH_URI}

PROTOCOL = (
    sequence(
        "the graph is a resource",
        *FOUNDED,
        step(Request("resources/read", GRAPH), ("application/json", HARBOUR)),
    ),
    sequence(
        "subscribers hear of changes, and of nothing else",
        step(create(A), created(A)),
        step(CountUpdates(), 0),
        step(Request("resources/subscribe", GRAPH), "ok"),
        step(READ, graph(A)),
        step(search("a"), graph(A)),
        step(add("Nobody", "x"), unknown("Nobody")),
        step(CountUpdates(), 0),
        step(add("A", "x"), added(("A", ("x",)))),
        step(CountUpdates(), 1),
        step(create(entity("B")), created(entity("B"))),
        step(CountUpdates(), 1),
        step(Request("resources/unsubscribe", GRAPH), "ok"),
        step(delete("A"), ENTITIES_DELETED),
        step(CountUpdates(), 0),
    ),
)

TRIPLE = "from relationType to"
NODE = "entityType name observations[]"


def paths(prefix: str, keys: str) -> str:
    return " ".join(f"{prefix}[].{key}" for key in keys.split())


def listing(*, is_adding_idempotent: bool) -> dict[str, tuple[str, str, str, str]]:
    """Return title, hints, inputs and outputs of each of the nine tools."""
    adds = "idempotent" if is_adding_idempotent else ""
    deletes, reads = "destructive idempotent", "idempotent readOnly"
    deleted = "message success"
    nodes, triples = paths("entities", NODE), paths("relations", TRIPLE)
    additions = "entityName contents[]"
    return {
        "add_observations": (
            "Add Observations",
            adds,
            " ".join(sorted(paths("observations", additions).split())),
            paths("results", "addedObservations[] entityName"),
        ),
        "create_entities": ("Create Entities", adds, nodes, nodes),
        "create_relations": ("Create Relations", adds, triples, triples),
        "delete_entities": ("Delete Entities", deletes, "entityNames[]", deleted),
        "delete_observations": (
            "Delete Observations",
            deletes,
            paths("deletions", "entityName observations[]"),
            deleted,
        ),
        "delete_relations": ("Delete Relations", deletes, triples, deleted),
        "open_nodes": ("Open Nodes", reads, "names[]", f"{nodes} {triples}"),
        "read_graph": ("Read Graph", reads, "", f"{nodes} {triples}"),
        "search_nodes": ("Search Nodes", reads, "query", f"{nodes} {triples}"),
    }


LISTED = sequence(
    "nine tools with their keys and hints",
    differs(
        IDEMPOTENT,
        Request("tools/list", {}),
        ours=listing(is_adding_idempotent=True),
        theirs=listing(is_adding_idempotent=False),
    ),
)

READS = (*SEARCHING, *OPENING, *BAD_ARGUMENTS, *PROTOCOL, LISTED)
