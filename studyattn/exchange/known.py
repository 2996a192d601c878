"""What the database already holds of imported documents: read once, before a plan is made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from studyattn.exchange.plan import Moment
from studyattn.store.models import OWN, Card, Concept, Item, Note, Source


@dataclass(frozen=True, slots=True)
class KnownSource:
    """A source as it was imported last."""

    row: int
    guid: str
    title: str
    path: str
    text: str
    digest: str


@dataclass(frozen=True, slots=True)
class KnownConcept:
    """A concept, of a pack, of an import or of the learner."""

    row: int
    slug: str
    title: str
    body: str
    state: str
    pack: str | None
    source: int | None


@dataclass(frozen=True, slots=True)
class KnownCard:
    """An imported card."""

    row: int
    guid: str
    concept: int
    front: str
    back: str
    digest: str
    edited: bool


@dataclass(frozen=True, slots=True)
class KnownNote:
    """A note that was made of a section."""

    row: int
    guid: str
    title: str
    body: str


@dataclass(frozen=True, slots=True)
class Known:
    """All of it. Cards and notes by the row of their source."""

    sources: tuple[KnownSource, ...]
    concepts: tuple[KnownConcept, ...]
    cards: Mapping[int, Sequence[KnownCard]]
    notes: Mapping[int, Sequence[KnownNote]]
    moment: Moment


def read_known(connection: Connection) -> Known:
    """What is there now."""
    sources = connection.execute(
        select(Source.id, Source.guid, Source.title, Source.path, Source.text, Source.digest)
    )
    concepts = connection.execute(
        select(
            Concept.id,
            Concept.slug,
            Concept.title,
            Concept.body,
            Concept.state,
            Concept.pack,
            Concept.source_id,
        ).order_by(Concept.id)
    )
    return Known(
        sources=tuple(KnownSource(*row) for row in sources),
        concepts=tuple(KnownConcept(*row) for row in concepts),
        cards=_cards(connection),
        notes=_notes(connection),
        moment=read_moment(connection),
    )


def read_moment(connection: Connection) -> Moment:
    """The last row of each table that an import writes to."""
    return Moment(*(_last(connection, table) for table in (Source, Concept, Item, Note)))


def _last(connection: Connection, table: type[Source | Concept | Item | Note]) -> int:
    return connection.execute(select(func.coalesce(func.max(table.id), 0))).scalar_one()


def _cards(connection: Connection) -> Mapping[int, Sequence[KnownCard]]:
    rows: Sequence[Any] = connection.execute(
        select(
            Item.source_id,
            Item.id,
            Item.guid,
            Item.concept_id,
            Card.front,
            Card.back,
            Card.digest,
            Card.edited_at.is_not(None),
        )
        .join(Card, Card.item_id == Item.id)
        .where(Item.source_id.is_not(None), ~Item.guid.startswith(OWN))
        .order_by(Item.id)
    ).all()
    by_source: defaultdict[Any, list[KnownCard]] = defaultdict(list)
    for row in rows:
        by_source[row[0]].append(KnownCard(*row[1:]))
    return by_source


def _notes(connection: Connection) -> Mapping[int, Sequence[KnownNote]]:
    rows: Sequence[Any] = connection.execute(
        select(Note.source_id, Note.id, Note.guid, Note.title, Note.body)
        .where(Note.source_id.is_not(None), Note.guid.contains(":note:"))
        .order_by(Note.id)
    ).all()
    by_source: defaultdict[Any, list[KnownNote]] = defaultdict(list)
    for row in rows:
        by_source[row[0]].append(KnownNote(*row[1:]))
    return by_source
