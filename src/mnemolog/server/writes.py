"""The tools that write."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from mnemolog.declarations import declared, described
from mnemolog.records import Priority
from mnemolog.requests import (
    InitializeMode,
    NewEntity,
    NewObservations,
    ObservationDeletion,
    RelationTriple,
)
from mnemolog.results import (
    AddedObservations,
    CreatedEntities,
    CreatedRelations,
    DeletedEntities,
    DeletedObservations,
    DeletedRelations,
    EditedObservation,
    ExportedTaxonomy,
    ImportSteps,
    InitializedMemory,
    MergedEntities,
    RenamedEntity,
    SupersededObservation,
    Undone,
)
from mnemolog.server.tool import ADDS, CHANGES, DELETES, STARTS_OVER, tool

if TYPE_CHECKING:
    from mnemolog.memory import Memory


@declared
class CreateEntities:
    """What create_entities takes."""

    entities: tuple[NewEntity, ...] = described("What to create")


@tool("Create Entities", ADDS, is_drop_in=True)
def create_entities(memory: Memory, arguments: CreateEntities, agent: str) -> CreatedEntities:
    """Save new entities with their first observations.

    Search first: a name that exists is left as it is and listed under `skipped`; say more about it
    with add_observations.
    """
    return memory.create_entities(arguments.entities, agent)


@declared
class CreateRelations:
    """What create_relations takes."""

    relations: tuple[RelationTriple, ...] = described("What to create")


@tool("Create Relations", ADDS, is_drop_in=True)
def create_relations(memory: Memory, arguments: CreateRelations, agent: str) -> CreatedRelations:
    """Save how entities relate to one another.

    A relation with an end that does not exist is listed under `skipped`.
    """
    return memory.create_relations(arguments.relations, agent)


@declared
class AddObservations:
    """What add_observations takes."""

    observations: tuple[NewObservations, ...] = described("What to add")


@tool("Add Observations", ADDS, is_drop_in=True)
def add_observations(memory: Memory, arguments: AddObservations, agent: str) -> AddedObservations:
    """Save new observations of entities that exist.

    If an entity does not exist, nothing is saved.
    """
    return memory.add_observations(arguments.observations, agent)


@declared
class EditObservation:
    """What edit_observation takes."""

    entity_name: str = described("Its exact name", key="entityName")
    old_text: str = described("The exact text", key="oldText")
    new_text: str | None = described("Better wording", key="newText", default=None)
    priority: Priority | None = described("Its new worth", default=None)


@tool("Edit Observation", CHANGES)
def edit_observation(memory: Memory, arguments: EditObservation, agent: str) -> EditedObservation:
    """Correct the wording or the priority of an observation; its date stays.

    If it stopped being true use supersede_observation.
    """
    return memory.edit_observation(
        arguments.entity_name,
        arguments.old_text,
        agent,
        new_text=arguments.new_text,
        priority=arguments.priority,
    )


@declared
class SupersedeObservation:
    """What supersede_observation takes."""

    entity_name: str = described("Its exact name", key="entityName")
    old_text: str = described("The exact text that is no longer true", key="oldText")
    new_text: str | None = described(
        "What is true instead, if anything", key="newText", default=None
    )


@tool("Supersede Observation", CHANGES)
def supersede_observation(
    memory: Memory, arguments: SupersedeObservation, agent: str
) -> SupersededObservation:
    """Retire an observation that was true and no longer is; it stays as history, out of sight."""
    return memory.supersede_observation(
        arguments.entity_name, arguments.old_text, agent, new_text=arguments.new_text
    )


@declared
class RenameEntity:
    """What rename_entity takes."""

    entity_name: str = described("The exact name that it has", key="entityName")
    new_name: str = described("The new one", key="newName")


@tool("Rename Entity", CHANGES)
def rename_entity(memory: Memory, arguments: RenameEntity, agent: str) -> RenamedEntity:
    """Give an entity another name; its facts, history and relations move along."""
    return memory.rename_entity(arguments.entity_name, arguments.new_name, agent)


@declared
class MergeEntities:
    """What merge_entities takes."""

    source_name: str = described("The entity that goes", key="sourceName")
    target_name: str = described("The entity that stays", key="targetName")


@tool("Merge Entities", CHANGES)
def merge_entities(memory: Memory, arguments: MergeEntities, agent: str) -> MergedEntities:
    """Join two entities that are the same thing: the target has everything then."""
    return memory.merge_entities(arguments.source_name, arguments.target_name, agent)


@dataclass(frozen=True, slots=True)
class Undo:
    """What undo takes: nothing."""


@tool("Undo", CHANGES)
def undo(memory: Memory, arguments: Undo, agent: str) -> Undone:  # noqa: ARG001 - every tool is called alike
    """Take back your last call that saved something; call it again for the one before."""
    return memory.undo(agent)


@declared
class DeleteEntities:
    """What delete_entities takes."""

    entity_names: tuple[str, ...] = described("Their exact names", key="entityNames")


@tool("Delete Entities", DELETES, is_drop_in=True)
def delete_entities(memory: Memory, arguments: DeleteEntities, agent: str) -> DeletedEntities:
    """Delete entities with all their observations and every relation that touches them.

    For what should never have been saved.
    """
    return memory.delete_entities(arguments.entity_names, agent)


@declared
class DeleteObservations:
    """What delete_observations takes."""

    deletions: tuple[ObservationDeletion, ...] = described("What to delete")


@tool("Delete Observations", DELETES, is_drop_in=True)
def delete_observations(
    memory: Memory, arguments: DeleteObservations, agent: str
) -> DeletedObservations:
    """Delete observations that should never have been saved; the entity stays.

    What is no longer true: supersede_observation.
    """
    return memory.delete_observations(arguments.deletions, agent)


@declared
class DeleteRelations:
    """What delete_relations takes."""

    relations: tuple[RelationTriple, ...] = described("What to delete")


@tool("Delete Relations", DELETES, is_drop_in=True)
def delete_relations(memory: Memory, arguments: DeleteRelations, agent: str) -> DeletedRelations:
    """Delete relations that match exactly; the entities at both ends stay."""
    return memory.delete_relations(arguments.relations, agent)


@declared
class ExportTaxonomy:
    """What export_taxonomy takes."""

    shared: bool = described("Only types and purposes, to commit", default=False)


@tool("Export Taxonomy", ADDS)
def export_taxonomy(memory: Memory, arguments: ExportTaxonomy, agent: str) -> ExportedTaxonomy:  # noqa: ARG001 - every tool is called alike
    """Write to a file beside the memory which types it uses, and how often."""
    return memory.upkeep.export_taxonomy(shared=arguments.shared)


@declared
class ImportMemory:
    """What import_memory takes."""

    source_path: str = described("File or folder")
    dry_run: bool = described("Only report", default=False)


@tool("Import Memory", ADDS)
def import_memory(memory: Memory, arguments: ImportMemory, agent: str) -> ImportSteps:
    """Bring along what another memory server kept; the source is only read.

    Again, it brings only what is new.
    """
    return memory.upkeep.import_steps(Path(arguments.source_path), agent, dry_run=arguments.dry_run)


@declared
class InitializeMemory:
    """What initialize_memory takes."""

    mode: InitializeMode = described(
        "adopt: keep the memories for this repository; fresh: set the file aside and start empty"
    )


@tool("Initialize Memory", STARTS_OVER)
def initialize_memory(memory: Memory, arguments: InitializeMemory, agent: str) -> InitializedMemory:
    """Say whose memory this is, after a tool has reported that it belongs to another repository.

    Ask the user first which mode they want.
    """
    return memory.initialize_memory(arguments.mode, agent)
