"""The rows of imported documents, and those that an import adds and changes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from studyattn.store.queries.bulk import Columns, insert_rows, last_id, update_rows
from studyattn.store.sql import Connection, Statements, rows

_SQL = Statements(__file__)


@dataclass(frozen=True, slots=True)
class ExistingSource:
    """A source as of its last import."""

    row: int
    guid: str
    title: str
    path: str
    text: str
    digest: str
    edits: Mapping[str, Any]
    kind: str


@dataclass(frozen=True, slots=True)
class ExistingConcept:
    """A concept of a pack, of an import or of the learner."""

    row: int
    slug: str
    title: str
    body: str
    state: str
    pack: str | None
    source: int | None


@dataclass(frozen=True, slots=True)
class ExistingCard:
    """An imported card; `concept` is the row of its concept."""

    row: int
    guid: str
    concept: int
    front: str
    back: str
    digest: str
    edited: bool


@dataclass(frozen=True, slots=True)
class ExistingNote:
    """A note made from a section of a document."""

    row: int
    guid: str
    title: str
    body: str


@dataclass(frozen=True, slots=True)
class LastRows:
    """The last row of each table that an import writes to: the state that a plan is made for."""

    source: int
    concept: int
    item: int
    note: int


@dataclass(frozen=True, slots=True)
class ExistingRows:
    """Everything an import is compared with; cards and notes by the row of their source."""

    sources: tuple[ExistingSource, ...]
    concepts: tuple[ExistingConcept, ...]
    cards: Mapping[int, Sequence[ExistingCard]]
    notes: Mapping[int, Sequence[ExistingNote]]
    last: LastRows


def read_existing(connection: Connection) -> ExistingRows:
    """Read what there is of sources, concepts, imported cards and imported notes."""
    cards: defaultdict[int, list[ExistingCard]] = defaultdict(list)
    for source, card in rows(connection, tuple[int, ExistingCard], _SQL.cards):
        cards[source].append(card)
    notes: defaultdict[int, list[ExistingNote]] = defaultdict(list)
    for source, note in rows(connection, tuple[int, ExistingNote], _SQL.notes):
        notes[source].append(note)
    return ExistingRows(
        sources=tuple(rows(connection, ExistingSource, _SQL.sources)),
        concepts=tuple(rows(connection, ExistingConcept, _SQL.concepts)),
        cards=cards,
        notes=notes,
        last=read_last_rows(connection),
    )


def concept_ids(connection: Connection) -> dict[str, int]:
    """Return the row of every concept by its slug."""
    return dict(rows(connection, tuple[str, int], _SQL.concept_ids))


def read_last_rows(connection: Connection) -> LastRows:
    """Read the last row of each table that an import writes to."""
    return LastRows(
        *(last_id(connection, table) for table in ("source", "concept", "item", "note"))
    )


@dataclass(frozen=True, slots=True)
class ImportedRows:
    """The rows that one import adds and changes, as columns; a changed row has its `id`.

    New rows are numbered by the import, from `LastRows`.
    """

    new_sources: list[Columns] = field(default_factory=list)
    changed_sources: list[Columns] = field(default_factory=list)
    new_concepts: list[Columns] = field(default_factory=list)
    changed_concepts: list[Columns] = field(default_factory=list)
    new_items: list[Columns] = field(default_factory=list)
    new_cards: list[Columns] = field(default_factory=list)
    changed_cards: list[Columns] = field(default_factory=list)
    """By `item_id`. A card that the learner has edited in the meantime keeps its wording."""
    changed_digests: list[Columns] = field(default_factory=list)
    """By `item_id`: cards of which only the digest follows the document."""
    new_notes: list[Columns] = field(default_factory=list)
    changed_notes: list[Columns] = field(default_factory=list)


def write_imported(connection: Connection, imported: ImportedRows) -> None:
    """Add and change the rows of an import, a statement for each list."""
    insert_rows(connection, "source", imported.new_sources)
    update_rows(connection, "source", "id", imported.changed_sources)
    insert_rows(connection, "concept", imported.new_concepts)
    update_rows(connection, "concept", "id", imported.changed_concepts)
    insert_rows(connection, "item", imported.new_items)
    insert_rows(connection, "card", imported.new_cards)
    update_rows(connection, "card", "item_id", imported.changed_cards, "edited_at IS NULL")
    update_rows(connection, "card", "item_id", imported.changed_digests)
    insert_rows(connection, "note", imported.new_notes)
    update_rows(connection, "note", "id", imported.changed_notes)
