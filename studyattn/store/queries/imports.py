"""The rows of imported documents, and those that an import adds and changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from studyattn.grouping import grouped
from studyattn.store.queries.bulk import Columns, insert_rows, last_id, update_rows
from studyattn.store.sql import Connection, Statements, rows

_SQL = Statements(__file__)
_TABLES = ("source", "concept", "item", "card", "note")
"""Those that an import writes, each behind those that it refers to."""


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
class ExistingRows:
    """Everything an import is compared with; cards and notes by the row of their source."""

    sources: tuple[ExistingSource, ...]
    concepts: tuple[ExistingConcept, ...]
    cards: Mapping[int, Sequence[ExistingCard]]
    notes: Mapping[int, Sequence[ExistingNote]]
    last: Mapping[str, int]
    """The last row of each table that an import numbers: the state that a plan is made for."""


def read_existing(connection: Connection) -> ExistingRows:
    """Read what there is of sources, concepts, imported cards and imported notes."""
    return ExistingRows(
        sources=tuple(rows(connection, ExistingSource, _SQL.sources)),
        concepts=tuple(rows(connection, ExistingConcept, _SQL.concepts)),
        cards=grouped(rows(connection, tuple[int, ExistingCard], _SQL.cards)),
        notes=grouped(rows(connection, tuple[int, ExistingNote], _SQL.notes)),
        last=read_last_rows(connection),
    )


def concept_ids(connection: Connection) -> dict[str, int]:
    """Return the row of every concept by its slug."""
    return dict(rows(connection, tuple[str, int], _SQL.concept_ids))


def read_last_rows(connection: Connection) -> dict[str, int]:
    """Read the last row of each table whose new rows an import numbers."""
    return {table: last_id(connection, table) for table in _TABLES if table != "card"}


def write_imported(
    connection: Connection,
    added: Mapping[str, Sequence[Columns]],
    changed: Mapping[str, Sequence[Columns]],
) -> None:
    """Add and change the rows of an import, by table: a few statements for each.

    A card that the learner has edited, even in the meantime, keeps its wording; its digest follows
    the document.
    """
    for table in _TABLES:
        insert_rows(connection, table, added.get(table, ()))
        if table != "card":
            update_rows(connection, table, "id", changed.get(table, ()))
    cards = changed.get("card", ())
    update_rows(connection, "card", "item_id", cards, "edited_at IS NULL")
    digests = [{name: card[name] for name in ("item_id", "digest")} for card in cards]
    update_rows(connection, "card", "item_id", digests)
