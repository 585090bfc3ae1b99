"""Sequences on files that something else has written, or writes in the meantime."""

from __future__ import annotations

from steps import Append, Call, CallSequence, Json, Remove, differs, sequence, step
from vocabulary import (
    ADDS_UP,
    DOCUMENT,
    ENTITIES_DELETED,
    FAILS,
    INCOMPLETE,
    INVALID,
    NOTHING,
    OBSERVATIONS_DELETED,
    READ,
    TOLERANT,
    add,
    added,
    create,
    created,
    delete,
    delete_texts,
    entity,
    entity_line,
    graph,
    lines,
    open_,
    relation,
    relation_line,
    search,
)

A, B, C = entity("A"), entity("B"), entity("C")
A_LINE, B_LINE = entity_line("A"), entity_line("B")
A_TO_B, A_TO_A = relation("A", "B"), relation("A", "A")

WELL_FORMED = (
    sequence(
        "blank lines and carriage returns",
        step(READ, graph(A, B)),
        step(create(C), created(C)),
        step(READ, graph(A, B, C)),
        content=A_LINE + b"\r\n\r\n  \n" + B_LINE + b"\n\n",
    ),
    sequence(
        "an empty file",
        step(READ, NOTHING),
        step(create(A), created(A)),
        step(READ, graph(A)),
        content=b"",
    ),
    sequence(
        "a relation before its entities",
        step(READ, graph(A, B, A_TO_B)),
        step(create(C), created(C)),
        step(READ, graph(A, B, C, A_TO_B)),
        content=lines(relation_line("A", "B"), A_LINE, B_LINE),
    ),
    sequence(
        "keys that no answer shows",
        *(step(call, graph(A, A_TO_A)) for call in (READ, search("a"), open_("A"))),
        content=lines(
            entity_line("A", created="2026", colour="red"), relation_line("A", "A", weight=1)
        ),
    ),
    sequence(
        "values that are no records of the graph",
        *(step(call, graph(A)) for call in (READ, open_("A"))),
        content=lines(
            b'{"type":"_aim","source":"x"}', A_LINE, b'{"name":"x"}', b"[1]", b"5", b'"s"'
        ),
    ),
    sequence(
        "escaped characters",
        *(step(call, graph(entity("é😀", "t"))) for call in (READ, open_("é😀"))),
        step(create(B), created(B)),
        content=rb'{"type":"entity","name":"\u00e9\ud83d\ude00","entityType":"t","observations":[]}',
    ),
    sequence(
        "keys in another order",
        step(READ, graph(entity("A", "t", "o"))),
        content=b'{"observations":["o"],"entityType":"t","name":"A","type":"entity"}',
    ),
    sequence(
        "another program appends",
        step(create(A), created(A)),
        step(Append(b"\n" + B_LINE)),
        step(READ, graph(A, B)),
        step(create(C), created(C)),
        step(READ, graph(A, B, C)),
    ),
    sequence(
        "another program removes the file",
        step(create(A), created(A)),
        step(Remove()),
        step(READ, NOTHING),
        step(create(B), created(B)),
        step(READ, graph(B)),
    ),
)

TWICE = (entity("A", "t", "1"), entity("A", "t", "2"), A_TO_A, A_TO_A)

REPEATED = sequence(
    "an entity and a relation that stand there twice",
    differs(ADDS_UP, READ, ours=graph(entity("A", "t", "1", "2"), A_TO_A), theirs=graph(*TWICE)),
    step(add("A", "3"), added(("A", ("3",)))),
    differs(
        ADDS_UP,
        READ,
        ours=graph(entity("A", "t", "1", "2", "3"), A_TO_A),
        theirs=graph(entity("A", "t", "1", "3"), entity("A", "t", "2"), A_TO_A, A_TO_A),
    ),
    step(delete_texts("A", "2"), OBSERVATIONS_DELETED),
    step(delete("A"), ENTITIES_DELETED),
    step(READ, NOTHING),
    content=lines(
        entity_line("A", "t", "1"),
        entity_line("A", "t", "2"),
        relation_line("A", "A"),
        relation_line("A", "A"),
    ),
)

RETYPED = sequence(
    "an entity that stands there twice with another type",
    differs(
        ADDS_UP,
        READ,
        ours=graph(entity("A", "later")),
        theirs=graph(entity("A", "earlier"), entity("A", "later")),
    ),
    content=lines(entity_line("A", "earlier"), entity_line("A", "later")),
)


def unreadable(name: str, content: bytes, ours: Json) -> CallSequence:
    """Return a sequence on a file that server-memory fails on."""
    return sequence(name, differs(TOLERANT, READ, ours=ours, theirs=FAILS), content=content)


UNREADABLE = (
    unreadable("a corrupt line", lines(A_LINE, b'{"type":"entity","na', B_LINE), graph(A, B)),
    unreadable("a torn last line", lines(A_LINE, B_LINE)[:-20], graph(A)),
    unreadable("two records on one line", A_LINE + B_LINE, graph(A, B)),
    unreadable("a byte order mark", b"\xef\xbb\xbf" + A_LINE, graph(A)),
    unreadable("a line that is null", lines(A_LINE, b"null"), graph(A)),
    unreadable("a tail of zeros", A_LINE + b"\n" + b"\0" * 8, graph(A)),
    unreadable(
        "the marks of a merge conflict",
        lines(b"<<<<<<< HEAD", A_LINE, b"=======", B_LINE, b">>>>>>> x"),
        graph(A, B),
    ),
)


def incomplete(name: str, content: bytes, ours: Json, *fails: Call) -> CallSequence:
    """Return a sequence on records that server-memory's own answers don't admit."""
    return sequence(
        name,
        differs(INCOMPLETE, READ, ours=ours, theirs=INVALID),
        *(differs(INCOMPLETE, call, ours=ours, theirs=FAILS) for call in fails),
        content=content,
    )


INCOMPLETE_RECORDS = (
    incomplete(
        "an entity without observations",
        b'{"type":"entity","name":"A","entityType":"keeper"}',
        graph(A),
    ),
    incomplete(
        "an entity without a type, and one without a name",
        lines(
            b'{"type":"entity","name":"A","observations":[]}',
            b'{"type":"entity","entityType":"t","observations":[]}',
        ),
        graph(entity("A", "Generic")),
        search("a"),
    ),
    incomplete(
        "an observation that is an object",
        b'{"type":"entity","name":"A","entityType":"t","observations":[{"content":"x","at":1}]}',
        graph(entity("A", "t", '{"content":"x","at":1}')),
        search("x"),
    ),
)

WHOLE_FILE = sequence(
    "a graph as one JSON document",
    differs(DOCUMENT, READ, ours=graph(A), theirs=NOTHING),
    content=b'{"entities":[{"name":"A","entityType":"keeper","observations":[]}],"relations":[]}',
)

FILES = (*WELL_FORMED, REPEATED, RETYPED, *UNREADABLE, *INCOMPLETE_RECORDS, WHOLE_FILE)
