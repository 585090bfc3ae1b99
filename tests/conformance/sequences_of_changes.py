"""Sequences that create, add, relate and delete."""

from __future__ import annotations

from steps import Call, Restart, differs, sequence, step
from vocabulary import (
    ENDS,
    ENTITIES_DELETED,
    FOLDING,
    HONEST,
    NOTHING,
    OBSERVATIONS_DELETED,
    ONCE,
    READ,
    RELATIONS_DELETED,
    add,
    add_many,
    added,
    create,
    created,
    delete,
    delete_texts,
    done,
    entity,
    graph,
    open_,
    relate,
    related,
    relation,
    search,
    unknown,
    unrelate,
)

MIRA = entity("Mira", "keeper", "repairs the Lamp", "sails on Sundays")
TOMAS = entity("Tomas", "keeper", "paints the tower")
LIGHT = entity("North Light", "lighthouse", "white tower")
BUOY = entity("Old Buoy", "buoy")
TENDS = relation("Mira", "North Light", "tends")
VISITS = relation("Tomas", "North Light", "visits")
TRUSTS = relation("Mira", "Tomas")
HARBOUR = graph(MIRA, TOMAS, LIGHT, BUOY, TENDS, VISITS, TRUSTS)
FOUNDED = (
    step(create(MIRA, TOMAS, LIGHT, BUOY), created(MIRA, TOMAS, LIGHT, BUOY)),
    step(relate(TENDS, VISITS, TRUSTS), related(TENDS, VISITS, TRUSTS)),
)
A, B, C = entity("A"), entity("B"), entity("C")
BOTH = step(create(A, B), created(A, B))
A_TO_B = relation("A", "B")
GHOST = relation("A", "Ghost")

THOUSAND = [entity(f"n{i}", "t", f"text {i}") for i in range(1000)]

CREATING = (
    sequence("no file yet", step(READ, NOTHING)),
    sequence(
        "search and open without a file",
        *(step(call, NOTHING) for call in (search("x"), search(""), open_("x"), open_())),
    ),
    sequence(
        "an entity comes back as it was created",
        step(create(entity("A", "t", "1", "2")), created(entity("A", "t", "1", "2"))),
        step(READ, graph(entity("A", "t", "1", "2"))),
    ),
    sequence(
        "entities keep the order of the call",
        step(create(C, A, B), created(C, A, B)),
        step(READ, graph(C, A, B)),
    ),
    sequence("nothing to create", step(create(), created()), step(READ, NOTHING)),
    sequence(
        "a name that exists is left as it is",
        step(create(entity("A", "t", "1")), created(entity("A", "t", "1"))),
        step(create(entity("A", "other", "2")), created()),
        step(READ, graph(entity("A", "t", "1"))),
    ),
    sequence(
        "only what is new comes back",
        step(create(A), created(A)),
        step(create(A, B, C), created(B, C)),
        step(READ, graph(A, B, C)),
    ),
    sequence(
        "one name twice in a call",
        differs(
            ONCE,
            create(entity("A", "t", "1"), entity("A", "u", "2")),
            ours=created(entity("A", "t", "1")),
            theirs=created(entity("A", "t", "1"), entity("A", "u", "2")),
        ),
        differs(
            ONCE,
            READ,
            ours=graph(entity("A", "t", "1")),
            theirs=graph(entity("A", "t", "1"), entity("A", "u", "2")),
        ),
    ),
    sequence(
        "one observation twice in a new entity, then deleted",
        differs(
            ONCE,
            create(entity("A", "t", "x", "y", "x")),
            ours=created(entity("A", "t", "x", "y")),
            theirs=created(entity("A", "t", "x", "y", "x")),
        ),
        step(delete_texts("A", "x"), OBSERVATIONS_DELETED),
        step(READ, graph(entity("A", "t", "y"))),
    ),
    sequence(
        "case and blanks make another name",
        step(
            create(entity("a"), A, entity(" A "), entity("A ")),
            created(entity("a"), A, entity(" A "), entity("A ")),
        ),
        step(READ, graph(entity("a"), A, entity(" A "), entity("A "))),
        step(open_("A"), graph(A)),
    ),
    sequence(
        "empty texts are texts",
        step(create(entity("", "", "")), created(entity("", "", ""))),
        *(step(call, graph(entity("", "", ""))) for call in (READ, open_(""), search(""))),
    ),
    sequence(
        "unknown keys are dropped at every level",
        step(Call("create_entities", {"entities": [{**A, "colour": "red"}], "why": 1}), created(A)),
        step(relate({**relation("A", "A"), "weight": 1}), related(relation("A", "A"))),
        step(Call("read_graph", {"limit": 1}), graph(A, relation("A", "A"))),
    ),
    sequence(
        "a thousand entities in one call",
        step(create(*THOUSAND), created(*THOUSAND)),
        step(open_("n5", "n999"), graph(THOUSAND[5], THOUSAND[999])),
    ),
)

ODD = entity("Ünï 😀 灯台", "t\u2028", 'a\nb\t"c" \\ / \u0000 \u007f', "e\u0301 is not é")
TRAPS = entity("__proto__", "constructor", "toString")
NFC, NFD = entity("caf\u00e9"), entity("cafe\u0301")
LONG = entity("Log", "t", "x" * 200_000)

TEXTS = (
    sequence(
        "odd characters survive a restart",
        step(create(ODD), created(ODD)),
        step(READ, graph(ODD)),
        step(Restart()),
        *(step(call, graph(ODD)) for call in (READ, search("灯台"), search("ÜNÏ"))),
    ),
    sequence(
        "composed and decomposed names differ",
        step(create(NFC, NFD), created(NFC, NFD)),
        step(open_("caf\u00e9"), graph(NFC)),
        differs(FOLDING, search("caf\u00e9"), ours=graph(NFC, NFD), theirs=graph(NFC)),
    ),
    sequence(
        "names that mean something to JavaScript",
        step(create(TRAPS), created(TRAPS)),
        step(
            relate(relation("__proto__", "__proto__", "valueOf")),
            related(relation("__proto__", "__proto__", "valueOf")),
        ),
        step(open_("__proto__"), graph(TRAPS, relation("__proto__", "__proto__", "valueOf"))),
        step(delete_texts("__proto__", "toString"), OBSERVATIONS_DELETED),
        step(delete("__proto__"), ENTITIES_DELETED),
        step(READ, NOTHING),
    ),
    sequence(
        "a long observation survives a restart",
        step(create(LONG), created(LONG)),
        step(Restart()),
        step(open_("Log"), graph(LONG)),
    ),
)

SPELLINGS = [relation("A", "B", kind) for kind in ("x", "X", "y")]

RELATING = (
    sequence(
        "a relation is created once",
        BOTH,
        step(relate(A_TO_B), related(A_TO_B)),
        step(relate(A_TO_B, relation("B", "A")), related(relation("B", "A"))),
        step(READ, graph(A, B, A_TO_B, relation("B", "A"))),
    ),
    sequence(
        "another type or case is another relation",
        BOTH,
        step(relate(*SPELLINGS), related(*SPELLINGS)),
        step(READ, graph(A, B, *SPELLINGS)),
    ),
    sequence(
        "an entity may relate to itself",
        step(create(A), created(A)),
        step(relate(relation("A", "A", "is")), related(relation("A", "A", "is"))),
        *(step(call, graph(A, relation("A", "A", "is"))) for call in (READ, open_("A"))),
    ),
    sequence(
        "one relation twice in a call",
        BOTH,
        differs(ONCE, relate(A_TO_B, A_TO_B), ours=related(A_TO_B), theirs=related(A_TO_B, A_TO_B)),
        differs(ONCE, READ, ours=graph(A, B, A_TO_B), theirs=graph(A, B, A_TO_B, A_TO_B)),
    ),
    sequence("nothing to relate", step(relate(), related()), step(READ, NOTHING)),
    sequence(
        "a relation to an entity that does not exist",
        step(create(A), created(A)),
        differs(ENDS, relate(GHOST), ours=related(), theirs=related(GHOST)),
        *(
            differs(ENDS, call, ours=graph(A), theirs=graph(A, GHOST))
            for call in (READ, open_("A"))
        ),
        *(step(call, NOTHING) for call in (open_("Ghost"), search("Ghost"))),
    ),
    sequence(
        "a good relation beside one without an end",
        BOTH,
        differs(ENDS, relate(A_TO_B, GHOST), ours=related(A_TO_B), theirs=related(A_TO_B, GHOST)),
    ),
    sequence(
        "a relation in an empty graph",
        differs(ENDS, relate(A_TO_B), ours=related(), theirs=related(A_TO_B)),
        differs(ENDS, READ, ours=NOTHING, theirs=graph(A_TO_B)),
    ),
)

ADDING = (
    sequence(
        "observations are added behind the others, each once",
        step(create(entity("A", "t", "1")), created(entity("A", "t", "1"))),
        step(add("A", "2", "1", "3"), added(("A", ("2", "3")))),
        step(READ, graph(entity("A", "t", "1", "2", "3"))),
    ),
    sequence(
        "observations are equal only if they are exactly equal",
        step(create(entity("A", "t", "x")), created(entity("A", "t", "x"))),
        step(add("A", "X", "x ", "x"), added(("A", ("X", "x ")))),
        step(READ, graph(entity("A", "t", "x", "X", "x "))),
    ),
    sequence(
        "one observation twice in a call",
        step(create(A), created(A)),
        differs(
            ONCE, add("A", "n", "n"), ours=added(("A", ("n",))), theirs=added(("A", ("n", "n")))
        ),
    ),
    sequence(
        "one entity twice in a call",
        step(create(A), created(A)),
        step(add_many(("A", ("1",)), ("A", ("1", "2"))), added(("A", ("1",)), ("A", ("2",)))),
        step(READ, graph(entity("A", "keeper", "1", "2"))),
    ),
    sequence(
        "an unknown entity refuses the whole call",
        step(create(A), created(A)),
        step(add("Nobody", "x"), unknown("Nobody")),
        step(add_many(("A", ("kept?",)), ("Nobody", ("x",))), unknown("Nobody")),
        step(READ, graph(A)),
        step(Restart()),
        step(READ, graph(A)),
    ),
    sequence(
        "nothing to add",
        step(create(A), created(A)),
        step(add("A"), added(("A", ()))),
        step(add_many(), added()),
    ),
)

DELETING = (
    sequence(
        "a deleted entity takes its relations along, for good",
        *FOUNDED,
        step(delete("Mira"), ENTITIES_DELETED),
        step(READ, graph(TOMAS, LIGHT, BUOY, VISITS)),
        step(create(entity("Mira")), created(entity("Mira"))),
        step(READ, graph(TOMAS, LIGHT, BUOY, entity("Mira"), VISITS)),
    ),
    sequence(
        "names that are not there to delete",
        *FOUNDED,
        differs(
            HONEST,
            delete("Nobody"),
            ours=done("Deleted 0 of 1 entities. Not found: Nobody"),
            theirs=ENTITIES_DELETED,
        ),
        differs(
            HONEST,
            delete("Tomas", "Tomas", "Nobody"),
            ours=done("Deleted 1 of 2 entities. Not found: Nobody"),
            theirs=ENTITIES_DELETED,
        ),
        step(delete(), ENTITIES_DELETED),
        step(READ, graph(MIRA, LIGHT, BUOY, TENDS)),
    ),
    sequence(
        "an observation is deleted by its exact text",
        *FOUNDED,
        differs(
            HONEST,
            delete_texts("Mira", "sails on sundays"),
            ours=done("Deleted 0 of 1 observations. Not found: sails on sundays (of Mira)"),
            theirs=OBSERVATIONS_DELETED,
        ),
        step(READ, HARBOUR),
        differs(
            HONEST,
            delete_texts("Mira", "sails on Sundays", "absent"),
            ours=done("Deleted 1 of 2 observations. Not found: absent (of Mira)"),
            theirs=OBSERVATIONS_DELETED,
        ),
        step(
            open_("Old Buoy", "Mira"),
            graph(entity("Mira", "keeper", "repairs the Lamp"), BUOY, TENDS, TRUSTS),
        ),
    ),
    sequence(
        "observations that are not there to delete",
        *FOUNDED,
        differs(
            HONEST,
            delete_texts("Nobody", "x"),
            ours=done("Deleted 0 of 1 observations. Not found: x (of Nobody)"),
            theirs=OBSERVATIONS_DELETED,
        ),
        step(delete_texts("Mira"), OBSERVATIONS_DELETED),
        step(Call("delete_observations", {"deletions": []}), OBSERVATIONS_DELETED),
        step(READ, HARBOUR),
    ),
    sequence(
        "a relation is deleted by its exact triple",
        *FOUNDED,
        differs(
            HONEST,
            unrelate(relation("Mira", "Tomas", "TRUSTS"), relation("Tomas", "Mira")),
            ours=done("Deleted 0 of 2 relations. Not found: Mira TRUSTS Tomas, Tomas trusts Mira"),
            theirs=RELATIONS_DELETED,
        ),
        step(READ, HARBOUR),
        step(unrelate(TRUSTS), RELATIONS_DELETED),
        step(unrelate(), RELATIONS_DELETED),
        step(READ, graph(MIRA, TOMAS, LIGHT, BUOY, TENDS, VISITS)),
    ),
    sequence(
        "every kind of change survives a restart",
        *FOUNDED,
        step(add("Old Buoy", "rings"), added(("Old Buoy", ("rings",)))),
        step(delete_texts("Mira", "repairs the Lamp"), OBSERVATIONS_DELETED),
        step(unrelate(TRUSTS), RELATIONS_DELETED),
        step(delete("Tomas"), ENTITIES_DELETED),
        step(Restart()),
        step(
            READ,
            graph(
                entity("Mira", "keeper", "sails on Sundays"),
                LIGHT,
                entity("Old Buoy", "buoy", "rings"),
                TENDS,
            ),
        ),
        step(search("RING"), graph(entity("Old Buoy", "buoy", "rings"))),
    ),
)

CHANGES = (*CREATING, *TEXTS, *RELATING, *ADDING, *DELETING)
