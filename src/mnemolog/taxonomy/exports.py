"""The taxonomies beside a memory: one with its usage, and one that a team shares."""

from __future__ import annotations

from mnemolog.results import ExportedTaxonomy
from mnemolog.store.beside import rewrite
from mnemolog.store.location import Location
from mnemolog.taxonomy.consistency import addable
from mnemolog.taxonomy.published import published_taxonomy
from mnemolog.taxonomy.shared import (
    NOTHING_AGREED,
    SharedTaxonomy,
    read_beside,
    read_shared,
    resolved_beside,
    shared_path,
    usage_path,
    with_types,
)
from mnemolog.taxonomy.usage import Usage, render_usage


def export_usage(location: Location, usage: Usage) -> ExportedTaxonomy:
    """Write the taxonomy that mnemolog comes with, and how far the memory uses it."""
    path = usage_path(location.path)
    content = render_usage(published_taxonomy(), usage).encode()
    has_changed = rewrite(location, resolved_beside(location, path), lambda _: content)
    entity_types, relation_types = map(len, usage.types.values())
    return ExportedTaxonomy(str(path), has_changed, entity_types, relation_types)


def export_shared(location: Location, usage: Usage) -> ExportedTaxonomy:
    """Add the types in use to the shared taxonomy; nothing in it is changed or removed.

    Raises:
        UnreadableTaxonomy: It is broken, so it is left as it is.
        InvalidRequest: It would become too large to be read.
    """
    path = shared_path(location.path)
    read_beside(location, path)  # refuses what is no file, or is too large

    def edit(content: bytes | None) -> bytes:
        agreed = NOTHING_AGREED if content is None else read_shared(path, content)
        return with_types(path, content, addable(usage, agreed))

    has_changed = rewrite(location, resolved_beside(location, path), edit)
    listed = read_shared(path, read_beside(location, path) or b"{}")
    return ExportedTaxonomy(
        str(path),
        has_changed,
        len(listed.entity_types),
        len(listed.relation_types),
        _left_out(usage, listed) or None,
    )


def _left_out(usage: Usage, listed: SharedTaxonomy) -> tuple[str, ...]:
    return tuple(
        name
        for kind, counts in usage.types.items()
        for name in counts
        if name not in listed.types(kind)
    )
