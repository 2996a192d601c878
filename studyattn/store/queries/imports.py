"""What imported documents have in the database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from studyattn.store.queries.bulk import last_id
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
