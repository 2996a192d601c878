"""What the database already holds of imported documents: read once, before a plan is made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from studyattn.exchange.documents.plan import PlanBasis
from studyattn.store.models import OWN, CardRow, ConceptRow, ItemRow, NoteRow, SourceRow


@dataclass(frozen=True, slots=True)
class ExistingSource:
    """A source as it was imported last."""

    row: int
    guid: str
    title: str
    path: str
    text: str
    digest: str


@dataclass(frozen=True, slots=True)
class ExistingConcept:
    """A concept, of a pack, of an import or of the learner."""

    row: int
    slug: str
    title: str
    body: str
    state: str
    pack: str | None
    source: int | None


@dataclass(frozen=True, slots=True)
class ExistingCard:
    """An imported card."""

    row: int
    guid: str
    concept: int
    front: str
    back: str
    digest: str
    edited: bool


@dataclass(frozen=True, slots=True)
class ExistingNote:
    """A note that was made of a section."""

    row: int
    guid: str
    title: str
    body: str


@dataclass(frozen=True, slots=True)
class ExistingRows:
    """All of it. Cards and notes by the row of their source."""

    sources: tuple[ExistingSource, ...]
    concepts: tuple[ExistingConcept, ...]
    cards: Mapping[int, Sequence[ExistingCard]]
    notes: Mapping[int, Sequence[ExistingNote]]
    moment: PlanBasis


def read_existing(connection: Connection) -> ExistingRows:
    """What is there now."""
    sources = connection.execute(
        select(
            SourceRow.id,
            SourceRow.guid,
            SourceRow.title,
            SourceRow.path,
            SourceRow.text,
            SourceRow.digest,
        )
    )
    concepts = connection.execute(
        select(
            ConceptRow.id,
            ConceptRow.slug,
            ConceptRow.title,
            ConceptRow.body,
            ConceptRow.state,
            ConceptRow.pack,
            ConceptRow.source_id,
        ).order_by(ConceptRow.id)
    )
    return ExistingRows(
        sources=tuple(ExistingSource(*row) for row in sources),
        concepts=tuple(ExistingConcept(*row) for row in concepts),
        cards=_cards(connection),
        notes=_notes(connection),
        moment=read_basis(connection),
    )


def read_basis(connection: Connection) -> PlanBasis:
    """The last row of each table that an import writes to."""
    return PlanBasis(
        *(_last(connection, table) for table in (SourceRow, ConceptRow, ItemRow, NoteRow))
    )


def _last(connection: Connection, table: type[SourceRow | ConceptRow | ItemRow | NoteRow]) -> int:
    return connection.execute(select(func.coalesce(func.max(table.id), 0))).scalar_one()


def _cards(connection: Connection) -> Mapping[int, Sequence[ExistingCard]]:
    rows: Sequence[Any] = connection.execute(
        select(
            ItemRow.source_id,
            ItemRow.id,
            ItemRow.guid,
            ItemRow.concept_id,
            CardRow.front,
            CardRow.back,
            CardRow.digest,
            CardRow.edited_at.is_not(None),
        )
        .join(CardRow, CardRow.item_id == ItemRow.id)
        .where(ItemRow.source_id.is_not(None), ~ItemRow.guid.startswith(OWN))
        .order_by(ItemRow.id)
    ).all()
    by_source: defaultdict[Any, list[ExistingCard]] = defaultdict(list)
    for row in rows:
        by_source[row[0]].append(ExistingCard(*row[1:]))
    return by_source


def _notes(connection: Connection) -> Mapping[int, Sequence[ExistingNote]]:
    rows: Sequence[Any] = connection.execute(
        select(NoteRow.source_id, NoteRow.id, NoteRow.guid, NoteRow.title, NoteRow.body)
        .where(NoteRow.source_id.is_not(None), NoteRow.guid.contains(":note:"))
        .order_by(NoteRow.id)
    ).all()
    by_source: defaultdict[Any, list[ExistingNote]] = defaultdict(list)
    for row in rows:
        by_source[row[0]].append(ExistingNote(*row[1:]))
    return by_source
