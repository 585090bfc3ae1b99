"""What the operations answer: server-memory's keys, and ours beside them."""

from __future__ import annotations

from collections.abc import Generator
from typing import Final, Literal, TypeAlias

from mnemolog.declarations import declared, described
from mnemolog.records import ObservationTags, Relation, Tags
from mnemolog.requests import RelationTriple

# What several results say alike.
_ENTITY_NAME: Final = "The entity's name"
_PROBLEMS: Final = "Lines of the memory file that could not be read; they are kept as they are"
_TAGS_OMITTED: Final = "True where observation_tags were left out to make the rest fit"
_OMITTED: Final = "What did not fit"
_CURSOR: Final = "Hand it back to read on"
_WARNINGS: Final = "What to look at"
_RETIRED: Final = "What was retired by on_conflict"
_MISSING_SOURCES: Final = "Sources that are no observations"
_WHY_NOT: Final = "Why it was not created, and what to do instead"
_SUCCESS: Final = "True: nothing that was asked for is there any more"
_DELETION: Final = "What was deleted and what was not found"
_REVIVED: Final = "The new text, where it had been superseded and is true again"
_NOTICE: Final = "Something to know about the memory file"


@declared
class SupersededResult:
    """An observation that was true and no longer is."""

    text: str = described("The text")
    tags: ObservationTags = described("When and by whom it was first said", spread=True)
    superseded_at: str | None = described("When it stopped being held true")
    superseded_by: str | None = described("Which agent retired it")
    replaced_by: str | None = described("The text that took its place", default=None)


@declared
class EntityResult:
    """An entity as it stands."""

    name: str = described(_ENTITY_NAME)
    entity_type: str = described("Its type", key="entityType")
    observations: tuple[str, ...] = described("What is true of it, in the order it was first said")
    tags: Tags = described("When and by whom it was first said", spread=True)
    observation_tags: tuple[ObservationTags, ...] | None = described(
        "When and by whom each observation was said, in the same order", default=None
    )
    superseded: tuple[SupersededResult, ...] | None = described(
        "What was true of it and no longer is", default=None
    )
    observation_count: int | None = described(
        "How many observations it has, where not all of them are shown", default=None
    )
    superseded_count: int | None = described(
        "How many are no longer true, where they were asked for and not all are shown", default=None
    )


@declared
class Problem:
    """A line of the memory file that could not be read; it is kept as it is."""

    line: int = described("Its line number, from 1")
    reason: str = described("What is wrong with it")


@declared
class Omitted:
    """How much more there is than the answer shows."""

    entities: int = described("Entities that are left")
    hits: int | None = described("Hits that are left", default=None)
    relations: int | None = described("Relations that are left", default=None)


@declared
class Totals:
    """How much of everything there is."""

    entities: int = described("Entities")
    observations: int = described("Observations that are true")
    superseded: int = described("Observations that were true and are kept as history")
    relations: int = described("Relations")


@declared
class GraphResult:
    """A graph, or the part of it that was asked for."""

    entities: tuple[EntityResult, ...] = described("The entities, in file order")
    relations: tuple[Relation, ...] = described("The relations, in file order")
    problems: tuple[Problem, ...] | None = described(_PROBLEMS, default=None)
    tags_omitted: bool | None = described(_TAGS_OMITTED, default=None)
    omitted: Omitted | None = described(_OMITTED, default=None)
    cursor: str | None = described(_CURSOR, default=None)

    @property
    def totals(self) -> Totals:
        """How much it shows."""
        observations = sum(len(entity.observations) for entity in self.entities)
        superseded = sum(len(entity.superseded or ()) for entity in self.entities)
        return Totals(len(self.entities), observations, superseded, len(self.relations))


@declared
class HitResult:
    """An observation that answers a query."""

    entity_name: str = described("The entity that it is about", key="entityName")
    text: str = described("The observation")
    rank: int = described("1 is the best")
    score: float = described("How well it answers; larger is better")
    tags: ObservationTags = described("When and by whom it was said", spread=True)
    superseded_at: str | None = described("When it stopped being held true", default=None)
    superseded_by: str | None = described("Which agent retired it", default=None)


@declared
class SearchResults:
    """What a search found; the best stand at the start and the end of each list."""

    entities: tuple[EntityResult, ...] = described("The entities of the hits, or that match")
    relations: tuple[Relation, ...] = described("The relations that touch them")
    hits: tuple[HitResult, ...] = described("The observations that answer the query")
    did_you_mean: tuple[str, ...] | None = described(
        "Words of the memory that are spelt nearly like the query's", default=None
    )
    problems: tuple[Problem, ...] | None = described(_PROBLEMS, default=None)
    tags_omitted: bool | None = described(_TAGS_OMITTED, default=None)
    omitted: Omitted | None = described(_OMITTED, default=None)
    cursor: str | None = described(_CURSOR, default=None)


WarningKind: TypeAlias = Literal[
    "near_duplicate", "conflict", "instruction_like", "secret", "type_variant"
]


@declared
class Resembling:
    """Something saved that a new fact resembles."""

    entity_name: str = described(_ENTITY_NAME, key="entityName")
    text: str | None = described("The observation", default=None)


@declared
class FactWarning:
    """Something about a fact that was saved, and should be looked at."""

    kind: WarningKind = described("What it is about")
    message: str = described("What is noticed, and what to do about it")
    entity_name: str | None = described(_ENTITY_NAME, key="entityName", default=None)
    text: str | None = described("The fact, unless it must not be repeated", default=None)
    resembles: Resembling | None = described("What it resembles", default=None)


@declared
class SkippedEntity:
    """An entity that was not created."""

    name: str = described(_ENTITY_NAME)
    reason: str = described(_WHY_NOT)


@declared
class CreatedEntities:
    """What create_entities did."""

    entities: tuple[EntityResult, ...] = described("The entities that are new")
    skipped: tuple[SkippedEntity, ...] | None = described(
        "Entities that were not created, and why", default=None
    )
    warnings: tuple[FactWarning, ...] | None = described(_WARNINGS, default=None)
    superseded: tuple[Resembling, ...] | None = described(_RETIRED, default=None)
    missing_sources: tuple[str, ...] | None = described(_MISSING_SOURCES, default=None)
    notice: str | None = described(_NOTICE, default=None)


@declared
class SkippedRelation:
    """A relation that was not created."""

    relation: RelationTriple = described("The relation", spread=True)
    reason: str = described(_WHY_NOT)


@declared
class CreatedRelations:
    """What create_relations did."""

    relations: tuple[Relation, ...] = described("The relations that are new")
    skipped: tuple[SkippedRelation, ...] | None = described(
        "Relations that were not created, and why", default=None
    )
    warnings: tuple[FactWarning, ...] | None = described(_WARNINGS, default=None)
    notice: str | None = described(_NOTICE, default=None)


@declared
class EntityAdditions:
    """What was new for one entity."""

    entity_name: str = described(_ENTITY_NAME, key="entityName")
    added_observations: tuple[str, ...] = described(
        "The observations that are new; those already there are left out", key="addedObservations"
    )
    revived: tuple[str, ...] | None = described(
        "Those of them that had been superseded and are true again", default=None
    )


@declared
class AddedObservations:
    """What add_observations did."""

    results: tuple[EntityAdditions, ...] = described("What was new, for each element of the call")
    warnings: tuple[FactWarning, ...] | None = described(_WARNINGS, default=None)
    superseded: tuple[Resembling, ...] | None = described(_RETIRED, default=None)
    missing_sources: tuple[str, ...] | None = described(_MISSING_SOURCES, default=None)
    notice: str | None = described(_NOTICE, default=None)


@declared
class DeletedEntities:
    """What delete_entities did."""

    success: bool = described(_SUCCESS)
    message: str = described(_DELETION)
    deleted: tuple[str, ...] = described("The entities that were deleted")
    deleted_relations: tuple[RelationTriple, ...] = described("The relations that went with them")
    not_found: tuple[str, ...] | None = described("Names that were not there", default=None)
    notice: str | None = described(_NOTICE, default=None)


@declared
class EntityObservations:
    """Observations of one entity."""

    entity_name: str = described(_ENTITY_NAME, key="entityName")
    observations: tuple[str, ...] = described("The texts")


@declared
class DeletedObservations:
    """What delete_observations did."""

    success: bool = described(_SUCCESS)
    message: str = described(_DELETION)
    deleted: tuple[EntityObservations, ...] = described("The observations that were deleted")
    not_found: tuple[EntityObservations, ...] | None = described(
        "Observations that were not there", default=None
    )
    notice: str | None = described(_NOTICE, default=None)


@declared
class DeletedRelations:
    """What delete_relations did."""

    success: bool = described(_SUCCESS)
    message: str = described(_DELETION)
    deleted: tuple[RelationTriple, ...] = described("The relations that were deleted")
    not_found: tuple[RelationTriple, ...] | None = described(
        "Relations that were not there", default=None
    )
    notice: str | None = described(_NOTICE, default=None)


@declared
class EditedObservation:
    """What edit_observation did."""

    entity_name: str = described(_ENTITY_NAME, key="entityName")
    text: str = described("The observation as it stands now")
    tags: ObservationTags = described("When and by whom it was said and edited", spread=True)
    revived: tuple[str, ...] | None = described(_REVIVED, default=None)
    warnings: tuple[FactWarning, ...] | None = described(_WARNINGS, default=None)
    notice: str | None = described(_NOTICE, default=None)


@declared
class SupersededObservation:
    """What supersede_observation did."""

    entity_name: str = described(_ENTITY_NAME, key="entityName")
    superseded: str = described("The observation that is kept as history")
    replaced_by: str | None = described("The observation that took its place")
    revived: tuple[str, ...] | None = described(_REVIVED, default=None)
    warnings: tuple[FactWarning, ...] | None = described(_WARNINGS, default=None)
    notice: str | None = described(_NOTICE, default=None)


@declared
class RenamedEntity:
    """What rename_entity did."""

    old_name: str = described("The name that is gone", key="oldName")
    new_name: str = described("The name that it has now", key="newName")
    relations: tuple[RelationTriple, ...] = described("The relations that moved along")
    notice: str | None = described(_NOTICE, default=None)


@declared
class MergedEntities:
    """What merge_entities did."""

    entity_name: str = described("The entity that has everything now", key="entityName")
    observations: tuple[str, ...] = described("The observations that were new to it")
    relations: tuple[RelationTriple, ...] = described("The relations that moved to it")
    dropped_relations: tuple[RelationTriple, ...] | None = described(
        "Relations that would repeat one or lead from it to itself", default=None
    )
    notice: str | None = described(_NOTICE, default=None)


@declared
class Undone:
    """What undo did."""

    undone: str = described("The call that was taken back")
    message: str = described("What is as it was before")


@declared
class CheckedObservations:
    """What check_observations found; nothing was saved."""

    warnings: tuple[FactWarning, ...] = described("What saving these would warn of")


@declared
class ImportProgress:
    """How far an import has come."""

    records: int = described("How many records have been taken in")
    part: float | None = described("How much of the source has been read, from 0 to 1, if known")


@declared
class ImportProblem:
    """Something of the source that was not imported."""

    place: str = described("Where it stands in the source")
    reason: str = described("Why it was left out")


@declared
class ImportReport:
    """What an import did, or would do."""

    entities_imported: int = described("Entities that were read, new or not")
    observations_imported: int = described("Observations that are new")
    relations_imported: int = described("Relations that are new")
    errors: int = described("Parts that cannot be parsed")
    skipped: int = described("Records that lack something, or are of no known type")
    entities_created: int = described("How many of the entities are new", default=0)
    lines_added: int = described("Lines that the memory file has gained", default=0)
    source: str = described("The file or folder", default="")
    format: str = described("What kind of store it is", default="")
    dry_run: bool = described("True: nothing was saved", default=False)
    error_list: tuple[ImportProblem, ...] | None = described("The first errors", default=None)
    skipped_list: tuple[ImportProblem, ...] | None = described("The first skipped", default=None)
    problems_omitted: int | None = described("Problems that are not listed", default=None)
    warnings: tuple[FactWarning, ...] | None = described(
        "The first new observations that hold secrets or read like instructions", default=None
    )
    secrets: int | None = described("How many hold secrets", default=None)
    instruction_like: int | None = described("How many read like instructions", default=None)


ImportSteps: TypeAlias = Generator[ImportProgress, None, ImportReport]
"""An import under way: each step saves one call, and the last one returns the report."""


@declared
class ExportedTaxonomy:
    """What export_taxonomy wrote."""

    path: str = described("The file")
    changed: bool = described("False: the file said this already")
    entity_types: int = described("How many entity types it lists", default=0)
    relation_types: int = described("How many relation types it lists", default=0)
    left_out: tuple[str, ...] | None = described(
        "Types in use that are another spelling of one that is listed", default=None
    )


@declared
class InitializedMemory:
    """What initialize_memory did."""

    success: bool = described("True: the memory now belongs to this repository")
    message: str = described("What was done")
    backup: str | None = described("Where the memory that was set aside is", default=None)
